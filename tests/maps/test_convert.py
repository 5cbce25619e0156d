"""Conversions of maps: foreign files that we write here, round trips, and generated code that is run."""

import asyncio
import importlib.util
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from parsel import Selector
from web_poet import HttpResponse, WebPage

from sitewright.errors import ConversionError
from sitewright.extract import Extractor
from sitewright.maps.convert import FORMATS, guess_format, read_foreign, write_foreign
from sitewright.maps.file import dump_map, parse_map
from sitewright.parse import check_selector, parse
from sitewright.types import ExtractionMap, IndexPage, Page, Rule, Support, Template

pytestmark = pytest.mark.slow

READABLE = [name for name, known in FORMATS.items() if known.read]
PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"

PAGE = """<!doctype html>
<html><head>
<title>Page title</title>
<meta property="og:title" content="Meta title">
<script type="application/ld+json">
{"@graph": [{"@type": "WebPage", "name": "x"},
 {"@type": "NewsArticle", "datePublished": "2024-05-01T10:00:00Z", "author": [{"name": "Ann"}, {"name": "Bo"}]}]}
</script>
</head><body>
<article class="story">
  <h1>The <em>real</em> title</h1>
  <time class="date" datetime="2024-05-01">1 May 2024, 10:00</time>
  <span class="by">By <a href="/ann">Ann</a> and <a href="/bo">Bo</a></span>
  <div class="body">
    <p>First paragraph.</p><div class="promo"><p>Buy now!</p></div>
    <h2>Between</h2><p>Second <b>paragraph</b>. <i class="promo">Ad</i></p>
    <figure><img src="/1.jpg"><figcaption>One</figcaption></figure>
    <figure><img src="/2.jpg"><figcaption>Two</figcaption></figure>
  </div>
  <table class="facts"><tr><th>Price</th><td>12 €</td></tr><tr><th>Brand</th><td>Acme</td></tr></table>
  <ul class="tags"><li>one</li><li>two</li><li>three</li></ul>
</article>
</body></html>
"""


def values_of(extraction_map: ExtractionMap, html: str = PAGE) -> dict[str, Any]:
    """Return what a map reads from a page, as Sitewright itself reads it."""
    page = parse(Page(url=f"https://{extraction_map.site}/news/1", body=html))
    return {name: value.value for name, value in Extractor(extraction_map).extract(page).fields.items()}


def a_map(*rules: Rule, **facts: Any) -> ExtractionMap:
    return ExtractionMap(site="example.com", templates=(Template(name="article", rules=rules),), **facts)


def read_selectors(*selectors: dict[str, Any], **entries: Any) -> Any:
    """Read a sitemap of these selectors."""
    filled = [{"type": "SelectorText", "parentSelectors": ["_root"], "multiple": False} | one for one in selectors]
    sitemap = {"_id": "x", "startUrl": ["https://www.example.com/"], "selectors": filled} | entries
    return read_foreign(json.dumps(sitemap), "webscraper")


def only_rule(extraction_map: ExtractionMap) -> Rule:
    ((rule,),) = (template.rules for template in extraction_map.templates)
    return rule


# Web Scraper


NEWS_SITEMAP: list[dict[str, Any]] = [
    {"id": "next", "type": "SelectorPagination", "parentSelectors": ["_root", "next"], "selector": "a.more"},
    {
        "id": "card",
        "type": "SelectorElement",
        "parentSelectors": ["_root", "next"],
        "selector": "li.card",
        "multiple": True,
    },
    {"id": "story", "type": "SelectorLink", "parentSelectors": ["card"], "selector": "a", "delay": 0},
    {"id": "Title", "parentSelectors": ["story"], "selector": "h1", "regex": ""},
    {
        "id": "published",
        "type": "SelectorElementAttribute",
        "parentSelectors": ["story"],
        "selector": "time",
        "extractAttribute": "datetime",
    },
    {"id": "text", "parentSelectors": ["story"], "selector": "div.body p, div.body h2", "multiple": True},
    {"id": "photos", "type": "SelectorElement", "parentSelectors": ["story"], "selector": "figure", "multiple": True},
    {"id": "image", "type": "SelectorImage", "parentSelectors": ["photos"], "selector": "img"},
    {"id": "photos.Kurzer Text", "parentSelectors": ["photos"], "selector": "figcaption"},
]


def test_a_sitemap_becomes_index_pages_and_a_template() -> None:
    result, lost = read_selectors(*NEWS_SITEMAP).result, read_selectors(*NEWS_SITEMAP).lost
    assert result == ExtractionMap(
        site="example.com",
        index=(IndexPage(url="https://www.example.com/", items=("li.card a",), next=("a.more",)),),
        templates=(
            Template(
                name="story",
                rules=(
                    Rule(field="title", select=("h1",)),
                    Rule(field="published", select=("time",), take="@datetime"),
                    Rule(field="text", select=("div.body p", "div.body h2"), many=True),
                    Rule(
                        field="photos",
                        select=("figure",),
                        many=True,
                        fields=(
                            Rule(field="image", select=("img",), take="@src"),
                            Rule(field="kurzer_text", select=("figcaption",)),
                        ),
                    ),
                ),
            ),
        ),
    )
    assert lost == (
        "selector Title: its field is named title",
        "selector photos.Kurzer Text: its field is named kurzer_text",
    )
    assert parse_map(dump_map(result)) == result


