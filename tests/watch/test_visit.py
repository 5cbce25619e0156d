"""One site, visited again and again by a clock that stands until it is moved."""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.e2e.newsstand import Newsroom, TownClock
from tests.e2e.servers import Answer, Reply, SiteServer, serving

from sitewright.demo import EPOCH
from sitewright.maps import dump_map, parse_map
from sitewright.store.database import Store, open_store
from sitewright.store.entries import WatchedPage
from sitewright.store.states import SiteState
from sitewright.types import FetchSettings, IndexPage, PartsRule
from sitewright.watch.past import begin

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the site is at 127.0.6.1"),
]
HOST = "127.0.6.1"
LATER = {"Retry-After": "7200"}


@pytest.fixture
def clock() -> TownClock:
    return TownClock(EPOCH)


@pytest.fixture
def site() -> Iterator[SiteServer]:
    server = SiteServer(HOST, stories=24)
    with serving(server):
        yield server


@pytest.fixture
def newsroom(tmp_path: Path, clock: TownClock, site: SiteServer) -> Newsroom:
    room = Newsroom(tmp_path, clock, (HOST,), workers=1)
    room.add_known(site)
    return room


@pytest.fixture
def store(newsroom: Newsroom) -> Iterator[Store]:
    with open_store(newsroom.store, clock=newsroom.clock.now) as opened:
        yield opened


def stories_answer(site: SiteServer, reply: Reply) -> Answer:
    return lambda path: reply if site.is_story(path) else site.good(path)


def front_answers(site: SiteServer, reply: Reply) -> Answer:
    return lambda path: reply if path == "/" else site.good(path)


def test_a_visit_collects_what_is_listed(newsroom: Newsroom, site: SiteServer) -> None:
    newsroom.collect_once()
    assert newsroom.is_complete(site)
    assert site.asked_stories == site.stories
    newsroom.look_again([HOST])
    assert site.asked_stories == site.stories


@pytest.mark.parametrize(
    ("reply", "wait"),
    [
        (Reply("no", 403), timedelta(minutes=5)),
        (Reply("not now", 429, LATER), timedelta(hours=2)),
        (Reply("not now", 503), timedelta(minutes=5)),
        (Reply("not now", 503, LATER), timedelta(hours=2)),
    ],
    ids=["403", "429, later", "503", "503, later"],
)
def test_stories_that_are_refused_for_now_are_asked_for_later(
    newsroom: Newsroom,
    clock: TownClock,
    site: SiteServer,
    store: Store,
    reply: Reply,
    wait: timedelta,
) -> None:
    site.answer = stories_answer(site, reply)
    newsroom.collect_once()
    failures = newsroom.failures(HOST)
    assert len(failures) >= 5
    assert {(failure.stage, failure.code) for failure in failures} == {("extract", "error_page")}
    assert {failure.detail for failure in failures} == {f"the server answered {reply.status}"}
    assert store.count_waiting(HOST) == 24

    site.answer = site.good
    refused = {failure.url for failure in failures}
    clock.move(seconds=wait.total_seconds() - 1)
    assert not refused & {link.url for link in store.due_links(HOST, limit=100)}
    clock.move(seconds=2)
    assert refused <= {link.url for link in store.due_links(HOST, limit=100)}
    newsroom.collect_once()
    assert newsroom.is_complete(site)
    assert newsroom.failures(HOST) == []


def test_a_host_in_trouble_is_left_alone_for_some_minutes(
    newsroom: Newsroom, clock: TownClock, site: SiteServer, store: Store
) -> None:
    newsroom.fetch = FetchSettings(allow_hosts=(HOST,), pause_seconds=0.01)
    site.answer = stories_answer(site, Reply("no", 403))
    said = newsroom.collect_once()
    assert any("left alone for some minutes" in line for line in said)
    assert 5 <= site.asked_stories.total() <= 16
    known = store.site(HOST)
    assert known is not None
    assert known.next_due == clock.now() + timedelta(minutes=5)
    before = len(site.log)
    clock.move(minutes=4)
    newsroom.collect_once()
    assert len(site.log) == before


