"""The selectors of a map decide about links."""

from datetime import UTC, datetime

import pytest

from sitewright.errors import SelectorError
from sitewright.links.selected import entry_for, select_links
from sitewright.parse import parse
from sitewright.types import IndexPage, LinkSet, Page

URL = "https://www.example.com/"
FRONT = IndexPage(url=URL, items=("h2 a",))
SPORT = IndexPage(url=f"{URL}sport/", items=("h3 a",))
BARE = IndexPage(url=f"{URL}bare/")


def select(body: str, *articles: str, following: tuple[str, ...] = ()) -> LinkSet:
    document = parse(Page(url=URL, body=f"<!doctype html><body>{body}", fetched_at=datetime(2025, 5, 18, tzinfo=UTC)))
    return select_links(document, IndexPage(url=URL, items=articles, next=following))


def roles(found: LinkSet) -> dict[str, str]:
    return {link.url.removeprefix(URL): link.role for link in found.links}


@pytest.mark.parametrize(
    ("url", "index", "entry"),
    [
        (URL, (SPORT, FRONT), FRONT),
        ("https://www.example.com", (SPORT, FRONT), FRONT),
        (f"{URL}sport?utm_source=x#top", (FRONT, SPORT), SPORT),
        (f"{URL}world/", (FRONT, SPORT), FRONT),
        (f"{URL}bare/", (BARE, SPORT), SPORT),
        (URL, (BARE,), None),
        (URL, (), None),
        ("http://[broken", (FRONT,), FRONT),
    ],
)
def test_a_page_has_its_own_entry_or_the_first(url: str, index: tuple[IndexPage, ...], entry: IndexPage | None) -> None:
    assert entry_for(url, index) == entry


@pytest.mark.parametrize(
    "selector", ["h2 > a", "h2", "//h2/a", "//h2", "div.tale", "h2 > a, h9", "a[href^='/t']", ".tale :is(h2, h3) a"]
)
def test_a_selector_of_links_or_of_what_holds_them(selector: str) -> None:
    found = select("<div class=tale><h2><a href=/t1>Tale</a></h2></div><p><a href=/m>Menu</a></p>", selector)
    assert roles(found) == {"t1": "article", "m": "other"}
    article, other = found.links
    assert (article.score, article.reason, article.text) == (1, f"selected by {selector}", "Tale")
    assert (other.score, other.reason) == (0, "not selected")


def test_the_first_selector_that_finds_a_link_is_its_reason() -> None:
    found = select("<h2 class=x><a href=/t>Tale</a></h2>", "h2 a", "h2.x a")
    assert [link.reason for link in found.links] == ["selected by h2 a"]


def test_the_next_page_has_its_role() -> None:
    found = select("<h2><a href=/t>Tale</a></h2><a class=next href='?p=2'>Next</a>", "h2 a", following=("a.next",))
    assert roles(found) == {"t": "article", "?p=2": "next"}
    assert found.links[1].reason == "leads to the next page"


@pytest.mark.parametrize(
    "body",
    [
        "<a class=pic href=/t></a><h2><a href=/t>Tale</a></h2>",
        "<h2><a href=/t>Tale</a></h2><a class=pic href=/t#top></a>",
        "<h2><a href=/t/></a></h2><h2><a href=/t>Tale</a></h2>",
        "<nav><a href=/t>Tale</a></nav><h2><a href=/t></a></h2>",
    ],
)
def test_links_to_one_page_are_one_decision_with_the_words_of_either(body: str) -> None:
    (link,) = select(f"<main>{body}</main>", "h2 a").links
    assert (link.role, link.text) == ("article", "Tale")


def test_page_and_time_are_kept() -> None:
    found = select("<a href=/t>Tale</a>", "a")
    assert (found.url, found.time) == (URL, datetime(2025, 5, 18, tzinfo=UTC))


@pytest.mark.parametrize(
    "body", ["", "<p>x</p>", "<a>Tale</a>", "<a href='mailto:a@b.example'>Ann</a>", "<a href='http://[broken'>x</a>"]
)
def test_no_links_no_decisions(body: str) -> None:
    assert select(body, "a").links == ()


def test_odd_links_are_selected_like_others() -> None:
    body = (
        "<a href='/t\ud800'>half \ud800</a><map><area href=/area alt=Area></map><a href=' /li\nne '>x</a>"
        "<a href=http://[::1]/v6>six</a><a href=/1>one<a href=/2>two</a></a><a href='javascript:x()'>no</a>"
    )
    assert set(roles(select(body, "a", "area")).values()) == {"article"}
    assert len(select(body, "a", "area").links) == 6


def test_an_entry_without_selectors_selects_nothing() -> None:
    assert roles(select("<a href=/t>Tale</a>")) == {"t": "other"}


def test_a_broken_selector_is_named() -> None:
    with pytest.raises(SelectorError, match="is not a selector"):
        select("<a href=/t>Tale</a>", "a[")


def test_ten_thousand_links_are_told_apart() -> None:
    body = "".join(f"<p class={'tale' if n % 2 else 'tag'}><a href=/{n}>T {n}</a></p>" for n in range(10_000))
    found = list(roles(select(body, "p.tale a")).values())
    assert (found.count("article"), found.count("other")) == (5_000, 5_000)


def test_items_are_called_as_their_domain_calls_them() -> None:
    body = "<h2><a href=/bike>Blue Heron</a></h2><a href=/about>About</a>"
    document = parse(Page(url=URL, body=body))
    found = {link.text: link for link in select_links(document, FRONT, "shop").links}
    assert (found["Blue Heron"].role, found["Blue Heron"].is_item, found["Blue Heron"].score) == ("product", True, 1.0)
    assert (found["About"].role, found["About"].is_item) == ("other", False)
