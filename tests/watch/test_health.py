"""A site's health through visits: what was usual is loaded, damaged or not, and incidents begin and end in the store."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.notice.papers import Paper, redesigned, without
from tests.watch.bulletin import MAP, SITE, observation_of
from tests.watch.workshop import Workshop, open_workshop, run

from sitewright.notice.observation import Observation, observe_failure
from sitewright.notice.signals import Occurrence, Signal
from sitewright.notice.words import told
from sitewright.store.entries import Incident, IncidentKind
from sitewright.types import Failure
from sitewright.watch.health import Health

pytestmark = pytest.mark.slow

NOW = datetime(2024, 6, 20, 12, 0, tzinfo=UTC)
LEARNED = 90


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    with open_workshop(tmp_path, NOW) as opened:
        yield opened


def loaded(workshop: Workshop) -> Health:
    """Return the site's health at the beginning of a visit."""
    health = Health(workshop.tools, SITE)
    run(health.load())
    return health


def doubted(health: Health) -> set[tuple[str, str]]:
    """Return the fields in doubt, all of them since the page that first showed it."""
    assert all(doubt.since is not None for doubt in health.doubts)
    return {(doubt.template, doubt.field) for doubt in health.doubts}


def seen(health: Health, *pages: Observation) -> list[str]:
    """Have pages seen; return the fields of the incidents that are open then."""
    for page in pages:
        health.note(page)
    return [incident.field for incident in health.open]


def good(number: int) -> Observation:
    """A page as it was before."""
    return observation_of(number, NOW + timedelta(minutes=number))


def lost(number: int, *fields: str) -> Observation:
    """A page of which the tagger alone reads a field."""
    return observation_of(number, NOW + timedelta(minutes=number), *(fields or ("title",)))


def usual(workshop: Workshop, pages: int = LEARNED) -> None:
    """Collect pages for a long time, in several visits, and keep what is usual then."""
    workshop.collect(range(pages), NOW - timedelta(days=2))
    health = loaded(workshop)
    run(health.save())


def broken(workshop: Workshop, field: str = "title") -> Incident:
    """Lose a field in a visit; return the incident as it is stored."""
    health = loaded(workshop)
    assert seen(health, *(lost(number, field) for number in range(200, 208))) == [field]
    run(health.save())
    (incident,) = workshop.store.incidents(SITE)
    return incident


def an_incident(field: str = "title", kind: IncidentKind = "lost", template: str = "article") -> Incident:
    return Incident(site=SITE, template=template, field=field, kind=kind, since=NOW, opened_at=NOW, pages=5)


# From nothing


def test_an_empty_store_knows_nothing_and_that_is_kept(workshop: Workshop) -> None:
    health = loaded(workshop)
    assert (health.open, health.doubts) == ([], frozenset())
    assert run(health.save()) == []
    assert workshop.store.incidents(SITE, open_only=False) == []
    assert workshop.said == []
    assert loaded(workshop).open == []


def test_a_new_site_learns_as_pages_come(workshop: Workshop) -> None:
    health = loaded(workshop)
    assert seen(health, *map(good, range(30))) == []
    assert seen(health, *(lost(number) for number in range(30, 36))) == ["title"]


def test_a_site_that_was_collected_before_learns_from_its_records(workshop: Workshop) -> None:
    workshop.collect(range(LEARNED), NOW - timedelta(days=2))
    health = loaded(workshop)
    assert seen(health, *map(good, range(LEARNED, 2 * LEARNED))) == []
    assert seen(health, *(lost(number) for number in range(200, 206))) == ["title"]


def test_what_was_learned_goes_on_with_the_next_visit(workshop: Workshop) -> None:
    usual(workshop)
    before = workshop.store.load_baselines(SITE)
    assert set(before) == {"", "article"}
    health = loaded(workshop)
    assert seen(health, *(lost(number) for number in range(200, 203))) == []
    run(health.save())
    assert workshop.store.load_baselines(SITE) != before
    assert seen(loaded(workshop), *(lost(number) for number in range(203, 205))) == ["title"]
    assert workshop.said[-1].startswith(
        "incident: title (template article) is not read any more, since 2024-06-20 15:20"
    )


# Incidents


def test_what_happened_is_told_with_the_incidents_as_they_are_stored(workshop: Workshop) -> None:
    usual(workshop)
    health = loaded(workshop)
    seen(health, *(lost(number) for number in range(200, 208)))
    (diagnosis,) = run(health.save())
    (stored,) = workshop.store.incidents(SITE)
    assert diagnosis.incidents == (stored,)
    assert (stored.diagnosis, stored.answer) == (diagnosis.reason, diagnosis.answer)
    assert run(health.save()) == [diagnosis]


