from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import SelectorError, UnknownDomain
from sitewright.extract import Extractor, extract
from sitewright.maps import parse_map
from sitewright.parse import Document, parse, url_id
from sitewright.types import ExtractionMap, Page, Rule, Support, Template

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
URL = "https://example.com/news/a.html"


def document(html: str, url: str = URL) -> Document:
    return parse(Page(url=url, body=html, fetched_at=NOW))


def map_of(*rules: Rule, **facts: object) -> ExtractionMap:
    return ExtractionMap(site="example.com", templates=(Template(name="t", rules=rules),), **facts)


def values(html: str, *rules: Rule) -> dict[str, object]:
    return {name: value.value for name, value in extract(map_of(*rules), document(html), NOW).fields.items()}


class TestTemplateChoice:
    MAP = ExtractionMap(
        site="example.com",
        templates=(
            Template(name="video", url=r"/video/\d+", rules=(Rule(field="title", select=("h1",)),)),
            Template(name="gallery", probe=".gallery", rules=(Rule(field="title", select=("h2",)),)),
            Template(
                name="live", url="/live/", probe="//ol[@class='live']", rules=(Rule(field="title", select=("h3",)),)
            ),
            Template(name="article", url="^https://example.com/news/", rules=(Rule(field="title", select=("h1",)),)),
        ),
    )
    PAGE = "<h1>one</h1><h2>two</h2><h3>three</h3>"

    @pytest.mark.parametrize(
        ("url", "extra", "template", "title"),
        [
            ("https://example.com/video/12", "", "video", "one"),
            ("https://example.com/video/x", "", "", None),
            ("https://example.com/x", "<p class=gallery>", "gallery", "two"),
            ("https://example.com/video/12", "<p class=gallery>", "video", "one"),
            ("https://example.com/news/1", "<p class=gallery>", "gallery", "two"),
            ("https://example.com/live/1", "<ol class=live>", "live", "three"),
            ("https://example.com/live/1", "", "", None),
            ("https://example.com/x", "<ol class=live>", "", None),
            ("https://example.com/news/1", "", "article", "one"),
            ("https://other.example/?https://example.com/news/", "", "", None),
        ],
    )
    def test_url_and_probe_both_fit_and_the_first_wins(
        self, url: str, extra: str, template: str, title: object
    ) -> None:
        record = extract(self.MAP, document(self.PAGE + extra, url), NOW)
        assert record.template == template
        assert (record.fields["title"].value if "title" in record.fields else None) == title

    def test_a_template_without_conditions_takes_every_page(self) -> None:
        assert extract(map_of(), document(""), NOW).template == "t"


class TestSelect:
    def test_the_first_selector_that_gives_a_value_counts(self) -> None:
        rule = Rule(field="title", select=(".no", ".empty", "h2", "h1"))
        assert values("<h1>one</h1><b class=empty> </b><h2>two</h2>", rule) == {"title": "two"}

    def test_the_first_match_that_gives_a_value_counts(self) -> None:
        assert values("<b> </b><b>x</b><b>y</b>", Rule(field="title", select=("b",))) == {"title": "x"}

    @pytest.mark.parametrize(
        "select",
        [
            ("p", "h2"),
            ("h2", "p"),
            ("//p", "h2"),
            ("h2", "//p"),
            ("//h2", "//p"),
            ("p", "h2", "main > *"),
            ("//main/*", "p"),
        ],
    )
    def test_many_is_the_union_in_document_order_each_once(self, select: tuple[str, ...]) -> None:
        page = "<main><p>one</p><h2>two</h2><p>three</p><h2>four</h2></main>"
        assert values(page, Rule(field="text", select=select, many=True)) == {"text": "one\ntwo\nthree\nfour"}

    def test_xpath_strings_are_values(self) -> None:
        page = "<h1>One</h1><a href=/x>x</a>"
        assert values(page, Rule(field="title", select=("string(//h1)",))) == {"title": "One"}
        assert values(page, Rule(field="title", select=("//a/@href",))) == {"title": "/x"}

    def test_what_is_not_there_is_absent(self) -> None:
        rules = [
            Rule(field="title", select=(".no",)),
            Rule(field="text", select=("p",)),
            Rule(field="tags", select=("i",), many=True),
        ]
        assert values("<p>x</p><i></i>", *rules) == {"text": "x"}

    def test_fields_come_in_the_order_of_the_map(self) -> None:
        rules = [
            Rule(field="text", select=("div",), remove=("b",)),
            Rule(field="title", select=("h1",)),
            Rule(field="subtitle", select=("h2",)),
        ]
        assert list(values("<h1>a</h1><h2>b</h2><div>c <b>d</b></div>", *rules)) == ["text", "title", "subtitle"]


