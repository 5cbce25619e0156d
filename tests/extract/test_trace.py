"""What a rule makes its value of can be told, and is what the value is made of."""

from datetime import UTC, datetime

import pytest

from sitewright.demo import generate_site
from sitewright.extract import Extractor, Trace
from sitewright.maps import parse_map
from sitewright.parse import Document, parse
from sitewright.types import ExtractionMap, Page, Rule, Template

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
HEADLINE = '<script type="application/ld+json">{"@type": "NewsArticle", "author": [{"name": "Ann"}, "Bo"]}</script>'


def document(html: str) -> Document:
    return parse(Page(url="https://example.com/a", body=html, fetched_at=NOW))


def trace(html: str, rule: Rule, name: str = "") -> list[Trace]:
    extraction_map = ExtractionMap(site="example.com", templates=(Template(name="t", rules=(rule,)),))
    return Extractor(extraction_map).trace(document(html), name or f"t/{rule.field}#0", NOW)


def told(html: str, rule: Rule) -> list[tuple[str | None, object]]:
    """Return the ids of the elements, and what was taken of them."""
    return [(found.element.attr("id") if found.element else None, found.raw) for found in trace(html, rule)]


@pytest.mark.parametrize(
    ("html", "rule", "expected"),
    [
        ("<h1 id=a>One <b>two</b></h1>", Rule(field="title", select=("h1",)), [("a", "One two")]),
        ("<h1 id=a> </h1><h1 id=b>x</h1><h1 id=c>y</h1>", Rule(field="title", select=("h1",)), [("b", "x")]),
        ("<p id=a>x<p id=b> <p id=c>y", Rule(field="text", select=("p",), many=True), [("a", "x"), ("c", "y")]),
        ("<i id=a>x</i><b id=b>y</b>", Rule(field="tags", select=("b", "i"), many=True), [("a", "x"), ("b", "y")]),
        ("<a id=a href=/x>y</a>", Rule(field="link", select=("a",), take="@href"), [("a", "/x")]),
        ("<p id=a>x <b>y</b></p>", Rule(field="body", select=("p",), take="html"), [("a", "x <b>y</b>")]),
        ("<p id=a>x <b>y</b> z</p>", Rule(field="line", select=("p",), remove=("b",)), [("a", "x z")]),
        ("<p id=a>by Ann</p>", Rule(field="line", select=("p",), match="by (.*)"), [("a", "Ann")]),
        ("<p id=a>Ann</p><p id=b>by Bo</p>", Rule(field="line", select=("p",), match="by (.*)"), [("b", "Bo")]),
        ("<h1 id=a>x</h1>", Rule(field="title", select=("//h1/text()",)), [(None, "x")]),
        (HEADLINE, Rule(field="names", take="jsonld:author", many=True), [(None, {"name": "Ann"}), (None, "Bo")]),
        ("<h1>x</h1>", Rule(field="title", select=("h2",)), []),
        ("<time>never</time>", Rule(field="published", select=("time",)), []),
    ],
)
def test_elements_and_what_was_taken(html: str, rule: Rule, expected: list[tuple[str | None, object]]) -> None:
    assert told(html, rule) == expected


def test_what_was_taken_and_which_parser_was_given_it() -> None:
    [found] = trace("<time datetime=2024-05-06>x</time>", Rule(field="published", select=("time",), take="@datetime"))
    assert (found.take, found.raw, found.parser, found.part) == ("@datetime", "2024-05-06", "date.v1", "")


def test_parts_of_objects() -> None:
    name = Rule(field="name", select=("b",))
    rule = Rule(
        field="photos",
        select=("li",),
        many=True,
        fields=(
            Rule(field="url", select=("a",), take="@href"),
            Rule(field="by", select=("p",), fields=(name,)),
            Rule(field="name", select=("i",)),
            Rule(field="name", select=("u",)),
        ),
    )
    page = "<li><a href=/1></a><p><b>Ann</b></p><u>one</u><li>empty<li><a href=/3></a><i>three</i><u>no</u>"
    found = trace(page, rule)
    assert [(one.part, one.raw) for one in found] == [
        ("[0].url", "/1"),
        ("[0].by.name", "Ann"),
        ("[0].name", "one"),
        ("[1].url", "/3"),
        ("[1].name", "three"),
    ]
    assert [one.parser for one in found[:2]] == ["url.v1", "line.v1"]


def test_nothing_of_a_rule_that_is_not_there() -> None:
    assert trace("<h1>x</h1>", Rule(field="title", select=("h1",)), "t/title#1") == []


def test_the_page_stays_as_it_was() -> None:
    rule = Rule(field="text", select=("p",), remove=("b", "i"), many=True)
    page = document("<p>x <b>y</b><p>z <i>w</i>")
    before = page.tree.html
    extractor = Extractor(ExtractionMap(site="e", templates=(Template(name="t", rules=(rule,)),)))
    assert [found.raw for found in extractor.trace(page, "t/text#0")] == ["x", "z"]
    assert page.tree.html == before


def test_every_value_of_a_paper_has_a_trace() -> None:
    site = generate_site(stories=12)
    extractor = Extractor(parse_map(site.map_text))
    for path in site.truth:
        page = parse(Page(url=f"{site.base_url}{path}", body=site.pages[path].html, fetched_at=NOW))
        record = extractor.extract(page)
        assert record.fields
        for value in record.fields.values():
            traces = extractor.trace(page, value.rule)
            assert traces
            if isinstance(value.value, str) and len(traces) == 1 and isinstance(traces[0].raw, str):
                assert " ".join(value.value.split()) == traces[0].raw
