"""Pages of an archive are read once more, by workers that fetch them there themselves."""

import pickle
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitewright.errors import PageTimeout
from sitewright.maps import parse_map
from sitewright.processes.places import StoredPlace
from sitewright.processes.pool import Pool
from sitewright.processes.reread import RereadJob
from sitewright.processes.tasks import pack_map, read_item
from sitewright.store.entries import PageLocation, StoredPage
from sitewright.store.pages import newest_pages
from sitewright.store.warc import WarcStore
from sitewright.types import Limits, Page

MAP = parse_map("sitewright: 1\nsite: example.com\ntemplates:\n  - {name: a, rules: {title: {select: [h1]}}}\n")
AT = datetime(2024, 5, 6, tzinfo=UTC)


def place_of(folder: Path, page: Page) -> StoredPlace:
    with WarcStore(folder) as archive:
        return StoredPlace(str(folder), archive.append(page), page.url)


def page(number: int, html: str = "") -> Page:
    return Page(
        url=f"https://example.com/{number}",
        final_url=f"https://www.example.com/{number}",
        body=(html or f"<h1>Story {number}</h1>").encode(),
        headers={"Content-Type": "text/html"},
        fetched_at=AT,
        via="http",
    )


def test_pages_are_read_as_a_collector_reads_them(tmp_path: Path) -> None:
    pages = [page(number) for number in range(40)]
    places = [place_of(tmp_path, one) for one in pages]
    found = list(Pool(RereadJob(extraction_map=MAP), workers=2).run(places))
    assert [read.record for read in found] == [read_item(Limits(), one, pack_map(MAP)).record for one in pages]
    assert [read.page for read in found] == [replace(one, body=b"", headers={}) for one in pages]
    assert not any(read.failure for read in found)


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (replace(page(1), status=410), "error_page"),
        (page(1, "<p>No heading"), "not_item"),
        (replace(page(1), body=b"%PDF-1.4"), "not_html"),
    ],
)
def test_a_page_that_gives_no_record(tmp_path: Path, made: Page, code: str) -> None:
    read = RereadJob(extraction_map=MAP).start()(place_of(tmp_path, made))
    assert read.record is None
    assert not read.is_lost
    assert read.failure is not None
    assert (read.failure.url, read.failure.code) == (made.url, code)
    assert read.page.location == made.final_url


@pytest.mark.parametrize(
    "change",
    [{"file": "gone.warc.gz"}, {"offset": 3}, {"length": 20}, {"digest": "sha256:other"}, {"file": "../a.warc.gz"}],
    ids=str,
)
def test_a_page_that_is_lost(tmp_path: Path, change: dict[str, object]) -> None:
    place = place_of(tmp_path, page(1))
    damaged = place._replace(location=replace(place.location, **change))  # type: ignore[arg-type]
    read = RereadJob(extraction_map=MAP).start()(damaged)
    assert read.is_lost
    assert read.failure is not None
    assert (read.failure.url, read.failure.code) == (place.url, "store_error")


def test_a_page_that_takes_too_long(tmp_path: Path) -> None:
    read = RereadJob(extraction_map=MAP).fail(place_of(tmp_path, page(1)), PageTimeout("too long"))
    assert read.failure is not None
    assert (read.failure.code, read.is_lost) == ("page_timeout", False)


def test_tasks_and_outcomes_travel(tmp_path: Path) -> None:
    job, place = RereadJob(extraction_map=MAP), place_of(tmp_path, page(1))
    assert pickle.loads(pickle.dumps((job, place))) == (job, place)  # noqa: S301 -- our own
    assert job.weigh(place) > 0


def test_a_reader_leaves_a_torn_end_alone(tmp_path: Path) -> None:
    place = place_of(tmp_path, page(1))
    file = tmp_path / place.location.file
    with file.open("ab") as end:
        end.write(b"half a record")
    before = file.read_bytes()
    assert RereadJob(extraction_map=MAP).start()(place).record is not None
    assert file.read_bytes() == before


def stored(url: str, offset: int, fetched: datetime | None = AT) -> StoredPage:
    location = PageLocation("a.warc.gz", offset, 1, "")
    return StoredPage(site="example.com", url=url, status=200, fetched_at=fetched, location=location)


def moment(day: int) -> datetime:
    return AT.replace(day=day)


@pytest.mark.parametrize(
    ("pages", "since", "wanted"),
    [
        ([], None, []),
        ([("/a", 2), ("/b", 1)], None, [1, 0]),
        ([("/a", 1), ("/a", 2)], None, [1]),
        ([("/a", 2), ("/a", 1)], None, [0]),
        ([("/a", 1), ("/a/?utm_source=x", 2)], None, [1]),
        ([("/a", 1), ("/a", 1)], None, [1]),
        ([("/a", None), ("/a", 1)], None, [1]),
        ([("/a", 1), ("/a", None)], None, [0]),
        ([("/a", None), ("/b", 1)], None, [0, 1]),
        ([("/a", 1), ("/b", 2), ("/c", 3), ("/d", None)], 2, [1, 2]),
        ([("/a", 3), ("/a", 1)], 2, [0]),
    ],
)
def test_of_each_link_the_newest_page(
    pages: list[tuple[str, int | None]], since: int | None, wanted: list[int]
) -> None:
    given = [
        stored(f"https://example.com{path}", offset, moment(day) if day is not None else None)
        for offset, (path, day) in enumerate(pages)
    ]
    found = newest_pages(given, moment(since) if since is not None else None)
    assert [one.location.offset for one in found] == wanted
