import pytest

from sitewright.fetch.fingerprint import Level, decide, fingerprint, needs_rendering, similarity
from sitewright.parse import Document, parse
from sitewright.types import Page

LINES = [f"Line {number}: on the {number}th day the bees of the old mill left for the orchard." for number in range(12)]
MENU = "".join(f'<a href="/s/{number}">Section {number}</a>' for number in range(40))
ARTICLE = "<article><h1>Bees leave the mill</h1>" + "".join(f"<p>{line}</p>" for line in LINES) + "</article>"
FRAME = f"<header><nav>{MENU}</nav></header><main>{{}}</main><footer><p>The Lantern, published since 1871.</p></footer>"


def page(html: str) -> Document:
    return parse(Page(url="https://example.com/a", body=f"<!doctype html><title>T</title><body>{html}"))


def teasers(start: int, count: int = 20, wrap: str = "li") -> str:
    items = (
        f'<{wrap} class="teaser"><a href="/a/{number}">Headline number {number} tells of things that happened</a></{wrap}>'
        for number in range(start, start + count)
    )
    return f"<ul>{''.join(items)}</ul>"


ITEM = FRAME.format(ARTICLE)
LIST = FRAME.format(teasers(0))
SHELL = "<noscript>Turn on JavaScript</noscript><div id=root></div><script src=/app.js></script>"
AD = '<div class="ad-slot"><p>Save up to half on everything for your garden, this week only, in all shops.</p></div>'
CONSENT = f"<div role=dialog>{'<p>We and our partners store information on your device.</p>' * 5}</div>"
COMMENTS = f'<section class="comments">{"<p>I saw that, too, and nobody did anything about it.</p>" * 20}</section>'


@pytest.mark.parametrize(
    ("static", "rendered", "level"),
    [
        (ITEM, ITEM, "item"),
        (LIST, LIST, "list"),
        (LIST, LIST, "index"),
        (ITEM, ITEM + AD + CONSENT + COMMENTS, "item"),
        (LIST, AD + LIST + CONSENT, "list"),
        (ITEM, f'<div id=app class="js-on"><div>{ITEM}</div></div>', "item"),
        (ITEM, ITEM.replace("<p>", '<p class="is-visible x1">'), "item"),
        (ITEM, ITEM.replace("1871", "1872"), "item"),
        (LIST, FRAME.format(teasers(7)), "index"),
        (LIST, FRAME.format(teasers(100)), "index"),
        (FRAME.format(teasers(0, wrap="div")), LIST, "index"),
        (LIST, FRAME.format(teasers(0, 22)), "list"),
        (FRAME.format(ARTICLE * 2), ITEM, "item"),
    ],
)
def test_small_changes_need_no_browser(static: str, rendered: str, level: Level) -> None:
    decision = needs_rendering(page(static), page(rendered), level)
    assert decision.choice == "static"
    assert decision.similarity >= 0.8
    assert decision.reason.endswith("of the main content is there without scripts")


@pytest.mark.parametrize(
    ("static", "rendered", "level"),
    [
        (SHELL, ITEM, "item"),
        (SHELL, LIST, "list"),
        (FRAME.format(""), ITEM, "item"),
        (FRAME.format(""), LIST, "index"),
        (FRAME.format("<div class=spinner>Loading …</div>"), ITEM + AD, "item"),
        (FRAME.format(ARTICLE.replace("Line", "<!--").replace("orchard.", "-->")), ITEM, "item"),
        (FRAME.format("<h1>Bees leave the mill</h1><p>" + LINES[0]), ITEM, "item"),
        (FRAME.format("<article>" + "<p></p>" * 12 + "</article>"), ITEM, "item"),
        (FRAME.format(teasers(0, 4)), LIST, "list"),
        (FRAME.format("<ul>" + '<li class="teaser"><a href="#"></a></li>' * 20 + "</ul>"), LIST, "index"),
        (f'<script type="application/json">{LINES}</script>{FRAME.format("")}', ITEM, "item"),
        (f"<template>{ARTICLE}</template>{FRAME.format('')}", ITEM, "item"),
        (f"<div hidden>{ARTICLE}</div>{FRAME.format('')}", ITEM, "item"),
    ],
)
def test_missing_content_needs_one(static: str, rendered: str, level: Level) -> None:
    decision = needs_rendering(page(static), page(rendered), level)
    assert decision.choice == "browser"
    assert decision.similarity < 0.8


def test_a_page_without_content_needs_none() -> None:
    assert needs_rendering(page(SHELL), page(SHELL), "item").reason == "rendered, too, the page shows next to nothing"


def test_a_shell_that_scripts_fill_with_menus_and_three_entries_needs_one() -> None:
    front = f"<nav>{MENU}</nav><main>{teasers(0, 3).replace('Headline number', 'Spade')}</main>".replace(
        " tells of things", ""
    )
    decision = needs_rendering(page(SHELL), page(front), "list")
    assert decision.choice == "browser"
    assert needs_rendering(page(front), page(front), "list").choice == "static"


def test_a_wall_in_the_browser_is_not_the_page() -> None:
    wall = "<div class=box>" + "<p>Please confirm that you are a person before you go on reading.</p>" * 4 + "</div>"
    decision = needs_rendering(page(ITEM), page(wall), "item")
    assert (decision.choice, decision.reason) == ("static", "the page shows less when rendered than as served")


def test_a_body_named_like_a_menu_is_no_menu() -> None:
    wrapped = f'<div class="has-menu">{ITEM}</div>'
    assert needs_rendering(page(wrapped), page(wrapped), "item").similarity == 1
    assert needs_rendering(page(SHELL), page(wrapped), "item").choice == "browser"


def test_similarity_grows_with_what_is_there() -> None:
    whole = fingerprint(page(LIST), "list")
    parts = [similarity(fingerprint(page(FRAME.format(teasers(0, count))), "list"), whole) for count in range(0, 21, 4)]
    assert parts == sorted(parts)
    assert parts[0] < 0.2
    assert parts[-1] == 1


def test_the_threshold_decides() -> None:
    half = fingerprint(page(FRAME.format(teasers(0, 10))), "list")
    whole = fingerprint(page(LIST), "list")
    assert decide(half, whole, 0.3).choice == "static"
    assert decide(half, whole, 0.9).choice == "browser"