@pytest.mark.parametrize(
    ("selector", "select", "value"),
    [
        ("th:contains('Price') + td", ".//th[contains(., 'Price')]/following-sibling::*[1]/self::td", "12 €"),
        ("tr:contains(Brand) td", ".//tr[contains(., 'Brand')]//td", "Acme"),
        ("tr:not(:contains('Price')) > td", ".//tr[not(contains(., 'Price'))]/td", "Acme"),
        ("ul.tags li:eq(1)", None, "two"),
        ("ul.tags li:eq(-1)", None, "three"),
        ("li:first", "(.//li)[1]", "one"),
        ("li:last", "(.//li)[last()]", "three"),
        ("li:gt(0)", "(.//li)[position() > 1]", "two"),
        ("li:odd", "(.//li)[position() mod 2 = 0]", "two"),
        ("li:nth-of-type(3)", "li:nth-of-type(3)", "three"),
        ("li:eq(1):contains('two')", None, "two"),
        ("article :header", "article :is(h1, h2, h3, h4, h5, h6)", "The real title"),
        ("img[src!='/1.jpg'] + figcaption", "img:not([src='/1.jpg']) + figcaption", "Two"),
        ("tr:has(th:contains('Price'))", None, None),
        ("li:visible", None, None),
        ("li:eq(x)", None, None),
    ],
)
def test_jquery_selectors_are_translated_or_lost(selector: str, select: str | None, value: str | None) -> None:
    conversion = read_selectors({"id": "found", "selector": selector})
    if value is None:
        assert not conversion.result.templates[0].rules
        assert any("is not a selector" in sentence for sentence in conversion.lost)
        return
    rule = only_rule(conversion.result)
    assert not conversion.lost
    assert select in (None, rule.select[0])
    assert values_of(conversion.result)["found"] == value


@pytest.mark.parametrize(
    ("selector", "sentence"),
    [
        ({"id": "a", "selector": "p", "delay": 2000}, "selector a: delay: 2000 has no counterpart"),
        ({"id": "a", "selector": "p", "linkType": "javascript"}, "selector a: linkType: 'javascript' has"),
        ({"id": "a", "type": "SelectorElementScroll", "selector": "p"}, "selector a: scrolling down has"),
        ({"id": "a", "type": "SelectorElementClick", "selector": "p"}, "selector a: clicking has"),
        (
            {"id": "a", "selector": "p", "clickElementSelector": "button"},
            "selector a: clickElementSelector: 'button' has",
        ),
        ({"id": "a", "type": "SelectorSitemapXmlLink", "selector": "p"}, "type SelectorSitemapXmlLink has"),
        ({"id": "a", "selector": ""}, "selector a: has no selector"),
        ({"id": "a", "selector": "p", "regex": r"(?<year>\d+)"}, "cannot be said as a regular expression of Python"),
        ({"id": "a", "type": "SelectorElement", "selector": "p"}, "an element without selectors in it"),
        (
            {"id": "a", "type": "SelectorPagination", "parentSelectors": ["b"], "selector": "p"},
            "further pages of an item",
        ),
    ],
)
def test_what_a_map_cannot_say_of_a_sitemap_is_listed(selector: dict[str, Any], sentence: str) -> None:
    assert any(sentence in found for found in read_selectors(selector).lost)


def test_ranges_of_start_urls_are_listed() -> None:
    conversion = read_selectors({"id": "a", "selector": "p"}, startUrl="https://a.com/?page=[1-20]")
    assert conversion.result.index[0].url == "https://a.com/?page=1"
    assert "range of pages" in conversion.lost[0]


def test_links_of_links_keep_their_template_and_are_listed() -> None:
    conversion = read_selectors(
        {"id": "category", "type": "SelectorLink", "selector": "nav a"},
        {"id": "product", "type": "SelectorLink", "parentSelectors": ["category"], "selector": "a.item"},
        {"id": "name", "parentSelectors": ["product"], "selector": "h1"},
        {"id": "price", "parentSelectors": ["product"], "selector": ".price"},
    )
    assert conversion.result.domain == "shop"
    assert [template.name for template in conversion.result.templates] == ["product"]
    assert conversion.lost == (
        "selector product: links from pages that links lead to (category) have no counterpart in a map",
    )


def test_a_link_without_children_gives_text_and_address() -> None:
    result = read_selectors({"id": "by", "type": "SelectorLink", "selector": ".by a", "multiple": True}).result
    assert values_of(result) == {"by": ["Ann", "Bo"], "by-href": ["/ann", "/bo"]}


def test_a_table_becomes_rows_with_fields() -> None:
    columns = [{"header": "Fact", "name": "fact", "extract": True}, {"header": "Value", "name": "value"}]
    table = {"id": "facts", "type": "SelectorTable", "selector": "table.facts", "columns": columns}
    conversion = read_selectors(table | {"tableDataRowSelector": "tr"})
    assert values_of(conversion.result)["facts"] == [
        {"fact": "Price", "value": "12 €"},
        {"fact": "Brand", "value": "Acme"},
    ]
    assert conversion.lost == ("selector facts: columns are found by position, no longer by header",)


def test_several_kinds_of_linked_pages_are_told_apart() -> None:
    conversion = read_selectors(
        {"id": "story", "type": "SelectorLink", "selector": "a.story"},
        {"id": "gallery", "type": "SelectorLink", "selector": "a.gallery"},
        {"id": "title", "parentSelectors": ["story"], "selector": "h1"},
        {"id": "caption", "parentSelectors": ["gallery"], "selector": ".caption"},
        {"id": "teaser", "selector": ".teaser"},
    )
    assert [(t.name, t.url, t.probe) for t in conversion.result.templates] == [
        ("list", r"^(?:https://www\.example\.com/)$", ""),
        ("story", "", "h1"),
        ("gallery", "", ".caption"),
    ]


