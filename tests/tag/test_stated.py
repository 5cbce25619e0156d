"""What a page states about itself, value by value, with its source."""

import json

import pytest

from sitewright.domains import load_domain
from sitewright.parse import PAGE_SOURCES, parse
from sitewright.tag.stated import path_words, stated_values
from sitewright.types import Page

STATED_FIELDS = ("title", "subtitle", "published", "modified", "authors", "categories", "tags", "site_name")


def _sources(field: str) -> tuple[str, ...]:
    return PAGE_SOURCES[field] if field in PAGE_SOURCES else load_domain("news").fields[field].sources


META = sorted(
    {source.removeprefix("meta:") for f in STATED_FIELDS for source in _sources(f) if source.startswith("meta:")}
)
ARTICLE = {
    "headline": "Bees",
    "alternativeHeadline": "They are back",
    "description": "After nine years",
    "datePublished": "2024-05-06",
    "dateModified": "2024-05-07",
    "author.name": "Ann Lee",
    "articleSection": "Nature",
    "keywords": "honey",
    "publisher.name": "The Lantern",
}


def stated(html: str, url: str = "https://www.example.com/a") -> list[tuple[str, str]]:
    return list(stated_values(parse(Page(url=url, body=html))))


def jsonld(*nodes: object) -> str:
    return "".join(f'<script type="application/ld+json">{json.dumps(node)}</script>' for node in nodes)


@pytest.mark.parametrize("name", META)
def test_every_known_meta_name_is_read(name: str) -> None:
    assert stated(f'<meta name="{name}" content="Значение">') == [(f"meta:{name}", "Значение")]


@pytest.mark.parametrize("attribute", ["name", "property", "itemprop", "http-equiv"])
def test_the_name_of_a_meta_tag_may_stand_in_several_attributes(attribute: str) -> None:
    assert stated(f'<meta {attribute}="datePublished" content="2024-05-06">') == [("meta:datepublished", "2024-05-06")]


@pytest.mark.parametrize("path", ARTICLE)
def test_every_known_key_of_an_article_is_read(path: str) -> None:
    key, _, inner = path.partition(".")
    value = {"name": ARTICLE[path]} if inner else ARTICLE[path]
    assert stated(jsonld({"@type": "NewsArticle", key: value})) == [(f"jsonld:{path}", ARTICLE[path])]


@pytest.mark.parametrize(
    "key", ["headline", "description", "datePublished", "dateModified", "author", "articleSection", "keywords"]
)
def test_microdata_is_read(key: str) -> None:
    html = f'<div itemscope itemtype="https://schema.org/NewsArticle"><p itemprop="{key}">Πλοίο</p></div>'
    assert stated(html) == [(f"microdata:{key}", "Πλοίο")]


def test_the_title_is_read_and_the_sources_of_a_field_come_together() -> None:
    html = (
        "<title>渡轮 - 灯笼报</title><meta name=author content=李安娜><meta property=og:title content=渡轮>"
        + jsonld({"@type": "NewsArticle", "headline": "渡轮", "author": {"name": "李安娜"}})
    )
    assert stated(html) == [
        ("jsonld:headline", "渡轮"),
        ("meta:og:title", "渡轮"),
        ("title", "渡轮 - 灯笼报"),
        ("jsonld:author.name", "李安娜"),
        ("meta:author", "李安娜"),
    ]


@pytest.mark.parametrize(
    ("html", "entries"),
    [
        ("<meta name=keywords content='bees, roofs;honey'>", ["bees", "roofs", "honey"]),
        ("<meta name=keywords content='蜂蜜，屋顶、城市'>", ["蜂蜜", "屋顶", "城市"]),
        ("<meta name=news_keywords content='نحل، عسل'>", ["نحل", "عسل"]),
        ("<meta property=article:tag content=bees><meta property=article:tag content=roofs>", ["bees", "roofs"]),
        (jsonld({"@type": "NewsArticle", "keywords": ["bees", "roofs"]}), ["bees", "roofs"]),
        (jsonld({"@type": "NewsArticle", "keywords": "bees,roofs"}), ["bees", "roofs"]),
        (jsonld({"@type": "Recipe", "keywords": "bees,roofs"}), ["bees", "roofs"]),
        ("<meta name=keywords content=', ,bees,,'>", ["bees"]),
        ("<meta name=keywords content='" + ",".join(map(str, range(100))) + "'>", [str(n) for n in range(40)]),
    ],
)
def test_keywords_are_read_one_by_one(html: str, entries: list[str]) -> None:
    assert [value for _, value in stated(html)] == entries


def test_a_title_with_commas_stays_whole() -> None:
    assert stated("<title>Bees, honey, roofs</title>") == [("title", "Bees, honey, roofs")]


