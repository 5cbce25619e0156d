"""The map editor in a browser: a rule is mended by clicking, by keys, and as a file; what was done is undone and stored."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests import needs

pytest.importorskip("fastapi", reason="FastAPI is not installed (the extra `serve`; `make test` installs it)")

import uvicorn
from tests.cli.conftest import Newspaper, filled, folder, newspaper, store

from sitewright.fetch.chromium import find_chromium
from sitewright.maps import dump_map
from sitewright.serve.app import make_app
from sitewright.serve.options import ServeOptions
from sitewright.store.database import Store
from sitewright.types import ServeSettings, StoreSettings

__all__ = ["filled", "folder", "newspaper", "store"]
pytestmark = needs.browser
PATIENCE = 60_000
"""Milliseconds, which only a program that hangs will reach."""


@contextmanager
def served(folder: Path, store: Store) -> Iterator[str]:
    """Serve the store on a free port."""
    import socket  # noqa: PLC0415

    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        options = ServeOptions(
            serve=ServeSettings(port=port),
            store=StoreSettings(url=f"sqlite:///{folder}/sitewright.db", pages=f"{folder}/sitewright-pages"),
        )
        server = uvicorn.Server(uvicorn.Config(make_app(options, store), log_level="warning"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.should_exit = True
            thread.join()


@pytest.fixture
def editor(folder: Path, store: Store, newspaper: Newspaper) -> Iterator[Any]:
    """Open the editor of the newspaper in a browser; nothing may leave our own origin."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415

    with served(folder, store) as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1360, "height": 900})
        page.set_default_timeout(PATIENCE)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{base}/site/{newspaper.name}/map")
        page.wait_for_selector(".rule[data-active]")
        yield page
        browser.close()
        assert not faults
        assert all(url.startswith((base, "data:", "about:")) for url in asked)


def click_on(page: Any, selector: str, *, keys: str = "") -> None:
    """Click on an element of the stored page, through the glass over it."""
    frame = page.frame_locator("#page")
    frame.locator(selector).first.wait_for(state="attached")
    page.evaluate(
        "([selector]) => document.getElementById('page').contentDocument.querySelector(selector).scrollIntoView()",
        [selector],
    )
    box = frame.locator(selector).first.bounding_box()
    for key in keys.split():
        page.keyboard.down(key)
    page.mouse.click(box["x"] + min(box["width"] / 2, 30), box["y"] + box["height"] / 2)
    for key in keys.split():
        page.keyboard.up(key)


def first_value(page: Any) -> str:
    return str(page.locator(".rule[data-active] .rule-value").inner_text())


def test_a_rule_is_mended_by_clicking_undone_and_stored(editor: Any, store: Store, newspaper: Newspaper) -> None:
    page = editor
    right = first_value(page)
    field = page.locator(".rule[data-active] textarea").first
    field.fill("h2")
    page.wait_for_selector("td.now-changed")
    click_on(page, "h1")
    page.wait_for_selector("#picked:not([hidden]) li button")
    page.locator("#picked li button").first.click()
    page.wait_for_selector("#picked[hidden]", state="attached")
    page.wait_for_selector("td.now-changed", state="detached")
    assert first_value(page) == right
    page.locator("#glass").focus()
    page.keyboard.press("Control+z")
    page.wait_for_selector("td.now-changed")
    page.keyboard.press("Control+y")
    page.wait_for_selector("td.now-changed", state="detached")
    page.keyboard.press("Control+s")
    page.locator("#why").fill("the headline itself")
    page.locator("#saving button[value=save]").click()
    page.get_by_text("version 2", exact=True).wait_for()
    stored = store.load_map(newspaper.name)
    assert stored is not None
    assert stored.version == 2
    assert stored.parsed().rules[0].edited
    assert "the headline itself" in stored.text


def test_by_keys_alone_and_escape_loses_nothing(editor: Any) -> None:
    page = editor
    page.locator("#glass").focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#picked:not([hidden]) li button")
    page.keyboard.press("Escape")
    page.wait_for_selector("#picked[hidden]", state="attached")
    before = page.locator("#text").input_value()
    page.keyboard.press("ArrowUp")
    page.wait_for_selector("#picked:not([hidden]) li button")
    page.keyboard.press("x")
    page.wait_for_selector(".rule[data-active] .badge")
    assert page.locator("#text").input_value() != before


def test_the_file_itself_and_what_is_wrong_with_it(editor: Any) -> None:
    page = editor
    page.locator("#as-file").click()
    text = page.locator("#text").input_value()
    page.locator("#text").fill(text.replace("templates:", "templatse:"))
    page.wait_for_selector("#fault:not([hidden])")
    page.locator("#text").fill(text)
    page.wait_for_selector("#fault[hidden]", state="attached")


def test_on_a_phone_nothing_scrolls_sideways(editor: Any) -> None:
    editor.set_viewport_size({"width": 360, "height": 740})
    assert editor.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_rule_of_the_shown_page_is_open_whichever_template_stands_first(
    editor: Any, store: Store, newspaper: Newspaper
) -> None:
    stored = store.load_map(newspaper.name)
    assert stored is not None
    known = stored.parsed()
    other = replace(known.templates[0], name="other", url="/never/", probe="h6.never")
    store.save_map(dump_map(replace(known, templates=(other, *known.templates))), "edited")
    editor.reload()
    editor.locator(".rule[data-active] textarea").first.wait_for()
    assert editor.locator("#values tr").count() > 1