@pytest.mark.parametrize("cycle", [["b"], ["a"], ["_root", "a"]])
def test_elements_that_contain_each_other_end(cycle: list[str]) -> None:
    read_selectors(
        {"id": "a", "type": "SelectorElement", "parentSelectors": cycle, "selector": "div"},
        {"id": "b", "type": "SelectorElement", "parentSelectors": ["a", "_root"], "selector": "p"},
    )


# ftr-site-config


CONFIG = """\
# Example
title: //meta[@property="og:title"]/@content
title: //h1
author: //span[@class='by']/a
date: //time/@datetime
body: //div[@class='content']
body: //div[@class='body']
strip: //figure
strip_id_or_class: promo
strip_image_src: pixel.gif
prune: no
tidy: yes
test_url: https://www.example.com/news/1
"""


def test_a_site_config_becomes_a_map() -> None:
    conversion = read_foreign(CONFIG, "ftr")
    removed = ("//figure", '[class~="promo"], [id~="promo"]', 'img[src*="pixel.gif"]')
    assert conversion.result == a_map(
        Rule(field="title", select=('//meta[@property="og:title"]',), take="@content"),
        Rule(field="title", select=("//h1",)),
        Rule(field="published", select=("//time",), take="@datetime"),
        Rule(field="authors", select=("//span[@class='by']/a",), many=True),
        Rule(field="text", select=("//div[@class='content']",), remove=removed, many=True),
        Rule(field="text", select=("//div[@class='body']",), remove=removed, many=True),
    )
    assert conversion.lost == (
        "line 12, tidy: tidy: yes has no counterpart in a map",
        "line 13, test_url: test_url: https://www.example.com/news/1 has no counterpart in a map",
    )
    found = values_of(conversion.result)
    assert found["title"] == "Meta title"
    assert found["authors"] == ["Ann", "Bo"]
    assert "First paragraph." in found["text"]
    assert "Buy now!" not in found["text"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("next_page_link: //a[@rel='next']", "line 2, next_page_link: next_page_link: //a[@rel='next'] has no"),
        ("single_page_link: //a[@id='print']", "single_page_link"),
        ("find_string: <noscript>", "line 2, find_string"),
        ("replace_string(<noscript>): <div>", "replace_string(<noscript>): <div> has no counterpart"),
        ("http_header(user-agent): PHP/7", "http_header(user-agent): PHP/7 has no counterpart"),
        ("convert_double_br_tags: yes", "convert_double_br_tags: yes has"),
        ("autodetect_on_failure: yes", "autodetect_on_failure: yes has"),
        ("frobnicate: yes", "line 2, frobnicate: is not a directive"),
        ("test https://a.com/", "line 2: 'test https://a.com/' is not of the form"),
        ("title: //h1[", "line 2, title: '//h1[' is not a selector"),
        ("strip: //nav[contains(", "line 2, strip"),
        ("title:", "line 2, title: has no value"),
    ],
)
def test_what_a_map_cannot_say_of_a_site_config_is_listed(line: str, sentence: str) -> None:
    conversion = read_foreign(f"body: //article\n{line}\n", "ftr", "example.com")
    assert any(sentence in found for found in conversion.lost)
    assert only_rule(conversion.result).select == ("//article",)


@pytest.mark.parametrize("line", ["tidy: no", "prune: no", "autodetect_on_failure: no", "# a comment", ""])
def test_what_a_map_does_anyway_is_not_lost(line: str) -> None:
    assert not read_foreign(f"body: //article\n{line}\n", "ftr", "example.com").lost


def test_css_is_written_as_xpath() -> None:
    written = write_foreign(a_map(Rule(field="text", select=("div.body > p",), many=True, remove=(".promo",))), "ftr")
    assert "body: //div[@class and contains(concat(' ', normalize-space(@class), ' '), ' body ')]/p\n" in written.result
    assert "strip: //*[@class and" in written.result
    assert not written.lost


# crawl4ai


SCHEMA: dict[str, Any] = {
    "name": "Product List",
    "baseSelector": "div.product",
    "baseFields": [{"name": "sku", "type": "attribute", "attribute": "data-sku"}],
    "fields": [
        {"name": "name", "selector": "h2", "type": "text", "default": "?", "transform": "strip"},
        {"name": "price", "selector": ".price", "type": "regex", "pattern": r"(\d+)", "transform": "lowercase"},
        {
            "name": "maker",
            "selector": ".maker",
            "type": "nested",
            "fields": [{"name": "name", "selector": "b", "type": "text"}],
        },
        {"name": "colours", "selector": "li", "type": "list", "fields": [{"name": "colour", "type": "text"}]},
        {"name": "total", "type": "computed", "expression": "price * 2"},
        {"name": "note", "source": "+ p.note", "selector": "b", "type": "text"},
    ],
}
SHOP_PAGE = """<div class="product" data-sku="7"><h2>Lamp</h2><i class="price">12 €</i><p class="maker"><b>Acme</b></p>
<ul><li>red</li><li>blue</li></ul></div><p class="note">a <b>bright</b> one</p>"""


