"""What other processes do for a repair: maps healed from pages that can be read, sources, and pages read once more."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.watch.bulletin import FRONT, front_of, html_of, old_map, page_of, url_of, values_of

from sitewright.errors import ErrorPage, NoArticles, NoLinks, NotItem, StoreError
from sitewright.extract import Extractor
from sitewright.fetch import PagePlace
from sitewright.heal.known import KnownPage
from sitewright.links import select_links
from sitewright.notice.observation import Observation, unpack_observation
from sitewright.parse import parse, signature
from sitewright.processes.places import StoredPlace
from sitewright.processes.repairs import PlacedPage, heal_entry, heal_map, observe_known, reread
from sitewright.processes.tasks import pack_map
from sitewright.reading.mapped import Doubt
from sitewright.store.entries import PageLocation
from sitewright.store.warc import WarcStore
from sitewright.types import IndexPage, Limits, Page

pytestmark = pytest.mark.slow

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
ENTRY = IndexPage(url=FRONT, items=("li.teaser > a",), weight=3)


def known(number: int, design: str = "new") -> PlacedPage:
    return KnownPage(PagePlace(page_of(number, design)), values_of(number))


def lost(folder: Path, number: int) -> PlacedPage:
    """A page that is no longer in the archive."""
    place = StoredPlace(str(folder), PageLocation("gone.warc.gz", 0, 10, "sha256:x"), url_of(number))
    return KnownPage(place, values_of(number))


def broken(number: int, status: int = 200, body: bytes = b"%PDF-1.4") -> PlacedPage:
    return KnownPage(PagePlace(Page(url=url_of(number), body=body, status=status)), values_of(number))


# Maps


def test_pages_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    good = [known(number) for number in range(6)]
    bad = [lost(tmp_path, 6), broken(7), broken(8, status=410), broken(9, status=503)]
    repaired = heal_map(Limits(), old_map(), [bad[0], *good[:3], *bad[1:3], *good[3:], bad[3]], NOW, 0.9)
    assert repaired == heal_map(Limits(), old_map(), good, NOW, 0.9)
    judged = {one.field: one.judged for one in repaired.fields if one.changed}
    assert judged["title"] == judged["text"] == judged["authors"] == 6
    record = Extractor(repaired.whole).extract(parse(page_of(20, "new")), NOW)
    assert record.fields["title"].value == values_of(20)["title"]
    assert record.fields["tags"].value == values_of(20)["tags"]


def test_pages_may_come_from_the_archive(tmp_path: Path) -> None:
    pages = [page_of(number, "new", NOW) for number in range(6)]
    with WarcStore(tmp_path) as archive:
        places = archive.append_all(pages)
    stored = [
        KnownPage(StoredPlace(str(tmp_path), place, page.url), values_of(number))
        for number, (page, place) in enumerate(zip(pages, places, strict=True))
    ]
    fetched = [KnownPage(PagePlace(page), values_of(number)) for number, page in enumerate(pages)]
    assert heal_map(Limits(), old_map(), stored, NOW, 0.9) == heal_map(Limits(), old_map(), fetched, NOW, 0.9)


def test_where_no_page_can_be_read_that_is_told(tmp_path: Path) -> None:
    with pytest.raises(NoArticles, match="none of 3 pages can be read"):
        heal_map(Limits(), old_map(), [lost(tmp_path, 0), broken(1), broken(2, status=404)], NOW, 0.9)


def test_a_page_over_the_limits_is_left_out() -> None:
    good = [known(number) for number in range(6)]
    limits = Limits(page_bytes=max(len(html_of(number, "new").encode()) for number in range(6)), depth=200)
    bad = [broken(7, body=b"<p>Bees</p>" * 1000), broken(8, body=b"<b>" * 400)]
    assert heal_map(limits, old_map(), [*bad, *good], NOW, 0.9) == heal_map(limits, old_map(), good, NOW, 0.9)


def test_how_sure_is_sure_enough_is_asked_for() -> None:
    pages = [known(number) for number in range(6)]
    assert heal_map(Limits(), old_map(), pages, NOW, 0.9).sure_fields != frozenset()
    assert heal_map(Limits(), old_map(), pages, NOW, 1.1).sure_fields == frozenset()


# Sources


def test_new_selectors_and_how_many_known_articles_they_find() -> None:
    names = frozenset(signature(url_of(number)) for number in range(30))
    healed = heal_entry(Limits(), ENTRY, front_of(range(20, 35), "new"), names)
    assert (healed.found, healed.known) == (10, 10)
    assert (healed.entry.url, healed.entry.weight) == (FRONT, 3)
    assert healed.entry.items != ENTRY.items
    later = parse(front_of(range(40, 50), "new"))
    found = {link.url for link in select_links(later, healed.entry).links if link.role == "article"}
    assert found == {url_of(number) for number in range(40, 50)}


def test_selectors_that_still_find_them_stay() -> None:
    names = frozenset(signature(url_of(number)) for number in range(5))
    healed = heal_entry(Limits(), ENTRY, front_of(range(12)), names)
    assert (healed.entry, healed.found, healed.known) == (ENTRY, 5, 5)


def test_articles_that_are_not_listed_do_not_count() -> None:
    names = frozenset(signature(url_of(number)) for number in (*range(6), *range(90, 99)))
    healed = heal_entry(Limits(), ENTRY, front_of(range(12), "new"), names)
    assert (healed.found, healed.known) == (6, 6)


@pytest.mark.parametrize(
    ("page", "error"),
    [
        (Page(url=FRONT, body=b"<p>Soon back."), NoLinks),
        (Page(url=FRONT, body=b"<p>Gone", status=404), ErrorPage),
        (Page(url=FRONT, body=b""), NoLinks),
    ],
)
def test_a_page_that_lists_nothing_is_told(page: Page, error: type[Exception]) -> None:
    with pytest.raises(error):
        heal_entry(Limits(), ENTRY, page, frozenset({signature(url_of(1))}))


# Pages once more


def stored(folder: Path, page: Page) -> StoredPlace:
    with WarcStore(folder) as archive:
        return StoredPlace(str(folder), archive.append(page), page.url)


def test_a_page_is_read_once_more(tmp_path: Path) -> None:
    page = page_of(3, "old", NOW)
    read = reread(Limits(), stored(tmp_path, page), pack_map(old_map()))
    bare, record = read.page, read.record
    assert record is not None
    assert (bare.url, bare.body, bare.headers, bare.fetched_at) == (page.url, b"", {}, NOW)
    assert (record.site, record.via, record.map_version, record.extracted_at) == ("example.com", "", 1, NOW)
    assert record.fields["title"].value == values_of(3)["title"]


def test_a_page_is_read_once_more_with_doubts(tmp_path: Path) -> None:
    place = stored(tmp_path, page_of(3, "old", NOW))
    record = reread(Limits(), place, pack_map(old_map(), [Doubt("article", "title")])).record
    assert record is not None
    assert (record.via, record.fields["title"].value) == ("map, tagger", values_of(3)["title"])
    assert record.fields["title"].rule.startswith("tagger/")


@pytest.mark.parametrize(
    ("page", "error"),
    [
        (Page(url=url_of(1), body=b"<h1>Gone", status=410), ErrorPage),
        (Page(url=url_of(1), body=b"<p>Nothing to see here."), NotItem),
    ],
)
def test_a_page_that_has_no_record_says_why(tmp_path: Path, page: Page, error: type[Exception]) -> None:
    with pytest.raises(error):
        reread(Limits(), stored(tmp_path, page), pack_map(old_map()))


def test_a_page_that_is_lost_says_so(tmp_path: Path) -> None:
    place = stored(tmp_path, page_of(1, "old", NOW))
    with pytest.raises(StoreError):
        reread(Limits(), place._replace(folder=str(tmp_path / "nowhere")), pack_map(old_map()))


# Known articles as they are now


def seen(number: int, page: Page) -> Observation:
    known = KnownPage(PagePlace(page), values_of(number))
    return unpack_observation(observe_known(Limits(), known, pack_map(old_map())))


def test_a_known_article_that_is_read_as_it_was_is_not_at_issue() -> None:
    page = seen(3, page_of(3, "old", NOW))
    assert not page.handed
    assert page.found.keys() == values_of(3).keys()


def test_of_a_known_article_that_was_built_anew_nothing_is_found() -> None:
    page = seen(3, page_of(3, "new", NOW))
    assert page.handed
    assert page.found == {}


def test_what_stands_now_where_a_known_article_had_something_else_is_not_found() -> None:
    """Rules that give a value are not right for that: it is another article, or a list of others."""
    page = seen(3, Page(url=url_of(3), body=html_of(4, "old").encode(), fetched_at=NOW))
    assert page.handed
    assert not {"title", "text"} & page.found.keys()


def test_a_wall_in_the_place_of_a_known_article_says_nothing_of_it() -> None:
    with pytest.raises(ErrorPage):
        seen(3, Page(url=url_of(3), body=b"", status=403))
