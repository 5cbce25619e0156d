"""`sitewright incidents`: what is no longer as it was, the evidence, and how an incident is dismissed."""

import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sitewright.actions import hold
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Incident, Sighting, StoredProposal

Call = Callable[..., Any]
NOTES = "notes.example"
SINCE = datetime(2025, 5, 18, 10, tzinfo=UTC)


def sightings(number: int, value: str, since: datetime = SINCE) -> tuple[Sighting, ...]:
    return tuple(
        Sighting(since + timedelta(hours=n), f"https://notes.example/{value[:1] or 'x'}{n}", value and f"{value} {n}")
        for n in range(number)
    )


def an_incident(**changes: Any) -> Incident:
    usual: dict[str, Any] = {
        "site": NOTES,
        "template": "note",
        "field": "title",
        "kind": "lost",
        "since": SINCE,
        "opened_at": SINCE + timedelta(hours=4),
        "pages": 37,
        "affected": sightings(20, ""),
        "before": sightings(7, "Old title", SINCE - timedelta(days=2)),
        "fill": tuple((SINCE + timedelta(days=n), 0.0 if n >= 0 else 1.0) for n in range(-8, 2)),
        "diagnosis": "title: not as usual on nearly all pages",
        "answer": "heal",
    }
    return Incident(**(usual | changes))


@pytest.fixture
def three(store: Store, newspaper: Any) -> list[Incident]:
    """Put three incidents into the store, of which one is closed."""
    closed = {"state": "over", "closed_at": SINCE + timedelta(days=1), "field": "rating", "kind": "shorter"}
    return [
        store.put_incident(an_incident()),
        store.put_incident(an_incident(**closed, opened_at=SINCE + timedelta(hours=5))),
        store.put_incident(
            an_incident(
                site=newspaper.name,
                template="",
                field="",
                kind="walled",
                answer="incident",
                state="waiting",
                pages=1200,
                affected=sightings(3, "login_wall"),
                before=(),
                fill=(),
                diagnosis="pages ask for a name",
                opened_at=SINCE + timedelta(hours=6),
            )
        ),
    ]


def lines(done: Any) -> list[str]:
    return [line.rstrip() for line in done.out.decode().splitlines()]


def test_open_incidents_are_listed(call: Call, three: list[Incident], newspaper: Any) -> None:
    done = call("incidents")
    heads, wall, title = lines(done)
    assert (done.status, done.err) == (0, "")
    assert heads.split() == "n site template field what is wrong since (UTC) pages state answer".split()
    assert wall.split() == (
        f"3 {newspaper.name} - whole pages behind a wall 2025-05-18 10:00 1,200 waiting a person has to look".split()
    )
    assert title.split() == (f"1 {NOTES} note title not read any more 2025-05-18 10:00 37 open repair the map".split())


def test_of_some_sites_and_closed_ones(call: Call, three: list[Incident], newspaper: Any) -> None:
    assert [line.split()[0] for line in lines(call("incidents", NOTES))[1:]] == ["1"]
    assert [line.split()[0] for line in lines(call("incidents", "--all"))[1:]] == ["3", "2", "1"]
    assert [line.split()[0] for line in lines(call("incidents", NOTES, newspaper.name, NOTES))[1:]] == ["3", "1"]
    assert "shorter than usual" in call("incidents", NOTES, "--all").out.decode()


def test_index_pages_that_list_nothing(call: Call, store: Store) -> None:
    store.put_incident(an_incident(template="", field="", kind="unlisted"))
    assert "index pages   their articles are not found any more" in call("incidents").out.decode()


