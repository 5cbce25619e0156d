"""What the page around a link says of it."""

import pytest

from sitewright.links.anchors import read_anchors
from sitewright.links.surroundings import NAME_BUCKETS, NAME_SLOTS, Surroundings, read_surroundings
from sitewright.parse import parse
from sitewright.types import Page

ITEMS = "".join(f"<li><a href=/{n}>Entry {n}</a></li>" for n in range(5))


def around(body: str) -> list[Surroundings]:
    document = parse(Page(url="https://www.example.com/", body=f"<!doctype html><body>{body}"))
    return read_surroundings(document, read_anchors(document))


@pytest.mark.parametrize(
    ("markup", "zones"),
    [
        ("<a href=/a>x</a>", set()),
        ("<nav><a href=/a>x</a></nav>", {"nav"}),
        ("<header><nav><ul><li><a href=/a>x</a></ul></nav></header>", {"header", "nav"}),
        ("<main><article><footer><a href=/a>x</a></footer></article></main>", {"main", "article", "footer"}),
        ("<nav></nav><aside></aside><a href=/a>x</a>", set()),
    ],
)
def test_zones_are_those_the_link_is_in(markup: str, zones: set[str]) -> None:
    assert around(markup)[0].zones == zones


@pytest.mark.parametrize(
    ("markup", "heading"),
    [
        ("<h2><a href=/a>x</a></h2>", 2),
        ("<h2><span><b><a href=/a>x</a></b></span></h2>", 2),
        ("<a href=/a><h3>x</h3></a>", 2),
        ("<article><h2>x</h2><a href=/a>y</a></article>", 1),
        ("<p><a href=/a>x</a></p>", 0),
        (f"<div><h2>Menu</h2><ul>{ITEMS}</ul></div>", 0),
    ],
)
def test_headings_are_told_in_the_link_or_in_its_card(markup: str, heading: int) -> None:
    assert around(markup)[0].heading == heading


@pytest.mark.parametrize(
    ("markup", "picture"),
    [
        ("<a href=/a><img></a>", 2),
        ("<a href=/a><span><picture></picture></span></a>", 2),
        ("<article><img><p><a href=/a>x</a></p></article>", 1),
        ("<p><a href=/a>x</a></p>", 0),
        (f"<div><img><ul>{ITEMS}</ul></div>", 0),
    ],
)
def test_pictures_are_told_in_the_link_or_in_its_card(markup: str, picture: int) -> None:
    assert around(markup)[0].picture == picture


def test_the_links_of_one_list_share_its_number() -> None:
    found = around(f"<ul class=menu>{ITEMS}</ul><div class=teasers>{ITEMS}</div>")
    menu, teasers = found[:5], found[5:]
    assert len({own.list_number for own in menu}) == len({own.list_number for own in teasers}) == 1
    assert menu[0].list_number != teasers[0].list_number
    assert {(own.list_links, own.list_steps, own.parent_links) for own in found} == {(5, 2, 1)}


def test_a_lone_link_is_in_the_list_of_the_page() -> None:
    (own,) = around("<div><p><a href=/a>x</a></p></div>")
    assert own.list_links == 1
    assert own.list_steps == own.depth == 4
    assert own.parent_links == 1


def test_links_of_the_same_markup_have_the_same_signature_and_names() -> None:
    found = around(
        "<ul class=teasers-7><li class='item big'><a class=x href=/a>a</a></li><li class='item'><a class=x href=/b>b</a></li></ul>"
        "<ul class=teasers-8><li class='item big'><a class=x href=/c>c</a></li></ul>"
    )
    assert found[0].signature == found[1].signature == found[2].signature == "a.x>li.item>ul.teasers-0>body>html"
    assert found[0].names == found[2].names
    assert found[0].names != found[1].names


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("class=teaserLink", "class=teaser-link", True),
        ("class='teaser_link'", "class=teaser-link", True),
        ("class=teaser-17", "class=teaser-18", True),
        ("class=teaser", "class=menu", False),
        ("role=menuitem", "", False),
        ("data-other=menu", "", True),
        ("class=''", "", True),
    ],
)
def test_names_are_words_of_naming_attributes(one: str, other: str, alike: bool) -> None:
    first, second = around(f"<p><a {one} href=/a>x</a></p><p><a {other} href=/b>y</a></p>")
    assert (first.names == second.names) == alike


def test_the_same_name_farther_out_is_another() -> None:
    own, parent = around("<p><a class=teaser href=/a>x</a></p>"), around("<p class=teaser><a href=/a>x</a></p>")
    assert set(own[0].names) != set(parent[0].names)


@pytest.mark.parametrize(
    "attribute",
    [
        "class='\ud800'",
        "class='&quot;&gt;&lt;script&gt; \\ ] }'",
        f"class='{'bee ' * 5000}'",
        f"id='{'x' * 100_000}'",
        "aria-label='蜜蜂 пчёлы'",
        "class role rel",
    ],
)
def test_hostile_attributes_stay_within_bounds(attribute: str) -> None:
    (own,) = around(f"<div {attribute}><p {attribute}><a {attribute} href=/a>x</a></p></div>")
    assert 0 < len(own.names) <= NAME_SLOTS + 34
    assert all(0 < name < NAME_BUCKETS for name in own.names)


def test_deep_nesting_is_read() -> None:
    (own,) = around("<div class=x>" * 480 + "<a href=/a>x</a>")
    assert own.depth == 482
    assert own.signature.count(">") == 4


def test_a_page_without_links_has_no_surroundings() -> None:
    assert around("<h1>Nothing</h1>") == []
    assert around("") == []


@pytest.mark.parametrize(
    ("markup", "dated", "told"),
    [
        ("<li><time>4 May</time> <a href=/a>x</a></li>", True, False),
        ("<li><span class=post-date>4 May</span> <a href=/a>x</a><p>Some words.</p></li>", True, True),
        ("<li><a href=/a>x</a></li>", False, False),
        (f"<div><time>4 May</time><p>Some words.</p><ul>{ITEMS}</ul></div>", False, False),
    ],
)
def test_a_time_and_a_paragraph_are_told_of_the_card(markup: str, dated: bool, told: bool) -> None:
    first = around(markup)[0]
    assert (first.dated, first.told) == (dated, told)


@pytest.mark.parametrize(
    ("markup", "promoted"),
    [
        ("<div class=sponsored-box><ul><li><a href=/a>x</a></ul></div>", True),
        ("<a class='teaser teaser--advertorial' href=/a>x</a>", True),
        ("<div class=teaser><a href=/a>x</a></div>", False),
        (f"<div class=has-promo>{ITEMS * 10}</div>", False),
    ],
)
def test_names_that_speak_of_adverts_are_told(markup: str, promoted: bool) -> None:
    assert around(markup)[0].promoted == promoted
