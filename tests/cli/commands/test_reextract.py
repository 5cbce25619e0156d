"""`sitewright re-extract`: stored pages are read once more, and only what the map changes is changed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sitewright.actions import extract_again, hold
from sitewright.maps import parse_map
from sitewright.store.database import Store, open_store
from sitewright.store.entries import PageLocation, RecordQuery
from sitewright.types import Record

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
STANDFIRST = 'select: [".story__standfirst"]'
KICKER = 'select: [".kicker__link"]'


def records_of(store: Store, site: str) -> dict[str, Record]:
    return {stored.record.urls[0]: stored.record for stored in store.records(RecordQuery(site=site))}


def everything(store: Store, site: str) -> object:
    """Return all that a call could change."""
    pages = {file.name: file.read_bytes() for file in Path("sitewright-pages").iterdir()}
    return (
        list(store.records()),
        store.map_versions(site),
        store.failures(site),
        store.sites(),
        store.index_pages(site),
        store.fill_rates(site),
        pages,
    )


def location_of(store: Store, site: str, url: str) -> PageLocation:
    found = store.find_record(site, url)
    assert found is not None
    assert found.location is not None
    return found.location


def damage(location: PageLocation) -> None:
    with Path("sitewright-pages", location.file).open("rb+") as file:
        file.seek(location.offset + location.length // 2)
        file.write(b"\0" * 8)


@pytest.fixture
def other_map(folder: Path, newspaper: Any) -> Path:
    """Return a file with the newspaper's map in which one rule of one template differs."""
    file = folder / "other.map.yaml"
    file.write_text(newspaper.site.map_text.replace(STANDFIRST, KICKER), "utf-8")
    return file


def test_a_dry_run_changes_nothing_and_shows_what_would(
    call: Call, store: Store, newspaper: Any, other_map: Path
) -> None:
    before = everything(store, newspaper.name)
    done = call("re-extract", newspaper.name, "--map", other_map, "--dry-run")
    assert everything(store, newspaper.name) == before
    assert done.status == 0
    lines = [line.rstrip().split(None, 4) for line in done.out.decode().splitlines()]
    assert lines[0] == ["field", "changed", "before", "after", "for example"]
    table = {line[0]: line[1:] for line in lines[1:]}
    articles = sum(record.template == "article" for record in records_of(store, newspaper.name).values())
    assert articles == 8
    assert table["subtitle"][0] == "8"
    assert " → " in table["subtitle"][3]
    assert all(numbers[0] == "0" for name, numbers in table.items() if name != "subtitle")
    assert table["title"] == ["0", "11", "12"]
    assert "map version 2: 8 records with other values, 3 with the same, 1 new" in done.err
    assert done.err.endswith("; nothing was written\n")


def test_a_changed_map_changes_one_field_and_the_version(
    call: Call, store: Store, newspaper: Any, other_map: Path
) -> None:
    before = records_of(store, newspaper.name)
    numbers = {stored.record.urls[0]: stored.number for stored in store.records()}
    assert call("re-extract", newspaper.name, "--map", other_map).status == 0
    after = records_of(store, newspaper.name)
    assert after.keys() == {*before, newspaper.unread}
    for url, record in before.items():
        differing = {
            name
            for name in {*record.fields, *after[url].fields}
            if record.fields.get(name) != after[url].fields.get(name)
        }
        assert differing == ({"subtitle"} if record.template == "article" else set())
        assert after[url].map_version == 2
        assert after[url].extracted_at == record.extracted_at
    assert {stored.record.urls[0]: stored.number for stored in store.records()}.items() >= numbers.items()
    rates = {(rate.template, rate.field): rate.filled for rate in store.fill_rates(newspaper.name)}
    assert rates["article", "subtitle"] == 9


def test_the_file_is_stored_as_a_version_of_a_person(call: Call, store: Store, newspaper: Any, other_map: Path) -> None:
    done = call("re-extract", newspaper.name, "--map", other_map)
    assert "other.map.yaml is stored as version 2\n" in done.err
    stored = store.load_map(newspaper.name)
    assert stored is not None
    assert (stored.version, stored.made_by) == (2, "person")
    assert [rule.field for rule in stored.parsed().rules if rule.edited] == ["subtitle"]
    again = call("re-extract", newspaper.name, "--map", other_map)
    assert "stored as" not in again.err
    assert ": 0 records with other values, 12 with the same, 0 new" in again.err
    assert [version.version for version in store.map_versions(newspaper.name)] == [1, 2]


