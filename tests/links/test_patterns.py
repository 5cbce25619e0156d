"""Clusters of links that are marked up alike, the way of the paper."""

from collections import Counter
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from turbohtml import Element

from sitewright.links.anchors import read_anchors
from sitewright.links.patterns import (
    EPSILON,
    SHARED,
    Pair,
    Pattern,
    cluster,
    pairs_of,
    patterns_of,
    selector_of,
    shared_pattern,
)
from sitewright.parse import Document, compile_selector, parse
from sitewright.types import Page

A, B, C, D, E = (frozenset({(0, "a", "class", name)}) for name in "ABCDE")


def read(body: str) -> Document:
    return parse(Page(url="https://www.example.com/", body=f"<!doctype html><body>{body}"))


def links(document: Document) -> list[Element]:
    return [anchor.element for anchor in read_anchors(document)]


def pairs(markup: str) -> list[Pair]:
    return pairs_of(links(read(markup))[0])


def selected(document: Document) -> tuple[str, list[Element]]:
    """Return the selector of what all links of a document have in common, and what it finds."""
    patterns = patterns_of([pairs_of(element) for element in links(document)])
    selector = selector_of(shared_pattern(Counter(patterns)))
    return selector, compile_selector(selector).elements(document.tree)


def test_the_thresholds_are_those_of_the_paper() -> None:
    assert (EPSILON, SHARED) == (0.5, 0.75)


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (
            "<li class=item><a href=/a class=headline-link>",
            [(0, "a", "class", "headline-link"), (1, "li", "class", "item")],
        ),
        ("<h3 class=top><a href=/a>", [(1, "h", "class", "top")]),
        ("<p><a href=/a data-analytics=today:headline_3>", [(0, "a", "data-analytics", "today:headline_[0-9]+")]),
        (
            "<p><a href=/a data-analytics=us_2020_vote:line_12>",
            [(0, "a", "data-analytics", "us_[0-9]+_vote:line_[0-9]+")],
        ),
        ("<p><a href=/a id=x title=y rel=z target=_blank>", [(0, "a", "id", "x")]),
        ("<p><a href=/a class='a  b\na7'>", [(0, "a", "class", name) for name in ("a", "b", "a[0-9]+")]),
        ("<p><a href=/a data-empty>", [(0, "a", "data-empty", "")]),
        ("<p><a href=/a class=''>", []),
        ("<div id=far><p><a href=/a>", []),
    ],
)
def test_pairs_are_those_of_the_link_and_its_parent(markup: str, expected: list[Pair]) -> None:
    assert pairs(markup) == expected


def test_pairs_seen_once_are_dropped() -> None:
    one, two, own = (0, "a", "class", "one"), (1, "p", "id", "two"), (0, "a", "id", "own")
    assert patterns_of([[one, own], [one, two], [two, two], []]) == [
        frozenset({one}),
        frozenset({one, two}),
        frozenset({two}),
        frozenset(),
    ]
    assert patterns_of([[one, one]]) == [frozenset()]
    assert patterns_of([]) == []


def test_numbers_make_pairs_alike() -> None:
    document = read("<a href=/a data-x=line_3>a</a><a href=/b data-x=line_7>b</a><a href=/c data-x=other>c</a>")
    found = patterns_of([pairs_of(element) for element in links(document)])
    assert found[0] == found[1] == frozenset({(0, "a", "data-x", "line_[0-9]+")})
    assert found[2] == frozenset()


@pytest.mark.parametrize(
    ("patterns", "together"),
    [
        ({A: 2}, [[A]]),
        ({A: 1}, []),
        ({A: 1, B: 1}, []),
        ({A: 2, B: 2}, [[A], [B]]),
        ({A: 1, A | B: 1}, [[A, A | B]]),  # a cosine of .71
        ({A: 1, A | B | C | D: 1}, [[A, A | B | C | D]]),  # .5, which is just within eps
        ({A: 1, A | B | C | D | E: 1}, []),  # .45
        ({A | B: 1, B | C: 1, C | D: 1}, [[A | B, B | C, C | D]]),  # through what is between them
        ({frozenset(): 9}, []),
        ({frozenset(): 9, A: 3}, [[A]]),
        ({}, []),
    ],
)
def test_clusters_are_those_of_dbscan(patterns: dict[Pattern, int], together: list[list[Pattern]]) -> None:
    groups: dict[int, list[Pattern]] = {}
    for pattern, number in cluster(patterns).items():
        groups.setdefault(number, []).append(pattern)
    assert [set(group) for group in groups.values()] == [set(group) for group in together]


small = st.frozensets(st.sampled_from([pair for pattern in (A, B, C, D, E) for pair in pattern]), max_size=5)


def cosine(one: Pattern, other: Pattern) -> float:
    return float(len(one & other) / (len(one) * len(other)) ** 0.5)


@given(st.dictionaries(small, st.integers(1, 3), max_size=12))
def test_what_is_near_is_together_and_no_cluster_is_a_lone_link(patterns: dict[Pattern, int]) -> None:
    numbers = cluster(patterns)
    for pattern, count in patterns.items():
        near = [other for other in patterns if other and pattern and cosine(pattern, other) >= 1 - EPSILON]
        assert (pattern in numbers) == bool(pattern and (count > 1 or len(near) > 1))
        assert {numbers[other] for other in near if other in numbers} <= {numbers.get(pattern)}


