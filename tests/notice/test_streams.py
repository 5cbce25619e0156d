"""Alarms: when they begin, when they are over, and what is kept of them."""

import json

import pytest

from sitewright.notice.evidence import Gap, Share
from sitewright.notice.signals import Occurrence
from sitewright.notice.streams import Alarm, Stream, alarm_of, counts_of, finite, kind_of, occurrence_of, remember


def page(number: int) -> Occurrence:
    return Occurrence(float(number), f"https://example.com/{number}")


def alarmed() -> Stream:
    stream = Stream("handed over", Share(pages=200.0))
    hits = [stream.hit(page(number), 0.0, "news") for number in range(4)]
    assert hits == [False, False, False, True]
    return stream


def test_an_alarm_is_raised_with_all_pages_that_speak_for_it() -> None:
    stream = alarmed()
    assert stream.suspects == [page(number) for number in range(4)]
    assert stream.alarm == Alarm("handed over", rate=0.01, pages=4, bad=4)
    assert stream.pending == []


def test_a_suspicion_that_is_gone_tells_which_kinds_of_pages_are_innocent() -> None:
    stream = Stream("walled", Share(pages=200.0))
    stream.hit(page(1), 0.0, "news")
    innocent = next(found for _ in range(50) if (found := stream.miss()))
    assert (innocent, stream.suspects, stream.pending) == (["news"], [], [])


def test_an_alarm_is_over_after_ten_good_pages() -> None:
    stream = alarmed()
    assert [stream.judge(is_bad=False) for _ in range(10)] == [False] * 9 + [True]
    assert (stream.alarm, stream.suspects) == (None, [])


def test_bad_pages_keep_an_alarm_on() -> None:
    stream = alarmed()
    assert not any(stream.judge(is_bad=number % 3 == 0) for number in range(60))


@pytest.mark.parametrize("stream", [alarmed(), Stream("refused", Gap(pages=9.0))], ids=["alarm", "none"])
def test_a_stream_goes_on_from_its_state(stream: Stream) -> None:
    other = Stream(stream.kind, type(stream.test)())
    other.restore(json.loads(json.dumps(stream.to_state())))
    assert other == stream


def test_the_first_suspects_and_the_last_are_kept() -> None:
    suspects: list[Occurrence] = []
    for number in range(50):
        remember(suspects, page(number))
    assert len(suspects) == 20
    assert (suspects[0], suspects[9], suspects[-1]) == (page(0), page(9), page(49))


@pytest.mark.parametrize("values", [[-1], [float("nan")], [1e12], ["7"], [None]])
def test_numbers_that_cannot_be_are_refused(values: list[object]) -> None:
    with pytest.raises(ValueError, match="not a number"):
        finite(values)


def test_what_was_kept_is_read() -> None:
    assert counts_of({"a": 1, "b": 2.5}) == {"a": 1, "b": 2.5}
    assert occurrence_of([5, "u", "v"]) == Occurrence(5, "u", "v")
    assert alarm_of(None) is None
    assert alarm_of(["lost", 0.1, 4, 3, 0.5, 1]) == Alarm("lost", 0.1, 4, 3, 0.5, 1)
    assert kind_of("walled") == "walled"


@pytest.mark.parametrize("row", [["lost", 0, 4, 3, 0.5, 1], ["bees", 0.1, 4, 3, 0.5, 1]])
def test_an_alarm_that_cannot_be_is_refused(row: list[object]) -> None:
    with pytest.raises(ValueError, match=r"no alarm|no kind"):
        alarm_of(row)
