"""A site's map is kept up: repairs are made when they are due, adopted where sure, proposed where not; and crashes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.watch.bulletin import FRONT, MAP, SITE, front_of, observation_of, old_map, page_of, url_of, values_of
from tests.watch.workshop import Crash, WatchedReaders, Workshop, open_workshop, run

from sitewright.heal.repaired import RepairedMap
from sitewright.maps import parse_map
from sitewright.notice.diagnosis import Diagnosis, diagnose
from sitewright.notice.observation import Observation
from sitewright.notice.signals import Occurrence, Signal
from sitewright.processes.repairs import PlacedPage
from sitewright.store.database import Store
from sitewright.store.entries import Incident, Sighting, StoredRecord, WatchedPage
from sitewright.store.states import RepairNote, SiteState
from sitewright.types import ExtractionMap, Failure, Page
from sitewright.watch.health import Health
from sitewright.watch.held_state import HeldState
from sitewright.watch.recorder import Recorder
from sitewright.watch.rereading import ALL, wanted_rereading, with_rereading
from sitewright.watch.upkeep import Upkeep
from sitewright.watch.visit import Visit

pytestmark = pytest.mark.slow

NOW = datetime(2024, 6, 20, 12, 0, tzinfo=UTC)
BROKEN = range(100, 106)
"""The stories that were collected since something is wrong."""
MINE = MAP.replace("authors: {select: [a.author],", "authors: {select: [a.author], edited: true,")
"""The map with a rule that a person wrote."""


class Helpless(WatchedReaders):
    """Repairs nothing."""

    async def heal_map(
        self,
        old: ExtractionMap,  # noqa: ARG002
        pages: Sequence[PlacedPage],  # noqa: ARG002
        now: datetime,  # noqa: ARG002
        sure: float,  # noqa: ARG002
    ) -> RepairedMap | Failure:
        return Failure(SITE, "heal", "no_articles", "nothing fits")


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    """A site that was collected for some days; some of its classes have other names from now on."""
    with open_workshop(tmp_path, NOW) as opened:
        opened.collect(range(90), NOW - timedelta(days=2))
        opened.web.add(page_of(number, "renamed") for number in range(90))
        visit(opened)
        yield opened


def seen(workshop: Workshop, numbers: Sequence[int], *lost: str) -> list[Observation]:
    """Collect stories of now, from which the map does not read some fields any more."""
    workshop.collect(numbers, workshop.clock.now(), "renamed", {name: f"tagger/{name}" for name in lost})
    minute = timedelta(minutes=1)
    return [observation_of(number, workshop.clock.now() + n * minute, *lost) for n, number in enumerate(numbers)]


def visit(workshop: Workshop, *pages: Observation) -> ExtractionMap:
    """Visit the site; return its map as it is then."""
    health = Health(workshop.tools, SITE)
    held = HeldState(workshop.tools, workshop.site)
    upkeep = Upkeep(workshop.tools, workshop.site, held, health)

    async def work() -> ExtractionMap:
        await health.load()
        for page in pages:
            health.note(page)
        stored = workshop.store.load_map(SITE)
        assert stored is not None
        return await upkeep.tend(stored.parsed())

    found = run(work())
    assert held.now == workshop.state, "what is remembered is what is stored"
    return found


def tries(workshop: Workshop) -> int:
    return len(workshop.heard("repairing the map"))


def incidents(workshop: Workshop) -> dict[str, str]:
    """Return the state of the newest incident of each field."""
    return {one.field: one.state for one in reversed(workshop.store.incidents(SITE, open_only=False))}


def records(workshop: Workshop, numbers: Sequence[int] = BROKEN) -> list[StoredRecord]:
    found = {stored.record.urls[0]: stored for stored in workshop.store.records()}
    assert len(found) >= 90
    return [found[url_of(number)] for number in numbers]


def rules_of(workshop: Workshop, field: str) -> set[str]:
    return {stored.record.fields[field].rule for stored in records(workshop)}


def selectors(extraction_map: ExtractionMap, field: str) -> list[tuple[str, ...]]:
    return [rule.select for rule in extraction_map.rules if rule.field == field]


def is_sound(workshop: Workshop) -> bool:
    """Tell whether records and figures fit together: nothing is there twice, and nothing half."""
    rates = workshop.store.fill_rates(SITE)
    stored = list(workshop.store.records())
    return sum(rate.filled for rate in rates if rate.field == "title") == len(stored)


# When


@pytest.mark.parametrize("lost", [(), ("title",)], ids=["well", "broken"])
def test_what_happened_is_found_out_once_a_visit(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, lost: tuple[str, ...]
) -> None:
    if lost:
        workshop.readers = Helpless()
        visit(workshop, *seen(workshop, BROKEN, *lost))
        workshop.clock.move(hours=2)
    asked: list[int] = []

    def counted(*arguments: Any) -> list[Diagnosis]:
        asked.append(1)
        return diagnose(*arguments)

    monkeypatch.setattr("sitewright.notice.incidents.diagnose", counted)
    workshop.readers = WatchedReaders()
    visit(workshop)
    assert asked == [1]
    assert (tries(workshop), workshop.versions) == ((2, [1, 2]) if lost else (0, [1]))


def test_a_repair_is_made_at_once_and_then_less_and_less_often(workshop: Workshop) -> None:
    workshop.readers = Helpless()
    visit(workshop, *seen(workshop, BROKEN, "title"))
    assert tries(workshop) == 1
    for number, hours in enumerate((1, 4, 12, 24, 24), 2):
        workshop.clock.move(hours=hours, minutes=-1)
        visit(workshop)
        assert tries(workshop) == number - 1
        workshop.clock.move(minutes=1)
        visit(workshop)
        assert tries(workshop) == number
    assert workshop.heard("not repaired") == ["not repaired: nothing fits"] * 6
    assert workshop.versions == [1]


def test_something_new_is_looked_at_after_ten_minutes(workshop: Workshop) -> None:
    workshop.readers = Helpless()
    visit(workshop, *seen(workshop, BROKEN, "title"))
    workshop.clock.move(minutes=9)
    visit(workshop, *seen(workshop, range(110, 118), "title", "tags"))
    assert set(incidents(workshop)) == {"title", "tags"}
    assert tries(workshop) == 1
    workshop.clock.move(minutes=1)
    visit(workshop)
    assert tries(workshop) == 2
    workshop.clock.move(minutes=11)
    visit(workshop)
    assert tries(workshop) == 2, "nothing is new any more"


def test_nothing_is_due_where_nothing_is_wrong(workshop: Workshop) -> None:
    visit(workshop, *(observation_of(number, NOW) for number in range(100, 130)))
    assert (tries(workshop), workshop.readers.done, workshop.web.asked) == (0, [], [])


@pytest.mark.parametrize("kind", ["walled", "failing", "refused"])
def test_what_no_map_can_help_is_left_alone(workshop: Workshop, kind: Any) -> None:
    workshop.store.put_incident(Incident(site=SITE, kind=kind, since=NOW, opened_at=NOW, pages=9))
    visit(workshop)
    assert tries(workshop) == 0


def test_a_site_without_a_map_is_left_alone(workshop: Workshop) -> None:
    pages = seen(workshop, BROKEN, "title")
    visit_map = old_map()
    workshop.execute("DELETE FROM maps")
    health = Health(workshop.tools, SITE)
    held = HeldState(workshop.tools, workshop.site)

    async def work() -> ExtractionMap:
        await health.load()
        for page in pages:
            health.note(page)
        return await Upkeep(workshop.tools, workshop.site, held, health).tend(visit_map)

    assert run(work()) is visit_map
    assert (tries(workshop), held.now.repair.tries) == (0, 1)


# What is sure


def test_what_is_sure_is_adopted_and_pages_are_read_once_more(workshop: Workshop) -> None:
    pages = seen(workshop, BROKEN, "title")
    assert rules_of(workshop, "title") == {"tagger/title"}
    healed = visit(workshop, *pages)
    stored = workshop.store.load_map(SITE)
    assert stored is not None
    assert (stored.version, stored.made_by, stored.parsed()) == (2, "healed", healed)
    assert incidents(workshop) == {"title": "healed"}
    assert rules_of(workshop, "title") == {"article/title#0"}
    for record in records(workshop):
        assert record.record.map_version == 2
        number = int(record.record.urls[0].rpartition("-")[2])
        assert {name: value.value for name, value in record.record.fields.items()} == values_of(number)
    assert wanted_rereading(workshop.state) is None
    assert is_sound(workshop)
    assert workshop.heard("6 of 26 pages read once more with map version 2")
    assert {one.record.map_version for one in records(workshop, range(90))} == {1}, "what was right is left alone"


def test_afterwards_all_is_well(workshop: Workshop) -> None:
    visit(workshop, *seen(workshop, BROKEN, "title"))
    workshop.clock.move(hours=2)
    fine = [observation_of(number, workshop.clock.now()) for number in range(200, 230)]
    visit(workshop, *(replace(page, map_version=2) for page in fine))
    assert incidents(workshop) == {"title": "healed"}
    assert (tries(workshop), workshop.versions) == (1, [1, 2])


def test_what_breaks_again_is_something_new(workshop: Workshop) -> None:
    visit(workshop, *seen(workshop, BROKEN, "title"))
    assert incidents(workshop) == {"title": "healed"}
    workshop.readers = Helpless()
    for minutes, made in ((9, 1), (1, 2)):
        workshop.clock.move(minutes=minutes)
        again = seen(workshop, range(110 + 10 * made, 118 + 10 * made), "title")
        visit(workshop, *(replace(page, map_version=2) for page in again))
        assert tries(workshop) == made


def test_only_what_is_sure_is_adopted_and_the_rest_waits(workshop: Workshop) -> None:
    """Two incidents at once: a person wrote the rules of the one."""
    workshop.store.save_map(MINE, "person")
    visit(workshop, *seen(workshop, BROKEN, "authors", "tags"))
    assert workshop.versions == [1, 2, 3]
    assert incidents(workshop) == {"authors": "waiting", "tags": "healed"}
    newest = workshop.store.load_map(SITE)
    assert newest is not None
    adopted = newest.parsed()
    assert selectors(adopted, "authors") == [("a.author",)]
    assert selectors(adopted, "tags") != [("a.tag",)]
    (proposal,) = workshop.store.proposals(SITE)
    assert (proposal.based_on, proposal.state) == (3, "waiting")
    whole = proposal.parsed()
    assert whole.version == 4
    assert selectors(whole, "authors") != [("a.author",)]
    assert selectors(whole, "tags") == selectors(adopted, "tags")
    assert workshop.heard("a repair of authors waits for a person: sitewright heal example.com")
    assert rules_of(workshop, "tags") == {"article/tags#0"}
    assert all(rule.startswith("tagger/") for rule in rules_of(workshop, "authors")), "it is still in doubt"


def test_a_repair_of_nothing_that_is_sure_only_waits(workshop: Workshop) -> None:
    workshop.sure = 1.1
    visit(workshop, *seen(workshop, BROKEN, "title"))
    assert workshop.versions == [1]
    assert incidents(workshop) == {"title": "waiting"}
    (proposal,) = workshop.store.proposals(SITE)
    assert (proposal.based_on, proposal.since) == (1, NOW)
    assert "title" in {one.field for one in proposal.fields if one.changed}
    assert wanted_rereading(workshop.state) is None
    assert rules_of(workshop, "title") == {"tagger/title"}


def test_a_proposal_is_made_anew_in_the_place_of_the_one_that_waits(workshop: Workshop) -> None:
    workshop.sure = 1.1
    visit(workshop, *seen(workshop, BROKEN, "title"))
    workshop.clock.move(hours=1)
    visit(workshop)
    states = [proposal.state for proposal in workshop.store.proposals(SITE, waiting_only=False)]
    assert states == ["waiting", "outdated"]


def test_what_a_person_refused_is_only_proposed(workshop: Workshop) -> None:
    workshop.store.save_site_state(SITE, SiteState(repair=RepairNote(refused=2)))
    visit(workshop, *seen(workshop, BROKEN, "title"))
    assert workshop.versions == [1]
    assert incidents(workshop) == {"title": "waiting"}
    (proposal,) = workshop.store.proposals(SITE)
    assert {one.field for one in proposal.fields if one.changed and one.sure} >= {"title"}
    assert workshop.state.repair.refused == 2, "that is remembered"


def test_a_rejected_repair_is_not_made_again_until_something_new_breaks(workshop: Workshop) -> None:
    workshop.store.save_map(MINE, "person")
    visit(workshop, *seen(workshop, BROKEN, "authors"))
    (proposal,) = workshop.store.proposals(SITE)
    assert proposal.number is not None
    workshop.clock.move(minutes=30)
    workshop.store.decide_proposal(proposal.number, "rejected")
    made = tries(workshop)
    for hours in (1, 4, 12, 24, 24):
        workshop.clock.move(hours=hours)
        visit(workshop)
    assert tries(workshop) == made
    assert workshop.store.proposals(SITE) == []
    workshop.clock.move(hours=1)
    visit(workshop, *seen(workshop, range(110, 120), "authors", "tags"))
    assert tries(workshop) == made + 1
    assert [one.state for one in workshop.store.proposals(SITE, waiting_only=False)] == ["waiting", "rejected"]


@pytest.mark.parametrize("lost", [(), ("title",)])
def test_sources_are_repaired_with_the_same_visit(workshop: Workshop, lost: tuple[str, ...]) -> None:
    workshop.web.pages[FRONT] = front_of(range(12), "new")
    workshop.web.add(page_of(number, "renamed" if lost else "old") for number in range(90))
    pages = seen(workshop, BROKEN, *lost)
    sighting = Sighting(NOW, FRONT, "known articles are listed, but not selected")
    unlisted = Incident(site=SITE, kind="unlisted", since=NOW, opened_at=NOW, pages=3, affected=(sighting,))
    workshop.store.put_incident(unlisted)
    healed = visit(workshop, *pages)
    assert healed.index[0].items != old_map().index[0].items
    assert incidents(workshop) == dict.fromkeys(["", *lost], "healed")
    assert workshop.heard("healed: map version 2")[0].endswith(" 1 source")
    assert ("reread" in workshop.readers.done) == bool(lost), "pages are read as before where only a source has changed"
    assert (workshop.web.asked == [FRONT]) == (not lost), "and no article is asked for"


def rebuilt(workshop: Workshop) -> list[Observation]:
    """Collect stories of now, of which the map reads nothing any more, and serve all others like them."""
    workshop.web.add(page_of(number, "new") for number in range(90))
    workshop.collect(BROKEN, NOW, "new", {name: f"tagger/{name}" for name in values_of(0)})
    pages = [observation_of(number, NOW + timedelta(minutes=n)) for n, number in enumerate(BROKEN)]
    return [replace(page, found={}, rescued=dict(page.found), handed=True, fingerprint=9) for page in pages]


def test_whole_pages_are_repaired_at_once(workshop: Workshop) -> None:
    visit(workshop, *rebuilt(workshop))
    assert workshop.versions == [1, 2]
    assert incidents(workshop)[""] == "healed"
    for record in records(workshop):
        number = int(record.record.urls[0].rpartition("-")[2])
        for name in ("title", "text", "tags", "authors"):
            assert record.record.fields[name].value == values_of(number)[name]
            assert record.record.fields[name].rule.startswith("article/")


@pytest.fixture
def young(tmp_path: Path) -> Iterator[Workshop]:
    """A site of which a dozen stories are known; two of now are read by the tagger alone."""
    with open_workshop(tmp_path, NOW) as opened:
        opened.collect(range(12), NOW - timedelta(days=2))
        visit(opened)
        yield opened


def test_two_pages_are_enough_where_known_articles_are_not_read_any_more(young: Workshop) -> None:
    new = rebuilt(young)[:2]
    visit(young, *new)
    assert young.versions == [1, 2]
    assert incidents(young)[""] == "healed"
    assert wanted_rereading(young.state) is None
    first = young.store.find_record(SITE, url_of(BROKEN[0]))
    assert first is not None
    assert first.record.fields["text"].rule == "article/text#0"


def test_where_known_articles_are_read_as_ever_the_new_pages_are_others(young: Workshop) -> None:
    new = rebuilt(young)
    young.web.add(page_of(number) for number in range(12))
    visit(young, *new[:2])
    asked = len(young.web.asked)
    assert 2 <= asked <= 6
    assert (young.versions, incidents(young)) == ([1], {})
    visit(young, new[2])
    assert len(young.web.asked) == asked, "they are not asked again and again"


def test_rules_that_were_adopted_are_read_while_title_and_text_wait(workshop: Workshop) -> None:
    edited = MAP.replace("title: {select: [h1.headline],", "title: {select: [h1.headline], edited: true,").replace(
        "text: {select: [div.story],", "text: {select: [div.story], edited: true,"
    )
    workshop.store.save_map(edited, "person")
    visit(workshop, *rebuilt(workshop))
    states = incidents(workshop)
    assert (states[""], states["title"], states["text"]) == ("healed", "waiting", "waiting")
    for field in ("authors", "tags"):
        assert rules_of(workshop, field) == {f"article/{field}#0"}
    assert all(rule.startswith("tagger/") for rule in rules_of(workshop, "text"))


def test_what_broke_with_whole_pages_and_is_not_sure_stays_in_doubt(workshop: Workshop) -> None:
    workshop.store.save_map(MINE, "person")
    visit(workshop, *rebuilt(workshop))
    states = incidents(workshop)
    assert (states[""], states["authors"]) == ("healed", "waiting")
    (authors,) = [one for one in workshop.store.incidents(SITE) if one.field == "authors"]
    assert (authors.template, authors.since, authors.answer) == ("article", NOW, "heal")
    (proposal,) = workshop.store.proposals(SITE)
    assert "authors" in {one.field for one in proposal.fields if one.changed and not one.sure}
    assert rules_of(workshop, "title") == {"article/title#0"}
    told = [one.record.fields["authors"].rule for one in records(workshop) if "authors" in one.record.fields]
    assert told
    assert all(rule.startswith("tagger/") for rule in told)
    visit(workshop)
    assert len([one for one in workshop.store.incidents(SITE) if one.field == "authors"]) == 1


def test_a_crash_while_what_is_not_sure_is_told_apart(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.store.save_map(MINE, "person")
    pages = rebuilt(workshop)
    with monkeypatch.context() as patched:
        patched.setattr(Store, "adopt_map", crash)
        with pytest.raises(Crash):
            visit(workshop, *pages)
    assert workshop.versions == [1, 2]
    assert incidents(workshop)[""] == "open"
    visit(workshop)
    assert workshop.versions == [1, 2, 3]
    states = incidents(workshop)
    assert (states[""], states["authors"]) == ("healed", "waiting")
    assert len([one for one in workshop.store.incidents(SITE) if one.field == "authors"]) == 1


# Maps that people edited into nonsense


@pytest.mark.parametrize("select", [".nowhere", "footer.end", "nav.menu"])
def test_nonsense_of_a_person_is_repaired_only_with_a_proposal(workshop: Workshop, select: str) -> None:
    workshop.web.add(page_of(number) for number in range(90))
    workshop.store.save_map(MINE.replace("[a.author]", f"[{select}]"), "person")
    workshop.collect(BROKEN, NOW, "old", {"authors": "tagger/authors"})
    visit(workshop, *(observation_of(number, NOW, "authors") for number in BROKEN))
    assert workshop.versions == [1, 2]
    assert incidents(workshop) == {"authors": "waiting"}
    (proposal,) = workshop.store.proposals(SITE)
    (changed,) = [one for one in proposal.fields if one.changed]
    assert (changed.field, changed.edited, changed.sure) == ("authors", True, False)
    kept = workshop.store.load_map(SITE)
    assert kept is not None
    assert selectors(kept.parsed(), "authors") == [(select,)]


def test_earlier_versions_that_cannot_be_read_hinder_no_repair(workshop: Workshop) -> None:
    workshop.store.save_map(MAP, "person")
    workshop.store.save_map(MAP, "learned")
    workshop.execute("UPDATE maps SET text = 'not: a map' WHERE version < 3")
    workshop.web.pages[FRONT] = front_of(range(12), "new")
    visit(workshop, *seen(workshop, BROKEN, "title"))
    assert workshop.versions == [1, 2, 3, 4]
    assert incidents(workshop) == {"title": "healed"}


# Crashes


def test_a_crash_before_anything_is_adopted_changes_nothing(workshop: Workshop) -> None:
    pages = seen(workshop, BROKEN, "title")
    before = list(workshop.store.records())
    workshop.readers.broken = {"heal_map": 0}
    with pytest.raises(Crash):
        visit(workshop, *pages)
    assert (workshop.versions, workshop.store.proposals(SITE)) == ([1], [])
    assert incidents(workshop) == {"title": "open"}, "what was noticed is not lost"
    assert (workshop.state, list(workshop.store.records())) == (SiteState(), before)
    workshop.readers.broken = {}
    visit(workshop)
    assert incidents(workshop) == {"title": "healed"}
    assert rules_of(workshop, "title") == {"article/title#0"}
    assert workshop.versions == [1, 2]


def test_a_crash_while_it_is_adopted_changes_nothing(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = seen(workshop, BROKEN, "title")
    with monkeypatch.context() as patched:
        patched.setattr("sitewright.store.sites.save_state", crash)  # the last step of the transaction
        with pytest.raises(Crash):
            visit(workshop, *pages)
    assert workshop.versions == [1]
    assert incidents(workshop) == {"title": "open"}
    assert workshop.state == SiteState()
    visit(workshop)
    assert (workshop.versions, incidents(workshop)) == ([1, 2], {"title": "healed"})
    assert rules_of(workshop, "title") == {"article/title#0"}


def crash(*_: object, **__: object) -> None:
    raise Crash


@pytest.mark.parametrize("step", ["put_proposal", "save_site_state", "load_map"])
def test_a_crash_between_adopting_and_the_next_step(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """The new map is there with what it heals and the wish to read pages; nothing else is, until the next visit."""
    workshop.store.save_map(MINE, "person")
    pages = seen(workshop, BROKEN, "authors", "tags")
    adopt = Store.adopt_map

    def adopt_and_break(self: Store, *arguments: Any, **named: Any) -> int:
        version = adopt(self, *arguments, **named)
        broken.setattr(Store, step, crash)
        return version

    with monkeypatch.context() as broken:
        broken.setattr(Store, "adopt_map", adopt_and_break)
        with pytest.raises(Crash):
            visit(workshop, *pages)
    assert workshop.versions == [1, 2, 3]
    assert incidents(workshop)["tags"] == "healed"
    assert wanted_rereading(workshop.state) is not None
    assert {one.record.map_version for one in records(workshop)} == {1}
    visit(workshop)
    assert workshop.versions == [1, 2, 3], "it is not adopted twice"
    assert incidents(workshop) == {"authors": "waiting", "tags": "healed"}
    assert len(workshop.store.proposals(SITE)) == 1
    assert wanted_rereading(workshop.state) is None
    assert rules_of(workshop, "tags") == {"article/tags#0"}
    assert is_sound(workshop)


@pytest.mark.parametrize("read", [0, 3, 5])
def test_a_crash_in_the_middle_of_reading_again_writes_nothing_by_half(workshop: Workshop, read: int) -> None:
    pages = seen(workshop, BROKEN, "title")
    before = list(workshop.store.records())
    workshop.readers.broken = {"reread": read}
    with pytest.raises(Crash):
        visit(workshop, *pages)
    assert list(workshop.store.records()) == before
    assert workshop.versions == [1, 2]
    assert incidents(workshop) == {"title": "healed"}
    wanted = wanted_rereading(workshop.state)
    assert wanted is not None
    assert wanted.since["title"] == NOW
    workshop.readers.broken = {}
    healed = visit(workshop)
    assert healed.version == 2
    assert rules_of(workshop, "title") == {"article/title#0"}
    assert {one.record.map_version for one in records(workshop)} == {2}
    assert wanted_rereading(workshop.state) is None
    assert (workshop.versions, tries(workshop)) == ([1, 2], 1)
    assert is_sound(workshop)


def test_a_crash_after_records_were_written_writes_them_once(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = seen(workshop, BROKEN, "title")
    commit = Store.commit_pages

    def commit_and_break(self: Store, batch: Any) -> None:
        commit(self, batch)
        raise Crash

    with monkeypatch.context() as patched:
        patched.setattr(Store, "commit_pages", commit_and_break)
        with pytest.raises(Crash):
            visit(workshop, *pages)
    assert {one.record.map_version for one in records(workshop)} == {2}
    assert wanted_rereading(workshop.state) is not None
    numbers = [one.number for one in workshop.store.records()]
    visit(workshop)
    assert wanted_rereading(workshop.state) is None
    assert [one.number for one in workshop.store.records()] == numbers
    assert is_sound(workshop)


def test_many_pages_are_written_in_parts_and_each_part_once(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitewright.watch.upkeep.TOGETHER", 4)
    pages = seen(workshop, range(100, 110), "title")
    workshop.readers.broken = {"reread": 26}
    with pytest.raises(Crash):
        visit(workshop, *pages)
    assert [one.record.map_version for one in records(workshop, range(100, 110))] == [2] * 4 + [1] * 6
    workshop.readers.broken = {}
    visit(workshop)
    assert {one.record.map_version for one in records(workshop, range(100, 110))} == {2}
    assert is_sound(workshop)


# Pages once more


def test_a_wish_that_a_command_left_is_carried_out(workshop: Workshop) -> None:
    workshop.collect(BROKEN, NOW, "renamed", {"title": "tagger/title"})
    new = MAP.replace("h1.headline", "h1.top-line").replace("version: 1", "version: 2")
    new = new.replace("a.author", "a.writer").replace("a.tag]", "a.topic]")
    workshop.store.adopt_map(new, "person", state=with_rereading(SiteState(rhythm="x"), {"title": NOW}))
    visit(workshop)
    assert rules_of(workshop, "title") == {"article/title#0"}
    assert workshop.state == SiteState(rhythm="x")


def test_pages_that_cannot_be_read_any_more_keep_their_records(workshop: Workshop) -> None:
    workshop.collect(BROKEN, NOW, "renamed", {"title": "tagger/title"})
    before = records(workshop)
    for file in (workshop.folder / "pages").glob("*"):
        file.unlink()
    workshop.store.save_site_state(SITE, with_rereading(SiteState(), {ALL: NOW}))
    visit(workshop)
    assert records(workshop) == before
    assert workshop.heard("0 of 26 pages read once more")
    assert wanted_rereading(workshop.state) is None


def test_a_page_that_had_no_record_gets_one(workshop: Workshop) -> None:
    page = page_of(120, "old", NOW)
    workshop.store.add_page(SITE, page, workshop.archive.append(page))
    workshop.store.add_failure(SITE, Failure(page.url, "extract", "not_item", "no article"), settled=True)
    workshop.store.save_site_state(SITE, with_rereading(SiteState(), {ALL: NOW}))
    visit(workshop)
    assert workshop.store.find_record(SITE, page.url) is not None
    assert workshop.store.failures(SITE) == []


def test_what_was_taken_for_no_article_shortly_before_gets_a_record_too(workshop: Workshop) -> None:
    for number, hours in ((120, 30), (121, 15 * 24)):
        page = page_of(number, "old", NOW - timedelta(hours=hours))
        workshop.store.add_page(SITE, page, workshop.archive.append(page))
        workshop.store.add_failure(SITE, Failure(page.url, "extract", "not_item", "no article"), settled=True)
    workshop.store.save_site_state(SITE, with_rereading(SiteState(), {ALL: NOW}))
    visit(workshop)
    assert [workshop.store.find_record(SITE, url_of(number)) is not None for number in (120, 121)] == [True, False]


def test_of_a_page_that_was_fetched_twice_the_newest_counts(workshop: Workshop) -> None:
    for hours, design in ((0, "renamed"), (1, "old")):
        workshop.collect([120], NOW + timedelta(hours=hours), design)
    workshop.store.save_site_state(SITE, with_rereading(SiteState(), {ALL: NOW}))
    visit(workshop)
    stored = workshop.store.find_record(SITE, url_of(120))
    assert stored is not None
    assert stored.record.extracted_at == NOW + timedelta(hours=1)
    assert workshop.heard("1 of 21 pages")


@pytest.mark.parametrize("wish", ["x", [], 7, {}, {"title": "yesterday"}, {"title": None}])
def test_a_wish_that_cannot_be_read_is_none(workshop: Workshop, wish: object) -> None:
    workshop.store.save_site_state(SITE, SiteState.from_row({"reread": wish}))
    visit(workshop)
    assert workshop.readers.done == []


# A whole visit


def collect(workshop: Workshop) -> None:
    """Visit the site as a collector does: its front page is due."""
    assert workshop.store.lease_site("me", SITE, seconds=600)
    workshop.store.hasten(SITE)

    async def work() -> None:
        async with Recorder(workshop.store_thread, workshop.archive) as recorder:
            tools = replace(workshop.tools, recorder=recorder)
            await Visit(tools, workshop.site).run(workshop.clock.now() + timedelta(minutes=2))

    try:
        run(work())
    finally:
        workshop.store.release_sites("me")


@pytest.fixture
def watched(workshop: Workshop) -> Workshop:
    """The site with a front page that lists new stories, in the renamed design."""
    workshop.store.put_index_pages([WatchedPage(site=SITE, url=FRONT)])
    workshop.web.pages[FRONT] = front_of(range(100, 112))
    workshop.web.add(page_of(number, "renamed") for number in range(100, 112))
    return workshop


def test_a_visit_notices_repairs_and_reads_again(watched: Workshop) -> None:
    collect(watched)
    assert watched.versions == [1, 2]
    assert set(incidents(watched).values()) == {"healed"}
    assert watched.store.incidents(SITE) == []
    for record in records(watched, range(100, 112)):
        number = int(record.record.urls[0].rpartition("-")[2])
        assert {name: value.value for name, value in record.record.fields.items()} == values_of(number)
        assert {value.rule.partition("/")[0] for value in record.record.fields.values()} == {"article"}
    assert wanted_rereading(watched.state) is None


def test_what_the_site_leaves_in_its_old_design_is_read_by_the_map_of_that(watched: Workshop) -> None:
    collect(watched)
    assert watched.versions == [1, 2]
    watched.clock.move(hours=1)
    watched.web.pages[FRONT] = front_of(range(110, 114))
    watched.web.add([page_of(112, "old"), page_of(113, "renamed")])
    collect(watched)
    found = records(watched, [112, 113])
    assert [stored.record.map_version for stored in found] == [1, 2]
    for stored, number in zip(found, (112, 113), strict=True):
        assert {name: value.value for name, value in stored.record.fields.items()} == values_of(number)
    assert watched.store.incidents(SITE) == []


def test_pages_between_a_redesign_and_its_incident_are_read_again(workshop: Workshop) -> None:
    """Their titles were read wrongly, and nothing was noticed yet."""
    workshop.collect(range(95, 97), NOW - timedelta(hours=3), "renamed", {})
    for number in (95, 96):
        stored = workshop.store.find_record(SITE, url_of(number))
        assert stored is not None
        wrong = {**stored.record.fields, "title": replace(stored.record.fields["title"], value="Most read")}
        page = page_of(number, "renamed", NOW - timedelta(hours=3))
        workshop.store.commit_page(replace(stored.record, fields=wrong), page, stored.location)
    visit(workshop, *seen(workshop, BROKEN, "title"))
    assert workshop.versions == [1, 2]
    for number, stored in zip((95, 96), records(workshop, [95, 96]), strict=True):
        assert (stored.record.map_version, stored.record.fields["title"].value) == (2, values_of(number)["title"])


def test_a_visit_that_died_while_reading_again_is_finished_by_the_next(watched: Workshop) -> None:
    watched.readers.broken = {"reread": 2}
    with pytest.raises(Crash):
        collect(watched)
    assert watched.versions == [1, 2]
    assert wanted_rereading(watched.state) is not None
    watched.readers.broken = {}
    watched.clock.move(minutes=5)
    collect(watched)
    assert wanted_rereading(watched.state) is None
    assert {one.record.map_version for one in records(watched, range(100, 112))} == {2}
    assert watched.versions == [1, 2]


def test_while_a_field_is_broken_its_values_are_the_taggers(watched: Workshop) -> None:
    """Nothing can be repaired: all that was known is gone."""
    for number in range(90):
        watched.web.pages[url_of(number)] = Page(url=url_of(number), body=b"", status=410)
    watched.store.put_incident(
        Incident(site=SITE, template="article", field="authors", kind="lost", since=NOW, opened_at=NOW, pages=5)
    )
    watched.sure = 1.1
    collect(watched)
    assert watched.versions == [1]
    for number, stored in zip(range(100, 112), records(watched, range(100, 112)), strict=True):
        authors = stored.record.fields["authors"]
        assert (authors.value, authors.rule.partition("/")[0]) == (values_of(number)["authors"], "tagger")
        assert stored.record.via in {"map, tagger", "tagger"}
        assert stored.location is not None, "its page is kept"


@pytest.mark.parametrize("in_doubt", [False, True])
def test_no_page_is_no_article_for_ever_while_it_is_in_doubt(watched: Workshop, in_doubt: bool) -> None:
    watched.web.pages[url_of(100)] = Page(url=url_of(100), body=b"<html><body><p>Please wait.</p></body></html>")
    watched.web.add(page_of(number) for number in range(101, 112))
    watched.sure = 1.1
    if in_doubt:
        watched.store.put_incident(
            Incident(site=SITE, template="article", field="tags", kind="lost", since=NOW, opened_at=NOW, pages=5)
        )
    collect(watched)
    (stored,) = watched.store.failures(SITE)
    assert (stored.failure.url, stored.failure.code) == (url_of(100), "not_item")
    watched.clock.move(hours=2)
    watched.web.add([page_of(100)])
    collect(watched)
    assert (watched.store.find_record(SITE, url_of(100)) is not None) == in_doubt


def test_a_repair_is_of_the_newest_version(workshop: Workshop) -> None:
    workshop.store.save_map(MAP.replace("a.tag]", "a.other]"), "person")
    visit(workshop, *seen(workshop, BROKEN, "title"))
    newest = workshop.store.load_map(SITE)
    assert newest is not None
    assert (newest.version, parse_map(newest.text).version) == (3, 3)
    assert newest.text.startswith("# The Bulletin, in its old design.")


def test_when_a_field_is_well_again_its_pages_are_read_with_the_rules(workshop: Workshop) -> None:
    """The tagger read it while the incident was open; what only the map knows would be missing for good."""
    page = Occurrence(NOW.timestamp(), url_of(1))
    health, held = Health(workshop.tools, SITE), HeldState(workshop.tools, workshop.site)
    upkeep = Upkeep(workshop.tools, workshop.site, held, health)
    health.note_signal(Signal(what="opened", kind="lost", template="article", field="authors", pages=(page,)))
    run(upkeep._believe_again())
    assert wanted_rereading(held.now) is None, "it is not over"
    health.note_signal(Signal(what="closed", kind="lost", template="article", field="authors", at=page.at + 60))
    run(upkeep._believe_again())
    wanted = wanted_rereading(workshop.state)
    assert wanted is not None
    assert wanted.since == {"authors": NOW}
    assert wanted_rereading(held.now) == wanted
    assert health.take_ended() == []
