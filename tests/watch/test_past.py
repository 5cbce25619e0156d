import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.e2e.newsstand import Newsroom, TownClock
from tests.e2e.servers import Answer, Reply, SiteServer, serving

from sitewright.demo import EPOCH
from sitewright.maps import dump_map, parse_map
from sitewright.store.database import open_store
from sitewright.types import ExtractionMap, Failure
from sitewright.watch import past as backfill
from sitewright.watch.collector import open_collector
from sitewright.watch.links import LinkRules
from sitewright.watch.past import Backfill, PastFinder, Turned, begin

pytestmark = pytest.mark.slow

on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the site is at 127.0.5.1")
SINCE = EPOCH - timedelta(days=3)
HOST = "127.0.5.1"
texts = st.text(max_size=20)
pages = st.builds(
    Turned, url=texts, number=st.integers(1, 99), empty=st.integers(0, 3), before=st.lists(texts).map(tuple)
)
states = st.builds(
    Backfill,
    since=st.datetimes(timezones=st.just(UTC)),
    sitemaps=st.lists(texts),
    lists=st.lists(pages),
    met=st.sets(texts),
    pages=st.integers(0, 2000),
    undated=st.integers(0, 99),
    tries=st.integers(0, 5),
    begun=st.booleans(),
)


@given(states)
def test_what_is_left_survives_a_restart(left: Backfill) -> None:
    assert Backfill.from_row(json.loads(json.dumps(left.to_row()))) == left


def test_a_wish_is_not_done_before_it_was_begun() -> None:
    assert not Backfill.from_row(begin(SINCE)).is_done
    assert Backfill(since=SINCE, begun=True).is_done


def test_the_day_is_kept_in_utc() -> None:
    local = SINCE.astimezone(None)
    assert Backfill.from_row(begin(local)).since == SINCE


def test_nothing_is_read_twice_nor_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backfill, "MOST_SITEMAPS", 3)
    monkeypatch.setattr(backfill, "MOST_PAGES", 5)
    left = Backfill(since=SINCE)
    left.add_sitemaps([f"https://example.com/{name}.xml" for name in "aabcde"])
    assert left.sitemaps == [f"https://example.com/{name}.xml" for name in "abc"]
    page = Turned(url="https://example.com/page/2")
    left.add_list(page)
    left.add_list(page)
    left.add_list(Turned(url=""))
    assert left.lists == [page]
    left.pages = 5
    left.add_list(Turned(url="https://example.com/page/3"))
    assert left.lists == [page]


# On a site


@pytest.fixture
def site() -> Iterator[SiteServer]:
    server = SiteServer(HOST, stories=60)
    with serving(server):
        yield server


@pytest.fixture
def newsroom(tmp_path: Path, site: SiteServer) -> Newsroom:
    room = Newsroom(tmp_path, TownClock(EPOCH), (HOST,), workers=1)
    room.add_known(site)
    with open_store(room.store, clock=room.clock.now) as store:
        store.save_map(dump_map(map_of(site)), "person")
        store.remove_index_pages(HOST, [site.url])
    room.collect_once()  # the addresses of known articles tell which entries of sitemaps are articles
    site.log.clear()
    return room


def map_of(site: SiteServer) -> ExtractionMap:
    """Return the map of a site whose only list has ten pages."""
    whole = parse_map(site.paper.map_text)
    return replace(whole, index=tuple(entry for entry in whole.index if entry.url.endswith("/latest/")))


def walk(newsroom: Newsroom, site: SiteServer, rules: LinkRules | None = None) -> list[Failure | None]:
    """Do steps until nothing is left, with a restart after each that fails; return what went wrong in each."""
    outcomes: list[Failure | None] = []
    row = begin(SINCE)

    async def work() -> bool:
        nonlocal row
        async with open_collector(newsroom.options, clock=newsroom.clock) as collector:
            while len(outcomes) < 200:
                finder = PastFinder(collector.tools, HOST, map_of(site), rules or LinkRules(HOST), row)
                failure = await finder.step()
                finder.left.tries += failure is not None
                outcomes.append(failure)
                row = json.loads(json.dumps(finder.left.to_row()))
                if failure is not None or finder.left.is_done:
                    break
            return finder.left.is_done

    while not asyncio.run(work()):
        assert len(outcomes) < 200
    return outcomes


def waiting(newsroom: Newsroom) -> set[str]:
    """Return the paths of the links that wait."""
    with open_store(newsroom.store, clock=newsroom.clock.now) as store:
        return {urlsplit(link.url).path for link in store.due_links(HOST, limit=1000)}


