"""The map of a site, learned from nothing but its address."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urljoin

import pytest

from sitewright.actions.learn_map import LearnOptions
from sitewright.actions.learn_site import SiteOptions, learn_site
from sitewright.demo import LivingPaper
from sitewright.errors import LearnError
from sitewright.extract import Extractor
from sitewright.fetch import MemoryWeb
from sitewright.fetch.memory_web import Reply
from sitewright.parse import parse
from sitewright.types import FetchSettings, Limits, Page

pytestmark = pytest.mark.slow

HOME = "https://lantern.example"
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
OPTIONS = LearnOptions(jobs=1)
LOOKING = SiteOptions(fetch=FetchSettings(), pages=10)


@pytest.fixture(scope="module")
def paper() -> LivingPaper:
    return LivingPaper(3, base_url=HOME, kind="static", start=NOW, stories=40, before=30, hours=4)


@pytest.fixture(scope="module")
def pages(paper: LivingPaper) -> Mapping[str, Reply]:
    """All that is there at noon."""
    paths = ["/", "/feed.xml", "/sport/", "/climate/", "/science/", *paper.published(NOW)]
    found = {path: paper.page(path, NOW) for path in paths}
    return {f"{HOME}{path}": page.html for path, page in found.items() if page is not None}


def opened(web: MemoryWeb, _: FetchSettings, __: Limits) -> MemoryWeb:
    return web


def test_a_map_is_learned_that_reads_stories_it_has_not_seen(paper: LivingPaper, pages: Mapping[str, Reply]) -> None:
    web = MemoryWeb(pages)
    told: list[str] = []
    found = learn_site(HOME, OPTIONS, LOOKING, told.append, partial(opened, web))
    learned = found.extraction_map
    assert learned.site == "lantern.example"
    assert f"{HOME}/" in {entry.url for entry in learned.index}
    assert told[0] == f"looking at {HOME}/"
    assert "10 articles to learn from" in told
    unseen = [path for path in paper.published(NOW) if f"{HOME}{path}" not in web.asked]
    assert len(unseen) > 5
    extractor = Extractor(learned)
    bodies = {path: pages[f"{HOME}{path}"] for path in unseen}
    records = {path: extractor.extract(parse(Page(url=HOME + path, body=body))) for path, body in bodies.items() if isinstance(body, bytes)}  # fmt: skip
    right = [records[path].fields["title"].value == paper.published(NOW)[path].title for path in records if "title" in records[path].fields]  # fmt: skip
    assert sum(right) > 0.9 * len(records)


def numbered(pages: Mapping[str, Reply]) -> dict[str, Reply]:
    """Return the pages of a site with every address but that of its front page exchanged for a number."""
    known = {f"{HOME}/": f"{HOME}/"}

    def new(found: re.Match[bytes]) -> bytes:
        href = _AFTER.split(urljoin(f"{HOME}/", found[1].decode()))[0]
        named = known.setdefault(href, f"{HOME}/p/{len(known)}") if href.startswith(HOME) else href
        return f'href="{named}"'.encode()

    bodies = {url: _HREF.sub(new, body) for url, body in pages.items() if isinstance(body, bytes)}
    return {known[url]: body for url, body in bodies.items() if url in known}


_HREF = re.compile(rb'href="([^"]*)"')
_AFTER = re.compile("[?#]")


def test_a_site_is_learned_whose_addresses_say_nothing(paper: LivingPaper, pages: Mapping[str, Reply]) -> None:
    web = MemoryWeb(numbered({url: body for url, body in pages.items() if not url.endswith(".xml")}))
    told: list[str] = []
    learned = learn_site(HOME, OPTIONS, LOOKING, told.append, partial(opened, web)).extraction_map
    assert "10 articles to learn from" in told
    extractor = Extractor(learned)
    read = [extractor.extract(parse(Page(url=url, body=web.pages[url]))) for url in web.pages if url != f"{HOME}/"]
    titles = {record.fields["title"].value for record in read if "title" in record.fields}
    stories = {story.title for story in paper.published(NOW).values()}
    assert len(titles & stories) > 0.8 * len(stories)


def test_a_map_that_is_refined_keeps_its_sources(pages: Mapping[str, Reply]) -> None:
    first = learn_site(HOME, OPTIONS, LOOKING, open_web=partial(opened, MemoryWeb(pages))).extraction_map
    kept = replace(first, index=first.index[:1])
    again = learn_site(HOME, replace(OPTIONS, earlier=kept), LOOKING, open_web=partial(opened, MemoryWeb(pages)))
    assert again.extraction_map.index == kept.index
    assert again.extraction_map.version == 2


@pytest.mark.parametrize(
    ("pages", "code", "said"),
    [
        ({}, "error_page", "the server answered 404; check the address"),
        ({f"{HOME}/": b"<p>Hello <a href=/about>About us</a>"}, "no_articles", "name the page that lists them, or the feed"),
        ({f"{HOME}/": b"%PDF-1.7"}, "not_html", "name the front page of the site, or its feed"),
    ],
)  # fmt: skip
def test_what_is_in_the_way_is_told(pages: Mapping[str, Reply], code: str, said: str) -> None:
    with pytest.raises(LearnError) as raised:
        learn_site("lantern.example", OPTIONS, LOOKING, open_web=partial(opened, MemoryWeb(pages)))
    assert raised.value.code == code
    assert said in str(raised.value)


def test_stories_that_are_gone_are_told(pages: Mapping[str, Reply]) -> None:
    front = {f"{HOME}{path}": pages[f"{HOME}{path}"] for path in ("/", "/feed.xml")}
    with pytest.raises(LearnError, match="the server answered 404; check the address") as raised:
        learn_site(HOME, OPTIONS, LOOKING, open_web=partial(opened, MemoryWeb(front)))
    assert raised.value.code == "error_page"