def test_a_schema_becomes_a_rule_with_fields() -> None:
    conversion = read_foreign(json.dumps(SCHEMA), "crawl4ai", "shop.example")
    assert conversion.result.domain == "shop"
    rule = only_rule(conversion.result)
    assert (rule.field, rule.select, rule.many) == ("product_list", ("div.product",), True)
    (product,) = values_of(conversion.result, SHOP_PAGE)["product_list"]
    assert {**product, "price": None} == {
        "sku": "7",
        "name": "Lamp",
        "price": None,
        "maker": {"name": "Acme"},
        "colours": [{"colour": "red"}, {"colour": "blue"}],
        "note": "bright",
    }
    assert conversion.lost == (
        "fields[0] name: default: '?' has no counterpart in a map",
        "fields[1] price: transform: 'lowercase' has no counterpart in a map",
        "fields[4] total: expression: 'price * 2' has no counterpart in a map",
        "fields[4] total: computed fields have no counterpart in a map",
        "schema: its name 'Product List' becomes the field product_list",
    )


def test_an_xpath_schema_is_read_from_the_element_on() -> None:
    fields = [{"name": "caption", "selector": "//figcaption", "type": "text"}]
    schema = {"name": "photos", "baseSelector": "//figure", "fields": fields}
    result = read_foreign(json.dumps(schema), "crawl4ai", "example.com").result
    assert values_of(result)["photos"] == [{"caption": "One"}, {"caption": "Two"}]


def test_of_fields_with_one_name_the_last_comes_first() -> None:
    fields = [{"name": "title", "selector": selector, "type": "text"} for selector in ("title", "h1", "h9")]
    schema = {"name": "article", "baseSelector": "html", "fields": fields}
    result = read_foreign(json.dumps(schema), "crawl4ai", "example.com").result
    assert only_rule(result) == Rule(field="title", select=("h9", "h1", "title"))


# Bad input


@pytest.mark.parametrize(
    ("format_name", "text", "message"),
    [
        ("webscraper", "{\n nonsense", "line 2: not JSON"),
        ("webscraper", "[]", "line 1: found a list; expected a Web Scraper sitemap"),
        ("webscraper", '{"startUrl": "https://a.com"}', "selectors: missing"),
        ("webscraper", '{"startUrl": ["https://a.com"], "selectors": [1]}', r"selectors\[0\]: found a number"),
        ("webscraper", '{"startUrl": ["https://a.com"], "selectors": [{"id": "a"}]}', r"selectors\[0\]\.type: missing"),
        ("webscraper", '{"startUrl": 3, "selectors": []}', "startUrl: found a number; expected a text or a list"),
        ("webscraper", '{"selectors": []}', "startUrl: missing or without a host"),
        ("ftr", "<html>", "line 1: no directive"),
        ("ftr", "body: //p", "site: the file does not say it"),
        ("crawl4ai", "{}", r"schema\.baseSelector: missing; expected text"),
        ("crawl4ai", '{"baseSelector": "li"}', "fields: missing"),
        ("crawl4ai", '{"baseSelector": "li", "fields": []}', "site: a schema does not say it"),
        ("scrapy", "import scrapy", "scrapy: can be written, but not read; expected one of webscraper, ftr, crawl4ai"),
        ("excel", "", "no format 'excel'; expected one of webscraper"),
    ],
)
def test_bad_input_says_where_and_what_was_expected(format_name: str, text: str, message: str) -> None:
    with pytest.raises(ConversionError, match=message):
        read_foreign(text, format_name)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"baseSelector": "li[", "fields": []}, "baseSelector: 'li\\[' is not a selector; expected CSS or XPath"),
        ({"baseSelector": "li", "fields": [{"name": "a"}]}, r"fields\[0\] a\.type: found None; expected text"),
        ({"baseSelector": "li", "fields": [{"type": "text"}]}, r"fields\[0\]\.name: missing"),
        ({"baseSelector": "li", "fields": [{"name": "a", "type": "regex"}]}, r"fields\[0\] a\.pattern: missing"),
    ],
)
def test_bad_schemas_say_where(schema: dict[str, Any], message: str) -> None:
    with pytest.raises(ConversionError, match=message):
        read_foreign(json.dumps(schema), "crawl4ai", "example.com")


def test_a_map_without_templates_cannot_be_written() -> None:
    for name in FORMATS:
        with pytest.raises(ConversionError, match=r"templates: the map of example\.com has none"):
            write_foreign(ExtractionMap(site="example.com"), name)


@given(st.text(max_size=200) | st.from_regex(r'\{"(selectors|fields)": .{0,40}\}', fullmatch=True))
def test_no_text_breaks_a_reader(text: str) -> None:
    for name in READABLE:
        try:
            read_foreign(text, name, "example.com")
        except ConversionError as error:
            assert "expected" in str(error)  # noqa: PT017


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(0, 3)
    | st.sampled_from(["p", "a b", "", "li[", "@", "(", "+ p", "名", "_root"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=4,
)
SELECTORS = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["a", "b", "a.b", "c d", "", "title"]),
        "type": st.sampled_from(
            "SelectorText SelectorLink SelectorElement SelectorTable SelectorGroup SelectorImage SelectorPagination "
            "SelectorElementAttribute SelectorElementClick SelectorHTML SelectorOther".split()
        ),
        "selector": st.sampled_from(
            ["p", "a:eq(1), b", "_parent_", "> p", "+ td", "x:contains('y')", "[", ":first", ","]
        ),
    },
    optional={
        "parentSelectors": st.lists(st.sampled_from(["_root", "a", "b", "title", "gone"]), max_size=3),
        "multiple": st.booleans(),
        "regex": st.sampled_from(["", r"\d+", "(a)(b)", "("]),
        "extractAttribute": st.sampled_from(["href", "", "no such"]),
        "columns": st.lists(st.fixed_dictionaries({"name": st.sampled_from(["a", "a b"])}), max_size=2) | JSON,
        "delay": JSON,
    },
)
FIELDS = st.recursive(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["a", "b c", "title"]),
            "type": st.sampled_from(["text", "attribute", "regex", "computed"]),
        },
        optional={
            "selector": st.sampled_from(["p", "./p", "//p", "h1.x", "["]),
            "attribute": st.sampled_from(["href", "no such"]),
            "pattern": st.sampled_from(["a", "(a)", "("]),
            "group": JSON,
            "source": st.sampled_from(["+ p", "~ p", "+ ["]),
            "default": JSON,
            "transform": JSON,
        },
    ),
    lambda inner: st.fixed_dictionaries(
        {"name": st.just("n"), "type": st.sampled_from(["nested", "list", "nested_list"]), "fields": st.lists(inner)}
    ),
    max_leaves=4,
)


