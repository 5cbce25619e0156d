"""What is put into the store comes out of it, once, whoever else works on it and whatever happens."""

import json
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, event, text

from sitewright.domains import load_domain
from sitewright.errors import MapInvalid, MissingExtra, StoreError
from sitewright.fetch import open_archive
from sitewright.store import columns_of, json_of, open_writer, row_of
from sitewright.store.database import Store, open_store
from sitewright.store.engine import make_engine, writing
from sitewright.store.entries import Collected, FillRate, PageLocation, RecordQuery, StoredRecord, WatchedPage
from sitewright.store.warc import WarcStore
from sitewright.types import Failure, Page, Photo, PhotoSet, Record, Rule, Value

SITE = "example.com"
START = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
HERE = Path(__file__).parent
MAP = """\
# a person's comment
sitewright: 1
site: example.com
domain: news
version: 1
templates:
  - name: article
    rules:
      title: {select: [h1]}
"""


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    with open_store(url, clock=clock) as opened:
        opened.add_site(SITE, url="https://example.com/")
        yield opened


def address(number: int | str) -> str:
    return f"https://example.com/story/{number}"


def record_of(number: int | str, **fields: object) -> Record:
    held = {"title": f"Story {number}", **fields}
    return Record(
        site=SITE,
        urls=(address(number),),
        fields={name: Value(value, 0.5, f"article/{name}#0") for name, value in held.items()},
        template="article",
        map_version=1,
        language="en",
        extracted_at=START,
    )


def page_of(number: int | str, fetched_at: datetime | None = START) -> Page:
    return Page(url=address(number), body=b"<p>", fetched_at=fetched_at, via="http")


def place_of(number: int) -> PageLocation:
    return PageLocation("pages-1.warc.gz", number * 100, 90, f"sha1:{number}")


def put(store: Store, number: int, **fields: object) -> None:
    store.commit_page(record_of(number, **fields), page_of(number), place_of(number))


def numbers(found: Iterator[StoredRecord]) -> list[int]:
    return [int(stored.record.urls[0].rpartition("/")[2]) for stored in found]


# Sites and maps


def test_a_site_is_added_once(store: Store) -> None:
    store.add_site(SITE, url="https://other.example/", domain="shop")
    store.add_site("a.example", domain="shop")
    found = [(site.name, site.url, site.domain, site.added_at) for site in store.sites()]
    assert found == [("a.example", "", "shop", START), (SITE, "https://example.com/", "news", START)]


USES: dict[str, Callable[[Store], object]] = {
    "commit": lambda store: store.commit_page(replace(record_of(1), site="nowhere"), page_of(1)),
    "new links": lambda store: store.new_links("nowhere", []),
    "failure": lambda store: store.add_failure("nowhere", Failure("", "fetch", "x", "")),
    "index pages": lambda store: store.put_index_pages([WatchedPage(site="nowhere", url="")]),
    "records": lambda store: list(store.records(RecordQuery(site="nowhere"))),
    "map": lambda store: store.save_map(MAP.replace("example.com", "nowhere"), "person"),
    "photo set": lambda store: store.put_photo_set(PhotoSet(site="nowhere", urls=("a",))),
}


def test_an_unknown_site_is_told(store: Store) -> None:
    for use in USES.values():
        with pytest.raises(StoreError, match="no site nowhere in the store"):
            use(store)


def test_all_versions_of_a_map_are_kept(store: Store, clock: Clock) -> None:
    assert store.load_map(SITE) is None
    assert store.save_map(MAP, "learned") == 1
    clock.pass_by(days=1)
    assert store.save_map(MAP.replace("[h1]", "[h2]"), "person") == 2
    assert store.save_map(MAP.replace("version: 1", "version: 7"), "healed") == 7
    versions = store.map_versions(SITE)
    assert [(one.version, one.made_by) for one in versions] == [(1, "learned"), (2, "person"), (7, "healed")]
    assert [one.parsed().version for one in versions] == [1, 2, 7]
    assert versions[0].text == MAP
    assert versions[1].made_at == START + timedelta(days=1)
    assert versions[1].text.startswith("# a person's comment\n")
    assert "[h2]" in versions[1].text
    assert store.load_map(SITE) == versions[-1]
    assert store.load_map(SITE, 2) == versions[1]
    assert store.load_map(SITE, 3) is None
    assert store.load_map("nowhere") is None


