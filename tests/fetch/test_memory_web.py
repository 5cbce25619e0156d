"""A web of pages in memory: what it answers, what it remembers, and that it can stand where the live one stands."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from sitewright.errors import BrowserMissing, ConnectionFailed, RobotsForbid
from sitewright.fetch import LiveWeb, MemoryWeb, PageFetcher, Rendering, Validators, Web
from sitewright.fetch.data_calls import DataCall
from sitewright.fetch.memory_web import Reply, WebRequest
from sitewright.types import Page

BEES = "https://example.com/bees"
T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def test_both_webs_are_webs() -> None:
    webs: list[Web] = [MemoryWeb(), LiveWeb()]
    assert [web.can_render for web in webs[:1]] == [False]


@pytest.mark.parametrize(
    ("reply", "status", "body"),
    [
        (b"Bees", 200, b"Bees"),
        (b"", 200, b""),
        (410, 410, b""),
        (Page(url=BEES, body="Bees", status=203), 203, "Bees"),
    ],
)
def test_what_is_at_an_address(reply: Reply, status: int, body: bytes | str) -> None:
    page = run(MemoryWeb({BEES: reply}).fetch(BEES))
    assert (page.url, page.status, page.body) == (BEES, status, body)


def test_a_page_is_given_as_it_is() -> None:
    moved = Page(url=BEES, final_url="https://example.com/honey", body=b"Honey", headers={"X": "y"})
    assert run(MemoryWeb({BEES: moved}).fetch(BEES)) is moved


def test_what_is_not_there_is_a_404() -> None:
    page = run(MemoryWeb().fetch(BEES))
    assert (page.url, page.status, page.body) == (BEES, 404, b"")


@pytest.mark.parametrize("error", [ConnectionFailed("no"), RobotsForbid("no"), ValueError("a fault of ours")])
def test_an_error_is_raised(error: Exception) -> None:
    with pytest.raises(type(error), match=r"no|ours"):
        run(MemoryWeb({BEES: error}).fetch(BEES))


def test_what_was_asked_for_is_remembered_in_order_also_what_failed() -> None:
    web = MemoryWeb({"https://a.example/": ConnectionFailed("no"), BEES: b"Bees"}, {BEES: b"Bees!"})
    known = Validators(etag='"one"')

    async def some() -> None:
        with pytest.raises(ConnectionFailed):
            await web.fetch("https://a.example/")
        await web.fetch(BEES, validators=known)
        await web.fetch(BEES, cached=True)
        await web.fetch(BEES, "browser")

    run(some())
    assert web.asked == ["https://a.example/", BEES, BEES, BEES]
    assert web.requests == [
        WebRequest("https://a.example/"),
        WebRequest(BEES, validators=known),
        WebRequest(BEES, cached=True),
        WebRequest(BEES, "browser"),
    ]


def test_pages_may_be_laid_out_later() -> None:
    web = MemoryWeb({BEES: 404})
    web.add([Page(url=BEES, body=b"Bees")])
    web.pages["https://example.com/"] = b"Front"
    assert [run(web.fetch(url)).body for url in (BEES, "https://example.com/")] == [b"Bees", b"Front"]


@pytest.mark.parametrize("header", ["ETag", "last-modified"])
def test_an_unchanged_page_is_a_304(header: str) -> None:
    web = MemoryWeb({BEES: Page(url=BEES, body=b"Bees", headers={header: "one"})})
    known = Validators.of(run(web.fetch(BEES)))
    unchanged = run(web.fetch(BEES, validators=known))
    assert (unchanged.status, unchanged.body, Validators.of(unchanged)) == (304, b"", known)
    web.pages[BEES] = Page(url=BEES, body=b"More bees", headers={header: "two"})
    assert run(web.fetch(BEES, validators=known)).body == b"More bees"


def test_a_page_that_says_nothing_of_changes_is_sent_again() -> None:
    web = MemoryWeb({BEES: b"Bees"})
    assert run(web.fetch(BEES, validators=Validators())).body == b"Bees"


def test_without_rendered_pages_there_is_no_browser() -> None:
    web = MemoryWeb({BEES: b"Bees"})
    assert not web.can_render
    with pytest.raises(BrowserMissing):
        run(web.render(BEES))
    with pytest.raises(BrowserMissing):
        run(web.fetch(BEES, "browser"))


def test_rendered_pages() -> None:
    call = DataCall(url="https://example.com/api", method="GET", body=b"{}")
    whole = Rendering(Page(url=BEES, body=b"Bees!", via="browser"), (call,))
    web = MemoryWeb({BEES: b"Bees"}, {BEES: whole, "https://example.com/": b"Front", "https://a.example/": 503})
    assert web.can_render
    assert run(web.render(BEES)) is whole
    assert run(web.fetch(BEES, "browser")).body == b"Bees!"
    front = run(web.render("https://example.com/"))
    assert (front.page.body, front.page.via, front.calls) == (b"Front", "browser", ())
    assert run(web.fetch("https://a.example/", "browser")).status == 503
    assert run(web.fetch(BEES)).body == b"Bees"


def test_the_pause_of_hosts() -> None:
    assert (MemoryWeb().delay_of(BEES), MemoryWeb(delay=2.5).delay_of(BEES)) == (0.0, 2.5)


def test_one_page_at_a_time() -> None:
    web = MemoryWeb({BEES: b"Bees", "https://a.example/": ConnectionFailed("no")})
    with PageFetcher(web) as fetcher:
        assert fetcher.fetch(BEES).body == b"Bees"
        with pytest.raises(ConnectionFailed):
            fetcher.fetch("https://a.example/")
    assert web.asked == [BEES, "https://a.example/"]