def test_breadcrumbs_are_read_level_by_level() -> None:
    levels = [
        {"@type": "ListItem", "position": 1, "name": "Главная"},
        {"@type": "ListItem", "position": 2, "item": {"@id": "https://example.com/sport", "name": "Спорт"}},
        {"@type": "ListItem", "position": 3, "item": "https://example.com/x"},
    ]
    found = stated(jsonld({"@type": "BreadcrumbList", "itemListElement": levels}))
    assert found == [("jsonld:breadcrumb", "Главная"), ("jsonld:breadcrumb", "Спорт")]


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("/2022/11/29/bees", "2022-11-29"),
        ("/news/2022-11-29-bees", "2022-11-29"),
        ("/news/20221129/bees.html", "2022-11-29"),
        ("/2022/1/9/bees", "2022-01-09"),
        ("/2022_03_04/bees", "2022-03-04"),
        ("/bees-20221129.html", "2022-11-29"),
        ("/2022/11-29/bees", None),
        ("/2022/13/29/bees", None),
        ("/20221329/bees", None),
        ("/2022/11/bees", None),
        ("/1202211290/bees", None),
        ("/article/123456789", None),
        ("/1822/11/29/bees", None),
        ("/bees?date=2022-11-29", None),
    ],
)
def test_a_date_in_the_address_is_stated(path: str, day: str | None) -> None:
    found = dict(stated("<p>x", f"https://www.example.com{path}"))
    assert found.get("url:date") == day


def test_items_of_other_types_state_what_they_have() -> None:
    recipe = {"@type": "Recipe", "headline": "Honig", "datePublished": "2024-05-06", "author": {"name": "Ann Lee"}}
    page = {"@type": "WebPage", "dateModified": "2024-05-07", "author": "Bo Ek", "keywords": "a,b"}
    assert stated(jsonld(recipe, page)) == [
        ("jsonld:other.datePublished", "2024-05-06"),
        ("jsonld:other.headline", "Honig"),
        ("jsonld:other.author", "Ann Lee"),
        ("jsonld:other.dateModified", "2024-05-07"),
        ("jsonld:other.author", "Bo Ek"),
        ("jsonld:other.keywords", "a"),
        ("jsonld:other.keywords", "b"),
    ]


@pytest.mark.parametrize(
    ("html", "value"),
    [
        (jsonld({"@type": "NewsArticle", "headline": "Bees &amp; honey &#8211; again"}), "Bees & honey – again"),
        ("<meta property=og:title content='Bees &amp;amp; honey'>", "Bees & honey"),
        ("<title>  नौका \n\u200b लौटी </title>", "नौका लौटी"),
    ],
)
def test_values_are_cleaned(html: str, value: str) -> None:
    assert stated(html)[0][1] == value


@pytest.mark.parametrize(
    "html",
    [
        "<meta name=viewport content=width=device-width>",
        "<meta property=og:image content=/a.jpg>",
        "<meta name=robots content=index>",
        "<meta property=article:author content=https://www.example.com/ann>",
        "<meta name=author content=' '>",
        "<meta property=og:url content=/a>",
        "<meta name=theme-color content=#fff>",
        f"<meta name=description content='{'x' * 1001}'>",
    ],
)
def test_what_tells_nothing_is_left_out(html: str) -> None:
    assert stated(html) == []


def test_other_meta_names_are_read_last_and_no_more_than_forty() -> None:
    html = "".join(f"<meta name=own-{n} content=v{n}>" for n in range(100))
    found = stated(f"{html}<title>T</title>")
    assert found[0] == ("title", "T")
    assert found[1:] == [(f"meta:own-{n}", f"v{n}") for n in range(40)]


def test_a_value_is_stated_once_a_source() -> None:
    html = "<meta name=author content='Ann'><meta name=author content='Ann '><meta name=dc.creator content=Ann>"
    assert stated(html) == [("meta:author", "Ann"), ("meta:dc.creator", "Ann")]


@pytest.mark.parametrize(
    "broken",
    [
        '{"@type": "NewsArticle", "headline": null, "author": [null, 3, {}], "keywords": {"a": 1}}',
        '[[[[{"@type": []}]]]]',
        '{"@type": "BreadcrumbList", "itemListElement": "x"}',
        '{"@type": "BreadcrumbList", "itemListElement": [1, null, {"item": null}, {"name": 5}]}',
        '{"@type": 7, "headline": {"headline": {}}}',
        "not json at all",
    ],
)
def test_broken_json_ld_costs_only_itself(broken: str) -> None:
    found = stated(f'<title>T</title><script type="application/ld+json">{broken}</script>')
    assert ("title", "T") in found
    assert all(isinstance(value, str) and value for _, value in found)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://example.com/Welt/%D0%BF%D1%87%D1%91%D0%BB%D1%8B_back.html", ["welt", "пчёлы back html"]),
        ("https://example.com", []),
        ("", []),
        ("https://example.com//a//", ["a"]),
    ],
)
def test_the_words_of_an_address(url: str, words: list[str]) -> None:
    assert path_words(url) == words


@pytest.mark.parametrize(
    ("offers", "meant"),
    [
        (["https://schema.org/InStock"], ["InStock"]),
        (["out_of_stock"], ["OutOfStock"]),
        (["http://schema.org/OutOfStock", "http://schema.org/InStock"], ["InStock"]),  # one of them can be had
        (["someday"], []),
    ],
)
def test_phrases_are_stated_by_what_they_mean(offers: list[str], meant: list[str]) -> None:
    html = jsonld({"@type": "Product", "offers": [{"availability": said} for said in offers]})
    found = stated_values(parse(Page(url="https://www.example.com/a", body=html)), "shop")
    assert [value for source, value in found if source == "jsonld:offers.availability"] == meant
