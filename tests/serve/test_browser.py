"""In a real browser: reading by keys, learning a site before one's eyes, nothing that leaves the origin."""

import re
import socket
from collections.abc import Iterator
from dataclasses import replace
from threading import Thread
from time import sleep
from typing import Any

import pytest
import uvicorn
from tests import needs
from tests.serve.conftest import folder, newspaper, options, store

from sitewright.demo import generate_site, serve
from sitewright.fetch.chromium import find_chromium
from sitewright.serve.app import make_app
from sitewright.serve.options import ServeOptions
from sitewright.store.database import Store
from sitewright.types import FetchSettings, ServeSettings

pytestmark = [needs.browser, pytest.mark.slow]
PATIENCE = 60_000
"""Milliseconds that only a program that hangs will reach."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(find_chromium("")), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def address(options: ServeOptions, store: Store) -> Iterator[str]:
    """Serve the store on a free port, allowed to fetch from this machine."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = int(listening.getsockname()[1])
        settings = ServeSettings(port=port)
        fetch = FetchSettings(allow_hosts=("127.0.0.1",), pause_seconds=0.0)
        app = make_app(replace(options, serve=settings, fetch=fetch, jobs=1), store)
        app.state.service.catalogue.catch_up()
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
        thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            sleep(0.01)
        yield f"http://127.0.0.1:{port}"
        server.should_exit = True
        thread.join()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """Return a page that refuses to ask anybody but us, and remembers what it was told."""
    context = browser.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE)
    opened.foreign = []
    opened.troubles = []
    opened.on("request", lambda asked: None if asked.url.startswith(address) else opened.foreign.append(asked.url))
    opened.on("pageerror", lambda error: opened.troubles.append(str(error)))
    yield opened
    assert opened.foreign == []
    assert opened.troubles == []
    context.close()


def focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.closest('.card')?.id ?? document.activeElement.id"))


def test_a_day_is_read_by_keys(page: Any) -> None:
    page.goto("/")
    first, second = (page.locator(".card").nth(at).get_attribute("id") for at in (0, 1))
    page.keyboard.press("j")
    assert focused(page) == first
    page.keyboard.press("j")
    assert focused(page) == second
    page.keyboard.press("k")
    page.keyboard.press("f")
    page.locator(f"#{first}[data-starred]").wait_for()
    assert focused(page) == first
    page.keyboard.press("m")
    page.locator(f"#{first}[data-read]").wait_for()
    page.locator("#told button").wait_for()
    page.keyboard.press("u")
    page.locator(f"#{first}:not([data-read])").wait_for()
    page.keyboard.press("/")
    page.keyboard.type("jkmfu")
    assert page.locator("#find").input_value() == "jkmfu"
    assert page.locator(".card[data-read]").count() == 0


def test_an_old_answer_does_not_take_back_a_younger_act(page: Any) -> None:
    held: list[Any] = []

    def hold(asked: Any) -> None:
        held.append(asked)

    page.route("**/marks", hold)
    page.goto("/")
    page.keyboard.press("j")
    page.evaluate(
        "card => new MutationObserver(() => 'read' in card.dataset || (document.body.dataset.lost = ''))"
        ".observe(card, {attributeFilter: ['data-read']})",
        page.evaluate_handle("document.activeElement.closest('.card')"),
    )
    page.keyboard.press("f")
    page.keyboard.press("m")
    for sent in (1, 2):
        while len(held) < sent:
            page.wait_for_timeout(5)
        with page.expect_response("**/marks") as answer:
            held[-1].continue_()
        answer.value.finished()
    page.keyboard.press("u")
    while len(held) < 3:
        page.wait_for_timeout(5)
    assert page.locator("body[data-lost]").count() == 0
    held[-1].continue_()
    page.locator(".card[data-starred]:not([data-read])").wait_for()


def test_back_leads_to_the_same_card(page: Any) -> None:
    page.goto("/")
    for _ in range(4):
        page.keyboard.press("j")
    card = focused(page)
    page.keyboard.press("o")
    page.wait_for_url(re.compile("/story/"))
    page.go_back()
    page.wait_for_function("id => document.activeElement.closest('.card')?.id === id", arg=card)


def waits(page: Any) -> list[Any]:
    return list(page.evaluate("JSON.parse(localStorage.getItem('events that wait') ?? '[]')"))


def test_what_is_read_is_told_in_batches(page: Any, store: Store) -> None:
    page.goto("/")
    first = page.locator(".card h2 a").first
    number = int(page.locator(".card").first.get_attribute("data-number"))
    while not waits(page):
        page.wait_for_timeout(20)
    with page.expect_response("**/api/v1/events") as answer:
        first.click()
    assert answer.value.ok
    page.wait_for_url(re.compile("/story/"))
    while waits(page):
        page.wait_for_timeout(20)
    [reader] = store.clicks.readers_called("owner")
    assert [one.record for one in store.clicks.newest(reader, limit=9)] == [number]
    [day] = store.clicks.days()
    kinds = {(row["what"], row["shown_in"]) for row in store.clicks.of_day(day.day)}
    assert kinds == {("shown", "/"), ("clicked", "/")}


def test_a_phone_needs_no_sideways_scroll(page: Any) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for path in (
        "/",
        "/search?q=the",
        "/sites",
        "/site/notes.example",
        "/settings",
        "/records",
        "/queue",
        "/sites/new",
    ):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path
        small = page.evaluate(
            "[...document.querySelectorAll('main button, .thumb a, .top a, .top button')]"
            ".map(e => [e.textContent.trim(), e.getBoundingClientRect()])"
            ".filter(([, box]) => box.width && (box.height < 44 || box.width < 40)).map(([text]) => text)"
        )
        assert small == [], path


@needs.thorough
def test_a_site_is_learned_before_ones_eyes(page: Any) -> None:
    with serve(lambda base_url: generate_site(stories=14, base_url=base_url)) as served:
        page.goto("/")
        page.keyboard.press("+")
        page.locator("#address").fill(served)
        page.keyboard.press("Enter")
        page.locator("#steps li").first.wait_for()
        page.locator("#came a").first.wait_for()
        page.locator("#after").wait_for()
        assert page.locator("#learning-state.well").count() == 1
        page.locator("#came a").first.click()
        page.locator("article.story h1").wait_for()


__all__ = ["folder", "newspaper", "options", "store"]


def test_keys_are_those_that_were_chosen(page: Any) -> None:
    page.goto("/settings")
    page.locator("#key-next").fill("s")
    page.locator("#keys-of button").click()
    page.wait_for_url("**/settings#keys-of")
    page.goto("/")
    first = page.locator(".card").first.get_attribute("id")
    page.keyboard.press("j")
    assert focused(page) != first, "the usual key does nothing any more"
    page.keyboard.press("s")
    assert focused(page) == first


def test_pictures_move_nothing(page: Any, store: Store) -> None:
    tall = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="900"><rect width="300" height="900"/></svg>'

    def answer(asked: Any) -> None:
        asked.fulfill(content_type="image/svg+xml", body=tall)

    page.route("**/picture?*", answer)
    page.add_init_script(
        "window.shift = 0; const add = seen => { for (const one of seen.getEntries()) window.shift += one.value; };"
        "new PerformanceObserver(add).observe({type: 'layout-shift', buffered: true})"
    )
    seen = 0
    for path in ("/", "/photos", *(f"/story/{one.record.site}/{one.id}" for one in store.records())):
        page.goto(path)
        if page.locator("main img").count():
            page.wait_for_function("document.querySelector('main img').naturalWidth === 300")
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert page.evaluate("window.shift") == 0, path
            seen += 1
    assert seen > 2
