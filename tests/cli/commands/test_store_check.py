"""What is damaged is found, told, and put right where that is possible; nothing that can be read is lost."""

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.conftest import Call, Newspaper

from sitewright.parse import signature
from sitewright.store.database import Store, open_store
from sitewright.store.entries import PageLocation, RecordQuery, StoredRecord
from sitewright.store.warc import WarcStore, archive_files, read_page
from sitewright.types import Page

pytestmark = pytest.mark.slow

NAME = "sitewright.db"
PAGES = "sitewright-pages"


def run_sql(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / NAME)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def damage(path: Path, at: int, change: int = 255) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= change
    path.write_bytes(content)


def records_of(folder: Path) -> list[StoredRecord]:
    with open_store(f"sqlite:///{folder}/{NAME}") as store:
        return list(store.records(RecordQuery()))


def places_of(folder: Path, site: str) -> list[PageLocation]:
    with open_store(f"sqlite:///{folder}/{NAME}") as store:
        return [page.location for page in store.pages(site)]


def texts(records: list[StoredRecord]) -> dict[str, object]:
    return {one.record.urls[0]: one.record.fields for one in records}


def test_a_whole_store(folder: Path, call: Call) -> None:
    before = (folder / NAME).read_bytes()
    done = call("store", "check")
    assert (done.status, done.err) == (0, "")
    assert b"2 sites, 13 records; 16 pages in 1 file" in done.out
    assert done.out.endswith(b"all is whole\n")
    told = json.loads(call("store", "check", "--json").out)
    assert told["well"]
    assert told["findings"] == []
    assert (folder / NAME).read_bytes() == before


