"""Baselines: nothing is noticed on pages that do not change, and what changes is noticed soon.

`LOSSES` are bounds; `notice/baselines.py` states medians. Without a change, 36 papers of 10,000 pages each, with seeds
that no threshold was set on, raised no alarm (`test_unchanged_pages_raise_no_alarm` does three such).
"""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.notice.papers import DAY, Change, Paper, redesigned, seen, with_value, without

from sitewright.notice.baselines import SITE, SiteBaseline, load_baseline
from sitewright.notice.incidents import IncidentLog
from sitewright.notice.observation import Observation, observe_failure
from sitewright.notice.signals import Signal
from sitewright.store.entries import Incident
from sitewright.types import Failure

pytestmark = pytest.mark.slow


def opened(baseline: SiteBaseline, pages: Sequence[Observation]) -> list[tuple[int, Signal]]:
    """Return what was noticed, and after how many pages."""
    return [
        (number, signal)
        for number, page in enumerate(pages, 1)
        for signal in baseline.observe(page)
        if signal.what == "opened"
    ]


def learned(paper: Paper, pages: int) -> SiteBaseline:
    baseline = SiteBaseline()
    assert opened(baseline, paper.pages(pages)) == []
    return baseline


# Nothing changes


@pytest.mark.parametrize(("seed", "a_day"), [(1, 20), (2, 120), (3, 600)])
def test_unchanged_pages_raise_no_alarm(seed: int, a_day: float) -> None:
    assert opened(SiteBaseline(), Paper(seed, a_day).pages(10_000)) == []


def test_a_run_of_ten_videos_is_no_alarm() -> None:
    paper = Paper(4)
    baseline = learned(paper, 400)
    videos = [without("text", fingerprint=55)(without("authors")(page)) for page in paper.articles(10)]
    assert opened(baseline, videos) == []
    assert opened(baseline, paper.pages(300)) == []


def test_videos_that_were_there_before_are_no_alarm_however_many() -> None:
    paper = Paper(5)
    baseline = learned(paper, 300)

    def video(page: Observation) -> Observation:
        lost = without("text", fingerprint=55)(page)
        return replace(lost, url=page.url.replace("/news", "/video"), section="/video")

    for _ in range(6):
        assert opened(baseline, [*map(video, paper.articles(8)), *paper.articles(30)]) == []
    assert opened(baseline, list(map(video, paper.articles(60)))) == []


def test_one_odd_page_is_no_alarm_and_neither_are_two() -> None:
    paper = Paper(6)
    baseline = learned(paper, 300)
    for _ in range(30):
        odd = map(redesigned, paper.articles(2))
        assert opened(baseline, [*odd, *paper.articles(30)]) == []


def test_slow_change_is_normal() -> None:
    paper = Paper(7, a_day=20)
    baseline = learned(paper, 300)
    for share in range(0, 100, 4):
        lost = without("images")
        pages = [lost(page) if paper.random.random() < share / 100 else page for page in paper.articles(250)]
        assert opened(baseline, pages) == []


def test_pages_that_are_met_again_do_not_repeat() -> None:
    paper = Paper(8)
    baseline = learned(paper, 300)
    pages = paper.articles(6)
    assert opened(baseline, pages * 5) == []


# What changes is noticed

LOSSES: dict[str, tuple[Change, str, str, int]] = {
    "text, the tagger sees it": (without("text", rescued=True), "text", "lost", 5),
    "title, the tagger sees it": (without("title", rescued=True), "title", "lost", 5),
    "text from pages built as before": (without("text"), "text", "lost", 20),
    "text from pages built anew": (without("text", fingerprint=99), "text", "lost", 20),
    "published, on 99 % of pages": (without("published", fingerprint=99), "published", "lost", 20),
    "images, on 84 %": (without("images", fingerprint=99), "images", "lost", 30),
    "subtitle, on 67 %": (without("subtitle", fingerprint=99), "subtitle", "lost", 45),
    "authors, on 45 %": (without("authors", fingerprint=99), "authors", "lost", 75),
    "modified, on 30 %": (without("modified", fingerprint=99), "modified", "lost", 80),
    "all, the tagger sees it": (redesigned, "", "handed over", 5),
    "text to a teaser": (with_value("text", seen(250, "text", 0)), "text", "repeats", 6),
    "title to the name of the paper": (with_value("title", seen(9, "line", 7)), "title", "repeats", 6),
}


@pytest.mark.parametrize("case", LOSSES)
def test_a_loss_is_noticed(case: str) -> None:
    change, name, kind, within = LOSSES[case]
    for seed in range(8):
        paper = Paper(100 + seed)
        baseline = learned(paper, 300)
        began = paper.at
        pages = paper.articles(400)
        changed = [change(page) for page in pages]
        number, signal = opened(baseline, changed)[0]
        assert (signal.template, signal.field, signal.kind) == ("article", name, kind)
        assert sum(new is not old for new, old in zip(changed[:number], pages, strict=False)) <= within
        assert signal.pages[0].at > began - DAY / 2
        assert signal.pages[-1].url == pages[number - 1].url