class TestAlternatives:
    RULES = (
        Rule(field="title", select=("h1.new",), support=Support(8, 8)),
        Rule(field="title", select=("h1",)),
        Rule(field="text", select=("p",)),
        Rule(field="title", take="jsonld:NewsArticle.headline"),
    )

    @pytest.mark.parametrize(
        ("html", "value", "rule"),
        [
            ("<h1>old</h1><h1 class=new>new</h1>", "new", "t/title#0"),
            ("<h1>old</h1>", "old", "t/title#1"),
            (
                '<script type="application/ld+json">{"@type":"NewsArticle","headline":"json"}</script>',
                "json",
                "t/title#2",
            ),
        ],
    )
    def test_are_tried_in_order_and_named(self, html: str, value: str, rule: str) -> None:
        found = extract(map_of(*self.RULES), document(html), NOW).fields["title"]
        assert (found.value, found.rule) == (value, rule)

    @pytest.mark.parametrize(
        ("support", "confidence"),
        [
            (None, 0.9),
            (Support(8, 8), 0.9),
            (Support(9, 10), 0.833),
            (Support(0, 8), 0.1),
            (Support(8, 8, 0.5), 0.45),
            (Support(98, 98), 0.99),
        ],
    )
    def test_confidence_follows_from_support(self, support: Support | None, confidence: float) -> None:
        record = extract(map_of(Rule(field="title", select=("h1",), support=support)), document("<h1>x</h1>"), NOW)
        assert record.fields["title"].confidence == confidence


class TestRemove:
    PAGE = "<main><div class=body><p>one</p><div class=ad><p>ad</p></div><p>two <b class=x>not</b></p></div></main>"

    @pytest.mark.parametrize(
        "remove", [(".ad", ".x"), ("//div[@class='ad']", "//b"), (".ad", ".//b[@class='x']"), ("div.ad, b",)]
    )
    @pytest.mark.parametrize("select", [(".body",), (".body p",), ("//main//p",)])
    def test_leaves_out_what_is_inside_of_or_encloses_a_match(
        self, select: tuple[str, ...], remove: tuple[str, ...]
    ) -> None:
        assert values(self.PAGE, Rule(field="text", select=select, remove=remove, many=True)) == {"text": "one\ntwo"}

    @pytest.mark.parametrize("remove", [".ad p", "//div[@class='ad']/p", "p"])
    def test_leaves_out_a_match_itself(self, remove: str) -> None:
        found = values(self.PAGE, Rule(field="text", select=(".ad p",), remove=(remove,), many=True))
        assert found == {}

    def test_of_everything_leaves_nothing(self) -> None:
        assert values(self.PAGE, Rule(field="text", select=("p",), remove=("main",), many=True)) == {}

    def test_is_for_its_own_rule_only(self) -> None:
        rules = [
            Rule(field="text", select=(".body",), remove=(".ad", "p")),
            Rule(field="title", select=(".ad p",)),
            Rule(field="subtitle", select=(".x",)),
        ]
        assert values(self.PAGE, *rules) == {"title": "ad", "subtitle": "not"}

    @given(
        st.lists(
            st.sampled_from(
                ["<p>a</p>", "<div class=ad>x", "</div>", "<b>b</b>", "<ul><li>c</ul>", "text", "<i class=ad>y</i>"]
            ),
            max_size=12,
        ),
        st.sampled_from([(".ad",), ("//*[@class='ad']",), ("b", ".ad li"), ("*",)]),
    )
    def test_leaves_the_tree_as_it_was(self, parts: list[str], remove: tuple[str, ...]) -> None:
        page = document(f"<main>{''.join(parts)}</main>")
        before = page.tree.html
        rules = (
            Rule(field="text", select=("main", "p"), remove=remove, many=True),
            Rule(field="title", select=("main",), remove=remove),
        )
        first = extract(map_of(*rules), page, NOW)
        assert page.tree.html == before
        assert extract(map_of(*rules), page, NOW) == first


