"""What is old goes, from database and archive alike; whoever is interrupted finishes by running it again."""

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Call, Newspaper

from sitewright.actions.check_store import check_store
from sitewright.actions.prune_store import Retention, prune
from sitewright.actions.remove_site import remove_site
from sitewright.store.database import Store, open_store
from sitewright.store.entries import RecordQuery
from sitewright.store.parts import parts_of
from sitewright.store.warc import WarcStore, archive_files, read_page

pytestmark = pytest.mark.slow

PAGES = "sitewright-pages"
SPLIT = datetime(2025, 5, 1, tzinfo=UTC)
"""Notes are older, the newspaper's stories are not."""


def age_of(moment: datetime) -> str:
    return f"{(datetime.now(UTC) - moment).days}d"


def bytes_of(folder: Path) -> bytes:
    files = [folder / "sitewright.db", *archive_files(folder / PAGES)]
    return b"".join(file.read_bytes() for file in files)


def addresses(folder: Path) -> set[str]:
    """Return the addresses of all pages in the archive, by what lies there."""
    return {part.page.url for file in archive_files(folder / PAGES) for part in parts_of(file) if part.page is not None}


def is_well(folder: Path) -> bool:
    return check_store(f"sqlite:///{folder}/sitewright.db", folder / PAGES).is_well


def test_what_is_old_goes(folder: Path, call: Call, store: Store, newspaper: Newspaper) -> None:
    before = bytes_of(folder)
    done = call("store", "prune", "--older-than", age_of(SPLIT), "--dry-run")
    assert (done.status, done.err) == (0, "")
    assert done.out == b"pages 2, records 2 would be removed; 1 file of the archive would be written anew\n"
    assert bytes_of(folder) == before
    done = call("store", "prune", "--older-than", age_of(SPLIT))
    assert done.status == 0
    assert done.out.startswith(b"pages 2, records 2 removed; 1 file of the archive written anew, ")
    assert store.count_records(RecordQuery(site="notes.example")) == 0
    assert store.count_seen("notes.example") == 2  # or they would be collected again
    assert store.fill_rates("notes.example") == []
    assert not any("notes.example" in url for url in addresses(folder))
    assert store.count_records(RecordQuery(site=newspaper.name)) == 11
    assert len([read_page(folder / PAGES, page.location) for page in store.pages(newspaper.name)]) == 14
    assert is_well(folder)
    again = call("store", "prune", "--older-than", age_of(SPLIT))
    assert again.out == b"nothing removed; 0 files of the archive written anew, 0 bytes given back\n"


def test_only_pages_or_one_site(folder: Path, call: Call, store: Store, newspaper: Newspaper) -> None:
    recently = "2d"
    assert (
        b"pages 2 removed"
        in call("store", "prune", "--older-than", recently, "--pages-only", "--site", "notes.example").out
    )
    assert store.count_records() == 13
    assert [record.location for record in store.records(RecordQuery(site="notes.example"))] == [None, None]
    assert len(list(store.pages(newspaper.name))) == 14
    assert call("store", "prune", "--older-than", recently, "--site", newspaper.name).status == 0
    assert store.count_records() == 2
    assert archive_files(folder / PAGES) == []
    assert is_well(folder)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--older-than", "0"], "would remove everything"),
        (["--site", "notes.example"], "say how old"),
        (["--older-than", "1d", "--site", "bees.example"], "there is no site bees.example"),
    ],
)
def test_what_is_refused(folder: Path, call: Call, arguments: list[str], told: str) -> None:
    done = call("store", "prune", *arguments)
    assert done.status == 2
    assert told in done.err
    assert is_well(folder)


def test_a_site_that_is_removed_leaves_nothing_behind(folder: Path, call: Call, newspaper: Newspaper) -> None:
    assert b"notes.example" in bytes_of(folder)
    done = call("sites", "--remove", "notes.example", "--yes")
    assert (done.status, done.err) == (0, "notes.example was removed with 2 records and its pages\n")
    assert b"notes.example" not in bytes_of(folder)
    assert {url.split("/")[2] for url in addresses(folder)} == {newspaper.name}
    assert is_well(folder)


