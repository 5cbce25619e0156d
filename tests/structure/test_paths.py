"""Paths of elements can be read, and lead to their element alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from turbohtml import Element, parse

from sitewright.demo import generate_site
from sitewright.structure.paths import CssPaths


def path(html: str, selector: str) -> str:
    element = parse(html).select_one(selector)
    assert element is not None
    return CssPaths().of(element)


@pytest.mark.parametrize(
    ("html", "selector", "expected"),
    [
        ("<html class=js><body class='home x1'><p>a", "p", "html > body > p"),
        ("<main><article class=story><h1 class=title>", "h1", "html > body > main > article.story > h1.title"),
        ("<div id=app><p>", "p", "html > body > div#app > p"),
        ("<p>a<p>b", "p + p", "html > body > p:nth-of-type(2)"),
        ("<p>a<p class=lead>b", "p", "html > body > p:nth-of-type(1)"),
        ("<p>a<p class=lead>b", ".lead", "html > body > p.lead"),
        ("<p class=lead>a<h2>b</h2><p class=lead>c", "h2 + p", "html > body > p.lead:nth-of-type(2)"),
        ("<p class='lead big'>a<p class='big lead'>c", "p", "html > body > p.lead:nth-of-type(1)"),
        ("<p class='css-1x2y3z md:flex'>", "p", "html > body > p"),
        ("<p>a<fb:like>b</fb:like>", "p > *", "html > body > p > *:nth-child(1)"),
        ("<title>x</title>", "title", "html > head > title"),
        ("", "html", "html"),
    ],
)
def test_a_path_reads_well(html: str, selector: str, expected: str) -> None:
    assert path(html, selector) == expected


names = st.sampled_from(["a", "A", "lead", "Lead", "story__text", "css-1x2y3z", "md:flex", "x7", "-"])
tags = st.sampled_from(["div", "p", "span", "section", "fb:like", "my-tag"])


@st.composite
def markup(draw: st.DrawFn, depth: int = 3) -> str:
    tag, classes = draw(tags), " ".join(draw(st.lists(names, max_size=3)))
    identity = draw(st.sampled_from(["", " id=one", " id=two", " id='a b'"]))
    inner = draw(st.lists(markup(depth - 1), max_size=3)) if depth else []
    return f'<{tag} class="{classes}"{identity}>{"".join(inner)}</{tag}>'


@given(st.lists(markup(), min_size=1, max_size=3), st.sampled_from(["", "<!DOCTYPE html>"]))
def test_a_path_leads_to_its_element_alone(parts: list[str], doctype: str) -> None:
    tree = parse(doctype + "".join(parts))
    paths = CssPaths()
    for element in tree.iter_elements():
        assert tree.select(paths.of(element)) == [element]


def test_on_pages_of_a_paper() -> None:
    site = generate_site(stories=10)
    for name in list(site.truth)[:3]:
        tree = parse(site.pages[name].html)
        paths = CssPaths()
        elements: list[Element] = [found for found in tree.iter_elements() if found.closest("svg, template") is None]
        assert len(elements) > 50
        for element in elements:
            assert tree.select(paths.of(element)) == [element]