def since(site: SiteServer, day: datetime) -> set[str]:
    return {path for path, truth in site.paper.truth.items() if truth.published >= day}


def without(site: SiteServer, *paths: str) -> Answer:
    """Answer as if there were nothing at these paths, and robots.txt named nothing."""

    def answer(path: str) -> Reply:
        if path == "/robots.txt":
            return Reply("User-agent: *\n", headers={"Content-Type": "text/plain"})
        return Reply("nothing here", 404) if path in paths else site.good(path)

    return answer


def busy(site: SiteServer, path: str, times: int) -> Answer:
    """Answer so often that the server has no time (and wants to be left alone for an hour), then as always."""
    left = times

    def answer(asked: str) -> Reply:
        nonlocal left
        if asked == path and left:
            left -= 1
            return Reply("busy", 503, {"Retry-After": "3600"})
        return site.good(asked)

    return answer


@on_linux
def test_a_sitemap_gives_the_articles_since_a_day(newsroom: Newsroom, site: SiteServer) -> None:
    known = newsroom.story_paths(site).keys()
    assert set(walk(newsroom, site)) == {None}
    wanted = since(site, SINCE) - known
    assert len(wanted) > 5
    assert waiting(newsroom) >= wanted
    assert not waiting(newsroom) & known
    assert "/sitemap.xml" in site.asked
    assert not site.asked_stories


@on_linux
def test_sitemaps_that_a_sitemap_names_are_read(newsroom: Newsroom, site: SiteServer) -> None:
    known = newsroom.story_paths(site).keys()
    entries = "".join(f"<sitemap><loc>{site.url}{name}</loc></sitemap>" for name in ("articles.xml", "authors.xml"))
    index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</sitemapindex>'
    others = without(site, "/latest/page/2/", "/sitemap_index.xml")

    def answer(path: str) -> Reply:
        if path in {"/sitemap.xml", "/articles.xml"}:
            return (
                Reply(index, headers={"Content-Type": "text/xml"}) if path == "/sitemap.xml" else others("/sitemap.xml")
            )
        return others(path)

    site.answer = answer
    assert set(walk(newsroom, site)) == {None}
    assert "/articles.xml" in site.asked
    assert "/authors.xml" not in site.asked
    articles = {path for path in since(site, SINCE) if path.endswith(".html")}  # as the known ones
    assert waiting(newsroom) >= articles - known


@on_linux
def test_lists_are_turned_until_all_is_too_old(newsroom: Newsroom, site: SiteServer) -> None:
    known = newsroom.story_paths(site).keys()
    site.answer = without(site, "/sitemap.xml")
    assert set(walk(newsroom, site)) == {None}
    assert waiting(newsroom) >= since(site, SINCE) - known
    turned = [path for path in site.asked if path.startswith("/latest/page/")]
    assert turned == [f"/latest/page/{number}/" for number in range(2, len(turned) + 2)]
    last = 60 // 6
    assert len(turned) < last - 1


@on_linux
def test_what_rules_refuse_is_not_taken(newsroom: Newsroom, site: SiteServer) -> None:
    known = newsroom.story_paths(site).keys()
    walk(newsroom, site, rules=LinkRules(HOST, banned=("/video/", "/photos/")))
    assert waiting(newsroom)
    assert not any(path.startswith(("/video/", "/photos/")) for path in waiting(newsroom) - known)


@on_linux
@pytest.mark.parametrize("path", ["/robots.txt", "/sitemap.xml", "/latest/"])
def test_a_host_in_trouble_is_asked_again_and_nothing_is_lost(newsroom: Newsroom, site: SiteServer, path: str) -> None:
    known = newsroom.story_paths(site).keys()
    site.answer = busy(site, path, times=2)
    told = walk(newsroom, site)
    failures = [failure for failure in told if failure is not None]
    code = "robots_forbid" if path == "/robots.txt" else "error_page"
    assert {(failure.url, failure.code) for failure in failures} == {(f"{site.url}{path[1:]}", code)}
    assert waiting(newsroom) >= since(site, SINCE) - known


@on_linux
def test_what_stays_in_trouble_is_left_out(newsroom: Newsroom, site: SiteServer) -> None:
    known = newsroom.story_paths(site).keys()
    site.answer = busy(site, "/sitemap.xml", times=1000)
    told = walk(newsroom, site)
    assert sum(failure is not None for failure in told) == 3
    assert waiting(newsroom) >= since(site, SINCE) - known  # by the lists
