"""What a person does and sees, in a browser: a site mended by pointing, a repair decided by keys, pages fit for all."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests import needs
from tests.cli.conftest import Newspaper
from tests.serve.conftest import folder, newspaper, options, store
from tests.serve.test_browser import address, browser, focused, page

from sitewright.store.database import Store
from sitewright.store.entries import Incident, Sighting, StoredProposal
from sitewright.types import Failure

pytestmark = [needs.browser, pytest.mark.slow]
AXE = (
    "axe.run(document, {resultTypes: ['violations'], iframes: false})"
    ".then(found => found.violations.map(one => [one.id, one.nodes.slice(0, 3).map(node => node.html.slice(0, 200))]))"
)


@pytest.fixture
def broken(store: Store, newspaper: Newspaper) -> int:
    """Have a site whose title is not found any more, with a repair that waits and failures; return its incident."""
    stored = store.load_map(newspaper.name)
    assert stored is not None
    now = datetime.now(UTC)
    mended = stored.text.replace("h1.story__title", "h1")
    assert mended != stored.text
    incident = Incident(
        site=newspaper.name,
        kind="missing",
        template="article",
        field="title",
        since=now - timedelta(hours=5),
        opened_at=now - timedelta(hours=3),
        before=(Sighting(now - timedelta(hours=6), newspaper.stored[0], "A headline"),),
        affected=(Sighting(now, newspaper.stored[1]),),
        fill=((now - timedelta(hours=6), 1.0), (now, 0.0)),
        pages=4,
        diagnosis="its element has another class",
    )
    store.put_proposal(StoredProposal(site=newspaper.name, based_on=1, text=mended, made_at=now))
    for code in ("http_error", "robots_forbid"):
        store.add_failure(newspaper.name, Failure(newspaper.url(f"/{code}"), "fetch", code, "told so"))
    number = store.put_incident(incident).number
    assert number is not None
    return number


def test_a_day_is_read_as_readers_expect(page: Any, newspaper: Newspaper) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto("/")
    page.reload()
    assert page.locator(".card[data-read]").count() == 0, "loading marks nothing read"
    page.keyboard.press("j")
    first = focused(page)
    page.keyboard.press("m")
    page.locator(f"#{first}[data-read]").wait_for()
    page.locator("button[name=all]").click()
    page.locator(".card:not([data-read])").first.wait_for(state="detached")
    page.keyboard.press("u")
    page.locator(".card:not([data-read])").first.wait_for()
    assert [one.get_attribute("id") for one in page.locator(".card[data-read]").all()] == [first], "as it was before"
    assert page.evaluate("document.getAnimations().length") == 0
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    page.goto("/settings")
    page.locator("#look").focus()
    page.keyboard.press("g")
    page.keyboard.press("f")
    assert page.url.endswith("/settings"), "keys do nothing in fields"


def test_a_gallery_is_looked_at_by_keys_and_told(page: Any, store: Store) -> None:
    number, count = open_gallery(page, store)
    page.locator(".zoom").first.focus()
    page.keyboard.press("Enter")
    page.locator("dialog.viewer[open]").wait_for()
    first = page.locator("dialog.viewer img").get_attribute("src")
    page.keyboard.press("ArrowRight")
    assert page.locator("dialog.viewer img").get_attribute("src") != first
    page.keyboard.press("Escape")
    page.locator("dialog.viewer:not([open])").wait_for(state="attached")
    assert page.evaluate("document.activeElement.dataset.of") == "2", "the focus is on what was looked at last"
    page.goto("/settings")
    page.goto("/")
    while "viewed" not in (told := told_of(store, number)):
        page.wait_for_timeout(50)
    assert 2 <= told["viewed"]["viewed"] <= told["viewed"]["total"] == count


def open_gallery(page: Any, store: Store) -> tuple[int, int]:
    """Open a story whose pictures are shown one behind the other; return its number, and how many they are."""
    for one in store.records():
        page.goto(f"/story/{one.record.site}/{one.id}")
        if (count := page.locator("[data-gallery] li").count()) > 1:
            return one.number, count
    raise AssertionError("no story has several pictures")


def told_of(store: Store, number: int) -> dict[str, Any]:
    return {
        row["what"]: dict(row) for day in store.clicks.days() for row in store.clicks.of_day(day.day)
        if row["record"] == number
    }  # fmt: skip


def element_of(page: Any, selector: str, number: int = 0) -> str:
    frame = page.frame_locator("#page")
    found = frame.locator(selector).nth(number)
    found.wait_for(state="attached")
    return str(found.get_attribute("data-n"))


def click_on(page: Any, selector: str, number: int = 0, modifier: str = "") -> None:
    """Click on an element of the stored page, through the glass over it."""
    of = f'[data-n="{element_of(page, selector, number)}"]'
    show = "of => document.getElementById('page').contentDocument.querySelector(of).scrollIntoView({block: 'center'})"
    page.evaluate(show, of)
    box = page.frame_locator("#page").locator(of).bounding_box()
    if modifier:
        page.keyboard.down(modifier)
    page.mouse.click(box["x"] + min(box["width"] / 2, 20), box["y"] + box["height"] / 2)
    if modifier:
        page.keyboard.up(modifier)
    page.wait_for_selector("#picked:not([hidden]) h2")


def draft(page: Any) -> str:
    return str(page.locator("#text").input_value()).strip()


def active(page: Any, field: str) -> None:
    page.locator(".rule-head", has_text=re.compile(f"^{field}")).first.click()
    page.locator(".rule[data-active] .rule-head", has_text=field).wait_for()


def settled(page: Any, act: Callable[[], object], path: str = "map/try") -> Any:
    """Do something that asks the service, and return what it answers."""
    with page.expect_response(lambda answer: path in answer.url) as told:
        act()
    return told.value.json()


def test_a_map_is_changed_by_pointing(page: Any, store: Store, newspaper: Newspaper) -> None:
    page.goto(f"/site/{newspaper.name}/map")
    page.wait_for_selector(".rule[data-active]")
    begun = draft(page)
    labels = page.frame_locator("#page").locator("[data-f]")
    assert {one.get_attribute("data-f") for one in labels.all()} >= {"title", "text"}, "each outline says its field"

    active(page, "text")
    paragraphs = '[data-c="text"] > p'
    many = page.frame_locator("#page").locator(paragraphs).count()
    settled(page, lambda: click_on(page, paragraphs, 0), "map/propose")
    found = settled(page, lambda: click_on(page, paragraphs, 1, "Shift"), "map/propose")["proposals"]
    assert found[0]["many"]
    assert found[0]["here"] >= many >= 3, "two clicks find all of its kind"
    settled(page, lambda: click_on(page, "h1", 0, "Alt"), "map/propose")
    fewer = settled(page, lambda: click_on(page, paragraphs, 2, "Alt"), "map/propose")["proposals"]
    assert all(one not in fewer for one in found), "what is pointed out as wrong is found by no proposal"
    page.keyboard.press("Escape")
    assert draft(page) == begun, "Escape leaves the mode, and loses nothing"

    active(page, "title")
    click_on(page, "h1")
    page.keyboard.press("x")
    page.wait_for_selector("td.now-lost, td.now-changed")
    after_x = draft(page)
    assert after_x != begun, "left out without a selector typed"
    settled(page, lambda: page.locator(".rule[data-active] input[type=checkbox]").check())
    page.locator("#glass").focus()
    settled(page, lambda: page.keyboard.press("Control+z"))
    assert draft(page) == after_x
    settled(page, lambda: page.keyboard.press("Control+z"))
    assert draft(page) == begun
    settled(page, lambda: page.keyboard.press("Control+y"))

    page.keyboard.press("Control+s")
    page.locator("#saving button[value=save]").click()
    page.get_by_text("version 2", exact=True).wait_for()
    other = page.context.new_page()
    other.goto(f"/site/{newspaper.name}/map")
    other.wait_for_selector(".rule[data-active]")
    for one, reason in ((other, "the first"), (page, "the second")):
        one.bring_to_front()
        settled(one, lambda one=one: one.locator(".rule[data-active] textarea").first.fill("h2"))
        one.keyboard.press("Control+s")
        one.locator("#why").fill(reason)
        one.locator("#saving button[value=save]").click()
    page.locator("#fault", has_text="was stored while you worked").wait_for()
    other.close()
    assert store.map_versions(newspaper.name)[-1].version == 3


def test_a_repair_is_decided_by_keys(page: Any, broken: int, store: Store, newspaper: Newspaper) -> None:
    page.goto("/sites")
    assert newspaper.name in page.locator("tbody tr").first.inner_text(), "the broken site is the first"
    assert "its element has another class" in page.locator("tbody tr").first.inner_text()
    for link in page.locator("main td a, main a.chip").all():
        place = link.get_attribute("href")
        assert page.request.get(place.partition("#")[0]).ok, place
    page.keyboard.press("g")
    page.keyboard.press("i")
    page.wait_for_url("**/incidents")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/incident/*")
    page.keyboard.press("y")
    page.wait_for_url("**?done=accept")
    newest = store.load_map(newspaper.name)
    assert newest is not None
    assert newest.version == 2
    page.keyboard.press("u")
    page.wait_for_url("**?done=undo")
    newest = store.load_map(newspaper.name)
    assert newest is not None
    assert newest.text.count("h1.story__title") == 1


@pytest.fixture
def places(store: Store, newspaper: Newspaper, broken: int) -> list[str]:
    record = next(one for one in store.records() if one.record.site == newspaper.name)
    site, own = f"/site/{newspaper.name}", f"{newspaper.name}/{record.id}"
    return [
        "/", "/for-you", "/photos", "/search?q=the", "/search", f"/story/{own}", f"/explain/{own}", "/sites", site,
        f"{site}/map", f"{site}/versions", "/sites/new", "/incidents", f"/incident/{broken}", "/queue", "/records",
        "/products", "/alerts", "/settings", "/nothing",
    ]  # fmt: skip


@needs.axe
def test_pages_are_fit_for_all(page: Any, places: list[str]) -> None:
    assessing = page.context.new_cdp_session(page)
    axe = needs.AXE.read_text()
    found: dict[str, object] = {}
    for look, width in (("light", 1360), ("dark", 360)):
        page.emulate_media(color_scheme=look)
        page.set_viewport_size({"width": width, "height": 800})
        for path in places:
            page.goto(path)
            if path.endswith("/map"):
                page.wait_for_selector(".rule[data-active]")
            assessing.send("Runtime.evaluate", {"expression": axe})
            wanted = {"expression": AXE, "awaitPromise": True, "returnByValue": True}
            told = assessing.send("Runtime.evaluate", wanted)["result"]["value"]
            if told:
                found[f"{path} {look}"] = told
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found[f"{path} {width}"] = "scrolls sideways"
    assert not found, json.dumps(found, indent=1)


__all__ = ["address", "browser", "folder", "newspaper", "options", "page", "store"]