class TestTake:
    PAGE = '<h1 id=t title=" Tip " data-x=""> One <i>two</i></h1><script type="application/ld+json">{"@type":"NewsArticle","headline":"J"}</script>'

    @pytest.mark.parametrize(
        ("rule", "expected"),
        [
            (Rule(field="title", select=("h1",)), "One two"),
            (Rule(field="title", select=("h1",), take="html"), "One <i>two</i>"),
            (Rule(field="title", select=("h1",), take="@title"), "Tip"),
            (Rule(field="title", select=("h1",), take="@data-x"), None),
            (Rule(field="title", select=("h1",), take="@missing"), None),
            (Rule(field="title", take="jsonld:NewsArticle.headline"), "J"),
            (Rule(field="title", take="jsonld:headline"), "J"),
            (Rule(field="title", take="jsonld:Recipe.headline"), None),
            (Rule(field="title", select=("h1",), match=r"\w+$"), "two"),
            (Rule(field="title", select=("h1",), match=r"One (\w)"), "t"),
            (Rule(field="title", select=("h1",), match="three"), None),
            (Rule(field="title", select=("h1",), match="(three)?"), None),
            (Rule(field="title", select=("h1",), take="@title", match="^T(.)"), "i"),
            (Rule(field="title", take="jsonld:NewsArticle.headline", match="K"), None),
        ],
    )
    def test_takes(self, rule: Rule, expected: str | None) -> None:
        assert values(self.PAGE, rule).get("title") == expected

    def test_match_goes_on_to_the_next_item(self) -> None:
        assert values("<b>no</b><b>id: 7</b>", Rule(field="title", select=("b",), match=r"id: (\d)")) == {"title": "7"}


class TestNestedFields:
    PAGE = """<ul><li><a href=/1>One</a> <b>$5</b></li><li><a href=/2>Two</a></li><li></li><li><b>7 €</b></li></ul>"""
    INNER = (
        Rule(field="name", select=("a",)),
        Rule(field="price", select=("b",), parse="price.v1"),
        Rule(field="url", select=("a",), take="@href", parse="url.v1"),
        Rule(field="name", select=("b",)),
    )

    def test_many_give_a_list_of_objects(self) -> None:
        assert values(self.PAGE, Rule(field="items", select=("li",), many=True, fields=self.INNER)) == {
            "items": [
                {"name": "One", "price": {"amount": 5.0, "currency": "USD"}, "url": "https://example.com/1"},
                {"name": "Two", "url": "https://example.com/2"},
                {"price": {"amount": 7.0, "currency": "EUR"}, "name": "7 €"},
            ]
        }

    def test_one_gives_an_object(self) -> None:
        rule = Rule(field="items", select=("li",), fields=(Rule(field="price", select=("b",), parse="price.v1"),))
        assert values(self.PAGE, rule) == {"items": {"price": {"amount": 5.0, "currency": "USD"}}}

    def test_nothing_inside_is_absent(self) -> None:
        assert (
            values(self.PAGE, Rule(field="items", select=("li",), many=True, fields=(Rule(field="x", select=("u",)),)))
            == {}
        )

    def test_fields_within_fields(self) -> None:
        page = "<div class=a><p><i>x</i></p></div><div class=a><p><i>y</i></p></div>"
        inner = Rule(field="p", select=("p",), fields=(Rule(field="i", select=("i",)),))
        found = values(page, Rule(field="all", select=(".a",), many=True, fields=(inner,)))
        assert found == {"all": [{"p": {"i": "x"}}, {"p": {"i": "y"}}]}