def test_incidents_are_written_once(workshop: Workshop) -> None:
    usual(workshop)
    health = loaded(workshop)
    assert seen(health, *(lost(number) for number in range(200, 206))) == ["title"]
    for number in range(206, 210):
        run(health.save())
        seen(health, lost(number))
    run(health.save())
    run(health.save())
    (incident,) = workshop.store.incidents(SITE, open_only=False)
    assert (incident.number, incident.pages) == (health.open[0].number, 10)
    assert incident.number is not None
    assert incident == health.open[0]


def test_a_visit_that_changes_nothing_writes_nothing(workshop: Workshop) -> None:
    usual(workshop)
    broken(workshop)
    before = (workshop.store.load_baselines(SITE), workshop.store.incidents(SITE))
    for table in ("baselines", "incidents"):
        workshop.execute(
            f"CREATE TRIGGER no_{table} BEFORE UPDATE ON {table} BEGIN SELECT RAISE(ABORT, 'written'); END"
        )
    run(loaded(workshop).save())
    assert (workshop.store.load_baselines(SITE), workshop.store.incidents(SITE)) == before


def test_fields_of_open_incidents_are_in_doubt(workshop: Workshop) -> None:
    for incident in (
        an_incident("title"),
        an_incident("tags", "shorter", "video"),
        an_incident("", "handed over"),
        an_incident("", "walled", ""),
    ):
        workshop.store.put_incident(incident)
    closed = workshop.store.put_incident(an_incident("text"))
    assert closed.number is not None
    workshop.store.close_incident(closed.number, "healed")
    assert doubted(loaded(workshop)) == {("article", "title"), ("video", "tags")}


def test_an_incident_ends_by_itself(workshop: Workshop) -> None:
    usual(workshop)
    stored = broken(workshop)
    health = loaded(workshop)
    assert seen(health, *map(good, range(300, 320))) == []
    assert health.doubts == frozenset()
    run(health.save())
    (over,) = workshop.store.incidents(SITE, open_only=False)
    assert (over.number, over.state, over.since) == (stored.number, "over", stored.since)
    assert workshop.said[-1] == "incident over: title (template article) as usual again"


def test_two_incidents_at_once(workshop: Workshop) -> None:
    usual(workshop)
    health = loaded(workshop)
    for number in range(200, 210):
        health.note(lost(number, "title", "tags"))
    run(health.save())
    stored = workshop.store.incidents(SITE)
    assert {incident.field for incident in stored} == {"title", "tags"}
    assert len({incident.number for incident in stored}) == 2
    assert doubted(health) == {("article", "title"), ("article", "tags")}
    health = loaded(workshop)
    assert seen(health, *(lost(number) for number in range(300, 320))) == ["title"]


def test_a_dismissed_incident_ends_its_alarm_and_what_is_now_is_normal(workshop: Workshop) -> None:
    usual(workshop)
    number = broken(workshop).number
    assert number is not None
    workshop.store.close_incident(number, "dismissed")
    health = loaded(workshop)
    assert (health.open, health.doubts) == ([], frozenset())
    assert seen(health, *(lost(number) for number in range(300, 340))) == []
    run(health.save())
    assert seen(loaded(workshop), *(lost(number) for number in range(340, 380))) == []
    (stored,) = workshop.store.incidents(SITE, open_only=False)
    assert stored.state == "dismissed"


def test_a_healed_incident_ends_its_alarm_and_all_is_watched_as_before(workshop: Workshop) -> None:
    usual(workshop)
    number = broken(workshop).number
    assert number is not None
    workshop.store.adopt_map(MAP, "healed", healed=[number])
    health = loaded(workshop)
    assert health.open == []
    assert seen(health, *map(good, range(300, 310))) == []
    assert seen(health, *(lost(number) for number in range(310, 318))) == ["title"]
    run(health.save())
    again, before = workshop.store.incidents(SITE, open_only=False)
    assert (before.number, before.state, again.state) == (number, "healed", "open")


def test_what_a_visit_closes_itself_is_not_written_over(workshop: Workshop) -> None:
    """The store closes it together with the new map; a later save must not open it again."""
    usual(workshop)
    incident = broken(workshop)
    health = loaded(workshop)
    seen(health, lost(300))
    assert incident.number is not None
    workshop.store.adopt_map(MAP, "healed", healed=[incident.number])
    health.close(health.open, "healed")
    assert (health.open, health.doubts) == ([], frozenset())
    run(health.save())
    (stored,) = workshop.store.incidents(SITE, open_only=False)
    assert stored.state == "healed"
    assert loaded(workshop).open == []