@given(st.lists(SELECTORS, max_size=6) | JSON, st.just("https://a.com/") | JSON, st.lists(FIELDS, max_size=4) | JSON)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_read_is_a_valid_map(selectors: list[Any], start: Any, fields: list[Any]) -> None:
    files = {
        "webscraper": {"startUrl": start, "selectors": selectors},
        "crawl4ai": {"name": "list", "baseSelector": "//li", "fields": fields},
    }
    for name, plain in files.items():
        try:
            result = read_foreign(json.dumps(plain), name, "example.com").result
        except ConversionError as error:
            assert "expected" in str(error)  # noqa: PT017
        else:
            assert parse_map(dump_map(result)) == result


def test_formats_are_guessed() -> None:
    full = a_map(Rule(field="title", select=("h1",)))
    for name, known in FORMATS.items():
        assert guess_format(write_foreign(full, name).result, f"file{known.suffix}") == name
    assert guess_format("# nothing yet", "example.com.txt") == "ftr"
    assert guess_format(f"# ours\n{dump_map(full)}", "-") == "sitewright"
    assert guess_format('{"sitewright": 1, "site": "example.com"}', "-") == "sitewright"
    assert guess_format("title: //h1 # not of sitewright: x\n", "-") == "ftr"
    with pytest.raises(ConversionError, match="of no known format"):
        guess_format("nonsense", "file.bin")


# Round trips


@pytest.mark.parametrize("format_name", ["webscraper", "crawl4ai"])
@pytest.mark.parametrize(
    "rule",
    [
        Rule(field="title", select=("h1",)),
        Rule(field="published", select=("time.date",), take="@datetime"),
        Rule(field="text", select=("div.body",), take="html"),
        Rule(field="published", select=("time.date",), match=r"\d+ \w+ \d{4}"),
        Rule(field="tags", select=("ul.tags li",), many=True),
        Rule(field="links", select=(".by a",), many=True, take="@href"),
        Rule(field="photo", select=("figure",), fields=(Rule(field="caption", select=("figcaption",)),)),
        Rule(field="photos", select=("figure",), many=True, fields=(Rule(field="src", select=("img",), take="@src"),)),
        Rule(field="photos", select=("img",), many=True, fields=(Rule(field="src", select=("self::*",), take="@src"),)),
        Rule(field="tags", select=("ul.tags li", "h2"), many=True),
    ],
)
def test_rules_come_back_from_css_formats(format_name: str, rule: Rule) -> None:
    original = a_map(rule, index=(IndexPage(url="https://example.com/", items=("a.card",), next=("a.next",)),))
    back = read_foreign(write_foreign(original, format_name).result, format_name, "example.com")
    assert not back.lost
    if format_name == "webscraper":
        assert back.result == original
    assert values_of(back.result) == values_of(original)
    assert values_of(original)


def test_a_name_used_twice_comes_back() -> None:
    inner = Rule(field="name", select=("figcaption",))
    original = replace(
        a_map(Rule(field="name", select=("h1",)), Rule(field="items", select=("figure",), many=True, fields=(inner,))),
        domain="shop",
        index=(IndexPage(url="https://example.com/", items=("a",)),),
    )
    written = write_foreign(original, "webscraper")
    assert not written.lost
    assert '"id": "items.name"' in written.result
    assert read_foreign(written.result, "webscraper", "example.com").result == original


@pytest.mark.parametrize(
    ("rule", "formats", "sentence"),
    [
        (Rule(field="text", select=("p",), remove=(".ad",)), ["webscraper", "crawl4ai"], "remove selectors have no"),
        (Rule(field="title", take="jsonld:Article.name"), READABLE, "JSON-LD paths have no"),
        (Rule(field="title", select=("//h1",)), ["webscraper"], "the XPath //h1 has no"),
        (Rule(field="title", select=("h1", "h2")), ["webscraper"], "the order of its selectors is lost"),
        (Rule(field="title", select=("h1",), match="a (b)"), ["webscraper", "ftr"], "match 'a (b)'"),
        (Rule(field="title", select=("h1",), parse="date.v1"), READABLE, "parse: date.v1 has no"),
        (Rule(field="tags", select=("li",), many=True), ["ftr"], "the field tags has no"),
        (Rule(field="tags", select=("li",), many=True), ["crawl4ai"], "has no lists of plain values"),
        (Rule(field="title", select=("(//h1)[1]",)), ["crawl4ai"], "the selector (//h1)[1] has no"),
    ],
)
def test_what_a_format_cannot_say_of_a_rule_is_listed(rule: Rule, formats: list[str], sentence: str) -> None:
    for name in formats:
        lost = write_foreign(a_map(rule), name).lost
        assert any(found.startswith(f"rule article/{rule.field}: ") and sentence in found for found in lost)


