"""Repaired maps wait, are decided about, and are adopted with all that they bring or not at all."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text as sql

from sitewright.errors import MapError, StoreError
from sitewright.maps import parse_map
from sitewright.store.database import Store, open_store
from sitewright.store.engine import make_engine, writing
from sitewright.store.entries import (
    Incident,
    PageLocation,
    ProposedField,
    ShownValue,
    Sighting,
    StoredProposal,
)
from sitewright.store.states import SiteState
from sitewright.types import Page

pytestmark = pytest.mark.slow

SITE, OTHER = "example.com", "b.example"
THEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
Clock = Callable[..., datetime]


def map_text(select: str = "h1", site: str = SITE, version: int = 1) -> str:
    rules = f"title: {{select: [{select}]}}"
    return f"sitewright: 1\nsite: {site}\nversion: {version}\ntemplates:\n  - {{name: a, rules: {{{rules}}}}}\n"


def a_field(name: str = "title", **changes: Any) -> ProposedField:
    made = ProposedField(field=name, confidence=0.97, before=0.1, tagger=0.6, judged=8, changed=True, sure=True)
    return replace(made, **changes)


def a_proposal(select: str = "h2", site: str = SITE, **changes: Any) -> StoredProposal:
    made = StoredProposal(site=site, based_on=1, text=map_text(select, site, 2), made_at=THEN)
    return replace(made, **changes)


FULL = a_proposal(
    fields=(
        a_field(shown=(ShownValue("https://example.com/1", "Old", "New", remembered=True),)),
        a_field("authors", changed=False, sure=False, edited=True, lost=True),
        a_field("index https://example.com/", judged=3),
    ),
    reason="title: not as usual on nearly all pages",
    since=THEN - timedelta(hours=3),
    warnings=("2 of 8 pages show nothing of what their records held",),
)


def an_incident(field: str = "title", site: str = SITE) -> Incident:
    return Incident(site=site, template="a", field=field, kind="lost", since=THEN, opened_at=THEN, pages=4)


def put(store: Store, incident: Incident) -> int:
    number = store.put_incident(incident).number
    assert number is not None
    return number


def states(store: Store, site: str | None = SITE) -> list[str]:
    return [proposal.state for proposal in store.proposals(site, waiting_only=False)]


def state_of(store: Store, site: str = SITE) -> SiteState:
    known = store.site(site)
    assert known is not None
    return known.state


def everything(store: Store) -> object:
    """Return all that adopting a map could change."""
    return (
        store.map_versions(SITE),
        store.incidents(open_only=False),
        store.proposals(waiting_only=False),
        store.sites(),
    )


@pytest.fixture
def learned(store: Store) -> Store:
    """Return the store, with a map of the site."""
    assert store.save_map(map_text(), "learned") == 1
    return store


# What waits


def test_a_proposal_comes_back_as_it_was(learned: Store) -> None:
    stored = learned.put_proposal(FULL)
    assert stored.number is not None
    assert stored == replace(FULL, number=stored.number)
    assert learned.proposals(SITE) == learned.proposals() == [stored]
    assert stored.parsed() == parse_map(FULL.text)


def test_a_proposal_without_anything_comes_back(learned: Store) -> None:
    stored = learned.put_proposal(a_proposal())
    assert learned.proposals(SITE) == [stored]
    assert (stored.fields, stored.since, stored.warnings) == ((), None, ())


def test_the_newest_takes_the_place_of_the_one_that_waits(learned: Store) -> None:
    first = learned.put_proposal(a_proposal())
    second = learned.put_proposal(a_proposal("h3", made_at=THEN + timedelta(hours=1)))
    assert learned.proposals(SITE) == [second]
    outdated = replace(first, state="outdated", decided_at=second.made_at)
    assert learned.proposals(SITE, waiting_only=False) == [second, outdated]


def test_each_site_has_its_own(learned: Store) -> None:
    learned.add_site(OTHER)
    own = learned.put_proposal(a_proposal())
    other = learned.put_proposal(a_proposal(site=OTHER))
    assert learned.proposals(SITE) == [own]
    assert learned.proposals(OTHER) == [other]
    assert learned.proposals() == [other, own]


def test_a_site_that_is_not_there(store: Store) -> None:
    with pytest.raises(StoreError, match="no site"):
        store.put_proposal(a_proposal(site=OTHER))
    with pytest.raises(StoreError, match="no site"):
        store.proposals(OTHER)
    assert store.proposals() == []


def test_they_are_forgotten_with_their_site(learned: Store) -> None:
    learned.put_proposal(FULL)
    learned.forget_site(SITE)
    assert learned.proposals(waiting_only=False) == []


@pytest.mark.parametrize(
    ("odd", "kept"),
    [("a\0b", "a\ufffdb"), ("\ud800 half", "? half"), ('quotes " and \\ and 王', 'quotes " and \\ and 王')],
)
def test_texts_of_strangers_are_kept(learned: Store, odd: str, kept: str) -> None:
    shown = (ShownValue(f"https://example.com/{odd}", odd, odd, remembered=False),)
    stored = learned.put_proposal(a_proposal(fields=(a_field(odd, shown=shown),), reason=odd, warnings=(odd,)))
    (found,) = learned.proposals(SITE)
    assert found.number == stored.number
    assert (found.reason, found.warnings) == (kept, (kept,))
    assert found.fields[0].shown == (ShownValue(f"https://example.com/{kept}", kept, kept, remembered=False),)


@pytest.mark.parametrize("state", ["accepted", "rejected"])
def test_a_decision_is_made_once(learned: Store, clock: Clock, state: Any) -> None:
    stored = learned.put_proposal(a_proposal())
    assert stored.number is not None
    moment = clock(minutes=5)
    assert learned.decide_proposal(stored.number, state)
    assert learned.proposals(SITE) == []
    decided = replace(stored, state=state, decided_at=moment)
    assert learned.proposals(SITE, waiting_only=False) == [decided]
    assert not learned.decide_proposal(stored.number, "rejected")
    assert not learned.decide_proposal(99, "rejected")
    learned.put_proposal(a_proposal())
    assert learned.proposals(SITE, waiting_only=False)[1] == decided


@pytest.mark.parametrize("made_by", ["learned", "person", "healed"])
def test_any_new_version_of_the_map_outdates_what_waits(learned: Store, clock: Clock, made_by: Any) -> None:
    learned.add_site(OTHER)
    stored, other = learned.put_proposal(a_proposal()), learned.put_proposal(a_proposal(site=OTHER))
    moment = clock(minutes=5)
    learned.save_map(map_text("h4"), made_by)
    assert learned.proposals() == [other]
    assert stored.number is not None
    assert not learned.decide_proposal(stored.number, "accepted")
    assert learned.proposals(SITE, waiting_only=False) == [replace(stored, state="outdated", decided_at=moment)]


# A map and what it brings


def test_a_map_is_adopted_with_all_that_it_brings(learned: Store, clock: Clock) -> None:
    healed, left = put(learned, an_incident()), put(learned, an_incident("text"))
    proposal = learned.put_proposal(FULL)
    moment = clock(minutes=5)
    wish = SiteState(reread={"title": THEN})
    assert learned.adopt_map(FULL.text, "person", healed=[healed], accepted=proposal.number, state=wish) == 2
    assert [stored.made_by for stored in learned.map_versions(SITE)] == ["learned", "person"]
    assert [incident.number for incident in learned.incidents(SITE)] == [left]
    closed = learned.find_incident(healed)
    assert closed is not None
    assert (closed.state, closed.closed_at) == ("healed", moment)
    assert states(learned) == ["accepted"]
    assert state_of(learned) == wish


def test_a_map_may_bring_nothing(learned: Store) -> None:
    number = put(learned, an_incident())
    learned.save_site_state(SITE, SiteState(rhythm="x"))
    learned.put_proposal(FULL)
    assert learned.adopt_map(map_text("h5"), "healed") == 2
    assert [incident.number for incident in learned.incidents(SITE)] == [number]
    assert state_of(learned) == SiteState(rhythm="x")
    assert states(learned) == ["outdated"]


def test_a_version_that_is_there_is_not_written_over(learned: Store) -> None:
    assert learned.adopt_map(map_text("h2", version=2), "healed") == 2
    assert learned.adopt_map(map_text("h3", version=2), "healed") == 3
    assert [stored.parsed().rules[0].select for stored in learned.map_versions(SITE)] == [("h1",), ("h2",), ("h3",)]
    assert [stored.parsed().version for stored in learned.map_versions(SITE)] == [1, 2, 3]


@pytest.mark.parametrize("which", ["decided", "outdated", "none"])
def test_a_proposal_that_does_not_wait_changes_nothing(learned: Store, which: str) -> None:
    incident = put(learned, an_incident())
    stored = learned.put_proposal(FULL)
    assert stored.number is not None
    if which == "decided":
        learned.decide_proposal(stored.number, "rejected")
    elif which == "outdated":
        learned.put_proposal(FULL)
    number = 99 if which == "none" else stored.number
    before = everything(learned)
    with pytest.raises(StoreError, match=f"proposal {number} does not wait any more"):
        learned.adopt_map(FULL.text, "person", healed=[incident], accepted=number, state=SiteState(others={"": "x"}))
    assert everything(learned) == before


@pytest.mark.parametrize("text", ["not: a map", "{", map_text(site="nobody.example")])
def test_a_text_that_cannot_be_kept_changes_nothing(learned: Store, text: str) -> None:
    incident = put(learned, an_incident())
    stored = learned.put_proposal(FULL)
    before = everything(learned)
    with pytest.raises((MapError, StoreError)):
        learned.adopt_map(text, "person", healed=[incident], accepted=stored.number, state=SiteState(others={"a": 1}))
    assert everything(learned) == before


def test_a_failure_at_the_very_end_changes_nothing(learned: Store) -> None:
    incident = put(learned, an_incident())
    stored = learned.put_proposal(FULL)
    before = everything(learned)
    with pytest.raises((StoreError, TypeError)):
        learned.adopt_map(
            FULL.text, "person", healed=[incident], accepted=stored.number, state=SiteState(others={"a": object()})
        )
    assert everything(learned) == before


def test_incidents_that_are_closed_or_unknown_stay_as_they_are(learned: Store, clock: Clock) -> None:
    number = put(learned, an_incident())
    learned.close_incident(number, "dismissed")
    closed = learned.find_incident(number)
    clock(minutes=5)
    assert learned.adopt_map(map_text("h2"), "healed", healed=[number, 99]) == 2
    assert learned.find_incident(number) == closed


# Pages since a moment


def test_pages_since_a_moment(learned: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitewright.store.database._CHUNK", 2)
    for number in range(7):
        at = THEN + timedelta(minutes=number) if number != 3 else None
        page = Page(url=f"https://example.com/{number}", body=b"", fetched_at=at)
        learned.add_page(SITE, page, PageLocation("a.warc.gz", 10 * number, 10, ""))

    def numbers(since: datetime | None) -> list[int]:
        return [page.location.offset // 10 for page in learned.pages(SITE, since)]

    assert numbers(None) == [0, 1, 2, 3, 4, 5, 6]
    assert numbers(THEN) == [0, 1, 2, 4, 5, 6]
    assert numbers(THEN + timedelta(minutes=2)) == [2, 4, 5, 6]
    assert numbers(THEN + timedelta(minutes=2, microseconds=1)) == [4, 5, 6]
    assert numbers(THEN + timedelta(days=1)) == []


# Damaged evidence


WRONG = [
    "null",
    "7",
    '"x"',
    "[]",
    "{}",
    '{"affected": 3}',
    '{"affected": [[]], "before": [], "fill": [], "also": [], "diagnosis": "", "answer": ""}',
    '{"affected": [], "before": [], "fill": [["2024-05-06", "x"]], "also": [], "diagnosis": "", "answer": ""}',
    '{"affected": [], "before": [], "fill": [], "also": 5, "diagnosis": "", "answer": ""}',
]


def write_evidence(url: str, evidence: str) -> None:
    engine = make_engine(url, 5)
    with writing(engine) as connection:
        statement = "UPDATE incidents SET evidence = CAST(:text AS json)"
        connection.execute(
            sql(statement if "postgres" in url else statement.replace("json", "text")), {"text": evidence}
        )
    engine.dispose()


@pytest.mark.parametrize("evidence", WRONG)
def test_an_incident_with_evidence_of_another_kind_has_none(store: Store, url: str, evidence: str) -> None:
    stored = store.put_incident(replace(an_incident(), affected=(Sighting(THEN, "https://example.com/1"),)))
    write_evidence(url, evidence)
    (found,) = store.incidents(SITE)
    assert found == replace(stored, affected=(), diagnosis="its evidence in the store is damaged")
    assert found.number is not None
    assert store.find_incident(found.number) == found
    assert store.put_incident(replace(found, pages=9)).pages == 9
    assert store.close_incident(found.number)


@pytest.mark.parametrize("evidence", ["", "{", '{"affected": NaN}', "\x00", "null null"])
def test_an_incident_whose_evidence_is_not_json_has_none(sqlite_url: str, evidence: str) -> None:
    with open_store(sqlite_url) as store:
        store.add_site(SITE)
        stored = store.put_incident(an_incident())
        other = store.put_incident(replace(an_incident("text"), diagnosis="text is gone"))
        engine = make_engine(sqlite_url, 5)
        with writing(engine) as connection:
            statement = sql("UPDATE incidents SET evidence = :text WHERE number = :number")
            connection.execute(statement, {"text": evidence, "number": stored.number})
        engine.dispose()
        assert store.incidents(SITE) == [other, replace(stored, diagnosis="its evidence in the store is damaged")]


def test_what_is_no_text_becomes_one(store: Store, url: str) -> None:
    """Or the incident, read and written again, could not be kept."""
    store.put_incident(an_incident())
    evidence = '{"affected": [["2024-05-06", 5, null]], "before": [["no day", 1, 2]], "fill": [], "also": [], "diagnosis": 3, "answer": null}'
    write_evidence(url, evidence)
    (found,) = store.incidents(SITE)
    assert found.affected == (Sighting(datetime(2024, 5, 6, tzinfo=UTC), "5", "None"),)
    assert (found.before, found.diagnosis) == ((), "3")
    assert store.put_incident(found) == found


def test_a_proposal_whose_report_is_damaged_still_says_what_changes(store: Store) -> None:
    stored = store.put_proposal(FULL)
    with writing(store._engine) as connection:
        connection.execute(sql("UPDATE proposals SET report = :report"), {"report": '{"fields": 7}'})
    (found,) = store.proposals(SITE)
    assert (found.number, found.text, found.fields) == (stored.number, stored.text, ())
    assert found.warnings == ("its report in the store is damaged",)
