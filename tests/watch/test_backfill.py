import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.e2e.newsstand import Newsroom, TownClock
from tests.e2e.servers import SiteServer, serving

from sitewright.demo import EPOCH
from sitewright.maps import parse_map
from sitewright.store.database import open_store
from sitewright.types import Failure
from sitewright.watch import backfill
from sitewright.watch.backfill import Backfill, PastFinder, Turned, begin
from sitewright.watch.collector import open_collector
from sitewright.watch.links import LinkRules

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


Steps = Callable[[SiteServer], list[Failure | None]]


@pytest.fixture
def newsroom(tmp_path: Path, site: SiteServer) -> Newsroom:
    room = Newsroom(tmp_path, TownClock(EPOCH), (HOST,), workers=1)
    room.add_known(site)
    return room


def walk(newsroom: Newsroom, site: SiteServer, left: Backfill, most: int = 200) -> list[Failure | None]:
    """Do steps until nothing is left, each as if it were done by another process; return what went wrong."""
    outcomes: list[Failure | None] = []
    row = left.to_row() if left.begun else begin(left.since)

    async def work() -> None:
        nonlocal row
        async with open_collector(newsroom.options, clock=newsroom.clock) as collector:
            while len(outcomes) < most:
                extraction_map = parse_map(site.paper.map_text)
                finder = PastFinder(collector.tools, HOST, extraction_map, LinkRules(HOST), row)
                failure = await finder.step()
                finder.left.tries += failure is not None
                outcomes.append(failure)
                row = json.loads(json.dumps(finder.left.to_row()))
                if finder.left.is_done:
                    return

    asyncio.run(work())
    return outcomes


def waiting(newsroom: Newsroom) -> set[str]:
    with open_store(newsroom.store, clock=newsroom.clock.now) as store:
        return {
            link.url.removeprefix(f"http://{HOST}:{link.url.split(':')[2].split('/')[0]}")
            for link in store.due_links(HOST, limit=1000)
        }


def since(site: SiteServer, day: datetime) -> set[str]:
    return {path for path, truth in site.paper.truth.items() if truth.published >= day}


@on_linux
def test_a_sitemap_gives_the_articles_since_a_day(newsroom: Newsroom, site: SiteServer) -> None:
    newsroom.collect_once()  # the addresses of known articles tell which entries are articles
    known = newsroom.story_paths(site)
    site.log.clear()
    assert set(walk(newsroom, site, Backfill(since=SINCE))) == {None}
    found = waiting(newsroom)
    assert found >= since(site, SINCE) - known.keys()
    assert not found & known.keys()
    assert "/sitemap.xml" in site.asked
    assert not site.asked_stories