def test_incidents_that_wait_for_a_person_go_on(workshop: Workshop) -> None:
    usual(workshop)
    broken(workshop)
    health = loaded(workshop)
    health.mark(health.open, "waiting")
    run(health.save())
    assert [incident.state for incident in workshop.store.incidents(SITE)] == ["waiting"]
    health = loaded(workshop)
    assert doubted(health) == {("article", "title")}
    seen(health, lost(300))
    run(health.save())
    (stored,) = workshop.store.incidents(SITE)
    assert (stored.state, stored.pages) == ("waiting", 9)


def test_an_alarm_whose_incident_is_not_in_the_store_any_more_opens_one(workshop: Workshop) -> None:
    usual(workshop)
    broken(workshop)
    workshop.execute("DELETE FROM incidents")
    health = loaded(workshop)
    assert health.open == []
    assert seen(health, *(lost(number) for number in range(300, 303))) == ["title"]


def test_an_incident_without_its_alarm_is_not_forgotten(workshop: Workshop) -> None:
    """As when the process ended after it wrote the incident and before it wrote the baseline."""
    usual(workshop)
    before = workshop.store.load_baselines(SITE)
    broken(workshop)
    workshop.store.save_baselines(SITE, before)
    health = loaded(workshop)
    assert seen(health, lost(300)) == ["title"]
    run(health.save())
    assert len(workshop.store.incidents(SITE, open_only=False)) == 1
    assert seen(loaded(workshop), *map(good, range(301, 320))) == []


def test_what_was_noticed_elsewhere_is_an_incident_too(workshop: Workshop) -> None:
    health = loaded(workshop)
    page = Occurrence(NOW.timestamp(), "https://example.com/", "known articles are listed, but not selected")
    health.note_signal(Signal(what="opened", kind="unlisted", at=NOW.timestamp(), pages=(page,)))
    run(health.save())
    (incident,) = workshop.store.incidents(SITE)
    assert (incident.kind, incident.field, incident.answer) == ("unlisted", "", "heal")
    assert workshop.said[-1].startswith("incident: pages that list articles are not read by their selectors any more")
    health = loaded(workshop)
    assert (len(health.open), health.doubts) == (1, frozenset())
    health.note_signal(Signal(what="closed", kind="unlisted", at=NOW.timestamp()))
    assert health.open == []


@pytest.mark.parametrize("code", ["connection_failed", "robots_forbid"])
def test_pages_that_cannot_be_fetched_are_an_incident_of_the_site(workshop: Workshop, code: str) -> None:
    usual(workshop)
    health = loaded(workshop)
    for number in range(200, 230):
        failure = Failure(f"https://example.com/local/{number}", "fetch", code, "no answer")
        health.note(observe_failure(failure, (NOW + timedelta(minutes=number)).timestamp()))
    (incident,) = health.open
    assert (incident.kind, incident.answer, health.doubts) == ("failing", "wait", frozenset())


@pytest.mark.parametrize(
    ("incident", "line"),
    [
        (an_incident(), "incident: title (template article) is not read any more, since 2024-06-20 12:00"),
        (an_incident("", "walled", ""), "incident: whole pages are behind a wall, since 2024-06-20 12:00"),
        (
            replace(an_incident("", "handed over"), diagnosis="as if rebuilt"),
            "incident: whole pages (template article) are hardly read any more, since 2024-06-20 12:00; as if rebuilt",
        ),
        (
            replace(an_incident("", "unlisted", ""), state="over", closed_at=NOW),
            "incident over: pages as usual again",
        ),
    ],
)
def test_incidents_are_told_in_a_sentence(incident: Incident, line: str) -> None:
    assert told(incident) == line


# Damage


GARBAGE = ["", "{", "NaN", "\x00", '{"fields": NaN}', "null null", "{'a': 1}"]
WRONG = [
    "null",
    "7",
    '"x"',
    "[]",
    "{}",
    '{"fields": 3}',
    '{"streams": [], "sections": {}, "recent": [], "numbers": []}',
]


@pytest.mark.parametrize("damage", [*GARBAGE, *WRONG])
@pytest.mark.parametrize("template", ["article", ""])
def test_damaged_baselines_are_told_and_learned_anew_from_the_records(
    workshop: Workshop, template: str, damage: str
) -> None:
    usual(workshop)
    workshop.execute("UPDATE baselines SET state = ? WHERE template = ?", damage, template)
    health = loaded(workshop)
    name = template or "any"
    assert workshop.said == [f"what was usual on pages of template {name} is unreadable: learned anew"]
    assert seen(health, *map(good, range(LEARNED, 2 * LEARNED))) == []
    assert seen(health, *(lost(number) for number in range(200, 206))) == ["title"]