def test_there_is_nothing_to_check(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("store", "check", "--repair")
    assert done.status == 2
    assert "error[input_error]: there is no store sitewright.db" in done.err
    assert not (tmp_path / NAME).exists()


def test_what_is_no_database_stays_as_it_is(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / NAME).write_bytes(b"A picture of bees" * 1000)
    done = call("store", "check", "--repair")
    assert done.status == 1
    assert b"found: database_damaged" in done.out
    assert (tmp_path / NAME).read_bytes() == b"A picture of bees" * 1000


def test_another_folder_of_pages_is_refused(folder: Path, call: Call) -> None:
    (folder / "elsewhere").mkdir()
    done = call("store", "check", "--repair", "--pages", "elsewhere")
    assert done.status == 2
    assert "none of the files that the database names is in elsewhere" in done.err


def test_one_damaged_page_costs_no_other(folder: Path, call: Call, newspaper: Newspaper) -> None:
    """The sixth page of an unfinished file is damaged: it is told, fetched again, and all others stay."""
    places = places_of(folder, newspaper.name)
    (file,) = archive_files(folder / PAGES)
    damage(file, places[5].offset + 300)
    size = file.stat().st_size
    done = call("store", "check")
    assert done.status == 1
    assert f"found: page_lost: {file.name}, byte {places[5].offset:,}".encode() in done.out
    assert "1 thing wrong; sitewright store check --repair" in done.err
    before = texts(records_of(folder))
    done = call("store", "check", "--repair")
    assert done.status == 0
    assert b"its record stays, and it is fetched again" in done.out
    assert file.stat().st_size == size
    assert texts(records_of(folder)) == before
    for place in places[:5] + places[6:]:
        assert read_page(folder / PAGES, place).url
    with open_store(f"sqlite:///{folder}/{NAME}") as store:
        (waiting,) = store.due_links(newspaper.name, limit=10)
        assert waiting.url in newspaper.stored
    assert call("store", "check").status == 0  # the gap is known to be harmless


def test_the_last_page_is_mended_where_only_its_start_is_damaged(
    folder: Path, call: Call, newspaper: Newspaper
) -> None:
    with open_store(f"sqlite:///{folder}/{NAME}") as store:
        last = max((page.location for site in store.sites() for page in store.pages(site.name)), key=lambda p: p.offset)
    (file,) = archive_files(folder / PAGES)
    whole = file.read_bytes()
    for place in (10, 18):  # it says that it is longer than the file, as if it were torn
        damage(file, last.offset + place)
    assert f"{last.length:,} bytes from byte {last.offset:,} on" in call("watch", "notes.example", "--once").err
    done = call("store", "check", "--repair")
    assert (done.status, b": mended\n" in done.out) == (0, True)
    assert file.read_bytes() == whole


def test_a_collector_tells_of_damage_and_cuts_nothing(folder: Path, call: Call, newspaper: Newspaper) -> None:
    places = places_of(folder, newspaper.name)
    (file,) = archive_files(folder / PAGES)
    damage(file, places[5].offset + 1)  # where it begins: the whole rest of the file was cut off once
    kept = file.read_bytes()
    done = call("watch", "notes.example", "--once")
    assert done.status == 0
    assert f"{file.name}: {places[5].length:,} bytes from byte {places[5].offset:,} on are damaged" in done.err
    assert file.read_bytes() == kept
    file.rename(folder / "elsewhere")
    assert (
        f"{PAGES}/{file.name} is not there; run: sitewright store check" in call("watch", "notes.example", "--once").err
    )


@pytest.mark.parametrize("at", [0, 3, -8, -1])
def test_damage_around_a_page_is_mended(folder: Path, call: Call, newspaper: Newspaper, at: int) -> None:
    place = places_of(folder, newspaper.name)[5]
    (file,) = archive_files(folder / PAGES)
    whole = file.read_bytes()
    damage(file, place.offset + (at if at >= 0 else place.length + at))
    done = call("store", "check", "--repair")
    assert done.status == 0
    assert file.read_bytes() == whole


@pytest.mark.parametrize("at", [5, 12, 17, 23])
def test_damage_that_hides_nothing_is_none(folder: Path, call: Call, newspaper: Newspaper, at: int) -> None:
    place = places_of(folder, newspaper.name)[5]
    (file,) = archive_files(folder / PAGES)
    damage(file, place.offset + at)
    assert call("store", "check").status == 0
    assert read_page(folder / PAGES, place).url


def test_a_file_that_is_gone_is_fetched_again(folder: Path, call: Call, store: Store) -> None:
    with WarcStore(folder / "other") as archive:
        page = Page(url="https://notes.example/9", body=b"<h1>Nine", via="http")
        place = archive.append(page)
    (folder / "other" / place.file).rename(folder / PAGES / place.file)
    store.add_page("notes.example", page, place)
    (folder / PAGES / place.file).unlink()
    done = call("store", "check")
    assert done.status == 1
    assert b"file_missing: " in done.out
    assert b"1 page should be in it, of notes.example" in done.out
    assert call("store", "check", "--repair").status == 1  # it may be on another machine
    assert store.due_links("notes.example", limit=9) == []
    assert call("store", "check", "--repair", "--forget-missing").status == 0
    assert [link.url for link in store.due_links("notes.example", limit=9)] == [page.url]


def test_missing_tables_and_indexes_are_made(folder: Path, call: Call) -> None:
    run_sql(folder, "DROP TABLE baselines", "DROP INDEX ix_records_shown_at", "DROP TABLE sitewright_version")
    done = call("store", "check")
    assert done.status == 1
    assert b"table_missing: baselines" in done.out
    assert call("store", "check", "--repair").status == 0
    assert call("store", "check").status == 0
    assert call("sites").status == 0


def test_values_that_changed_by_themselves_are_noticed(folder: Path, call: Call, newspaper: Newspaper) -> None:
    run_sql(
        folder,
        "UPDATE records SET fields = replace(fields, 'a', 'b') WHERE number = 3",
        "UPDATE records SET fields = '{' WHERE number = 4",
        "UPDATE sites SET state = '{' WHERE id = 1",
        "UPDATE metrics SET filled = filled + 1 WHERE field = ''",
    )
    done = call("store", "check")
    assert done.status == 1
    done = call("store", "check", "--repair")
    assert done.status == 0
    for kind in (b"record_damaged", b"row_unreadable: records 4", b"row_unreadable: sites 1", b"figures_wrong"):
        assert b"repaired: " + kind in done.out
    assert len(records_of(folder)) == 11
    with open_store(f"sqlite:///{folder}/{NAME}") as store:
        assert len(store.due_links(newspaper.name, limit=10)) == 2
    assert call("re-extract", newspaper.name, "-q").status in (0, 1)
    assert len(records_of(folder)) >= 13
    assert call("store", "check").status == 0


def test_a_damaged_record_is_told_where_it_is_read(folder: Path, call: Call) -> None:
    run_sql(folder, "UPDATE records SET fields = '{' WHERE number = 4")
    done = call("export")
    assert done.status == 2
    assert "is damaged; run: sitewright store check --repair" in done.err


def test_rows_of_a_site_that_is_gone(folder: Path, call: Call, newspaper: Newspaper) -> None:
    run_sql(folder, "DELETE FROM sites WHERE id = 1")
    done = call("store", "check", "--repair")
    assert done.status == 0
    assert b"site_missing" in done.out
    with open_store(f"sqlite:///{folder}/{NAME}") as store:
        assert store.count_records(RecordQuery(site=newspaper.name)) == 11


def test_a_database_that_is_gone_is_made_from_the_archive(folder: Path, call: Call, newspaper: Newspaper) -> None:
    (folder / NAME).unlink()
    assert call("store", "check").status == 2
    done = call("store", "check", "--repair")
    assert done.status == 0
    with open_store(f"sqlite:///{folder}/{NAME}") as store:
        assert [site.name for site in store.sites()] == sorted([newspaper.name, "notes.example"])
        assert len(list(store.pages(newspaper.name))) == 14
        assert store.count_waiting(newspaper.name) == 13  # two of the pages are of one link


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_database_file_loses_no_page(folder: Path, call: Call, newspaper: Newspaper, seed: int) -> None:
    """Whatever is hit: afterwards all is whole, and each story has its record, or waits, with its page at hand."""
    chance = random.Random(seed)
    path = folder / NAME
    content = bytearray(path.read_bytes())
    at = chance.randrange(len(content))
    content[at : at + 64] = chance.randbytes(len(content[at : at + 64]))
    path.write_bytes(content)
    assert call("store", "check", "--repair").status == 0
    again = call("store", "check")
    assert (again.status, again.err) == (0, "")
    with open_store(f"sqlite:///{path}") as store:
        have = {signature(record.record.urls[0]) for record in store.records()}
        waiting = {signature(link.url) for link in store.due_links(newspaper.name, limit=100)}
        kept = {signature(page.url) for page in store.pages(newspaper.name)}
        assert set(map(signature, newspaper.stored)) <= have | (waiting & kept)


def test_nobody_repairs_while_somebody_collects(folder: Path, call: Call, store: Store) -> None:
    assert store.lease_site("elsewhere:1:2:3", "notes.example", seconds=60)
    done = call("store", "check", "--repair")
    assert done.status == 2
    assert "notes.example is being collected by elsewhere:1:2:3" in done.err
    assert call("store", "check").status == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE pages SET warc_file = CAST(x'FF706167' AS TEXT) WHERE warc_offset = (SELECT max(warc_offset) FROM pages)",
        "UPDATE pages SET url = CAST(x'FF706167' AS TEXT) WHERE warc_offset = (SELECT max(warc_offset) FROM pages)",
        "UPDATE pages SET url = url || 'x'",
        "UPDATE sites SET name = CAST(x'FF706167' AS TEXT) WHERE id = 1",
        "UPDATE records SET url = CAST(x'FF706167' AS TEXT), stored_at = 'now' WHERE number = 2",
        "UPDATE seen_links SET first_seen = 'long ago'",
    ],
)
def test_what_no_row_should_hold(folder: Path, call: Call, newspaper: Newspaper, statement: str) -> None:
    run_sql(folder, statement)
    assert call("store", "check").status == 1
    assert call("store", "check", "--repair").status == 0
    assert call("store", "check").status == 0
    with open_store(f"sqlite:///{folder}/{NAME}") as store:
        assert {site.name for site in store.sites()} == {newspaper.name, "notes.example"}
        have = {signature(record.record.urls[0]) for record in store.records()}
        waiting = {signature(link.url) for link in store.due_links(newspaper.name, limit=100)}
        assert set(map(signature, newspaper.stored)) <= have | waiting
