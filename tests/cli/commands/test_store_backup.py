"""A copy is a store of its own, as the store was at one moment; whoever is interrupted has the copy before."""

from pathlib import Path

import pytest
from tests.cli.conftest import Call, Newspaper

from sitewright.actions import backup_store
from sitewright.actions.check_store import check_store
from sitewright.store.database import Store, open_store
from sitewright.store.entries import RecordQuery
from sitewright.store.warc import WarcStore, archive_files
from sitewright.types import Page, Record, Value

pytestmark = pytest.mark.slow

PAGES = "sitewright-pages"


def add_note(store: Store, folder: Path, number: int) -> None:
    page = Page(url=f"https://notes.example/{number}", body=b"<h1>More", via="http")
    record = Record(site="notes.example", urls=(page.url,), fields={"title": Value("More", 0.9, "note/title#0")})
    with WarcStore(folder / PAGES) as archive:
        store.commit_page(record, page, archive.append(page))


def records_in(folder: Path) -> int:
    address = f"sqlite:///{folder}/sitewright.db"
    checked = check_store(address, folder / PAGES)
    assert checked.findings == []
    return checked.records


def test_a_copy_is_a_store(folder: Path, call: Call, store: Store, newspaper: Newspaper) -> None:
    target = folder / "copy"
    done = call("store", "backup", "copy", "--dry-run")
    assert done.status == 0
    assert b"1 file (" in done.out
    assert b"would be copied" in done.out
    assert not target.exists()
    done = call("store", "backup", "copy")
    assert (done.status, done.err) == (0, "")
    assert records_in(target) == 13
    with open_store(f"sqlite:///{target}/sitewright.db") as copy:
        assert list(copy.records()) == list(store.records())
        assert copy.map_versions(newspaper.name) == store.map_versions(newspaper.name)
        assert copy.sites() == store.sites()


def test_a_copy_is_brought_up_to_date(folder: Path, call: Call, store: Store) -> None:
    target = folder / "copy"
    assert call("store", "backup", "copy").status == 0
    add_note(store, folder, 9)
    assert store.lease_site("elsewhere:1:2:3", "notes.example", seconds=60)  # somebody collects
    assert call("store", "backup", "copy").status == 0
    assert records_in(target) == 14
    with open_store(f"sqlite:///{target}/sitewright.db") as copy:
        assert copy.leased_sites() == []
    assert b"0 files (0 bytes) of the archive copied, 1 there already" in call("store", "backup", "copy").out


def test_what_is_written_meanwhile_waits_for_the_next_copy(
    folder: Path, call: Call, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = backup_store._copy_files

    def copy_files(*arguments: object, **options: object) -> None:
        add_note(store, folder, 10)
        real(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(backup_store, "_copy_files", copy_files)
    assert call("store", "backup", "copy").status == 0
    assert records_in(folder / "copy") == 13
    assert store.count_records(RecordQuery()) == 14


def test_what_was_removed_from_the_store_is_removed_from_the_copy(folder: Path, call: Call, store: Store) -> None:
    assert call("store", "backup", "copy").status == 0
    (before,) = archive_files(folder / "copy" / PAGES)
    assert call("sites", "--remove", "notes.example", "--yes").status == 0
    told = call("store", "backup", "copy", "--dry-run")
    assert (told.status, b"1 that the store has no more would be removed" in told.out) == (0, True)
    assert before.exists()
    told = call("store", "backup", "copy")
    assert (told.status, b"1 that the store has no more removed" in told.out) == (0, True)
    (after,) = archive_files(folder / "copy" / PAGES)
    assert after.name == archive_files(folder / PAGES)[0].name != before.name
    assert b"notes.example" not in (folder / "copy" / "sitewright.db").read_bytes()
    assert records_in(folder / "copy") == 11


def test_a_file_that_is_lost_stays_in_the_copy(folder: Path, call: Call) -> None:
    assert call("store", "backup", "copy").status == 0
    archive_files(folder / PAGES)[0].unlink()
    assert call("store", "backup", "copy").status == 0
    assert records_in(folder / "copy") == 13


def test_what_is_damaged_since_stays_whole_in_the_copy(folder: Path, call: Call, store: Store) -> None:
    assert call("store", "backup", "copy").status == 0
    add_note(store, folder, 12)
    (file,) = archive_files(folder / PAGES)
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 255
    file.write_bytes(content)
    assert call("store", "backup", "copy").status == 0
    assert records_in(folder / "copy") == 14


@pytest.mark.parametrize("step", ["copy_to_file", "_copy_files", "_copy_file"])
def test_the_copy_before_stays_until_the_new_one_is_whole(
    folder: Path, call: Call, store: Store, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    assert call("store", "backup", "copy").status == 0
    add_note(store, folder, 11)
    with monkeypatch.context() as patched:

        def stopped(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        patched.setattr(backup_store, step, stopped)
        assert call("store", "backup", "copy").status == 130
    assert records_in(folder / "copy") == 13
    assert call("store", "backup", "copy").status == 0
    assert records_in(folder / "copy") == 14


def test_pages_that_are_not_there_are_told(folder: Path, call: Call) -> None:
    (file,) = archive_files(folder / PAGES)
    file.unlink()
    done = call("store", "backup", "copy")
    assert done.status == 1
    assert f"{file.name} is not there, or too short" in done.err


def test_a_store_is_not_its_own_copy(folder: Path, call: Call) -> None:
    done = call("store", "backup", ".")
    assert done.status == 2
    assert "is where the store itself is" in done.err
