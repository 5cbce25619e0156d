"""What is put into the store comes out of it, once, whoever else works on it and whatever happens."""

import json
import multiprocessing
import os
import random
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, event, text
from tests.store import writer

from sitewright.domains import load_domain
from sitewright.errors import MapInvalid, MissingExtra, StoreError
from sitewright.fetch import open_archive
from sitewright.output.export import columns_of, encoder_of, open_writer
from sitewright.output.rows import row_of
from sitewright.store import records as record_statements
from sitewright.store.database import Store, open_store
from sitewright.store.engine import make_engine, writing
from sitewright.store.entries import Collected, FillRate, PageLocation, RecordQuery, StoredRecord, WatchedPage
from sitewright.store.warc import WarcStore
from sitewright.types import Failure, LeftOut, Page, Photo, PhotoSet, Record, Rule, Value
from sitewright.values.as_json import json_of
from sitewright.values.images import picture_key

pytestmark = pytest.mark.slow

SITE = "example.com"
START = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
Clock = Callable[..., datetime]
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
    "known links": lambda store: store.known_links("nowhere", []),
    "waiting links": lambda store: store.add_links("nowhere", []),
    "lease": lambda store: store.lease_site("a", "nowhere", seconds=1),
    "forgotten": lambda store: store.forget_site("nowhere"),
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
    clock(days=1)
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
    clock(days=1)
    store.commit_page(record_of("1?utm_source=x", text="c"), page_of(1, clock()), place_of(9))
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
    assert [store.known_links(site, [address(1)]) for site in (SITE, "b.example")] == [{address(1)}] * 2


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
        clock(hours=1)
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
            writer.write(encoder_of(kind, columns)(row_of(record)))
        writer.close()
    one, two = (sorted((tmp_path / name).rglob("*.md")) or [tmp_path / name] for name in "ab")
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]


def test_records_by_id(store: Store, clock: Clock) -> None:
    put(store, 1, text="a")
    put(store, 2, text="b")
    (stored,) = [one for one in store.records() if one.record.fields["text"].value == "b"]
    site = stored.record.site
    assert store.find_records_by_id(stored.id, [site]) == [stored]
    assert store.find_records_by_id(stored.id, []) == []
    assert store.find_records_by_id("0" * 16, [site]) == []


def test_fill_rates(store: Store, clock: Clock) -> None:
    put(store, 1, text="a", tags=[])
    put(store, 2, text="b")
    clock(days=1)
    store.commit_page(record_of(3), page_of(3, clock()))
    store.commit_page(replace(record_of(4), template="video"), page_of(4, clock()))
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
    assert store.known_links(SITE, [address(0)]) == set()


def test_photo_sets_come_back_equal(store: Store) -> None:
    photos = (Photo(url="https://example.com/a.jpg", caption="A", credit="B", width=1, height=2), Photo(url="b"))
    one = PhotoSet(site=SITE, urls=(address(1), address(2)), title="T", text="X", photos=photos)
    store.put_photo_set(replace(one, title="earlier"))
    store.put_photo_set(PhotoSet(site=SITE, urls=(address(3),)))
    store.put_photo_set(one)
    store.put_photo_set(one)  # nothing new: the version stays
    assert store.photo_sets(SITE) == [replace(one, version=2), PhotoSet(site=SITE, urls=(address(3),))]
    assert store.photo_sets_of(SITE, [address(1), address(9)]) == [replace(one, version=2)]
    grown = replace(one, photos=(*photos, Photo(url="c")), left_out=(LeftOut("d", "picture_recurs"),))
    store.put_photo_set(grown)
    assert store.photo_sets(SITE)[0] == replace(grown, version=3)
    assert store.stories_showing(SITE, [picture_key("d"), picture_key("unknown")]) == [address(1)]
    store.put_photo_set(one)
    assert store.stories_showing(SITE, [picture_key("d")]) == []
    store.forget_photo_set(SITE, address(1))
    assert [one.urls for one in store.photo_sets(SITE)] == [(address(3),)]
    assert store.stories_showing(SITE, [picture_key("b")]) == []