@pytest.mark.parametrize("status", [404, 410])
def test_stories_that_are_gone_are_not_asked_for_again(
    newsroom: Newsroom, clock: TownClock, site: SiteServer, store: Store, status: int
) -> None:
    gone = min(site.stories)
    site.answer = lambda path: Reply("gone", status) if path == gone else site.good(path)
    newsroom.collect_once()
    assert newsroom.story_paths(site) == site.stories - Counter([gone])
    assert [(failure.url, failure.code) for failure in newsroom.failures(HOST)] == [
        (f"{site.url}{gone[1:]}", "error_page")
    ]
    assert store.count_waiting(HOST) == 0
    clock.move(days=3)
    newsroom.collect_once()
    assert site.asked_stories == site.stories


def in_pages(site: SiteServer, story: str, several: int) -> Answer:
    """Have a story go on over several pages, which say something else each."""
    addresses = [story, *(f"{story}?page={number}" for number in range(2, several + 1))]
    pager = "".join(f"<a href='{address}'>{number}</a> " for number, address in enumerate(addresses, 1))

    def answer(path: str) -> Reply:
        if path not in addresses:
            return site.good(path)
        html = bytes(site.good(story).body).decode() if isinstance(site.good(story).body, bytes) else ""
        told = html.replace("</p>", f" So it was on page {addresses.index(path) + 1}.</p>")
        return Reply(told.replace("</h1>", f"</h1><div class=pages>{pager}</div>", 1), headers=HTML)

    return answer


HTML = {"Content-Type": "text/html; charset=utf-8"}


def test_a_story_of_several_pages_is_one_record(newsroom: Newsroom, site: SiteServer, store: Store) -> None:
    story = min(site.stories)
    site.answer = in_pages(site, story, 4)
    newsroom.collect_once()
    assert newsroom.story_paths(site) == site.stories
    (known,) = store.find_records(HOST, [f"{site.url}{story[1:]}"])
    assert [urlsplit(url).query for url in known.record.urls] == ["", "page=2", "page=3", "page=4"]
    text = str(known.record.fields["text"].value)
    assert all(text.count(f"on page {number}.") > 0 for number in range(1, 5))
    asked = [path for path in site.asked if urlsplit(path).path == story]
    assert sorted(asked) == sorted([story, *(f"{story}?page={number}" for number in (2, 3, 4))])
    assert store.count_waiting(HOST) == 0


def test_a_pattern_of_addresses_is_followed_to_its_end(newsroom: Newsroom, site: SiteServer, store: Store) -> None:
    story = min(site.stories)
    linked = in_pages(site, story, 3)

    def answer(path: str) -> Reply:
        reply = linked(path)
        if urlsplit(path).path != story or urlsplit(path).query in ("", "page=2", "page=3"):
            return (
                Reply(re.sub(r"<div class=pages>.*?</div>", "", str(reply.body)), headers=HTML)
                if (isinstance(reply.body, str))
                else reply
            )
        return Reply("gone", 404)

    site.answer = answer
    known = parse_map(store.load_map(HOST).text)  # type: ignore[union-attr]
    rule = PartsRule(url="{page}?page={n}", most=9)
    only = f"{re.escape(story)}(?:[?]|$)"
    first = replace(known.templates[0], name="paged", url=only, parts=rule)
    store.save_map(dump_map(replace(known, version=known.version + 1, templates=(first, *known.templates))), "person")
    newsroom.collect_once()
    (record,) = store.find_records(HOST, [f"{site.url}{story[1:]}"])
    assert [urlsplit(url).query for url in record.record.urls] == ["", "page=2", "page=3"]
    assert f"{story}?page=4" in site.asked
    assert f"{story}?page=5" not in site.asked
    assert newsroom.failures(HOST) == []
    assert store.count_waiting(HOST) == 0


