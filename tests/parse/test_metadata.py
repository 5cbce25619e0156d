import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.domains import load_domain
from sitewright.parse import PAGE_SOURCES, Document, Fact, parse, read_jsonld
from sitewright.types import Page


def document(head: str, body: str = "") -> Document:
    return parse(Page(url="https://example.com/", body=f"<html><head>{head}</head><body>{body}</body></html>"))


def jsonld(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return f'<script type="application/ld+json">{text}</script>'


def stated(page: Document, field: str) -> list[Fact]:
    """Return what a page states for a field of news, or about itself."""
    news = load_domain("news")
    sources = news.fields[field].sources if field in news.fields else PAGE_SOURCES[field]
    return list(page.metadata.facts(sources, news.types))


def facts(head: str, field: str, body: str = "") -> list[tuple[str, object]]:
    return [(fact.source, fact.value) for fact in stated(document(head, body), field)]


ARTICLE = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "H",
    "alternativeHeadline": "A",
    "description": "D",
    "datePublished": "2024-05-06T07:08:09Z",
    "dateModified": "2024-05-07",
    "author": {"@type": "Person", "name": "Ann Lee"},
    "articleSection": "World",
    "keywords": ["one", "two"],
    "image": {"@type": "ImageObject", "url": "https://example.com/a.jpg"},
    "publisher": {"@type": "Organization", "name": "Lantern"},
    "inLanguage": "en",
}


@pytest.mark.parametrize(
    ("field", "source", "values"),
    [
        ("title", "jsonld:headline", ["H"]),
        ("published", "jsonld:datePublished", ["2024-05-06T07:08:09Z"]),
        ("modified", "jsonld:dateModified", ["2024-05-07"]),
        ("authors", "jsonld:author.name", ["Ann Lee"]),
        ("categories", "jsonld:articleSection", ["World"]),
        ("tags", "jsonld:keywords", ["one", "two"]),
        ("images", "jsonld:image", [{"@type": "ImageObject", "url": "https://example.com/a.jpg"}]),
        ("site_name", "jsonld:publisher.name", ["Lantern"]),
        ("language", "jsonld:inLanguage", ["en"]),
    ],
)
@pytest.mark.parametrize(
    "shape",
    [
        lambda article: article,
        lambda article: [article],
        lambda article: [{"@type": "WebSite", "name": "x"}, article],
        lambda article: {"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, article]},
        lambda article: {"@type": "WebPage", "mainEntity": article},
        lambda article: {**article, "@type": ["NewsArticle", "Article"]},
        lambda article: {**article, "@type": "http://schema.org/NewsArticle"},
        lambda article: {**article, "@type": "schema:NewsArticle"},
        lambda article: {**article, "@type": "BlogPosting"},
    ],
    ids=["object", "array", "beside", "graph", "nested", "types", "url type", "prefixed type", "blog"],
)
def test_facts_of_jsonld(field: str, source: str, values: list[object], shape: object) -> None:
    assert callable(shape)
    assert facts(jsonld(shape(ARTICLE)), field) == [(source, value) for value in values]


def test_subtitle_is_stated_twice() -> None:
    assert facts(jsonld(ARTICLE), "subtitle") == [("jsonld:alternativeHeadline", "A"), ("jsonld:description", "D")]


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("Ann Lee", ["Ann Lee"]),
        ({"name": "Ann Lee"}, ["Ann Lee"]),
        (["Ann Lee", "Bo Ek"], ["Ann Lee", "Bo Ek"]),
        ([{"name": "Ann Lee"}, {"name": "Bo Ek"}], ["Ann Lee", "Bo Ek"]),
        ([{"name": "Ann Lee"}, "Bo Ek"], ["Ann Lee", "Bo Ek"]),
        ({"name": ["Ann Lee", "Bo Ek"]}, ["Ann Lee", "Bo Ek"]),
        ([[{"name": "Ann Lee"}], [["Bo Ek"]]], ["Ann Lee", "Bo Ek"]),
        ({"@id": "#ann"}, ["Ann Lee"]),
        ([{"@id": "#ann"}, {"@id": "#bo"}], ["Ann Lee", "Bo Ek"]),
        ({"@id": "#nobody"}, []),
        ("", []),
        (None, []),
        ([], []),
        ({}, []),
    ],
)
def test_authors_of_jsonld(author: object, names: list[str]) -> None:
    graph = [
        {"@type": "NewsArticle", "author": author},
        {"@type": "Person", "@id": "#ann", "name": "Ann Lee"},
        {"@type": "Person", "@id": "#bo", "name": "Bo Ek"},
    ]
    assert [value for _, value in facts(jsonld({"@graph": graph}), "authors")] == names