def pictured(number: int, *pictures: str) -> Collected:
    photos = [Photo(url=f"https://example.com/{name}") for name in pictures]
    record = Record(site=SITE, urls=(address(number),), fields={"images": Value(photos, 0.9, "article/images#0")})
    return Collected(record=record, page=Page(url=address(number), body=b"", fetched_at=START))


def test_it_is_counted_how_many_stories_show_a_picture(store: Store) -> None:
    store.commit_pages([pictured(1, "logo-2024.png", "harbour-1.jpg"), pictured(2, "logo-2024_90x90.png")])
    store.commit_pages([pictured(1, "logo-2024.png", "harbour-2.jpg")])  # read once more
    counts = {key: one.stories for key, one in store.pictures(SITE, ["logo-2024", "harbour-1", "harbour-2"]).items()}
    assert counts == {"logo-2024": 2, "harbour-1": 0, "harbour-2": 1}
    with writing(store._engine) as connection:
        record_statements.forget(
            connection, [stored.number for stored in store.records() if stored.record.urls[0] == address(2)]
        )
    assert store.pictures(SITE, ["logo-2024"])["logo-2024"].stories == 1


def test_pictures_wait_until_their_bytes_are_known(store: Store) -> None:
    store.commit_pages([pictured(1, "harbour-1.jpg", "harbour-2.jpg")])
    assert store.due_pictures(SITE, limit=9) == []
    store.want_pictures(SITE, ["harbour-1", "nobody-knows-1"])
    (due,) = store.due_pictures(SITE, limit=9)
    assert due.url == "https://example.com/harbour-1.jpg"
    known = replace(due, due=None, tries=1, checked_at=START, media_type="image/jpeg", width=800, height=600)
    store.note_pictures(SITE, [known])
    store.want_pictures(SITE, ["harbour-1"])
    assert store.due_pictures(SITE, limit=9) == []
    assert store.pictures(SITE, ["harbour-1"]) == {"harbour-1": known}
    store.want_files(SITE, 3)
    assert store.due_pictures(SITE, limit=9)[0].url == "https://example.com/harbour-2.jpg"


def test_failures_are_kept_until_there_is_a_record(store: Store, clock: Clock) -> None:
    failure = Failure(address(1), "fetch", "fetch_timeout", "took \0 long")
    store.add_failure(SITE, failure)
    clock(hours=1)
    store.add_failure(SITE, replace(failure, code="error_page", detail="503"))
    store.add_failure(SITE, Failure(address(2), "parse", "not_html", ""), settled=True)
    (first, second) = store.failures(SITE)
    assert first.failure == replace(failure, code="error_page", detail="503")
    assert (first.times, first.first_at, first.at) == (2, START, START + timedelta(hours=1))
    assert second.failure.code == "not_html"
    assert store.known_links(SITE, [address(1), address(2)]) == {address(2)}
    put(store, 1)
    assert [one.failure.url for one in store.failures(SITE)] == [address(2)]


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
    chance = random.Random(seed)
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([writer.__name__])  # each is a fork of one that has imported all
    ours, theirs = processes.Pipe(duplex=False)
    process = processes.Process(target=writer.write, args=(url, str(folder), first, theirs))
    process.start()
    theirs.close()
    said = [ours.recv() for _ in range(chance.randint(1, 6) if seed % 5 else 0)]
    time.sleep(chance.uniform(0.0, 0.05 if said else 0.2))  # some while it is opening the store
    process.kill()
    process.join()
    with suppress(EOFError, OSError):
        while True:
            said.append(ours.recv())
    assert said[:1] in ([], [writer.READY])
    return [number for start, end in said[1:] for number in range(start, end + 1)]


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


def test_a_file_that_may_not_be_written_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"sqlite:///{tmp_path}/a store.db"
    with open_store(address) as store:
        store.add_site("example.com", url="https://example.com/")
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(os, "access", lambda *_: False)  # whoever runs the tests may have all rights
    with open_store(address) as store:
        assert [site.name for site in store.sites()] == ["example.com"]
        assert list(store.records()) == []
        with pytest.raises(StoreError, match="there is no right to write to the file"):
            store.add_site("example.org")
        assert sorted(tmp_path.iterdir()) == before