@pytest.mark.parametrize("damage", ["{", "7", '{"fields": 3}'])
def test_all_of_them_may_be_damaged(workshop: Workshop, damage: str) -> None:
    usual(workshop)
    workshop.execute("UPDATE baselines SET state = ?", damage)
    health = loaded(workshop)
    assert len(workshop.said) == 2
    assert seen(health, *(lost(number) for number in range(200, 206))) == ["title"]


@pytest.mark.parametrize(
    ("place", "number"),
    [("tests", -5), ("tests", 1e11), ("valued", -1), ("digests", "x"), ("alarm", ["lost", 0, 4, 4, 0, 0])],
)
def test_numbers_that_cannot_be_are_damage_too(workshop: Workshop, place: str, number: object) -> None:
    usual(workshop)
    state = workshop.store.load_baselines(SITE)["article"]
    title = state["fields"]["title"]
    title[place] = [[number, *title["tests"][0][1:]], *title["tests"][1:]] if place == "tests" else number
    workshop.execute("UPDATE baselines SET state = ? WHERE template = 'article'", json.dumps(state))
    health = loaded(workshop)
    assert workshop.said == ["what was usual on pages of template article is unreadable: learned anew"]
    assert seen(health, *(lost(number) for number in range(200, 206))) == ["title"]


def test_what_is_not_damaged_goes_on(workshop: Workshop) -> None:
    """Of two templates the suspicion against the other one, which records do not tell, is still there."""
    health = loaded(workshop)
    paper = Paper(1)
    for page in paper.pages(600):
        health.note(page)
    opinions = [page for page in paper.pages(600) if page.template == "opinion" and "text" in page.found]
    lose = without("text", rescued=True)
    for page in opinions[:3]:
        health.note(lose(page))
    run(health.save())
    workshop.execute("UPDATE baselines SET state = '{' WHERE template = 'article'")
    assert seen(loaded(workshop), *map(lose, opinions[3:5])) == ["text"]


def test_damage_is_told_once(workshop: Workshop) -> None:
    usual(workshop)
    workshop.store.save_baselines(SITE, {"long gone": {"fields": 3}})
    workshop.execute("UPDATE baselines SET state = '{' WHERE template = 'article'")
    run(loaded(workshop).save())
    assert len(workshop.said) == 2
    loaded(workshop)
    assert len(workshop.said) == 2


@pytest.mark.parametrize("damage", ["{", '{"fields": 3}'])
def test_open_incidents_keep_their_alarms_and_can_end(workshop: Workshop, damage: str) -> None:
    usual(workshop)
    stored = broken(workshop)
    rules = {"title": "tagger/title"}
    workshop.collect(range(100, 160), stored.since, rules=rules)  # what was read since is not what is usual
    workshop.execute("UPDATE baselines SET state = ?", damage)
    health = loaded(workshop)
    assert doubted(health) == {("article", "title")}
    assert seen(health, *(lost(number) for number in range(200, 230))) == ["title"]
    run(health.save())
    (incident,) = workshop.store.incidents(SITE, open_only=False)
    assert (incident.number, incident.pages) == (stored.number, stored.pages + 30)
    health = loaded(workshop)
    assert seen(health, *map(good, range(300, 360))) == []
    run(health.save())
    (over,) = workshop.store.incidents(SITE, open_only=False)
    assert (over.number, over.state) == (stored.number, "over")
    assert seen(health, *(lost(number) for number in range(400, 408))) == ["title"]


def test_incidents_of_whole_pages_keep_their_alarms_too(workshop: Workshop) -> None:
    health = loaded(workshop)
    paper = Paper(2)
    for page in paper.pages(300):
        health.note(page)
    for page in paper.articles(10):
        health.note(redesigned(page))
    run(health.save())
    workshop.execute("UPDATE baselines SET state = '{'")
    health = loaded(workshop)
    assert [(one.field, one.kind) for one in health.open] == [("", "handed over")]
    for page in paper.articles(40):
        health.note(page)
    assert health.open == []


def test_without_records_it_begins_anew_with_what_comes(workshop: Workshop) -> None:
    workshop.store.save_baselines(SITE, {"": {"a": 1}, "article": {}})
    workshop.store.put_incident(an_incident())
    health = loaded(workshop)
    assert len(workshop.said) == 2
    assert seen(health, *map(good, range(40))) == []
    assert seen(health, *(lost(number) for number in range(40, 46))) == ["title"]


def test_damaged_evidence_does_not_end_a_visit(workshop: Workshop) -> None:
    usual(workshop)
    stored = broken(workshop)
    workshop.execute("UPDATE incidents SET evidence = '{'")
    health = loaded(workshop)
    assert seen(health, lost(300)) == ["title"]
    run(health.save())
    (incident,) = workshop.store.incidents(SITE)
    assert (incident.number, incident.pages) == (stored.number, stored.pages + 1)
    assert "damaged" not in incident.diagnosis