WALL = "<!doctype html><title>Members</title><h1>Welcome</h1><form><input name=user><input type=password></form>"
TEST = "<!doctype html><title>Just a moment...</title><h1>Verify you are human</h1>"
OTHER = "<!doctype html><title>Prices</title><h1>Prices</h1><table><tr><td>Tap<td>9</table>"


@pytest.mark.parametrize(
    ("reply", "code"),
    [(Reply(WALL), "login_wall"), (Reply(OTHER), "not_item"), (Reply(TEST, 403), "bot_wall")],
    ids=["login", "other", "test"],
)
def test_what_stands_in_the_place_of_a_story_is_told(
    newsroom: Newsroom, clock: TownClock, site: SiteServer, store: Store, reply: Reply, code: str
) -> None:
    path, again = min(site.stories), code == "bot_wall"
    site.answer = lambda asked: reply if asked == path else site.good(asked)
    newsroom.collect_once()
    (failure,) = newsroom.failures(HOST)
    assert (failure.url, failure.stage, failure.code) == (f"{site.url}{path[1:]}", "extract", code)
    assert store.count_waiting(HOST) == again
    assert failure.url in {stored.url for stored in store.pages(HOST)}
    clock.move(hours=23)
    newsroom.collect_once()
    assert site.asked_stories[path] == 1
    site.answer = site.good
    clock.move(hours=2)
    newsroom.collect_once()
    assert site.asked_stories[path] == 1 + again
    assert newsroom.is_complete(site) == again


def test_a_story_that_has_moved_is_collected_once(newsroom: Newsroom, site: SiteServer) -> None:
    path = next(path for path in site.stories if path.endswith(".html"))
    there = path.replace(".html", "-moved.html")

    def answer(asked: str) -> Reply:
        if asked == path:
            return Reply(status=301, headers={"Location": there})
        return site.good(path if asked == there else asked)

    site.answer = answer
    newsroom.collect_once()
    newsroom.look_again([HOST])
    assert site.asked.count(there) == site.asked.count(path) == 1
    titles = Counter(stored.record.fields["title"].value for stored in newsroom.records(HOST))
    assert titles == Counter(truth.title for truth in site.paper.truth.values())


def test_a_source_in_trouble_is_told_and_forgiven(
    newsroom: Newsroom, clock: TownClock, site: SiteServer, store: Store
) -> None:
    site.answer = front_answers(site, Reply("busy", 503, LATER))
    newsroom.collect_once()
    (failure,) = newsroom.failures(HOST)
    assert (failure.url, failure.stage, failure.code) == (site.url, "links", "error_page")
    assert newsroom.story_paths(site)  # by the other source
    front = next(page for page in store.index_pages(HOST) if page.url == site.url)
    assert front.next_due is not None
    assert front.next_due >= clock.now() + timedelta(hours=2)
    site.answer = site.good
    clock.move(days=1)
    newsroom.collect_once()
    assert newsroom.is_complete(site)
    assert newsroom.failures(HOST) == []


def test_a_source_that_a_person_added_is_read_like_the_others(
    newsroom: Newsroom, site: SiteServer, store: Store
) -> None:
    whole = parse_map(site.paper.map_text)
    sections = [path for path in site.paper.pages if path.count("/") == 2 and site.paper.pages[path].kind == "list"]
    own = IndexPage(url=f"{site.url}{sections[3][1:]}")
    entries = (*(entry for entry in whole.index if entry.url.endswith("/latest/")), own)
    store.save_map(dump_map(replace(whole, index=entries)), "person")
    store.remove_index_pages(HOST, [site.url])
    store.put_index_pages([WatchedPage(site=HOST, url=own.url)])
    newsroom.collect_once()
    listed = site.paper.pages[sections[3]].html.decode()
    of_section = {path for path in site.stories if f'href="{path}"' in listed}
    assert of_section
    assert of_section <= newsroom.story_paths(site).keys()