@pytest.mark.parametrize("there", [True, False], ids=["an empty folder", "no folder"])
@pytest.mark.parametrize(
    "arguments", [["sites", "--remove", "notes.example", "--yes"], ["store", "prune", "--older-than", age_of(SPLIT)]]
)
def test_another_folder_of_pages_is_refused_before_anything_is_removed(
    folder: Path, call: Call, store: Store, arguments: list[str], there: bool
) -> None:
    if there:
        (folder / "elsewhere").mkdir()
    before = bytes_of(folder)
    done = call(*arguments, "--pages", "elsewhere")
    assert done.status == 2
    assert "none of the files that the database names is in elsewhere; name it with --pages" in done.err
    assert (store.count_records(), bytes_of(folder)) == (13, before)
    assert (folder / "elsewhere").exists() is there


def test_pages_may_stay(folder: Path, call: Call, store: Store) -> None:
    shutil.rmtree(folder / PAGES)  # nobody wants them any more
    done = call("sites", "--remove", "notes.example", "--keep-pages", "--dry-run")
    assert done.err == "2 records would be removed; 2 pages would stay\n"
    done = call("sites", "--remove", "notes.example", "--keep-pages", "--yes")
    assert (done.status, done.err) == (0, "notes.example was removed with 2 records; its pages stay\n")
    assert store.count_records() == 11


def test_files_that_are_elsewhere_are_told(folder: Path, call: Call, store: Store) -> None:
    """Where several machines collect, each has the files that it wrote."""
    with WarcStore(folder / "second") as archive:
        page = read_page(folder / PAGES, next(iter(store.pages("notes.example"))).location)
        store.add_page("notes.example", page, archive.append(page))
        (other,) = archive.files()
    expected = f"{other.name} is not in {PAGES}; what it holds stays, wherever it is\n"
    wanted = ("store", "prune", "--older-than", "2d", "--site", "notes.example")
    assert call(*wanted, "--dry-run").err == expected
    done = call(*wanted)
    assert (done.status, done.err) == (0, expected)
    assert done.out.startswith(b"pages 3, records 2 removed; 1 file of the archive written anew, ")
    assert other.exists()


def test_files_that_somebody_writes_to_wait(folder: Path, call: Call, store: Store) -> None:
    page = read_page(folder / PAGES, next(iter(store.pages("notes.example"))).location)
    with WarcStore(folder / PAGES) as archive:
        archive.append(page)
        done = call("sites", "--remove", "notes.example", "--yes")
        assert "go with the next: sitewright store prune" in done.err
        assert "https://notes.example/1" in addresses(folder)
    assert call("store", "prune").status == 0
    assert not any("notes.example" in url for url in addresses(folder))
    assert is_well(folder)


class Stopped(BaseException):
    """As if it were killed."""


def stopping(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Have the process end before one of its steps: anything it does to files, and every transaction."""
    left = after

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise Stopped
            return real(*arguments, **options)

        return step

    for place, name in [(os, "fsync"), (os, "replace"), (os, "unlink"), (os, "rename")]:
        monkeypatch.setattr(place, name, counted(getattr(place, name)))
    for name in ("expire", "move_pages", "forget_site", "give_back_room"):
        monkeypatch.setattr(Store, name, counted(getattr(Store, name)))


@pytest.mark.parametrize("removal", [False, True])
def test_it_may_be_interrupted_anywhere(
    filled: Path, tmp_path: Path, newspaper: Newspaper, monkeypatch: pytest.MonkeyPatch, removal: bool
) -> None:
    interrupted = 0
    for after in range(100):
        folder = tmp_path / str(after)
        shutil.copytree(filled, folder)
        with open_store(f"sqlite:///{folder}/sitewright.db") as store, monkeypatch.context() as patched:
            stopping(patched, after)
            ended = False
            with suppress(Stopped):
                if removal:
                    remove_site(store, "notes.example", folder / PAGES)
                else:
                    prune(store, folder / PAGES, Retention(before=SPLIT))
                ended = True
        assert is_well(folder)
        with open_store(f"sqlite:///{folder}/sitewright.db") as store:
            store.release_sites(next((site.lease_owner or "" for site in store.leased_sites()), ""))
            prune(store, folder / PAGES, Retention(before=SPLIT))
            assert store.count_records(RecordQuery(site=newspaper.name)) == 11
            assert len([read_page(folder / PAGES, page.location) for page in store.pages(newspaper.name)]) == 14
        assert {url.split("/")[2] for url in addresses(folder)} == {newspaper.name}
        assert is_well(folder)
        shutil.rmtree(folder)
        if ended:
            break
        interrupted += 1
    assert interrupted >= 5
    assert ended