def test_references_cross_blocks() -> None:
    head = jsonld({"@type": "NewsArticle", "author": {"@id": "#ann"}}) + jsonld({"@id": "#ann", "name": "Ann"})
    assert facts(head, "authors") == [("jsonld:author.name", "Ann")]


def test_references_in_a_circle_end() -> None:
    ring = [{"@id": "#a", "@type": "NewsArticle", "author": {"@id": "#b"}}, {"@id": "#b", "author": {"@id": "#a"}}]
    assert facts(jsonld(ring), "authors") == []


@pytest.mark.parametrize(
    "text",
    [
        '{"@type": "NewsArticle", "headline": "H",}',
        '{"@type": "NewsArticle", "keywords": ["a", "b",], "headline": "H"}',
        '<!-- {"@type": "NewsArticle", "headline": "H"} -->',
        '//<![CDATA[\n{"@type": "NewsArticle", "headline": "H"}\n//]]>',
        '/* <![CDATA[ */ {"@type": "NewsArticle", "headline": "H"} /* ]]> */',
        '<![CDATA[{"@type": "NewsArticle", "headline": "H"}]]>',
        '{"@type": "NewsArticle", "headline": "H"};',
        '\ufeff{"@type": "NewsArticle", "headline": "H"}',
        '{"@type": "NewsArticle", "description": "two\nlines\tand a tab", "headline": "H"}',
        '{"@type": "NewsArticle", "headline": "H", "articleBody": "cut off he',
        '{"@type": "NewsArticle", "headline": "H", "author": {"name": "An',
        '{"@type": "NewsArticle", "headline": "H", "keywords": ["a", ',
        '{"@type": "NewsArticle", "headline": "H"',
        '[{"@type": "NewsArticle", "headline": "H"}',
        '{"@type": "NewsArticle", "headline": "H"} {"@type": "WebSite"}',
        '{"@type": "WebSite"}\n\n{"@type": "NewsArticle", "headline": "H"}',
        '{"@type": "WebSite"},{"@type": "NewsArticle", "headline": "H"}',
        "{&quot;@type&quot;: &quot;NewsArticle&quot;, &quot;headline&quot;: &quot;H&quot;}",
        '{"@type": "NewsArticle", "description": "x, ]", "headline": "H", }',
        '{"@type": "NewsArticle", "description": "a \\" quote, }", "headline": "H",}',
    ],
)
def test_broken_jsonld_is_mended(text: str) -> None:
    page = document(jsonld(text))
    metadata = page.metadata
    assert stated(page, "title") == [Fact("jsonld:headline", "H")]
    assert metadata.problems == ()


@pytest.mark.parametrize(
    "text",
    ["not json at all", "{{{", '{"a": }', "var data = {};", "{'single': 'quotes'}", "&lt;p&gt;", "]", '{"a" "b"}'],
)
def test_hopeless_jsonld_is_reported_and_the_rest_is_read(text: str) -> None:
    page = document(jsonld(text) + jsonld(ARTICLE))
    metadata = page.metadata
    assert stated(page, "title") == [Fact("jsonld:headline", "H")]
    assert len(metadata.problems) == 1
    assert metadata.problems[0].startswith("JSON-LD block 1:")


def test_an_empty_block_is_no_problem() -> None:
    assert document(jsonld("") + jsonld(" \n ")).metadata.problems == ()