def test_the_domain_names_the_parser_where_the_rule_does_not() -> None:
    found = values("<b>By Ann Lee</b>", Rule(field="authors", select=("b",)), Rule(field="other", select=("b",)))
    assert found == {"authors": ["Ann Lee"], "other": "By Ann Lee"}


def test_a_record_says_where_it_is_from() -> None:
    record = extract(map_of(Rule(field="title", select=("h1",)), version=7), document("<html lang=fr><h1>x</h1>"), NOW)
    assert (record.site, record.urls, record.domain, record.language) == ("example.com", (URL,), "news", "fr")
    assert (record.template, record.map_version, record.extracted_at) == ("t", 7, NOW)


def test_the_language_of_the_map_beats_that_of_the_page() -> None:
    assert extract(map_of(language="de"), document("<html lang=fr>"), NOW).language == "de"


def test_fields_limit_what_is_read() -> None:
    extractor = Extractor(map_of(Rule(field="title", select=("h1",)), Rule(field="text", select=("p",))))
    page = document("<h1>a</h1><p>b</p>")
    assert list(extractor.extract(page, NOW, frozenset({"text"})).fields) == ["text"]
    assert list(extractor.extract(page, NOW).fields) == ["title", "text"]


def test_an_extractor_keeps_nothing_between_pages() -> None:
    extractor = Extractor(map_of(Rule(field="title", select=("h1",))))
    first = extractor.extract(document("<h1>a</h1>"), NOW)
    assert extractor.extract(document("<p>b</p>"), NOW).fields == {}
    assert extractor.extract(document("<h1>a</h1>"), NOW) == first


@pytest.mark.parametrize(
    "spelling",
    [
        "https://example.com/news/a.html#top",
        "HTTPS://EXAMPLE.COM/news/a.html",
        "https://example.com:443/news/a.html?utm_source=x",
        f" {URL} ",
    ],
)
def test_every_spelling_of_a_url_has_the_same_id(spelling: str) -> None:
    assert url_id(spelling) == url_id(URL)
    assert url_id("https://example.com/news/b.html") != url_id(URL)


@given(st.text())
def test_any_url_has_an_id(url: str) -> None:
    assert len(url_id(url)) == 16
    assert len(url_id("\ud800" + url)) == 16


def test_bad_maps_are_refused_when_compiled() -> None:
    with pytest.raises(SelectorError):
        Extractor(map_of(Rule(field="title", select=("h1[",))))
    with pytest.raises(UnknownDomain):
        Extractor(map_of(domain="nope"))


def test_the_map_of_the_design_reads_its_page() -> None:
    text = """
sitewright: 1
site: example.com
language: ru
timezone: Europe/Moscow
templates:
  - name: article
    url: "^https://example\\\\.com/news/"
    probe: "article.story h1"
    rules:
      title:     {select: ["article.story h1"]}
      published: {select: ["time.story__date"], take: "@datetime", parse: date.v1}
      text:      {select: ["div.story__body > p", "div.story__body > h2"], remove: [".promo", "figure"], many: true, parse: text.v1}
      authors:   {select: [".story__author a"], many: true}
      tags:      {select: ["ul.tags a"], many: true}
"""
    page = """<article class=story><h1>Мост</h1><time class=story__date datetime="2024-05-06T07:08">6 мая</time>
    <p class=story__author><a>Иван Петров</a></p><div class=story__body><p>Раз.</p><p class=promo>Реклама</p><h2>Два</h2>
    <p>Три <figure>x</figure></p></div><ul class=tags><li><a>мосты</a><li><a>город</a></ul></article>"""
    record = extract(parse_map(text), document(page), NOW)
    assert {name: value.value for name, value in record.fields.items()} == {
        "title": "Мост",
        "published": datetime.fromisoformat("2024-05-06T07:08:00+03:00"),
        "text": "Раз.\nДва\nТри",
        "authors": ["Иван Петров"],
        "tags": ["мосты", "город"],
    }
    assert record.template == "article"