def test_as_json(call: Call, three: list[Incident], newspaper: Any) -> None:
    wall, title = (json.loads(line) for line in call("incidents", "--json").out.splitlines())
    assert (wall["site"], wall["template"], wall["field"], wall["kind"]) == (newspaper.name, None, None, "walled")
    assert title | {"before": 0, "affected": 0, "fill": 0} == {
        "number": 1,
        "site": NOTES,
        "template": "note",
        "field": "title",
        "kind": "lost",
        "also": [],
        "state": "open",
        "open": True,
        "since": "2025-05-18T10:00:00+00:00",
        "opened": "2025-05-18T14:00:00+00:00",
        "closed": None,
        "pages": 37,
        "diagnosis": "title: not as usual on nearly all pages",
        "answer": "heal",
        "before": 0,
        "affected": 0,
        "fill": 0,
    }
    assert len(title["affected"]) == 20
    assert title["affected"][0] == {"at": "2025-05-18T10:00:00+00:00", "url": "https://notes.example/x0", "value": None}
    assert title["fill"][-1] == {"at": "2025-05-19T10:00:00+00:00", "share": 0.0}
    assert json.loads(call("incidents", "--show", "1", "--json").out) == title


def test_everything_about_one(call: Call, three: list[Incident]) -> None:
    done = call("incidents", "--show", "1")
    shown = lines(done)
    assert (done.status, done.err) == (0, "")
    assert shown[:5] == [
        f"incident 1: {NOTES}, template note: title: not read any more",
        "    since   2025-05-18 10:00 UTC, noticed 2025-05-18 14:00 UTC",
        "    pages   37 pages affected",
        "    seems   title: not as usual on nearly all pages",
        "    state   open: repair the map",
    ]
    told = "\n".join(shown)
    assert "come from the tagger" in told
    assert f"sitewright heal {NOTES} --now" in told
    assert "sitewright incidents --dismiss 1" in told
    start = shown.index("pages that have the field, over time:")
    assert shown[start + 1 : start + 4] == [
        "    100 % ████████▁▁ 0 %",
        "                  ^ since 2025-05-18 10:00",
        "    from 2025-05-10 10:00 to 2025-05-19 10:00",
    ]
    before, first, last = (
        shown.index(f"{title}:") for title in ("before", "affected, the first ones", "affected, the last ones")
    )
    assert shown[before + 1 : before + 3] == ["    2025-05-16 12:00  https://notes.example/O2", "        Old title 2"]
    assert len(shown[before + 1 : first - 1]) == 10
    assert shown[first + 1 : first + 3] == ["    2025-05-18 10:00  https://notes.example/x0", "        nothing"]
    assert shown[last + 9 :] == ["    2025-05-19 05:00  https://notes.example/x19", "        nothing"]


def test_whole_pages_have_codes_for_values(call: Call, three: list[Incident]) -> None:
    shown = "\n".join(lines(call("incidents", "--show", "3")))
    assert "over time" not in shown
    assert "tagger" not in shown
    assert "affected:\n    2025-05-18 10:00  https://notes.example/l0\n        login_wall 0" in shown


def test_a_closed_one_says_how_it_ended(call: Call, three: list[Incident]) -> None:
    shown = call("incidents", "--show", "2").out.decode()
    assert "over, closed 2025-05-19 10:00 UTC: all was as usual again, and nothing was changed for it" in shown
    assert "--dismiss" not in shown


def test_a_waiting_proposal_is_named(call: Call, store: Store, three: list[Incident]) -> None:
    stored = store.load_map(NOTES)
    assert stored is not None
    store.put_proposal(StoredProposal(site=NOTES, based_on=1, text=stored.text, made_at=SINCE))
    assert f"waits for a decision: sitewright heal {NOTES}" in call("incidents", "--show", "1").out.decode()


def test_values_of_strangers_have_no_power(call: Call, store: Store) -> None:
    hostile = "[red]a\x1b[2J[/red]\n\n  b\u202ec :smile: " + "long " * 100
    store.put_incident(
        an_incident(
            field="[bold]x",
            template="\x1b]0;t\x07",
            diagnosis=hostile,
            affected=(Sighting(SINCE, "https://notes.example/\x1b[1m", hostile),),
        )
    )
    shown, listed = call("incidents", "--show", "1").out.decode(), call("incidents").out.decode()
    assert "        [red]a\\x1b[2J[/red] b\\u202ec :smile: long long" in shown
    assert "https://notes.example/\\x1b[1m" in shown
    for text in (shown, listed):
        assert "[bold]x" in text
        assert "\\x1b]0;t\\x07" in text.replace("\n", "")
        assert not {"\x1b", "\x07", "\u202e"} & set(text)
    assert max(map(len, shown.splitlines()[6:])) < 200