@pytest.mark.parametrize(
    "text", ["null", "3", '"text"', "[]", "[1, [2, null]]", "{}", '{"@type": 3}', '{"@type": [null]}']
)
def test_jsonld_of_odd_shapes_states_nothing(text: str) -> None:
    assert facts(jsonld(text), "title") == []


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_jsonld_that_is_too_deep_does_no_harm(text: str) -> None:
    assert facts(jsonld(text) + jsonld(ARTICLE), "title") == [("jsonld:headline", "H")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["@type", "@id", "@graph", "headline", "author", "name"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(JSON)
def test_any_json_is_read_without_error(value: object) -> None:
    page = read_jsonld([json.dumps(value)])
    assert page.problems == ()
    assert isinstance(page.find("NewsArticle.headline"), list)
    assert isinstance(page.find("author.name"), list)


@given(st.text(max_size=60))
def test_any_text_is_read_or_reported(text: str) -> None:
    page = read_jsonld([text])
    assert len(page.problems) <= 1
    assert not (page.problems and page.nodes)


def test_find_takes_any_type_or_a_type() -> None:
    page = read_jsonld(
        ['{"@type": "Product", "offers": {"price": "9"}, "name": "Lamp"}', '{"@type": "Other", "name": "x"}']
    )
    assert page.find("Product.offers.price") == ["9"]
    assert page.find("*.offers.price") == ["9"]
    assert page.find("offers.price") == ["9"]
    assert page.find("Other.name") == ["x"]
    assert page.find("Product.missing") == []


MICRODATA = """
<article itemscope itemtype="https://schema.org/NewsArticle">
  <h1 itemprop="headline"> Micro   head </h1>
  <time itemprop="datePublished" datetime="2024-05-06">May 6</time>
  <meta itemprop="dateModified" content="2024-05-07">
  <span itemprop="author" itemscope itemtype="https://schema.org/Person"><b itemprop="name">Ann Lee</b></span>
  <span itemprop="author">Bo Ek</span>
  <span itemprop="articleSection">World</span>
  <img itemprop="image" src="/a.jpg">
</article>
<div itemscope itemtype="https://schema.org/Product"><i itemprop="headline">not this</i></div>
"""


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("title", ["Micro head"]),
        ("published", ["2024-05-06"]),
        ("modified", ["2024-05-07"]),
        ("authors", ["Ann Lee", "Bo Ek"]),
        ("categories", ["World"]),
    ],
)
def test_facts_of_microdata(field: str, values: list[str]) -> None:
    found = [value for source, value in facts("", field, MICRODATA) if source.startswith("microdata:")]
    assert found == values


@pytest.mark.parametrize(
    ("tag", "field", "source", "value"),
    [
        ('<meta property="og:title" content="T">', "title", "meta:og:title", "T"),
        ('<meta name="og:title" content="T">', "title", "meta:og:title", "T"),
        ('<meta property="OG:Title" content=" T  x ">', "title", "meta:og:title", "T x"),
        ('<meta name="twitter:title" content="T">', "title", "meta:twitter:title", "T"),
        ('<meta name="DC.title" content="T">', "title", "meta:dc.title", "T"),
        ('<meta name="dc:title" content="T">', "title", "meta:dc.title", "T"),
        ("<title>T</title>", "title", "title", "T"),
        ('<meta property="og:description" content="D">', "subtitle", "meta:og:description", "D"),
        ('<meta name="twitter:description" content="D">', "subtitle", "meta:twitter:description", "D"),
        ('<meta name="description" content="D">', "subtitle", "meta:description", "D"),
        ('<meta property="article:published_time" content="P">', "published", "meta:article:published_time", "P"),
        ('<meta name="DC.date.issued" content="P">', "published", "meta:dc.date.issued", "P"),
        ('<meta name="DCTERMS.created" content="P">', "published", "meta:dcterms.created", "P"),
        ('<meta name="dcterms:created" content="P">', "published", "meta:dcterms.created", "P"),
        ('<meta name="pubdate" content="P">', "published", "meta:pubdate", "P"),
        ('<meta name="parsely-pub-date" content="P">', "published", "meta:parsely-pub-date", "P"),
        ('<meta name="sailthru.date" content="P">', "published", "meta:sailthru.date", "P"),
        ('<meta property="article:modified_time" content="M">', "modified", "meta:article:modified_time", "M"),
        ('<meta property="og:updated_time" content="M">', "modified", "meta:og:updated_time", "M"),
        ('<meta http-equiv="Last-Modified" content="M">', "modified", "meta:last-modified", "M"),
        ('<meta name="author" content="A">', "authors", "meta:author", "A"),
        ('<meta name="dc.Creator" content="A">', "authors", "meta:dc.creator", "A"),
        ('<meta property="article:author" content="A">', "authors", "meta:article:author", "A"),
        ('<meta property="article:section" content="S">', "categories", "meta:article:section", "S"),
        ('<meta property="article:tag" content="K">', "tags", "meta:article:tag", "K"),
        ('<meta name="news_keywords" content="K">', "tags", "meta:news_keywords", "K"),
        ('<meta name="keywords" content="K">', "tags", "meta:keywords", "K"),
        ('<meta property="og:image" content="/i.jpg">', "images", "meta:og:image", "/i.jpg"),
        ('<meta name="twitter:image" content="/i.jpg">', "images", "meta:twitter:image", "/i.jpg"),
        ('<meta property="og:site_name" content="N">', "site_name", "meta:og:site_name", "N"),
        ('<meta property="og:locale" content="en_GB">', "language", "meta:og:locale", "en_GB"),
        ('<link rel="canonical" href="/c">', "canonical", "canonical", "/c"),
        ('<link rel="Canonical alternate" href="/c">', "canonical", "canonical", "/c"),
        ('<meta property="og:url" content="/c">', "canonical", "meta:og:url", "/c"),
    ],
)
def test_facts_of_meta_tags(tag: str, field: str, source: str, value: str) -> None:
    assert facts(tag, field) == [(source, value)]