def test_without_a_file_the_newest_map_reads_and_any_version_if_asked(
    call: Call, store: Store, newspaper: Any, other_map: Path
) -> None:
    before = records_of(store, newspaper.name)
    store.save_map(other_map.read_text("utf-8"), "person")
    assert call("re-extract", newspaper.name, "-q").status == 0
    changed = records_of(store, newspaper.name)
    assert {record.map_version for record in changed.values()} == {2}
    assert changed != before
    assert call("re-extract", newspaper.name, "--version", "1", "-q").status == 0
    after = records_of(store, newspaper.name)
    assert {url: after[url] for url in before} == before


def test_what_stays_the_same_is_not_written(call: Call, store: Store, newspaper: Any) -> None:
    call("re-extract", newspaper.name, "-q")
    before = everything(store, newspaper.name)
    call("re-extract", newspaper.name, "-q")
    assert everything(store, newspaper.name) == before


def test_a_page_without_a_record_gets_one(call: Call, store: Store, newspaper: Any) -> None:
    assert newspaper.unread in {stored.failure.url for stored in store.failures(newspaper.name)}
    done = call("re-extract", newspaper.name)
    assert done.status == 0
    assert "0 records with other values, 11 with the same, 1 new; 1 page without a record, as before" in done.err
    found = store.find_record(newspaper.name, newspaper.unread)
    assert found is not None
    assert found.record.fields["title"].value == newspaper.site.truth[newspaper.paths[-1]].title
    assert [stored.failure.code for stored in store.failures(newspaper.name)] == ["error_page"]


def test_of_several_pages_of_a_link_the_newest_counts(call: Call, store: Store, newspaper: Any) -> None:
    location = location_of(store, newspaper.name, newspaper.stored[0])
    assert len(list(store.pages(newspaper.name))) == 14
    done = call("re-extract", newspaper.name)
    assert "13 pages in " in done.err
    assert location_of(store, newspaper.name, newspaper.stored[0]) == location


def test_pages_of_some_days(call: Call, store: Store, newspaper: Any, other_map: Path) -> None:
    done = call("re-extract", newspaper.name, "--map", other_map, "--since", "2025-05-20")
    assert "0 records with other values, 0 with the same, 0 new" in done.err
    done = call("re-extract", newspaper.name, "--map", other_map, "--since", "2025-05-19")
    assert "8 records with other values" in done.err


def test_a_damaged_page_is_named_and_the_others_go_on(
    call: Call, store: Store, newspaper: Any, other_map: Path
) -> None:
    url = newspaper.stored[1]
    before = records_of(store, newspaper.name)[url]
    location = location_of(store, newspaper.name, url)
    damage(location)
    done = call("re-extract", newspaper.name, "--map", other_map)
    assert done.status == 1
    assert f"not read: {url}: store_error: sitewright-pages/{location.file}: the record at byte" in done.err
    assert "7 records with other values" in done.err
    assert "1 page not read, whose records stay as they were" in done.err
    after = records_of(store, newspaper.name)
    assert after[url] == before
    assert {record.map_version for other, record in after.items() if other != url} == {2}


def test_an_archive_that_is_gone(call: Call, store: Store, newspaper: Any) -> None:
    before = list(store.records())
    for file in Path("sitewright-pages").iterdir():
        file.unlink()
    done = call("re-extract", newspaper.name)
    assert done.status == 1
    assert done.err.count("not read: ") == 13
    assert "13 failed (store_error 13)" in done.err
    assert list(store.records()) == before


def test_a_record_whose_page_is_read_no_more_stays(call: Call, store: Store, newspaper: Any) -> None:
    video = next(url for url in newspaper.stored if "/video/" in url)
    before = records_of(store, newspaper.name)
    store.save_map(newspaper.site.map_text.replace('probe: ".clip .player"', 'probe: ".nothing"'), "person")
    done = call("re-extract", newspaper.name)
    assert done.status == 1
    assert f"not read: {video}: " in done.err
    assert records_of(store, newspaper.name)[video] == before[video]


def test_very_many_records_are_written_in_parts(
    call: Call, store: Store, newspaper: Any, other_map: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extract_again, "TOGETHER", 5)
    monkeypatch.setattr(extract_again, "_LOOKED_UP", 2)
    assert call("re-extract", newspaper.name, "--map", other_map).status == 0
    assert {record.map_version for record in records_of(store, newspaper.name).values()} == {2}


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_any_number_of_processes(call: Call, store: Store, newspaper: Any, other_map: Path, jobs: str) -> None:
    done = call("re-extract", newspaper.name, "--map", other_map, "--dry-run", "--jobs", jobs)
    assert "8 records with other values, 3 with the same, 1 new" in done.err