def test_damaged_evidence(call: Call, store: Store, folder: Path) -> None:
    store.put_incident(an_incident())
    with sqlite3.connect(folder / "sitewright.db") as database:
        database.execute("update incidents set evidence = '{'")
    assert "damaged" in call("incidents", "--show", "1").out.decode()
    assert call("incidents").status == 0


def test_the_exit_status_tells_scripts(call: Call, store: Store, three: list[Incident]) -> None:
    assert call("incidents").status == 0
    assert call("incidents", "--fail").status == 1
    assert call("incidents", "--fail", "--json").status == 1
    assert call("incidents", "--show", "2", "--fail").status == 0
    assert call("incidents", "--show", "1", "--fail").status == 1
    for number in (1, 3):
        store.close_incident(number)
    assert call("incidents", "--fail", "--all").status == 0
    done = call("incidents", "--fail")
    assert (done.status, done.out, done.err) == (0, b"", "no incident is open; --all shows closed ones, too\n")


def test_dismissing(call: Call, store: Store, three: list[Incident], newspaper: Any) -> None:
    done = call("incidents", "--dismiss", "1", "--dismiss", "3")
    assert (done.status, done.err) == (0, "")
    assert lines(done) == [
        f"incident 1 ({NOTES}, title) is dismissed: what 37 pages showed is normal from the next visit on",
        f"incident 3 ({newspaper.name}, whole pages) is dismissed: what 1,200 pages showed is normal from the next visit on",
    ]
    assert store.incidents() == []
    found = store.find_incident(1)
    assert found is not None
    assert (found.state, found.closed_at is None) == ("dismissed", False)
    site = store.site(NOTES)
    assert site is not None
    assert site.lease_owner is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--show", "9"], "there is no incident 9 in the store; there are 3, 2, 1"),
        (["--dismiss", "1", "--dismiss", "9"], "there is no incident 9 in the store; there are 3, 2, 1"),
        (["--dismiss", "1", "--dismiss", "2"], "incident 2 is closed since 2025-05-19 10:00 UTC (over)"),
        (["--dismiss", "1", "--all"], "--dismiss goes with no other option than --store"),
        (["--show", "3", NOTES], "incident 3 is of the-daily-lantern.example, not of notes.example"),
        (["nowhere.example"], "there is no site nowhere.example in the store; there are notes.example"),
    ],
)
def test_what_cannot_be_done_is_told(
    call: Call, store: Store, three: list[Incident], arguments: list[str], told: str
) -> None:
    done = call("incidents", *arguments)
    assert (done.status, done.out) == (2, b"")
    assert f"error[input_error]: {told}" in done.err
    assert len(store.incidents()) == 2


def test_a_visit_is_not_interfered_with(
    call: Call, store: Store, three: list[Incident], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hold, "PATIENCE", 0.0)
    monkeypatch.setattr(hold, "_POLL_SECONDS", 0.01)
    store.lease_site("collector:1", NOTES, seconds=60)
    done = call("incidents", "--dismiss", "1")
    assert done.status == 2
    assert f"{NOTES} is held by collector:1" in done.err
    assert len(store.incidents()) == 2


def test_a_store_without_incidents_or_sites(call: Call, store: Store, tmp_path: Path) -> None:
    assert call("incidents", "--all").err == "there is no incident\n"
    assert call("incidents", "--json").out == b""
    assert "there is none yet" in call("incidents", "--show", "1").err
    open_store(f"sqlite:///{tmp_path}/empty.db").close()
    done = call("incidents", "--store", f"sqlite:///{tmp_path}/empty.db")
    assert (done.status, done.err) == (0, "there is no site in the store yet; begin with: sitewright collect URL\n")
    assert call("incidents", "--store", f"sqlite:///{tmp_path}/none.db").status == 2