def test_a_text_that_is_no_map_is_not_kept(store: Store) -> None:
    with pytest.raises(MapInvalid):
        store.save_map(MAP.replace("select", "selekt"), "person")
    assert store.map_versions(SITE) == []


# Records


def test_a_record_comes_back_as_it_would_be_written(store: Store) -> None:
    record = replace(
        record_of(
            1,
            published="2024-05-06T10:30:00+01:00",
            text="One.\nTwo \0 \ud800 中文 😀",
            authors=["Ann Lee"],
            images=[Photo(url="https://example.com/a.jpg", caption="A", width=640)],
            price={"amount": 4.5, "currency": "GBP"},
            a=None,
        ),
        urls=(address(1), address("1?page=2")),
        via="map, tagger",
        kind="article",
        domain="shop",
    )
    store.commit_page(record, page_of(1), place_of(1))
    found = store.find_record(SITE, address("1?utm_source=x"))
    assert found is not None
    assert json_of(row_of(found.record, explain=True)) == json_of(row_of(record, explain=True))
    assert replace(found.record, fields={}) == replace(record, fields={})
    assert found.location == place_of(1)
    assert found.shown_at == datetime(2024, 5, 6, 9, 30, tzinfo=UTC)
    assert found.stored_at == START
    assert list(store.records()) == [found]
    assert store.find_record(SITE, address(2)) is None


def test_the_same_page_twice_gives_one_record_brought_up_to_date(store: Store, clock: Clock) -> None:
    put(store, 1, subtitle="a", text="b")
    put(store, 2)
    clock.pass_by(days=1)
    store.commit_page(record_of("1?utm_source=x", text="c"), page_of(1, clock.now), place_of(9))
    assert store.count_records() == 2
    found = store.find_record(SITE, address(1))
    assert found is not None
    assert found.location == place_of(9)
    assert "subtitle" not in found.record.fields
    assert [(rate.field, rate.filled, rate.records) for rate in store.fill_rates(SITE)] == [
        ("title", 2, 2),
        ("text", 1, 2),
    ]
    assert [page.location for page in store.pages(SITE)] == [place_of(1), place_of(2), place_of(9)]


def test_of_one_page_twice_in_a_batch_the_last_is_kept(store: Store) -> None:
    pair = [(record_of(1, text="a"), 1), (record_of(1), 2)]
    store.commit_pages([Collected(record=one, page=page_of(1), location=place_of(number)) for one, number in pair])
    assert [rate.field for rate in store.fill_rates(SITE)] == ["title"]
    assert [stored.location for stored in store.records()] == [place_of(2)]


def test_a_batch_may_be_of_several_sites(store: Store) -> None:
    store.add_site("b.example")
    both = [record_of(1), replace(record_of(1), site="b.example")]
    store.commit_pages([Collected(record=one, page=page_of(1)) for one in both])
    assert [stored.record.site for stored in store.records()] == [SITE, "b.example"]
    assert store.count_records(RecordQuery(site="b.example")) == 1
    assert [store.new_links(site, [address(1)]) for site in (SITE, "b.example")] == [[], []]


def test_a_transaction_that_fails_leaves_nothing(store: Store) -> None:
    put(store, 2)
    wrong = replace(record_of(1), template=None)  # type: ignore[arg-type]
    batch = [Collected(record=record, page=page_of(1), location=place_of(1)) for record in (record_of(3), wrong)]
    with pytest.raises(StoreError, match="template"):
        store.commit_pages(batch)
    assert store.count_records() == store.count_seen(SITE) == len(list(store.pages(SITE))) == 1
    assert [rate.records for rate in store.fill_rates(SITE)] == [1]


QUERIES = [
    (RecordQuery(), [3, 1, 2, 4]),
    (RecordQuery(site=SITE, limit=2), [3, 1]),
    (RecordQuery(limit=0), []),
    (RecordQuery(newest_first=True), [4, 3, 2, 1]),
    (RecordQuery(newest_first=True, limit=3), [4, 3, 2]),
    (RecordQuery(shown_since=datetime(2024, 5, 2, tzinfo=UTC)), [3, 2, 4]),
    (RecordQuery(shown_since=datetime(2024, 5, 2, 1, tzinfo=timezone(timedelta(hours=2)))), [3, 2, 4]),
    (RecordQuery(shown_before=datetime(2024, 5, 2, tzinfo=UTC)), [1]),
    (RecordQuery(stored_since=START + timedelta(hours=2)), [2, 4]),
    (RecordQuery(template="article"), [3, 1, 2, 4]),
    (RecordQuery(template=""), []),
    (RecordQuery(map_version=1), [3, 1, 2, 4]),
    (RecordQuery(map_version=2), []),
]


