"""The designs: the same stories under other markup, each with a map that reads it, and none that reads another."""

import re
from functools import cache
from urllib.parse import urljoin

import pytest
import turbohtml
from tests.demo.pairs import DESIGNS, PAIRS
from tests.extract.test_demo_sites import meant, read, records

from sitewright.demo import EPOCH, Site, generate_site
from sitewright.demo.designs.renamed.names import generated, rename_css, rename_html
from sitewright.extract import Extractor
from sitewright.maps import parse_map
from sitewright.parse import parse
from sitewright.types import Page

pytestmark = pytest.mark.slow

REDESIGNS = ("renamed", "rebuilt")
IDENTIFYING = ("title", "published", "text", "authors", "tags")
FORGIVING = r"""
sitewright: 1
site: the-daily-lantern.example
timezone: Europe/London
templates:
  - name: article
    rules:
      title:
        - {select: [h1]}
        - {take: "jsonld:headline"}
        - {select: ['meta[name="twitter:title"]'], take: "@content"}
        - {select: ["head > title"], match: "^(.+?)(?: \\| The Daily Lantern)?$"}
      published:
        - {select: [time]}
        - {take: "jsonld:datePublished"}
        - {select: ['meta[property="article:published_time"]'], take: "@content"}
      text: {select: ["main#main p", "main.page p"], remove: [header, "#comments", ".newsletter", ".bios"], many: true}
      authors:
        - {take: "jsonld:author.name", many: true}
        - {select: ["[rel=author]", "[itemprop=author]"], many: true}
        - {select: ['meta[name="DC.creator"]'], take: "@content"}
      tags:
        - {select: ["a[rel=tag]"], many: true}
        - {take: "jsonld:keywords", many: true}
        - {select: ['meta[name="keywords"]'], take: "@content"}
"""
"""What learning finds on classic pages: rules of few names, with metadata to fall back on."""


@cache
def site(design: str, language: str = "en") -> Site:
    return generate_site(1, language=language, stories=24, design=DESIGNS[design])


def html_of(of: Site) -> dict[str, str]:
    """Return the pages in UTF-8 that have a design."""
    pages = of.pages.items()
    return {path: page.html.decode() for path, page in pages if "html" in page.content_type and page.kind != "embed"}


def names_in_css(of: Site, path: str) -> set[str]:
    css = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", of.pages[path].html.decode(), flags=re.DOTALL)
    return set(re.findall(r"[.#]([a-zA-Z_][\w-]*)", css))


def names_in_html(html: str) -> set[str]:
    tree = turbohtml.parse(html)
    return {
        name for kind in ("class", "id") for found in tree.select(f"[{kind}]") for name in str(found.attr(kind)).split()
    }


def outline(html: str) -> list[tuple[str, str]]:
    """Return the elements that a move to other names leaves as they are, with their texts."""
    return [
        (found.tag, found.text) for found in turbohtml.parse(html).select("main, p, h2, h3, li, a, img, figure, div")
    ]


@pytest.mark.parametrize(("language", "design"), PAIRS)
def test_the_map_of_a_design_reads_the_truth(language: str, design: str) -> None:
    generated_site = site(design, language)
    found = records(generated_site)
    for path, truth in generated_site.truth.items():
        assert read(found[path]) == meant(truth), path
        assert found[path].template == generated_site.pages[path].kind


@pytest.mark.parametrize("design", REDESIGNS)
def test_a_redesign_changes_neither_stories_nor_addresses(design: str) -> None:
    assert site(design).truth == site("classic").truth
    assert html_of(site(design)).keys() == html_of(site("classic")).keys()
    assert site(design).map_text != site("classic").map_text


@pytest.mark.parametrize("language", ["en", "zh", "ar"])
@pytest.mark.parametrize("design", REDESIGNS)
def test_the_map_of_the_design_before_reads_nothing(design: str, language: str) -> None:
    extractor = Extractor(parse_map(site("classic", language).map_text))
    for path in site(design, language).truth:
        page = site(design, language).pages[path]
        url = urljoin(site(design, language).base_url, path)
        record = extractor.extract(
            parse(Page(url=url, body=page.html, headers={"Content-Type": page.content_type})), EPOCH
        )
        assert record.fields == {}, path


def right_values(design: str) -> dict[str, int]:
    """Count on how many pages a forgiving map gives what was meant; of a text, its first line."""
    extractor = Extractor(parse_map(FORGIVING))
    right = dict.fromkeys(IDENTIFYING, 0)
    for path, truth in site(design).truth.items():
        page = Page(url=urljoin(site(design).base_url, path), body=site(design).pages[path].html)
        fields = extractor.extract(parse(page), EPOCH).fields
        found = {name: value.value for name, value in fields.items()}
        wanted = {**meant(truth), "text": truth.text.split("\n")[0]}
        found["text"] = str(found.get("text", "")).split("\n")[0]
        for name in IDENTIFYING:
            right[name] += bool(found.get(name)) and found[name] == wanted.get(name)
    return right