def test_what_a_format_cannot_say_of_a_site_is_listed() -> None:
    rich = ExtractionMap(
        site="example.com",
        domain="shop",
        version=4,
        language="de",
        timezone="Europe/Berlin",
        date_formats=("%d",),
        render="browser",
        templates=(
            Template(
                name="story",
                url="/a/",
                probe="h1",
                render="static",
                rules=(Rule(field="title", select=("h1",), support=Support(1, 1), edited=True, fragile=True),),
            ),
            Template(name="other"),
        ),
        index=(IndexPage(url="https://example.com/", weight=3, seed=("/a",), banned=("/b",), category="C"),),
    )
    always = "version language timezone date_formats render support edited fragile"
    wanted = {
        "webscraper": "domain url probe other weight seed banned category",
        "ftr": "domain url probe other index",
        "crawl4ai": "domain url probe other index",
        "scrapy": "parsers weight seed banned category",
        "webpoet": "parsers index",
    }
    for name, words in wanted.items():
        lost = "\n".join(write_foreign(rich, name).lost)
        assert not [word for word in f"{always} {words}".split() if word not in lost], name


CSS = st.sampled_from(
    ["h1", "h2", "p", ".body > p", "ul.tags li", "figcaption", "a[href]", "li:nth-of-type(2)", ".by a, h2"]
)
XPATHS = st.sampled_from(
    ["//h1", "//figure//figcaption", "//ul/li[2]", "//time/@datetime", "string(//h1)", "(//li)[2]"]
)
TAKES = st.sampled_from(["text", "text", "html", "@datetime", "@href", "@class", "jsonld:NewsArticle.author.name"])
MATCHES = st.sampled_from(["", "", r"\w+", r"(\w)\w+", r"^(.{3})", "(t.*)"])
NAMES = st.sampled_from(["title", "subtitle", "published", "text", "authors", "tags", "extra", "some-field"])


def rules(inner: st.SearchStrategy[tuple[Rule, ...]]) -> st.SearchStrategy[tuple[Rule, ...]]:
    one = st.builds(
        Rule,
        field=NAMES,
        select=st.lists(CSS | XPATHS, min_size=1, max_size=3, unique=True).map(tuple),
        remove=st.lists(st.sampled_from([".promo", "figure", "b"]), max_size=2, unique=True).map(tuple),
        take=TAKES,
        many=st.booleans(),
        match=MATCHES,
        fields=inner,
    )
    return st.lists(one, min_size=1, max_size=4).map(tuple)


def plain_rules(selectors: st.SearchStrategy[str], names: Any, inner: Any) -> st.SearchStrategy[tuple[Rule, ...]]:
    """Rules that most formats can say: one selector, a field of its own."""
    one = st.builds(
        Rule,
        field=names,
        select=selectors.map(lambda selector: (selector,)),
        take=st.sampled_from(["text", "text", "@class", "html"]),
        many=st.booleans(),
        match=st.sampled_from(["", "", "", r"\w+", "(t.*)"]),
        fields=inner,
    )
    return st.lists(one, min_size=1, max_size=4, unique_by=lambda rule: rule.field).map(tuple)


LEAVES = rules(st.just(()))
PLAIN_LEAVES = plain_rules(CSS, NAMES, st.just(()))
FTR_NAMES = st.sampled_from(["title", "published", "text", "authors"])
MAPS = st.builds(
    ExtractionMap,
    site=st.just("example.com"),
    templates=st.builds(
        Template,
        name=st.just("article"),
        rules=st.one_of(
            rules(st.just(()) | LEAVES),
            plain_rules(CSS, NAMES, st.just(()) | PLAIN_LEAVES),
            plain_rules(CSS | XPATHS, FTR_NAMES, st.just(())),
        ),
    ).map(lambda template: (template,)),
    index=st.sampled_from([(), (IndexPage(url="https://example.com/", items=("a.card",)),)]),
)


@pytest.mark.parametrize("format_name", READABLE)
@given(original=MAPS)
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_not_listed_as_lost_comes_back(format_name: str, original: ExtractionMap) -> None:
    written = write_foreign(original, format_name)
    back = read_foreign(written.result, format_name, "example.com")
    assert parse_map(dump_map(back.result)).site == "example.com"
    before, after = values_of(original), values_of(back.result)
    # a list of objects with one entry each is crawl4ai's list of plain values, and comes back as that
    lost = [one for one in (*written.lost, *back.lost) if "no lists of plain values" not in one]
    for field in {rule.field for rule in original.templates[0].rules}:
        if not any(one.startswith((f"rule article/{field}:", f"rule article/{field}/")) for one in lost):
            assert after.get(field) == before.get(field), (field, written.result, lost)


@given(MAPS)
@settings(deadline=None, max_examples=50)
def test_generated_code_compiles(original: ExtractionMap) -> None:
    for name in ("scrapy", "webpoet"):
        compile(write_foreign(original, name).result, name, "exec")


# Generated code, run