def test_texts_that_are_cut_short_are_noticed() -> None:
    for seed in range(8):
        paper = Paper(200 + seed)
        baseline = learned(paper, 300)
        pages = [
            replace(page, found={**page.found, "text": seen(150 + number % 90, "text", number)})
            for number, page in enumerate(paper.articles(30))
        ]
        number, signal = opened(baseline, pages)[0]
        assert (signal.field, signal.kind) == ("text", "shorter")
        assert number <= 12


@pytest.mark.parametrize("pages", [5, 10])
def test_pages_that_are_hardly_read_are_noticed_though_little_is_known(pages: int) -> None:
    for seed in range(8):
        paper = Paper(500 + seed)
        baseline = SiteBaseline()
        for page in paper.articles(pages):
            baseline.observe(page, only_learn=True)
        number, signal = opened(baseline, [redesigned(page) for page in paper.articles(20)])[0]
        assert (signal.field, signal.kind) == ("", "handed over")
        assert number <= 6
        assert len(baseline.hardly_read()) == 20


def test_a_required_field_is_noticed_after_first_sight_of_24_pages() -> None:
    for seed in range(8):
        paper = Paper(300 + seed)
        baseline = SiteBaseline()
        for page in paper.articles(24):
            baseline.observe(page)
        number, signal = opened(baseline, [without("text", rescued=True)(page) for page in paper.articles(20)])[0]
        assert (signal.field, signal.kind) == ("text", "lost")
        assert number <= 6


@pytest.mark.parametrize(("share", "within"), [(0.5, 10), (0.25, 16)])
def test_a_loss_on_some_pages_is_noticed(share: float, within: int) -> None:
    for seed in range(8):
        paper = Paper(400 + seed)
        baseline = learned(paper, 300)
        lost = without("text", rescued=True, fingerprint=99)
        pages = [lost(page) if paper.random.random() < share else page for page in paper.articles(200)]
        number, signal = opened(baseline, pages)[0]
        assert (signal.field, signal.kind) == ("text", "lost")
        assert sum(page.fingerprint == 99 for page in pages[:number]) <= within


def test_pages_that_no_template_knows_and_walls_are_noticed() -> None:
    paper = Paper(9)
    baseline = learned(paper, 300)
    unknown = [replace(page, template="", handed=True, found={}) for page in paper.articles(6)]
    assert [(signal.template, signal.kind) for _, signal in opened(baseline, unknown)] == [("", "handed over")]
    walls = [
        observe_failure(Failure(f"https://example.com/{n}", "extract", "login_wall", ""), paper.at + n)
        for n in range(6)
    ]
    assert [(signal.template, signal.kind) for _, signal in opened(baseline, walls)] == [("", "walled")]


def test_a_field_that_never_was_there_is_no_loss() -> None:
    paper = Paper(10)
    baseline = learned(paper, 300)
    once = paper.articles(1)[0]
    baseline.observe(replace(once, found={**once.found, "rating": seen(3, "number", 1)}))
    assert opened(baseline, paper.articles(300)) == []


def test_values_that_metadata_does_not_state_are_noticed() -> None:
    paper = Paper(22)
    baseline = learned(paper, 300)
    pages = [
        replace(page, found={**page.found, "title": page.found["title"]._replace(agrees=False)})
        for page in paper.articles(8)
        if "title" in page.found
    ]
    assert [(signal.field, signal.kind) for _, signal in opened(baseline, pages)] == [("title", "disagrees")]


# What happens during an alarm


def test_nothing_is_learned_while_an_alarm_is_on_and_it_ends_by_itself() -> None:
    paper = Paper(11)
    baseline = learned(paper, 300)
    lost = without("text", rescued=True)
    assert len(opened(baseline, [lost(page) for page in paper.articles(200)])) == 1
    field = baseline.templates["article"].fields["text"]
    assert field.fill > 0.9
    assert baseline.observe(lost(paper.articles(1)[0]))[0].what == "affected"
    signals = [signal for page in paper.articles(12) for signal in baseline.observe(page)]
    assert [signal.what for signal in signals] == ["closed"]
    assert baseline.alarms() == {}
    assert opened(baseline, [lost(page) for page in paper.articles(10)])[0][0] <= 5