@pytest.mark.parametrize("chunk", [1, 2, 500])
def test_records_are_found_by_query(store: Store, clock: Clock, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitewright.store.database._CHUNK", chunk)
    for number in (3, 1, 2):
        put(store, number, published=f"2024-05-{number:02}")
        clock.pass_by(hours=1)
    put(store, 4)  # shown when it was fetched
    for query, wanted in QUERIES:
        assert numbers(store.records(query)) == wanted, query
        assert query.limit is not None or store.count_records(query) == len(wanted), query


def test_records_may_be_added_while_all_are_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitewright.store.database._CHUNK", 2)
    for number in range(5):
        put(store, number)
    reading = store.records()
    first = next(reading)
    put(store, 5)
    put(store, 0, text="again")
    assert numbers(iter([first, *reading])) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "markdown"])
def test_records_of_the_store_are_exported_like_any(store: Store, tmp_path: Path, kind: str) -> None:
    put(store, 1, text="One.", authors=["Ann"])
    rules = [Rule(field=field, select=("x",)) for field in ("title", "text", "authors")]
    columns = columns_of(rules, load_domain("news"), ["title", "text", "authors"])
    for name, records in (("a", [record_of(1, text="One.", authors=["Ann"])]), ("b", None)):
        writer = open_writer(str(tmp_path / name), kind, columns)
        for record in records or [stored.record for stored in store.records()]:
            writer.write(json_of(row_of(record)))
        writer.close()
    one, two = (sorted((tmp_path / name).rglob("*.md")) or [tmp_path / name] for name in "ab")
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_fill_rates(store: Store, clock: Clock) -> None:
    put(store, 1, text="a", tags=[])
    put(store, 2, text="b")
    clock.pass_by(days=1)
    store.commit_page(record_of(3), page_of(3, clock.now))
    store.commit_page(replace(record_of(4), template="video"), page_of(4, clock.now))
    assert store.fill_rates(SITE) == [
        FillRate(template="article", field="title", records=3, filled=3, confidence=0.5),
        FillRate(template="article", field="text", records=3, filled=2, confidence=0.5),
        FillRate(template="video", field="title", records=1, filled=1, confidence=0.5),
    ]
    assert [rate.records for rate in store.fill_rates(SITE, date(2024, 5, 7))] == [1, 1]
    assert store.fill_rates(SITE)[1].rate == pytest.approx(2 / 3)


changes = st.lists(
    st.tuples(st.integers(0, 3), st.sets(st.sampled_from(["text", "tags"])), st.integers(0, 2), st.sampled_from("ab"))
)


@given(changes)
def test_figures_are_those_of_the_records_there_are(changed: list[tuple[int, set[str], int, str]]) -> None:
    with open_store("sqlite://") as store:
        store.add_site(SITE)
        for number, fields, day, template in changed:
            record = replace(record_of(number, **dict.fromkeys(fields, "x")), template=template)
            store.commit_page(record, page_of(number, START + timedelta(days=day)))
        held = [stored.record for stored in store.records()]
        assert {(rate.template, rate.field): (rate.filled, rate.records) for rate in store.fill_rates(SITE)} == {
            (template, field): (
                sum(one.template == template and field in one.fields for one in held),
                sum(one.template == template for one in held),
            )
            for template, field in {(one.template, field) for one in held for field in one.fields}
        }


