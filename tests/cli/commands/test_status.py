"""`sitewright status`: how sites are, at a glance and in detail."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sitewright.store.database import Store, open_store
from sitewright.store.entries import Incident, StoredProposal, WatchedPage
from sitewright.store.states import SourceState
from sitewright.types import Failure, Page, Record, Value

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
NOTES = "notes.example"
SINCE = datetime(2025, 5, 18, 10, tzinfo=UTC)


def an_incident(**changes: Any) -> Incident:
    usual: dict[str, Any] = {"site": NOTES, "template": "note", "field": "title", "kind": "lost", "pages": 5}
    return Incident(**(usual | {"since": SINCE, "opened_at": SINCE} | changes))


def lines(done: Any) -> list[str]:
    return [line.rstrip() for line in done.out.decode().splitlines()]


def propose(store: Store, site: str, reason: str = "") -> None:
    stored = store.load_map(site)
    assert stored is not None
    store.put_proposal(StoredProposal(site=site, based_on=1, text=stored.text, made_at=SINCE, reason=reason))


def look(store: Store, site: str, *failures: int) -> None:
    """Have all sources of a site been looked at, of which some failed so many times."""
    store.lease_site("collector:1", site, seconds=60)
    for page, failed in zip(store.index_pages(site), failures, strict=True):
        store.finish_look(
            "collector:1",
            replace(page, last_fetched=SINCE, next_due=SINCE, state=SourceState(pace={"failures": failed})),
        )
    store.release_site("collector:1", site)


def test_a_line_a_site(call: Call, store: Store, newspaper: Any) -> None:
    done = call("status")
    heads, notes, paper = lines(done)
    assert (done.status, done.err) == (0, "")
    assert heads.split() == "site health records 24 h 7 days newest (UTC) map".split()
    today = f"{datetime.now(UTC):%Y-%m}"
    assert notes.split()[:9] == f"{NOTES} ok 2 2 2 2024-05-02 00:00 1 (person,".split()
    assert notes.split()[9].startswith(today)
    assert paper.split()[:5] == f"{newspaper.name} ok 11 11 11".split()


def test_what_is_wrong_stands_behind_the_name(call: Call, store: Store, newspaper: Any) -> None:
    store.add_site("new.example")
    store.put_incident(an_incident())
    store.put_incident(an_incident(field="rating"))
    store.put_incident(an_incident(field="published", state="over", closed_at=SINCE))
    propose(store, NOTES)
    look(store, newspaper.name, 3, 1)
    _, new, notes, paper = lines(call("status"))
    assert new.split()[:4] == ["new.example", "not", "learned", "yet"]
    assert "2 incidents, proposal waits " in notes
    assert "  failing " in paper
    assert [line.split()[0] for line in lines(call("status", NOTES, "new.example"))[1:]] == ["new.example", NOTES]


def test_one_source_that_fails_is_not_the_site(call: Call, store: Store, newspaper: Any) -> None:
    look(store, newspaper.name, 3, 0)
    shown = lines(call("status", newspaper.name))
    assert shown[1].split()[1] == "ok"
    assert "2 sources, 1 of them failing; 0 links waiting, 2 failures; next due" in shown[3]


def test_as_json(call: Call, store: Store, newspaper: Any) -> None:
    store.put_incident(an_incident())
    propose(store, NOTES)
    store.add_site("new.example")
    new, notes, paper = (json.loads(line) for line in call("status", "--json").out.splitlines())
    assert (new["health"], new["ok"], new["learned"], new["map"]) == ("not learned yet", False, False, None)
    assert (notes["health"], notes["ok"]) == ("1 incident, proposal waits", False)
    assert (notes["incidents"], notes["proposal"], notes["failing"]) == (1, 1, False)
    assert (paper["health"], paper["ok"], paper["records"], paper["records_24h"], paper["records_7d"]) == (
        "ok",
        True,
        11,
        11,
        11,
    )
    assert (paper["map"]["version"], paper["map"]["made_by"], paper["sources"], paper["failures"]) == (
        1,
        "learned",
        2,
        2,
    )
    assert "fields" not in paper


def add_notes(store: Store, number: int, **fields: str) -> None:
    """Add records of today."""
    now = datetime.now(UTC)
    for n in range(number):
        url = f"https://{NOTES}/today{n}"
        values = {name: Value(text, 0.9, f"note/{name}#0") for name, text in fields.items()}
        record = Record(site=NOTES, urls=(url,), fields=values, template="note", map_version=1, extracted_at=now)
        store.commit_page(record, Page(url=url, body=b"", fetched_at=now))


def test_fill_rates_side_by_side(call: Call, store: Store) -> None:
    add_notes(store, 6, title="A note")
    shown = lines(call("status", NOTES))
    start = shown.index("how often fields were found, in all and in the last 7 days")
    table = [line.split() for line in shown[start + 2 : start + 5]]
    assert table == [
        ["note", "title", "8", "8", "100%", "6", "6", "100%"],
        ["note", "published", "8", "2", "25%", "6", "0", "0%"],
        ["note", "rating", "8", "2", "25%", "6", "0", "0%"],
    ]
    row = json.loads(call("status", NOTES, "--json").out)
    assert row["fields"][1] == {
        "template": "note",
        "field": "published",
        "confidence": row["fields"][1]["confidence"],
        "all": {"records": 8, "filled": 2, "share": 0.25},
        "7d": {"records": 6, "filled": 0, "share": 0.0},
    }


def test_a_week_without_records(call: Call, store: Store) -> None:
    shown = call("status", NOTES).out.decode()
    assert ["note", "rating", "2", "2", "100%", "-", "-", "-"] in [line.split() for line in shown.splitlines()]
    assert json.loads(call("status", NOTES, "--json").out)["fields"][0]["7d"] is None


def test_one_site_in_detail(call: Call, store: Store, newspaper: Any) -> None:
    store.put_incident(an_incident(site=newspaper.name, template="article"))
    propose(store, newspaper.name, "most fields are gone")
    shown = "\n".join(lines(call("status", newspaper.name)))
    assert "open incidents (sitewright incidents --show N has the evidence)" in shown
    assert "not read any more   2025-05-18 10:00" in shown
    told = f"since 2025-05-18 10:00 UTC: most fields are gone; look at it with: sitewright heal {newspaper.name}"
    assert f"a repaired map waits\n{told}" in shown
    assert f"{newspaper.unread}\n    not_item: the page is no article" in shown
    row = json.loads(call("status", newspaper.name, "--json").out)
    assert [incident["field"] for incident in row["open_incidents"]] == ["title"]
    assert {failure["code"] for failure in row["last_failures"]} == {"error_page", "not_item"}


def test_why_a_site_is_not_learned(call: Call, store: Store) -> None:
    store.add_site("new.example", url="https://new.example/")
    store.put_index_pages([WatchedPage(site="new.example", url="https://new.example/")])
    failure = Failure("https://new.example/", "learn", "no_articles", "[red]nothing\x1b[2J here")
    for _ in range(2):
        store.add_failure("new.example", failure)
    shown = call("status", "new.example").out.decode()
    assert "no_articles: [red]nothing\\x1b[2J here" in shown
    assert "https://new.example/, 2 times since " in shown
    assert "\x1b" not in shown


def test_the_last_failures_only(call: Call, store: Store) -> None:
    for number in range(40):
        store.add_failure(NOTES, Failure(f"https://{NOTES}/{number}", "fetch", "fetch_timeout", "x" * 5_000))
    shown = call("status", NOTES).out.decode()
    assert shown.count("fetch_timeout") == 5
    assert "40 failures" in shown
    assert max(map(len, shown.splitlines())) < 200


def test_long_ago(call: Call, folder: Path, store: Store) -> None:
    later = datetime.now(UTC) + timedelta(days=3)
    with open_store(f"sqlite:///{folder}/sitewright.db", clock=lambda: later - timedelta(days=33)) as past:
        past.add_site("old.example")
        record = Record(
            site="old.example", urls=("https://old.example/a",), fields={"title": Value("A", 1.0, "a/title#0")}
        )
        past.commit_page(record, Page(url="https://old.example/a", body=b""))
    row = json.loads(call("status", "old.example", "--json").out)
    assert (row["records"], row["records_24h"], row["records_7d"]) == (1, 0, 0)


def test_nothing_there(call: Call, store: Store, tmp_path: Path) -> None:
    assert "there is no site nowhere.example in the store; there are " in call("status", "nowhere.example").err
    open_store(f"sqlite:///{tmp_path}/empty.db").close()
    done = call("status", "--store", f"sqlite:///{tmp_path}/empty.db")
    assert (done.status, done.out) == (0, b"")
    assert done.err == "there is no site in the store yet; begin with: sitewright collect URL\n"