@pytest.mark.parametrize(("seed", "share"), [(12, 0.5), (2, 0.25)])
def test_an_alarm_does_not_end_while_some_of_the_pages_are_affected(seed: int, share: float) -> None:
    paper = Paper(seed)
    baseline = learned(paper, 300)
    lost = without("text", rescued=True, fingerprint=99)
    pages = [lost(page) if paper.random.random() < share else page for page in paper.articles(300)]
    signals = [signal.what for page in pages for signal in baseline.observe(page)]
    assert signals.count("opened") == 1
    assert "closed" not in signals


def test_two_losses_at_once_are_two() -> None:
    paper = Paper(13)
    baseline = learned(paper, 300)
    both = [without("title", rescued=True)(without("published", rescued=True)(page)) for page in paper.articles(10)]
    assert {signal.field for _, signal in opened(baseline, both)} == {"title", "published"}


def test_a_redesign_is_one_and_not_one_a_field() -> None:
    paper = Paper(14)
    baseline = learned(paper, 300)
    assert [signal.field for _, signal in opened(baseline, list(map(redesigned, paper.articles(100))))] == [""]


def incident(field: str, state: str) -> Incident:
    moment = datetime(2024, 5, 6, tzinfo=UTC)
    closed = None if state == "open" else moment
    return Incident(
        site="example.com", kind="lost", template="article", field=field, since=moment, opened_at=moment, state=state, closed_at=closed
    )  # fmt: skip


def test_what_was_dismissed_is_normal_from_now_on() -> None:
    paper = Paper(15)
    baseline = learned(paper, 300)
    lost = without("subtitle")
    assert len(opened(baseline, [lost(page) for page in paper.articles(100)])) == 1
    baseline.reconcile([incident("subtitle", "open"), incident("subtitle", "healed")])
    assert len(baseline.alarms()) == 1
    baseline.reconcile([incident("subtitle", "dismissed")])
    assert baseline.alarms() == {}
    assert opened(baseline, [lost(page) for page in paper.articles(200)]) == []


def test_what_was_healed_is_watched_as_before() -> None:
    paper = Paper(16)
    baseline = learned(paper, 300)
    lost = without("text", rescued=True)
    opened(baseline, [lost(page) for page in paper.articles(30)])
    baseline.reconcile([incident("text", "healed")])
    assert opened(baseline, paper.articles(50)) == []
    assert opened(baseline, [lost(page) for page in paper.articles(10)])[0][0] <= 5


# Its state


def test_a_baseline_goes_on_from_its_state() -> None:
    paper = Paper(17)
    one = learned(paper, 300)
    opened(one, [without("text", rescued=True)(page) for page in paper.articles(8)])
    states = json.loads(json.dumps(one.take_states()))
    assert one.take_states() == {}
    other, unread = load_baseline(states)
    assert unread == []
    assert other.alarms().keys() == one.alarms().keys() != set()
    pages = paper.pages(200)
    assert [one.observe(page) for page in pages] == [other.observe(page) for page in pages]


def test_a_state_is_small() -> None:
    baseline = learned(Paper(18), 2000)
    assert max(len(json.dumps(state)) for state in baseline.take_states().values()) < 40_000


DAMAGES = [None, 7, "x", [], {}, {"fields": 3}, math.nan]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_state_begins_anew_and_says_so(damage: object) -> None:
    paper = Paper(19)
    states = learned(paper, 100).take_states()
    baseline, unread = load_baseline({**states, "article": damage})
    assert unread == ["article"]
    assert set(baseline.templates) == {"opinion"}
    baseline, unread = load_baseline({**states, SITE: damage})
    assert unread == [SITE]
    assert set(baseline.templates) == {"article", "opinion"}
    assert opened(baseline, paper.pages(300)) == []


@given(st.data())
def test_a_state_with_anything_in_it_is_read_or_begins_anew(data: st.DataObject) -> None:
    paper = Paper(20)
    baseline = SiteBaseline()
    for page in paper.pages(60):
        baseline.observe(page)
    states = json.loads(json.dumps(baseline.take_states()))
    holder: object = states
    while isinstance(holder, dict | list) and holder:
        key = data.draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
        if not isinstance(holder[key], dict | list) or data.draw(st.booleans()):
            holder[key] = data.draw(st.sampled_from([None, -1, 0, 1, 9e11, 1e300, "x", "", [], {}, {"a": None}]))
            break
        holder = holder[key]
    read, _ = load_baseline(states)
    log = IncidentLog("example.com")
    for page in (*paper.pages(20), *map(without("text", rescued=True), paper.articles(8))):
        log.note(read.observe(page), read)
    log.explain(read)
    json.dumps(read.take_states(), allow_nan=False)


# Evidence


def test_tests_begin_anew_when_the_map_changes() -> None:
    paper = Paper(21)
    baseline = learned(paper, 300)
    lost = [without("text", rescued=True)(page) for page in paper.articles(6)]
    assert opened(baseline, [*lost[:3], *(replace(page, map_version=2) for page in lost[3:])]) == []