def test_a_page_without_a_record_is_known(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitewright.store.database._CHUNK", 2)
    for number in range(4):
        store.add_page(SITE, page_of(number, None if number else START), place_of(number))
    assert [(page.url, page.status, page.location) for page in store.pages(SITE)] == [
        (address(number), 200, place_of(number)) for number in range(4)
    ]
    assert next(store.pages(SITE)).fetched_at == START
    assert store.new_links(SITE, [address(0)]) == [address(0)]


def test_photo_sets_come_back_equal(store: Store) -> None:
    photos = (Photo(url="https://example.com/a.jpg", caption="A", credit="B", width=1, height=2), Photo(url="b"))
    one = PhotoSet(site=SITE, urls=(address(1), address(2)), title="T", text="X", photos=photos)
    store.put_photo_set(replace(one, title="earlier"))
    store.put_photo_set(PhotoSet(site=SITE, urls=(address(3),)))
    store.put_photo_set(one)
    assert store.photo_sets(SITE) == [one, PhotoSet(site=SITE, urls=(address(3),))]


def test_failures_are_kept_until_there_is_a_record(store: Store, clock: Clock) -> None:
    failure = Failure(address(1), "fetch", "fetch_timeout", "took \0 long")
    store.add_failure(SITE, failure)
    clock.pass_by(hours=1)
    store.add_failure(SITE, replace(failure, code="error_page", detail="503"))
    store.add_failure(SITE, Failure(address(2), "parse", "not_html", ""), settled=True)
    (first, second) = store.failures(SITE)
    assert first.failure == replace(failure, code="error_page", detail="503")
    assert (first.times, first.first_at, first.at) == (2, START, START + timedelta(hours=1))
    assert second.failure.code == "not_html"
    assert store.new_links(SITE, [address(1), address(2)]) == [address(1)]
    put(store, 1)
    assert [one.failure.url for one in store.failures(SITE)] == [address(2)]


# Links


def test_only_what_reached_the_store_counts_as_seen(store: Store) -> None:
    urls = [address(number) for number in range(4)]
    assert store.new_links(SITE, [*urls, address("0#top")]) == urls
    assert store.new_links(SITE, urls) == urls
    page = replace(page_of(1), final_url=address(2))
    store.commit_page(record_of(1), page)
    assert store.new_links(SITE, urls) == [address(0), address(3)]
    store.mark_seen(SITE, [address(3)])
    assert store.new_links(SITE, map(str.upper, urls[:1])) == [address(0).upper()]
    assert store.new_links(SITE, urls) == [address(0)]
    assert store.count_seen(SITE) == 3


def test_a_link_is_claimed_by_one_until_time_is_up(store: Store, clock: Clock) -> None:
    urls = [address(number) for number in range(3)]
    put(store, 2)
    assert store.claim_links(SITE, urls, "a", seconds=60) == urls[:2]
    assert store.claim_links(SITE, urls, "b", seconds=60) == []
    assert store.claim_links(SITE, urls, "a", seconds=60) == urls[:2]
    assert store.new_links(SITE, urls) == urls[:2]
    clock.pass_by(seconds=60)
    assert store.claim_links(SITE, urls[:1], "b", seconds=60) == urls[:1]
    put(store, 0)
    clock.pass_by(seconds=61)
    assert store.claim_links(SITE, urls, "a", seconds=60) == [urls[1]]
    assert store.claim_links(SITE, [], "a", seconds=60) == []


FILL = {
    "sqlite": [
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
        INSERT INTO seen_links (site_id, signature, first_seen, stored_at)
        SELECT 1, (i - 500000) * 18446744073709, '2024-05-06 00:00:00.000000', '2024-05-06 00:00:00.000000' FROM n
    """
    ],
    "postgresql": [
        "SET LOCAL session_replication_role = replica",  # a million checks that there is a site 1 take ten seconds
        """
        INSERT INTO seen_links (site_id, signature, first_seen, stored_at)
        SELECT 1, (i - 500000) * 18446744073709, now(), now() FROM generate_series(1, 1000000) AS n(i)
        """,
        "ANALYZE seen_links",
    ],
}
"""A million links, spread over all numbers."""


def fill_seen(url: str) -> None:
    engine = make_engine(url, 60)
    with writing(engine) as connection:
        for statement in FILL[engine.dialect.name]:
            connection.execute(text(statement))
    engine.dispose()


def test_a_million_seen_links_are_searched_quickly(store: Store, url: str) -> None:
    fill_seen(url)
    put(store, 0)
    assert store.count_seen(SITE) == 1_000_001
    took = []
    for turn in range(20):
        urls = [address(number) for number in range(turn * 499, turn * 499 + 500)]
        start = time.perf_counter()
        found = store.new_links(SITE, urls)
        took.append(time.perf_counter() - start)
        assert len(found) == 500 - (turn == 0)
    assert sorted(took)[10] < 0.1  # 3 ms on the machine it was made on


# Index pages


def watched(number: int, **changes: object) -> WatchedPage:
    return replace(WatchedPage(site=SITE, url=f"https://example.com/{number}"), **changes)  # type: ignore[arg-type]


def urls_of(pages: list[WatchedPage]) -> list[int]:
    return [int(page.url.rpartition("/")[2]) for page in pages]


def test_index_pages_keep_their_schedule_when_put_again(store: Store, clock: Clock) -> None:
    page = watched(1, kind="feed", weight=3, period_seconds=60.5, etag='"a"', last_modified="b", state={"rate": [1, 2]})
    store.put_index_pages([page, watched(2)])
    store.put_index_pages([])
    assert store.index_pages(SITE)[0] == replace(page, next_due=START)
    clock.pass_by(hours=1)
    store.put_index_pages([watched(1, weight=9, period_seconds=1.0)])
    assert store.index_pages(SITE)[0] == replace(page, next_due=START, weight=9, kind="page")
    store.remove_index_pages(SITE, [page.url])
    assert urls_of(store.index_pages(SITE)) == [2]


def test_what_is_due(store: Store, clock: Clock) -> None:
    assert store.next_due() is None
    for number, hours in ((1, 2), (2, 1), (3, 5)):
        store.put_index_pages([watched(number, next_due=START + timedelta(hours=hours))])
    assert store.due_index_pages() == []
    assert store.next_due() == START + timedelta(hours=1)
    clock.pass_by(hours=3)
    assert urls_of(store.due_index_pages()) == [2, 1]
    assert urls_of(store.due_index_pages(limit=1)) == [2]
    assert urls_of(store.lease("a", seconds=7200)) == [2, 1]
    assert store.due_index_pages() == []
    assert store.next_due() == START + timedelta(hours=5)


def test_a_lease_is_for_one_until_time_is_up(store: Store, clock: Clock) -> None:
    store.put_index_pages([watched(number) for number in range(4)])
    assert urls_of(store.lease("a", seconds=60, limit=2)) == [0, 1]
    assert urls_of(store.lease("b", seconds=90)) == [2, 3]
    assert store.lease("a", seconds=60) == []
    clock.pass_by(seconds=50)
    assert urls_of(store.renew("a", seconds=60)) == [0, 1]
    clock.pass_by(seconds=50)
    taken = store.lease("c", seconds=60)
    assert urls_of(taken) == [2, 3]  # of b, whose time is up
    assert all(page.lease_owner == "c" and page.lease_until == clock.now + timedelta(seconds=60) for page in taken)
    assert store.renew("b", seconds=60) == []
    done = replace(taken[0], next_due=clock.now + timedelta(hours=1), last_fetched=clock.now, etag="e", state={"a": 1})
    assert not store.finish("b", done)
    assert store.finish("c", done)
    assert not store.finish("c", done)
    assert store.index_pages(SITE)[2] == replace(done, lease_owner=None, lease_until=None)
    store.release("a")
    assert urls_of(store.lease("d", seconds=60)) == [0, 1]


def test_four_processes_share_the_pages_and_none_is_fetched_twice(url: str, store: Store) -> None:
    store.put_index_pages([watched(number) for number in range(200)])
    command = [sys.executable, str(HERE / "leaser.py"), url]
    running = [
        subprocess.Popen([*command, f"worker {number}", "200"], stdout=subprocess.PIPE, text=True)
        for number in range(4)
    ]
    printed = [process.communicate(timeout=120)[0].split() for process in running]
    assert [process.returncode for process in running] == [0] * 4
    assert sorted(chain.from_iterable(printed)) == sorted(watched(number).url for number in range(200))


def test_two_who_lease_at_once_do_not_wait_for_one_another(postgres_url: str) -> None:
    with open_store(postgres_url, wait_seconds=5) as store:
        store.add_site(SITE)
        store.put_index_pages([watched(1), watched(2)])
        engine = make_engine(postgres_url, 5)
        with writing(engine) as connection:
            connection.execute(text("SELECT id FROM index_pages ORDER BY id LIMIT 1 FOR UPDATE"))
            assert urls_of(store.lease("a", seconds=60)) == [2]
        engine.dispose()


def test_a_host_is_asked_at_moments_a_pause_apart(store: Store, clock: Clock) -> None:
    slots = [store.reserve_host("example.com", pause_seconds=2) for _ in range(3)]
    assert slots == [START + timedelta(seconds=seconds) for seconds in (0, 2, 4)]
    assert store.reserve_host("other.example", pause_seconds=2) == START
    clock.pass_by(minutes=1)
    assert store.reserve_host("example.com", pause_seconds=2) == clock.now


def test_threads_share_a_host_too(store: Store) -> None:
    slots: list[datetime] = []
    work = [threading.Thread(target=lambda: slots.append(store.reserve_host("h", pause_seconds=1))) for _ in range(8)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(60)
    assert sorted(slots) == [START + timedelta(seconds=seconds) for seconds in range(8)]


# What goes wrong


def test_addresses_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("Once upon a time there was a file that is no database. " * 40)
    table = {
        "nothing": "not the address of a store",
        "mysql://root:secret@host/a": r"mysql://root:\*\*\*@host/a: not the address of a store",
        f"sqlite:///{tmp_path}/no/such/folder/a.db": "no such folder, or no right",
        f"sqlite:///{tmp_path}/text.db": "not a SQLite database",
        f"sqlite:///{tmp_path}": "no such folder, or no right",
    }
    for address_of_store, told in table.items():
        with pytest.raises(StoreError, match=told) as caught:
            open_store(address_of_store)
        assert "secret" not in str(caught.value)


def test_a_server_that_cannot_be_reached(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="psycopg is not installed (the extra postgres)")
    for place in ("postgresql://u:secret@127.0.0.1:1/a", f"postgres://u:secret@/a?host={tmp_path}"):
        with pytest.raises(StoreError, match="no connection to the server: ") as caught:
            open_store(place)
        assert "secret" not in str(caught.value)


def test_a_database_that_is_not_there(postgres_url: str) -> None:
    with pytest.raises(StoreError, match='database "nowhere" does not exist'):
        open_store(postgres_url.replace("/postgres?", "/nowhere?"))


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"sitewright\[postgres\]"):
        open_store("postgresql://localhost/a")


def test_a_lock_that_is_held_for_too_long(url: str, store: Store) -> None:
    engine = make_engine(url, 5)
    with open_store(url, wait_seconds=0.1) as hasty, writing(engine) as connection:
        connection.execute(text("UPDATE sites SET url = 'x'"))
        with pytest.raises(StoreError, match="for too long; try again"):
            hasty.commit_page(record_of(1), page_of(1))
        assert hasty.count_records() == 0  # reading goes on
    engine.dispose()
    put(store, 1)


def test_a_full_disk(sqlite_url: str) -> None:
    def make_small(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA max_page_count = 100")

    event.listen(Engine, "connect", make_small)
    try:
        with open_store(sqlite_url) as store:
            store.add_site(SITE)
            put(store, 0)
            with pytest.raises(StoreError, match="disk is full; make room"):
                put(store, 1, text="x" * 1_000_000)
            assert store.count_records() == store.count_seen(SITE) == 1
    finally:
        event.remove(Engine, "connect", make_small)


def test_a_server_that_went_away_and_came_back(postgres_url: str) -> None:
    with open_store(postgres_url) as store:
        store.add_site(SITE)
        engine = make_engine(postgres_url, 5)
        with writing(engine) as connection:
            others = text("""
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND datname = current_database()
            """)
            connection.execute(others)
        engine.dispose()
        put(store, 1)
        assert store.count_records() == 1


KILLS = 20


def kill_at_random(url: str, folder: Path, first: int, seed: int) -> list[int]:
    """Let a process write, kill it at some moment, and return the pages of which it said that they are stored."""
    command = [sys.executable, str(HERE / "writer.py"), url, str(folder), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if seed % 5:
            assert process.stdout.readline() == "ready\n"
        time.sleep(random.Random(seed).uniform(0.0, 0.15 if seed % 5 else 1.0))  # some while it is opening the store
        process.kill()
        lines = [line.split() for line in process.stdout if line.endswith("\n") and line != "ready\n"]
    return [number for start, end in lines for number in range(int(start), int(end) + 1)]


def test_nothing_is_lost_twice_or_torn_when_killed(url: str, store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    promised: set[int] = set()
    for turn in range(KILLS):
        first = turn * 10_000
        promised.update(kill_at_random(url, folder, first, turn))
    assert promised
    stored = list(store.records())
    held = [int(one.record.urls[0].rpartition("/")[2]) for one in stored]
    assert len(held) == len(set(held))
    assert promised <= set(held)
    assert [(rate.records, rate.filled) for rate in store.fill_rates(SITE)] == [(len(held), len(held))]
    assert store.count_seen(SITE) == len(held)
    with WarcStore(folder) as archive:
        for one in stored:
            assert one.location is not None
            assert archive.read(one.location).url == one.record.urls[0]
        archived = [place.load().url for file in archive.files() for place in open_archive(str(file)).places()]
    assert {one.record.urls[0] for one in stored} <= set(archived)
    assert json.loads(json_of(row_of(stored[0].record)))["title"] == str(held[0])
