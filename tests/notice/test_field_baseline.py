"""One field: how often it is there, what its values usually are like, and what is unusual about one."""

import json
from zlib import crc32

import pytest

from sitewright.notice.field_baseline import LEARNING, FieldBaseline
from sitewright.notice.observation import Seen
from sitewright.notice.signals import Occurrence
from sitewright.store.entries import IncidentKind


def page(number: int) -> Occurrence:
    return Occurrence(float(number), f"https://example.com/{number}")


def value(number: int, length: float = 4.0, shape: str = "line", *, agrees: bool | None = None) -> Seen:
    return Seen(length + number % 3 / 10, shape, crc32(str(number).encode()), f"value {number}", agrees)


def learned(pages: int = 100) -> FieldBaseline:
    known = FieldBaseline()
    for number in range(pages):
        assert known.found(value(number), page(number), is_again=False, only_learn=False) is None
        if number % 16 == 0 or number == LEARNING:
            known.refresh(1.0)
    return known


@pytest.mark.parametrize(
    ("seen", "unusual"),
    [
        (value(500), None),
        (value(99), "repeats"),
        (value(500, shape="date"), "other shape"),
        (value(500, agrees=False), "disagrees"),
        (value(500, 2.0), "shorter"),
        (value(500, 7.0), "longer"),
        (value(99, 2.0, "date"), "repeats"),
    ],
)
def test_what_is_unusual_about_a_value(seen: Seen, unusual: IncidentKind | None) -> None:
    assert learned().found(seen, page(500), is_again=False, only_learn=False) == unusual


def test_a_page_that_is_met_again_does_not_repeat() -> None:
    assert learned().found(value(99), page(99), is_again=True, only_learn=False) is None


def test_what_values_are_like_is_not_tested_before_it_is_known() -> None:
    assert learned(30).found(value(500, shape="date"), page(500), is_again=False, only_learn=False) is None


def test_lengths_under_suspicion_do_not_become_usual() -> None:
    """Two of three values are cut: those that are not must not hide it, however long it goes on."""
    known = learned()
    usual = known.lengths.mean
    pages = 0
    while known.breach is None and pages < 100:
        known.found(value(200 + pages, 2.0 if pages % 3 else 4.0), page(200 + pages), is_again=False, only_learn=False)
        pages += 1
    assert known.breach == "shorter"
    assert usual - known.lengths.mean < 0.5


def test_how_often_it_is_there() -> None:
    known = learned(60)
    for number in range(20):
        known.learn_missing(is_rescued=number % 2 == 0)
    assert (known.pages, known.fill) == (80, 0.75)
    assert not known.is_expected


def test_a_loss_that_the_tagger_sees_is_soon_a_breach() -> None:
    known = learned()
    pages = 0
    while known.breach is None:
        known.missing(value(200 + pages), page(200 + pages), 0.0, is_sure=False)
        pages += 1
    assert (known.breach, pages) == ("lost", 4)
    known.open("lost")
    assert known.alarm is not None
    assert (known.alarm.kind, known.alarm.bad) == ("lost", 4)
    assert (known.breach, len(known.suspects["lost"])) == (None, 4)


def test_during_an_alarm_nothing_is_learned() -> None:
    known = learned()
    known.open("lost")
    before = known.pages, known.valued, dict(known.shapes)
    known.found(value(500, 9.0, "date"), page(500), is_again=False, only_learn=False)
    assert (known.pages, known.valued, known.shapes) == before


def test_pages_that_lack_it_wait_until_the_suspicion_is_gone() -> None:
    known = learned()
    known.missing(None, page(200), 0.0, is_sure=True)
    known.await_innocence("/news 1")
    assert known.take_pending() == []
    for number in range(300, 320):
        known.found(value(number), page(number), is_again=False, only_learn=False)
    assert known.take_pending() == ["/news 1"]


def test_it_goes_on_from_its_state() -> None:
    known = learned()
    known.missing(value(200), page(200), 0.0, is_sure=False)
    kept = json.loads(json.dumps(known.to_state()))
    again = FieldBaseline.from_state(kept)
    assert (again.pages, again.fill, again.usual) == (known.pages, known.fill, known.usual)
    assert (again.digests, again.examples, again.suspects) == (known.digests, known.examples, known.suspects)
    for number in range(201, 204):
        again.missing(value(number), page(number), 0.0, is_sure=False)
    assert again.breach == "lost", "what was suspicious before counts"
