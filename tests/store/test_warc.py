"""Pages go into WARC files and come back equal, whatever happens in between."""

import errno
import gzip
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from multiprocessing import get_context
from pathlib import Path

import pytest
from fastwarc import ArchiveIterator, WarcRecordType
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import StoreError
from sitewright.fetch import open_archive
from sitewright.store.entries import PageLocation
from sitewright.store.members import pack, unpack
from sitewright.store.warc import WarcStore, pack_page
from sitewright.store.warc_record import page_of, record_of
from sitewright.types import Page

pytestmark = pytest.mark.slow

URL = "https://example.com/a?b=c&d=é#e"
HTML = b"<!doctype html><title>A</title><p>One.\r\n\r\nTwo."
SERVED = Page(
    url=URL,
    final_url="https://www.example.com/a",
    body=HTML,
    status=404,
    headers={"Content-Type": "text/html; charset=utf-8", "Content-Encoding": "gzip", "Content-Length": "17", "X": "é"},
    fetched_at=datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC),
    via="browser",
)
PAGES = {
    "served": SERVED,
    "bare": Page(url=URL, body=HTML),
    "empty": Page(url=URL, body=b""),
    "text": Page(url=URL, body="<p>Ünïcode 中文 \ud800", headers={"a": "b"}, status=203),
    "no address": Page(url="", body=HTML),
    "strange address": Page(url="http://[x y\r\nWARC-Type: evil\ud800", body=HTML),
    "other zone": replace(SERVED, fetched_at=datetime(2024, 5, 6, tzinfo=timezone(timedelta(hours=3)))),
    "no zone": replace(SERVED, fetched_at=datetime(2024, 5, 6)),
    "unknown status": replace(SERVED, status=799),
    "archived headers": replace(SERVED, headers={"X-Archive-Orig-Content-Length": "3", "transfer-encoding": "chunked"}),
    "record within": Page(url=URL, body=gzip.compress(b"WARC/1.1\r\n\r\n") + b"\r\n\r\nWARC/1.1\r\n"),
}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES.keys())
def test_a_page_comes_back_equal(tmp_path: Path, page: Page) -> None:
    with WarcStore(tmp_path) as store:
        location = store.append(page)
        assert store.read(location) == page
    assert WarcStore(tmp_path).read(location) == page


pages = st.builds(
    Page,
    url=st.text(),
    body=st.binary() | st.text(st.characters()),
    final_url=st.text(),
    status=st.integers(100, 599),
    headers=st.dictionaries(st.text(), st.text()),
    fetched_at=st.none() | st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
    via=st.sampled_from(["http", "browser", "archive"]),
)


@given(pages)
def test_any_page_comes_back_equal(page: Page) -> None:
    content, digest = record_of(page)
    assert page_of(unpack(pack(content)), digest) == page


def test_header_values_cannot_begin_a_line_of_their_own(tmp_path: Path) -> None:
    page = Page(url=URL, body=HTML, headers={"A": "b\r\nC: d", "E": "f\r\n\r\n<h1>", "Ü:": "g", "H": "i"})
    with WarcStore(tmp_path) as store:
        assert store.read(store.append(page)) == page
        (read,) = [place.load() for place in open_archive(str(store.files()[0])).places()]
    assert read.headers == {"H": "i", "Content-Length": str(len(HTML))}
    assert read.body == HTML


def test_files_are_what_other_readers_expect(tmp_path: Path) -> None:
    with WarcStore(tmp_path) as store:
        store.append_all([SERVED, PAGES["text"]])
        file = store.files()[0]
    with file.open("rb") as stream:
        records = list(ArchiveIterator(stream, parse_http=False))
        assert [record.record_type for record in records] == [
            WarcRecordType.warcinfo,
            WarcRecordType.response,
            WarcRecordType.resource,
        ]
    with file.open("rb") as stream:
        kinds = WarcRecordType.response
        response = next(iter(ArchiveIterator(stream, record_types=kinds, auto_decode="all")))
        assert response.headers["WARC-Date"] == "2024-05-06T07:08:09.123456Z"
        assert response.http_headers is not None
        assert response.http_headers.status_code == 404
        assert response.reader.read() == HTML
    with file.open("rb") as stream:
        assert all(record.verify_payload_digest() for record in ArchiveIterator(stream, record_types=kinds))
    assert gzip.decompress(file.read_bytes()).count(b"WARC/1.1\r\n") == 3


def test_our_own_commands_read_the_files(tmp_path: Path) -> None:
    with WarcStore(tmp_path) as store:
        store.append_all([SERVED, Page(url="https://example.com/b", body="<p>Ünïcode")])
        places = list(open_archive(str(store.files()[0])).places())
    assert [place.load().body for place in places] == [HTML, "<p>Ünïcode".encode()]