def test_a_site_that_cannot_be_learned_is_tried_again_soon(tmp_path: Path, clock: TownClock, site: SiteServer) -> None:
    newsroom = Newsroom(tmp_path, clock, (HOST,))
    newsroom.fetch = FetchSettings(allow_hosts=(HOST,), pause_seconds=0.0, browser="/nowhere/chromium")
    newsroom.add([site.url])
    site.answer = lambda _: Reply("out of order", 503, LATER)
    for minutes in (4, 2, 19, 2):
        newsroom.collect_once()
        clock.move(minutes=minutes)
    (failure,) = newsroom.failures(HOST)
    assert (failure.url, failure.stage) == (site.url, "learn")
    assert len(site.log) == 2  # at once, and when five minutes had passed; the third try is still to come
    site.answer = site.good
    newsroom.collect_once()
    assert newsroom.is_complete(site)
    assert newsroom.failures(HOST) == []


def test_a_turn_that_is_over_does_not_end_a_single_pass(
    newsroom: Newsroom, clock: TownClock, site: SiteServer, store: Store
) -> None:
    """Each source takes longer than a turn: there are several turns, with pauses between them."""
    newsroom.fetch = FetchSettings(allow_hosts=(HOST,), pause_seconds=0.02)
    clock.run(1.0)

    def answer(path: str) -> Reply:
        if path in {"/", "/latest/"}:
            clock.jump(minutes=3)
        return site.good(path)

    site.answer = answer
    newsroom.collect_once()
    assert newsroom.is_complete(site)
    assert store.count_waiting(HOST) == 0
    assert all(page.last_fetched is not None for page in store.index_pages(HOST))


def test_the_past_is_filled_in_turn_by_turn(
    newsroom: Newsroom, clock: TownClock, site: SiteServer, store: Store
) -> None:
    newsroom.fetch = FetchSettings(allow_hosts=(HOST,), pause_seconds=0.02)
    whole = parse_map(site.paper.map_text)
    latest = tuple(entry for entry in whole.index if entry.url.endswith("/latest/"))
    store.save_map(dump_map(replace(whole, index=latest)), "person")
    store.remove_index_pages(HOST, [site.url])
    store.save_site_state(HOST, SiteState(past=begin(EPOCH - timedelta(days=300))))
    clock.run(1.0)

    def answer(path: str) -> Reply:
        if path == "/sitemap.xml" or path.startswith("/latest/page/"):
            clock.jump(minutes=3)
        return site.good(path)

    site.answer = answer
    newsroom.collect_once()
    assert newsroom.is_complete(site)
    known = store.site(HOST)
    assert known is not None
    assert known.state.past is None


def test_the_past_waits_for_a_host_in_trouble(
    newsroom: Newsroom, clock: TownClock, site: SiteServer, store: Store
) -> None:
    store.save_site_state(HOST, SiteState(past=begin(EPOCH - timedelta(days=300))))
    site.answer = lambda path: Reply("busy", 503, LATER) if path == "/sitemap.xml" else site.good(path)
    newsroom.collect_once()
    assert site.asked.count("/sitemap.xml") == 1
    known = store.site(HOST)
    assert known is not None
    assert known.next_due is not None
    assert known.next_due <= clock.now() + timedelta(minutes=5)
    site.answer = site.good
    clock.move(minutes=5)
    newsroom.collect_once()
    assert site.asked.count("/sitemap.xml") == 2
    known = store.site(HOST)
    assert known is not None
    assert known.state.past is None


def test_sources_have_seeds_bans_and_categories_of_their_own(
    newsroom: Newsroom, site: SiteServer, store: Store
) -> None:
    banned = min(site.stories)
    known = parse_map(store.load_map(HOST).text)  # type: ignore[union-attr]
    index = tuple(replace(entry, banned=(banned,), category="Town") for entry in known.index)
    store.save_map(dump_map(replace(known, version=known.version + 1, index=index)), "person")
    newsroom.collect_once()
    assert set(site.asked_stories) == set(site.stories) - {banned}
    found = [stored.record.fields["categories"].value for stored in newsroom.records(HOST)]
    assert found
    assert all(isinstance(entries, list) and entries[0] == "Town" for entries in found)