def test_quiet(call: Call, store: Store, newspaper: Any) -> None:
    done = call("re-extract", newspaper.name, "-q")
    assert (done.out, done.err) == (b"", "")
    done = call("re-extract", newspaper.name, "-q", "--dry-run")
    assert (done.out.splitlines()[0].split()[0], done.err) == (b"field", "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere.example"], "there is no site nowhere.example in the store; there are notes.example"),
        (["notes.example", "--version", "7"], "notes.example has no map of version 7; there are 1"),
        (["notes.example", "--version", "1", "--map", "x"], "--map and --version both name a map"),
        (
            ["notes.example", "--map", "other.map.yaml"],
            "other.map.yaml is the map of the-daily-lantern.example, not of",
        ),
        (["notes.example", "--map", "no.map.yaml"], "cannot read no.map.yaml"),
        (["notes.example", "--pages", "elsewhere"], "there is no folder elsewhere with the pages of the store"),
    ],
)
def test_what_cannot_be_done_is_told(
    call: Call, store: Store, newspaper: Any, other_map: Path, arguments: list[str], told: str
) -> None:
    before = everything(store, "notes.example")
    done = call("re-extract", *arguments)
    assert done.status == 2
    assert told in done.err
    assert everything(store, "notes.example") == before


def test_a_site_without_a_map(call: Call, store: Store) -> None:
    store.add_site("new.example")
    done = call("re-extract", "new.example")
    assert (done.status, done.err) == (2, "error[input_error]: new.example has no map yet\n")


def test_a_bad_map_is_not_stored(call: Call, store: Store, newspaper: Any, other_map: Path) -> None:
    other_map.write_text(other_map.read_text("utf-8").replace("h1.story__title", "h1["), "utf-8")
    assert call("re-extract", newspaper.name, "--map", other_map).status == 2
    assert len(store.map_versions(newspaper.name)) == 1


def test_a_site_that_a_collector_works_on(
    call: Call, store: Store, newspaper: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hold, "PATIENCE", 0.0)
    monkeypatch.setattr(hold, "_POLL_SECONDS", 0.01)
    assert store.lease_site("collector:1", newspaper.name, seconds=60)
    done = call("re-extract", newspaper.name)
    assert done.status == 2
    assert f"waiting for collector:1, who works on {newspaper.name}\n" in done.err
    assert f"{newspaper.name} is held by collector:1; end that process, or try again later" in done.err
    assert call("re-extract", newspaper.name, "--dry-run").status == 0
    store.release_site("collector:1", newspaper.name)
    monkeypatch.setattr(hold, "PATIENCE", 60.0)
    assert call("re-extract", newspaper.name).status == 0


def test_the_site_is_given_back_as_it_was(call: Call, store: Store, newspaper: Any) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    store.lease_site("collector:1", newspaper.name, seconds=60)
    store.release_site("collector:1", newspaper.name, not_before=later)
    before = store.site(newspaper.name)
    assert call("re-extract", newspaper.name, "-q").status == 0
    assert store.site(newspaper.name) == before
    assert before is not None
    assert before.next_due == later


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SITEWRIGHT_")}
    command = [sys.executable, "-m", "sitewright", *arguments]
    process = subprocess.Popen(command, cwd=folder, env=kept, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_an_interrupted_run_changes_nothing(folder: Path, newspaper: Any, other_map: Path) -> None:
    (file,) = (folder / "sitewright-pages").glob("*.warc.gz")
    file.unlink()
    os.mkfifo(file)  # whoever reads from it waits
    with started(folder, "re-extract", newspaper.name, "--map", "other.map.yaml") as process:
        wait_for_readers(process.pid)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=600)
    assert process.returncode == 130
    assert b"interrupted; nothing was written; run it again to finish\n" in told
    with open_store(f"sqlite:///{folder}/sitewright.db") as store:
        assert {record.map_version for record in records_of(store, newspaper.name).values()} == {1}
        site = store.site(newspaper.name)
        assert site is not None
        assert site.lease_owner is None
        assert parse_map(store.map_versions(newspaper.name)[-1].text).version == 2


def wait_for_readers(pid: int) -> None:
    """Wait until a process has children, which is when it reads pages."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    for _ in range(600):
        if children.read_text().strip():
            time.sleep(0.2)
            return
        time.sleep(0.1)
    pytest.fail("it does not begin to read")