def test_a_full_file_is_followed_by_another(tmp_path: Path) -> None:
    with WarcStore(tmp_path, roll_bytes=10_000) as store:
        bodies = [os.urandom(3_000) for _ in range(20)]
        locations = [store.append(Page(url=URL, body=body)) for body in bodies]
        assert [store.read(location).body for location in locations] == bodies
        assert len({location.file for location in locations}) == len(store.files()) > 3
        assert all(10_000 <= file.stat().st_size < 15_000 for file in store.files()[:-1])
    assert len(list(tmp_path.glob("*.unfinished"))) == 1


def test_who_comes_next_goes_on_with_the_file(tmp_path: Path) -> None:
    for _ in range(5):
        with WarcStore(tmp_path) as store:
            store.append(SERVED)
    assert len(WarcStore(tmp_path).files()) == 1


def test_who_writes_at_the_same_time_has_a_file_of_their_own(tmp_path: Path) -> None:
    with WarcStore(tmp_path) as one, WarcStore(tmp_path) as other:
        first, second = one.append(SERVED), other.append(SERVED)
        assert first.file != second.file
        assert one.read(second) == other.read(first) == SERVED


TAILS: dict[str, Callable[[bytes], bytes]] = {
    "all but one byte": lambda member: member[:-1],
    "half": lambda member: member[: len(member) // 2],
    "some of its start": lambda member: member[:7],
    "one byte": lambda member: member[:1],
    "zeros": lambda member: bytes(len(member)),
}
DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "a wrong byte": lambda member: member[:-40] + b"\xff\x00\xff" + member[-37:],
    "a length of nothing": lambda member: member[:16] + bytes(4) + member[20:],
    "something else": lambda _: b"Once upon a time",
    "a huge length": lambda member: member[:16] + b"\xff" * 4 + member[20:],
}


@pytest.mark.parametrize("torn", TAILS.values(), ids=TAILS.keys())
def test_a_torn_tail_is_cut_off(tmp_path: Path, torn: Callable[[bytes], bytes]) -> None:
    with WarcStore(tmp_path) as store:
        locations = [store.append(SERVED) for _ in range(3)]
        file = store.files()[0]
    whole = file.read_bytes()
    with file.open("ab") as stream:
        stream.write(torn(pack(record_of(SERVED)[0])))
    with WarcStore(tmp_path) as store:
        assert file.read_bytes() == whole
        assert [store.read(location) for location in [*locations, store.append(SERVED)]] == [SERVED] * 4
    assert len(list(open_archive(str(file)).places())) == 4


@pytest.mark.parametrize("damaged", DAMAGE.values(), ids=DAMAGE.keys())
def test_what_was_written_whole_and_is_damaged_stays(tmp_path: Path, damaged: Callable[[bytes], bytes]) -> None:
    with WarcStore(tmp_path) as store:
        locations = [store.append(SERVED) for _ in range(3)]
        file = store.files()[0]
    with file.open("ab") as stream:
        stream.write(damaged(pack(record_of(SERVED)[0])))
    kept = file.read_bytes()
    with WarcStore(tmp_path) as store:
        locations.append(store.append(SERVED))
        assert file.read_bytes().startswith(kept)
        assert [store.read(location) for location in locations] == [SERVED] * 4


def test_a_file_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    with WarcStore(tmp_path) as store:
        location = store.append(SERVED)
        with store.files()[0].open("ab") as stream:
            stream.write(b"half a record")
        size = store.files()[0].stat().st_size
        WarcStore(tmp_path).close()
        assert store.files()[0].stat().st_size == size
        assert store.read(location) == SERVED


def test_a_file_without_any_record_is_used(tmp_path: Path) -> None:
    (tmp_path / "pages-1.warc.gz.unfinished").touch()
    (tmp_path / "pages-1.warc.gz").touch()
    with WarcStore(tmp_path) as store:
        assert store.append(SERVED).file == "pages-1.warc.gz"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"file": "gone.warc.gz"}, "No such file"),
        ({"file": "../a"}, "not a file of"),
        ({"offset": 5}, "damaged"),
        ({"length": 30}, "torn"),
        ({"digest": "sha1:other"}, "not the one that was stored"),
        ({"offset": 0, "length": 0}, "torn"),
    ],
)
def test_a_page_that_is_not_there_is_told(tmp_path: Path, change: dict[str, str | int], told: str) -> None:
    with WarcStore(tmp_path) as store:
        location = store.append(SERVED)
        wrong = replace(location, **change)  # type: ignore[arg-type]
        with pytest.raises(StoreError, match=told):
            store.read(wrong)