def test_the_most_trustworthy_source_comes_first() -> None:
    head = '<title>T</title><meta property="og:title" content="O">' + jsonld(ARTICLE)
    assert facts(head, "title", MICRODATA) == [
        ("jsonld:headline", "H"),
        ("microdata:headline", "Micro head"),
        ("meta:og:title", "O"),
        ("title", "T"),
    ]


def test_repeated_meta_tags_are_all_there_once() -> None:
    head = "".join(f'<meta property="article:tag" content="{tag}">' for tag in ("a", "b", "a", " "))
    assert [value for _, value in facts(head, "tags")] == ["a", "b"]


def test_a_field_that_no_page_states_has_no_facts() -> None:
    assert list(document("").metadata.facts(["jsonld:no_such_field"], ["NewsArticle"])) == []
    assert facts("", "title") == []


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ('<html lang="ru">', "ru"),
        ('<html lang=" en-GB ">', "en-GB"),
        ('<html xml:lang="fr">', "fr"),
        ("<html>", ""),
        ("", ""),
    ],
)
def test_language(html: str, language: str) -> None:
    assert parse(Page(url="https://example.com/", body=html + "<p>x")).metadata.language == language


def test_title_of_the_head_not_of_a_drawing() -> None:
    assert document("<title> The   page </title>", "<svg><title>Icon</title></svg>").metadata.title == "The page"
    assert document("", "<svg><title>Icon</title></svg>").metadata.title == ""


SEVERAL = (
    '<title>Kettle | Hearth</title><script type="application/ld+json">[{"@type": "Product", "name": "Pan", "sku": "1"}]'
    '</script><script type="application/ld+json">{"@type": "Product", "name": "Kettle"}</script>'
)


def test_of_several_items_the_one_counts_that_the_page_is_called_by() -> None:
    metadata = parse(Page(url="", body=SEVERAL)).metadata
    assert [fact.value for fact in metadata.facts(["jsonld:name", "jsonld:sku"], ["Product"])] == ["Kettle"]
    unnamed = parse(Page(url="", body=SEVERAL.replace("Kettle |", "Shop |"))).metadata
    assert [fact.value for fact in unnamed.facts(["jsonld:name", "jsonld:sku"], ["Product"])] == ["Pan", "1"]


def test_microdata_within_microdata_is_read_by_its_path() -> None:
    item = "<div itemscope itemtype='http://schema.org/{}'>{}</div>"
    offer = item.format("Offer", "<link itemprop=availability href='http://schema.org/OutOfStock'>")
    html = item.format("Product", "<b itemprop=name>Kettle</b>" + offer.replace("<div", "<div itemprop=offers"))
    metadata = parse(Page(url="", body=html)).metadata
    facts = metadata.facts(["microdata:offers.availability", "microdata:name.availability"], ["Product"])
    assert [fact.value for fact in facts] == ["http://schema.org/OutOfStock"]


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<form><input type=hidden name=SKU value=HK-204></form>", ["HK-204"]),
        ("<div data-sku=HK-204></div><button data-sku=HK-204></button>", ["HK-204"]),
        ("<div data-sku=HK-204></div><div data-sku=IP-1></div>", []),  # of other items, too
        ("", []),
    ],
)
def test_attributes_and_fields_of_forms_are_read_where_they_say_one_thing(html: str, found: list[str]) -> None:
    metadata = parse(Page(url="https://hearth.example/kettle", body=html)).metadata
    assert [fact.value for fact in metadata.facts(["input:sku", "attribute:data-sku", "address"])] == found


def test_the_number_in_an_address_is_read() -> None:
    metadata = parse(Page(url="https://hearth.example/kettle-204119.html", body="")).metadata
    assert [fact.value for fact in metadata.facts(["address"])] == ["204119"]