def test_patterns_beyond_the_commonest_stay_alone() -> None:
    many: dict[Pattern, int] = {frozenset({(0, "a", "id", f"{n}")}): 2 for n in range(3_000)}
    common = frozenset({(0, "a", "id", "common")})
    numbers = cluster({**many, common: 9})
    assert common in numbers
    assert len(numbers) == 2_000


@pytest.mark.parametrize(
    ("patterns", "shared"),
    [
        ({A: 3}, A),
        ({A | B: 3, A: 1}, A),  # exactly three quarters are not more than these
        ({A | B: 4, A: 1}, A | B),
        ({A: 1, B: 1}, frozenset()),
        ({}, frozenset()),
    ],
)
def test_what_three_quarters_do_not_share_is_left_out(patterns: dict[Pattern, int], shared: Pattern) -> None:
    assert shared_pattern(patterns) == shared


@pytest.mark.parametrize(
    ("shared", "selector"),
    [
        ({(0, "a", "class", "headline-link")}, "a.headline-link"),
        ({(0, "a", "class", "b"), (0, "a", "class", "a")}, "a.a.b"),
        ({(1, "li", "class", "item")}, "li.item > a"),
        ({(0, "a", "data-x", "line_[0-9]+")}, 'a[data-x^="line_"]'),
        ({(0, "a", "class", "line-[0-9]+-x")}, 'a[class*="line-"]'),
        ({(0, "a", "id", "[0-9]+")}, "a[id]"),
        ({(0, "a", "data-x", "")}, 'a[data-x=""]'),
        (set(), ""),
    ],
)
def test_a_pattern_is_written_as_css(shared: set[Pair], selector: str) -> None:
    assert selector_of(frozenset(shared)) == selector


VALUES = (
    'say "bees"', "it's", "back\\slash", "\\", '"', 'a\\"b', "a]b", "[x]", "(x)", "{x}", "a,b", "a>b", "a b", " lead",
    "line\nbreak", "tab\tbed", "form\ffeed", "top-7", "7", "7th", "[0-9]+", "/*x*/", "</style>", "md:w-1/2", "@x", "#x",
    "é", "蜜蜂", "🐝", "\ud800", "\x01", "\x7f", "x" * 100, "x" * 5_000, "x" * 99 + "12", "-", "--x", "\\31 ", "::before",
)  # fmt: skip


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("name", ["class", "id", "data-x"])
def test_selectors_of_odd_values_find_the_links(name: str, value: str) -> None:
    document = read("".join(f'<p><a {name}="{escape(value)}" href=/{n}>Bees</a></p>' for n in range(3)))
    assert selected(document)[1] == links(document)
    below = read("".join(f'<p {name}="{escape(value)}"><a href=/{n}>Bees</a></p>' for n in range(3)))
    assert selected(below)[1] == links(below)


@pytest.mark.parametrize(
    "name", ["data-v:x", "data-a.b", "data-@x", "data-x]", 'data-x"', "data-(", "data-\\", "data-$", "data-é"]
)
def test_selectors_of_odd_attributes_find_the_links(name: str) -> None:
    document = read("".join(f"<p><a {name}=v href=/{n}>Bees</a></p>" for n in range(3)))
    assert selected(document)[1] == links(document)


@pytest.mark.parametrize("tag", ["o:p", "my-tag", "my.tag", "x\\y", "x[y", "h4", "svg"])
def test_selectors_of_odd_parents_find_the_links(tag: str) -> None:
    document = read("".join(f"<{tag} class=k><a href=/{n}>Bees</a></{tag}>" for n in range(3)))
    assert selected(document)[1] == links(document)


blanks = st.sampled_from(" \t\n\f")
characters = st.characters(codec=None, exclude_categories=("Zs", "Zl", "Zp", "Cc")) | blanks


@given(st.text(characters, max_size=40), st.sampled_from(["class", "id", "data-x"]))
def test_selectors_of_any_value_find_the_links(value: str, name: str) -> None:
    document = read("".join(f'<p class=k><a {name}="{escape(value)}" href=/{n}>Bees</a></p>' for n in range(2)))
    assert selected(document)[1] == links(document)


def test_areas_of_a_map_are_found() -> None:
    document = read("<map class=m>" + "".join(f"<area class=k href=/{n} alt=Bees>" for n in range(3)) + "</map>")
    assert selected(document) == ("map.m > area.k", links(document))


def test_teasers_and_menu_of_a_page_are_two_clusters() -> None:
    teasers = "".join(
        f"<h2 class=card><a class='teaser {'big' if n == 1 else ''}' data-line=line_{n} href=/{n}>Tale {n}</a></h2>"
        for n in range(6)
    )
    menu = "".join(f"<li class=entry><a class=menu href=/m{n}>Part {n}</a></li>" for n in range(4))
    document = read(f"<ul>{menu}</ul>{teasers}")
    patterns = patterns_of([pairs_of(element) for element in links(document)])
    numbers = cluster(Counter(patterns))
    assert len(set(numbers.values())) == 2
    for group in (slice(0, 4), slice(4, 10)):
        own = patterns[group]
        assert len({numbers[pattern] for pattern in own}) == 1
        selector = selector_of(shared_pattern(Counter(own)))
        assert compile_selector(selector).elements(document.tree) == links(document)[group]