ARTICLE = Template(
    name="article",
    url=r"/news/\d+",
    probe="article.story h1",
    rules=(
        Rule(field="title", select=("h9", "article.story h1", "title")),
        Rule(field="heading", select=('//meta[@property="og:title"]/@content',)),
        Rule(field="published", take="jsonld:NewsArticle.datePublished", match=r"^(\d{4})-(\d\d)"),
        Rule(field="modified", take="jsonld:Article.dateModified"),
        Rule(field="modified", select=("time",), take="@datetime"),
        Rule(field="text", select=("div.body h2", "div.body p"), remove=(".promo", "//b"), many=True),
        Rule(field="markup", select=("h1",), take="html"),
        Rule(field="authors", take="jsonld:NewsArticle.author.name", many=True),
        Rule(field="subtitle", select=(".nothing-here",)),
        Rule(
            field="images",
            select=("article figure",),
            many=True,
            fields=(
                Rule(field="url", select=("img",), take="@src"),
                Rule(field="caption", select=("article.story figcaption", "xpath:em")),
                Rule(field="caption", select=("self::*",)),
            ),
        ),
        Rule(field="lead", select=(".by",), fields=(Rule(field="who", select=("./a[2]",)),)),
    ),
)
GALLERY = Template(name="gallery", probe=".gallery", rules=(Rule(field="title", select=(".gallery h2",)),))
WHOLE = ExtractionMap(site="127.0.0.1", version=2, templates=(ARTICLE, GALLERY))
ARTICLE_VALUES = {
    "title": "The real title",
    "heading": "Meta title",
    "published": "2024",
    "modified": "2024-05-01",
    "text": ["First paragraph.", "Between", "Second ."],
    "markup": "The <em>real</em> title",
    "authors": ["Ann", "Bo"],
    "images": [{"url": "/1.jpg", "caption": "One"}, {"url": "/2.jpg", "caption": "Two"}],
    "lead": {"who": "Bo"},
}
GALLERY_PAGE = "<div class=gallery><h2>Pictures</h2></div>"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Serve a folder on the loopback, and yield it with its address."""
    folder = tmp_path / "site"
    (folder / "news").mkdir(parents=True)
    (folder / "news" / "1").mkdir()
    (folder / "news" / "1" / "index.html").write_text(PAGE, "utf-8")
    (folder / "pictures.html").write_text(GALLERY_PAGE, "utf-8")
    (folder / "index.html").write_text(
        '<a class="card" href="/news/1/">1</a> <a class="more" href="/2.html">2</a>', "utf-8"
    )
    (folder / "2.html").write_text('<a class="card" href="pictures.html">3</a><a href="mailto:a@b">4</a>', "utf-8")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


def run_spider(source: str, folder: Path, *options: str) -> list[dict[str, Any]]:
    spider, records = folder / "spider.py", folder / "records.jsonl"
    spider.write_text(source, "utf-8")
    command = [sys.executable, "-m", "scrapy", "runspider", str(spider), "-o", str(records), "-s", "LOG_LEVEL=WARNING"]
    done = subprocess.run([*command, *options], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return [json.loads(line) for line in records.read_text("utf-8").splitlines()]


def test_the_spider_follows_index_pages(site: tuple[Path, str]) -> None:
    folder, address = site
    index = IndexPage(url=f"{address}/", items=("a.card",), next=("a.more",))
    written = write_foreign(replace(WHOLE, index=(index,)), "scrapy")
    records = {record.pop("url"): record for record in run_spider(written.result, folder.parent)}
    assert records == {
        f"{address}/news/1/": ARTICLE_VALUES,
        f"{address}/pictures.html": {"title": "Pictures"},
    }


def test_the_spider_takes_urls(site: tuple[Path, str]) -> None:
    folder, address = site
    urls = f"urls={address}/news/1/, {address}/2.html"
    source = write_foreign(WHOLE, "scrapy").result
    assert run_spider(source, folder.parent, "-a", urls) == [{"url": f"{address}/news/1/", **ARTICLE_VALUES}]


def load_module(source: str, folder: Path) -> Any:
    path = folder / "page_object.py"
    path.write_text(source, "utf-8")
    spec = importlib.util.spec_from_file_location("page_object", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page_class_of(extraction_map: ExtractionMap, folder: Path) -> Any:
    """Load the page object of a map; web-poet warns where a site has two, so each test has a site of its own."""
    module = load_module(write_foreign(extraction_map, "webpoet").result, folder)
    (found,) = (found for name, found in vars(module).items() if name.endswith("Page") and name != "WebPage")
    return found


def read_with(page_class: Any, url: str, html: str) -> dict[str, Any]:
    page = page_class(response=HttpResponse(url, body=html.encode(), encoding="utf-8"))
    item: dict[str, Any] = asyncio.run(page.to_item())
    return {name: value for name, value in item.items() if value}


def test_the_page_object_reads_each_kind_of_page(tmp_path: Path) -> None:
    page_class = page_class_of(replace(WHOLE, site="kinds.example"), tmp_path)
    assert read_with(page_class, "http://kinds.example/news/1", PAGE) == ARTICLE_VALUES
    assert read_with(page_class, "http://kinds.example/x", GALLERY_PAGE) == {"title": "Pictures"}
    assert read_with(page_class, "http://kinds.example/x", PAGE) == {}


def test_the_page_object_of_one_template_reads_every_page(tmp_path: Path) -> None:
    names = ("url", "response", "class", "some-field")
    headings = replace(a_map(*(Rule(field=name, select=("h1",)) for name in names)), site="one.example")
    found = read_with(page_class_of(headings, tmp_path), "http://one.example/", PAGE)
    assert found == dict.fromkeys(("url", "response_", "class_", "some_field"), "The real title")


def names_of_pages() -> list[str]:
    return [name for name in dir(WebPage) if not name.startswith("__") and name != "url"]


@pytest.mark.parametrize(
    ("site", "fields", "methods"),
    [
        ("x²", ["preis_m²", "title"], ["preis_m", "title"]),
        ("own.example", ["field", "Any", "kind_of_page", "x"], ["field_", "Any_", "kind_of_page_", "x"]),
        ("dunder.example", ["__init__", "__x", "__class__", "__"], ["init", "x", "class_", "unnamed"]),
        ("signs.example", ["_名-", "_字-", "_文-", "_名"], ["unnamed", "unnamed_", "unnamed__2", "_名"]),
        ("ligature.example", ["_fi", "_ﬁ"], ["_fi", "unnamed"]),
        ("webpage.example", names_of_pages(), [f"{name}_" for name in names_of_pages()]),
    ],
)
def test_page_objects_have_no_field_whose_name_python_or_web_poet_needs(
    site: str, fields: list[str], methods: list[str], tmp_path: Path
) -> None:
    headings = replace(a_map(*(Rule(field=name, select=("h1",)) for name in fields)), site=site)
    found = read_with(page_class_of(headings, tmp_path), f"http://{site}/", PAGE)
    assert found == dict.fromkeys(methods, "The real title")
    lost = write_foreign(headings, "webpoet").lost
    for field, method in zip(fields, methods, strict=True):
        assert any(one.endswith(f"it is {method} there") for one in lost) == (field != method)


def test_functions_of_generated_code_do_not_hide_each_other(tmp_path: Path) -> None:
    names = ("all", "ALL", "first", "jsonld", "object", "objects", "a²", "a", "名")
    inner = (Rule(field="objects", select=("h1",)), Rule(field="名", select=("h1",)))
    rules = (Rule(field="²", select=("article",), many=True, fields=inner), Rule(field="h", select=("h1",)))
    templates = tuple(Template(name=name, url=f"/{number}$", rules=rules) for number, name in enumerate(names))
    whole = ExtractionMap(site="x²", templates=templates)
    wanted = {"²": [dict.fromkeys(("objects", "名"), "The real title")], "h": "The real title"}
    spider = load_module(write_foreign(whole, "scrapy").result, tmp_path)
    for _, _, read in spider.TEMPLATES:
        assert read(Selector(PAGE)) == wanted
    page_class = page_class_of(replace(whole, site="functions.example"), tmp_path)
    for number in range(len(names)):
        found = read_with(page_class, f"http://functions.example/{number}", PAGE)
        assert found == {"unnamed": wanted["²"], "h": wanted["h"]}


def test_a_foreign_name_never_becomes_one_that_records_need() -> None:
    labels = ("Error Code", "error_detail", "id!", "İd x")
    result = read_selectors(*({"id": label, "selector": "h1"} for label in labels)).result
    assert [rule.field for rule in result.templates[0].rules] == ["error_code_", "error_detail_", "id_", "i_d_x"]
    assert parse_map(dump_map(result)) == result


def test_generated_code_reads_what_sitewright_reads(tmp_path: Path) -> None:
    """Where no parser changes the text, the page object and the extractor agree."""
    plain = a_map(
        Rule(field="a", select=("h1",)),
        Rule(field="b", select=("div.body p", "h2"), many=True, remove=(".promo",)),
        Rule(field="c", select=("time",), take="@datetime"),
        Rule(field="d", select=("ul.tags > li", "//figcaption"), many=True),
        Rule(field="e", select=("figure",), many=True, fields=(Rule(field="f", select=("figcaption",)),)),
        Rule(field="g", take="jsonld:NewsArticle.author.name", many=True),
        Rule(field="h", select=("div.body",), match=r"Second (\w+)"),
    )
    assert read_with(page_class_of(plain, tmp_path), "https://example.com/news/1", PAGE) == values_of(plain)


@pytest.mark.parametrize(
    ("selector", "value"),
    [
        ("p:not(.promo, .promo p)", "First paragraph."),
        ("li:nth-child(2 of li)", "two"),
        ("li:is(ul > li)", "one"),
        ("a:any-link", "Ann"),
        (".by:first-of-type", None),
    ],
)
def test_css_that_parsel_does_not_know_becomes_xpath(selector: str, value: str | None, tmp_path: Path) -> None:
    site = f"{sum(map(ord, selector))}.example"  # web-poet wants a site for each page object
    one = replace(a_map(Rule(field="title", select=(selector,))), site=site)
    written = write_foreign(one, "webpoet")
    assert any(f"parsel cannot run {selector}" in sentence for sentence in written.lost)
    assert read_with(page_class_of(one, tmp_path), f"http://{site}/", PAGE).get("title") == value


TRICKY = 'p[title="a \\"quoted\\" it\'s"], ' + ", ".join(f"div.very-long-class-name-{n}" for n in range(12))


@pytest.mark.parametrize("format_name", ["scrapy", "webpoet"])
def test_generated_code_is_clean_and_holds_the_selectors(format_name: str, tmp_path: Path) -> None:
    index = (IndexPage(url="https://example.com/", items=("a.card", "//h3/a/@href"), next=("a.next",)),)
    extra = Template(name="odd.one-1", rules=(Rule(field="title", select=(TRICKY,), match=r'"\d"'),))
    whole = replace(WHOLE, site='24."""hu', index=index, templates=(*WHOLE.templates, extra))
    assert not check_selector(TRICKY)
    source = write_foreign(whole, format_name).result
    path = tmp_path / "generated.py"
    path.write_text(source, "utf-8")
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, "--no-cache", "--config", str(PYPROJECT), str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "sitewright" not in source.replace("Sitewright", "")
    for rule in ARTICLE.rules:
        for selector in (*rule.select, *rule.remove):
            assert selector in source