def test_a_forgiving_map_reads_the_classic_design() -> None:
    assert all(count >= 16 for count in right_values("classic").values())


@pytest.mark.parametrize("design", REDESIGNS)
def test_a_redesign_breaks_even_a_forgiving_map(design: str) -> None:
    assert right_values(design) == dict.fromkeys(IDENTIFYING, 0)


class TestRenamed:
    def test_every_name_is_a_generated_one(self) -> None:
        for path, html in html_of(site("renamed")).items():
            names = names_in_html(html)
            assert names, path
            assert all(re.fullmatch(r"css-[0-9a-z]{7}", name) for name in names), path

    def test_pages_are_the_same_under_other_names(self) -> None:
        for path, before in html_of(site("classic")).items():
            after = html_of(site("renamed"))[path]
            assert names_in_html(after) == {generated(name) for name in (*names_in_html(before), "masthead__title")}
            assert outline(after) == outline(before), path

    def test_the_style_sheet_follows(self) -> None:
        before = names_in_css(site("classic"), "/assets/site.css")
        after = names_in_css(site("renamed"), "/assets/site.css")
        assert len(before) > 80
        assert after == {generated(name) for name in (*before, "masthead__title")}
        assert len(after) == len(before) + 1, "no two names became one"

    @pytest.mark.parametrize(
        ("html", "renamed"),
        [
            ('<p class="a b">', '<p class="{a} {b}">'),
            ("<p class='a' lang=en>", "<p class='{a}' lang=en>"),
            ('<h2\n  id="a">class="a"</h2>', '<h2\n  id="{a}">class="a"</h2>'),
            ('<a href="#a">#a</a> <a href="/#a">', '<a href="#{a}">#a</a> <a href="/#a">'),
            ('<i title="x > y class=\'a\'" class="b">', '<i title="x > y class=\'a\'" class="{b}">'),
            ('<b data-id="a" data-class="a">', '<b data-id="a" data-class="a">'),
            ('<script>"<p class=\\"a\\">"</script><p id="b">', '<script>"<p class=\\"a\\">"</script><p id="{b}">'),
            ("<style>.a { color: red }</style>", "<style>.a { color: red }</style>"),
        ],
    )
    def test_only_names_are_renamed(self, html: str, renamed: str) -> None:
        names = {"{a}": generated("a"), "{b}": generated("b")}
        assert rename_html(html) == re.sub(r"\{[ab]\}", lambda name: names[name[0]], renamed)

    @pytest.mark.parametrize(
        ("css", "renamed"),
        [
            (".a > .b:hover::before { content: '.a' }", ".{a} > .{b}:hover::before { content: '.a' }"),
            ("#a, p.b{margin:.5em;color:#bbb}", "#{a}, p.{b}{margin:.5em;color:#bbb}"),
            (
                "@media (max-width: 4.5em) { .a { top: 0; } .b { top: 0; } }",
                "@media (max-width: 4.5em) { .{a} { top: 0; } .{b} { top: 0; } }",
            ),
        ],
    )
    def test_only_selectors_are_renamed(self, css: str, renamed: str) -> None:
        assert rename_css(css) == renamed.replace("{a}", generated("a")).replace("{b}", generated("b"))


class TestRebuilt:
    def test_no_name_is_as_before(self) -> None:
        before = {name for html in html_of(site("classic")).values() for name in names_in_html(html)}
        after = {name for html in html_of(site("rebuilt")).values() for name in names_in_html(html)}
        assert len(after) > 60
        assert not before & after
        assert not any(re.search(r"\d", name) for name in after if not name.startswith("minute-"))

    def test_every_rule_of_the_style_sheet_is_used(self) -> None:
        used = {name for html in html_of(site("rebuilt")).values() for name in names_in_html(html)}
        assert names_in_css(site("rebuilt"), "/assets/main.css") <= used

    def test_what_interrupts_the_text_stands_between_passages(self) -> None:
        articles = [path for path in site("rebuilt").truth if site("rebuilt").pages[path].kind == "article"]
        for path in articles:
            tree = turbohtml.parse(html_of(site("rebuilt"))[path])
            assert len(tree.select(".copy > .passage")) >= 3
            assert tree.select(".copy > :is(.promo, .signup, .advert, .nudge)")
            assert not tree.select(".passage :is(.promo, .signup, .advert, .nudge, img)")

    def test_date_and_byline_follow_the_text(self) -> None:
        for path in site("rebuilt").truth:
            html = html_of(site("rebuilt"))[path]
            assert html.index('class="copy"') < html.index('class="topics"') < html.index('class="facts"')
            assert "<h1" not in html