def test_the_record_about_the_file_is_no_page(tmp_path: Path) -> None:
    with WarcStore(tmp_path) as store:
        location = store.append(SERVED)
        with pytest.raises(StoreError, match="holds no page"):
            store.read(PageLocation(location.file, 0, location.offset, ""))


def test_a_full_disk_is_told_and_leaves_no_half_record(tmp_path: Path) -> None:
    script = f"""
import os, resource, signal, sys
from sitewright.errors import StoreError
from sitewright.store.warc import WarcStore, pack_page
from sitewright.types import Page
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = WarcStore({str(tmp_path)!r})
kept = store.append(Page(url="https://example.com/", body=b"kept"))
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    store.append_all([Page(url="https://example.com/", body=os.urandom(9_000)) for _ in range(5)])
except StoreError as error:
    print(error)
print(store.read(kept).body, store.read(store.append(Page(url="https://example.com/", body=b"more"))).body)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=600)
    told, read = done.stdout.splitlines()
    assert os.strerror(errno.EFBIG) in told
    assert read == "b'kept' b'more'"
    assert WarcStore(tmp_path).files()[0].stat().st_size < 2_000


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="the archive of pages cannot be used"):
        WarcStore(tmp_path / "file" / "folder")


def test_nothing_to_write_makes_no_file(tmp_path: Path) -> None:
    with WarcStore(tmp_path) as store:
        assert store.append_all([]) == []
        assert store.files() == []


def test_a_page_may_be_packed_elsewhere(tmp_path: Path) -> None:
    pages = list(PAGES.values())
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        packed = list(pool.map(pack_page, pages))
    with WarcStore(tmp_path) as store:
        assert [store.read(location) for location in store.append_packed(packed)] == pages
        assert store.append_packed([]) == []


def test_pages_are_copied_as_they_are(tmp_path: Path) -> None:
    target = tmp_path / "copy.warc.gz"
    target.write_bytes(b"of before")
    pages = [replace(SERVED, url=f"https://example.com/{number}", body=os.urandom(3_000)) for number in range(10)]
    with WarcStore(tmp_path / "pages", roll_bytes=10_000) as store:
        locations = store.append_all(pages[:5]) + store.append_all(pages[5:])
        assert len({location.file for location in locations}) == 2
        wanted = [locations[number] for number in (8, 0, 3)]
        store.copy(iter(wanted), target)
        members = [(tmp_path / "pages" / one.file).read_bytes()[one.offset : one.offset + one.length] for one in wanted]
    assert target.read_bytes().endswith(b"".join(members))
    read = [place.load() for place in open_archive(str(target)).places()]
    assert [page.url for page in read] == [pages[number].url for number in (8, 0, 3)]
    with target.open("rb") as stream:
        first = next(iter(ArchiveIterator(stream, parse_http=False)))
        assert first.record_type == WarcRecordType.warcinfo
        assert first.headers["WARC-Filename"] == "copy.warc.gz"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.warc.gz", "pages"]


def test_a_copy_of_nothing_is_a_file_without_pages(tmp_path: Path) -> None:
    with WarcStore(tmp_path / "pages") as store:
        store.copy([], tmp_path / "copy.warc.gz")
    assert list(open_archive(str(tmp_path / "copy.warc.gz")).places()) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"file": "gone.warc.gz"}, "No such file"),
        ({"file": "../a"}, "not a file of"),
        ({"offset": 5}, "damaged"),
        ({"length": 30}, "damaged"),
        ({"length": 999_999}, "damaged"),
    ],
)
def test_a_copy_that_fails_leaves_what_was_there(tmp_path: Path, change: dict[str, str | int], told: str) -> None:
    target = tmp_path / "copy.warc.gz"
    target.write_bytes(b"of before")
    with WarcStore(tmp_path / "pages") as store:
        location = store.append(SERVED)
        store.append(SERVED)
        wrong = replace(location, **change)  # type: ignore[arg-type]
        with pytest.raises(StoreError, match=told):
            store.copy([location, wrong], target)
        with pytest.raises(StoreError, match="cannot be used"):
            store.copy([location], target / "a.warc.gz")
    assert target.read_bytes() == b"of before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.warc.gz", "pages"]


def test_a_file_that_lost_pages_is_not_written_to(tmp_path: Path) -> None:
    """New pages would lie where the database believes that others lie."""
    with WarcStore(tmp_path) as store:
        locations = [store.append(SERVED) for _ in range(3)]
        (file,) = store.files()
    with file.open("r+b") as stream:
        stream.truncate(locations[2].offset)
    ends = {file.name: locations[2].offset + locations[2].length}
    with WarcStore(tmp_path, ends=ends) as store:
        assert store.append(SERVED).file != file.name
        assert store.read(locations[1]) == SERVED
    file.unlink()
    with WarcStore(tmp_path) as store:
        assert store.append(SERVED).file != file.name
        assert not file.exists()
