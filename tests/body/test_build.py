"""Every line of a text is in its body, as its page displays it; nothing else is, and nothing that runs."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitewright.body import Pictures, body_of, html_of, markdown_of_body, plain_body
from sitewright.parse import parse, visible_lines
from sitewright.types import Page, Photo


def bodies(html: str, text: str, pictures: Pictures | None = None) -> tuple[str, str]:
    tree = body_of(parse(Page(url="https://example.com/news/a", body=html)), text, pictures)
    return html_of(tree), markdown_of_body(tree)


PAGES = {
    "headings keep their level, and none is the title's": (
        "<h1>Bees</h1><h2>Hives</h2><p>They hum all day long.</p>",
        "Bees\nHives\nThey hum all day long.",
        "## Bees\n\n## Hives\n\nThey hum all day long.",
    ),
    "a sub-heading that the text lacks": (
        "<p>They hum all day long.</p><h3>Hives</h3><p>Of wood.</p>",
        "They hum all day long.\nOf wood.",
        "They hum all day long.\n\n### Hives\n\nOf wood.",
    ),
    "but not the heading of a list of other stories": (
        "<p>They hum all day long.</p><h3>Related</h3><ul><li><a href=/b>Wasps</a></ul><p>Of wood.</p>",
        "They hum all day long.\nOf wood.",
        "They hum all day long.\n\nOf wood.",
    ),
    "paragraphs that are written as headings": (
        "<h4>They hum all day long.</h4><h4>At night they sleep.</h4><h4>So it goes.</h4>",
        "They hum all day long.\nAt night they sleep.\nSo it goes.",
        "They hum all day long.\n\nAt night they sleep.\n\nSo it goes.",
    ),
    "lists, also within each other": (
        "<ul><li>One</li><li>Two<ol><li>A</li><li>B</li></ol></li></ul><p>End</p>",
        "One\nTwo\nA\nB\nEnd",
        "- One\n- Two\n  1. A\n  2. B\n\nEnd",
    ),
    "a list that is how the page is built": (
        "<ul><li><h2>One</h2><p>First.</p></li><li><h2>Two</h2><p>Second.</p></li></ul>",
        "One\nFirst.\nTwo\nSecond.",
        "## One\n\nFirst.\n\n## Two\n\nSecond.",
    ),
    "quotes": (
        "<p>She said:</p><blockquote><p>Bees hum.</p><p>Always.</p></blockquote>",
        "She said:\nBees hum.\nAlways.",
        "She said:\n\n> Bees hum.\n>\n> Always.",
    ),
    "links are absolute, and lead to the web": (
        '<p>See <a href="/b?a=1&b=2">here</a>, <a href="javascript:x()">not</a> <a href="mailto:a@b.example">me</a>.</p>',
        "See here, not me.",
        "See [here](https://example.com/b?a=1&b=2), not me.",
    ),
    "emphasis": (
        "<p><b>Bees</b><b> hum</b> <i>“a lot.”</i> So<i>!</i>so <code>a*b</code></p>",
        "Bees hum “a lot.” So!so a*b",
        "**Bees** **hum** *“a lot.”* So<em>!</em>so `a*b`",
    ),
    "emphasis in scripts without blanks": (
        "<p>蜂<strong>蜜</strong>很甜</p><p dir=rtl>هذا <b>نص</b> قصير</p>",
        "蜂蜜很甜\nهذا نص قصير",
        "蜂**蜜**很甜\n\nهذا **نص** قصير",
    ),
    "line breaks": ("<p>One<br>Two<br><br>Three</p>", "One\nTwo\nThree", "One  \nTwo\n\nThree"),
    "line breaks that the text reads as blanks": ("<p>One<br>Two</p>", "One Two", "One  \nTwo"),
    "code": ("<pre>a = 1\n  b*2</pre>", "a = 1\nb*2", "```\na = 1\n  b*2\n```"),
    "tables, read by their rows": (
        "<table><tr><th>Hive<th>Bees<tr><td>A<td>9<tr><td>B<td></table>",
        "Hive | Bees\nA | 9\nB",
        "| Hive | Bees |\n| --- | --- |\n| A | 9 |\n| B |  |",
    ),
    "tables, read by their cells": (
        "<table><tr><th>Hive<th>Bees<tr><td>A<td>9</table>",
        "Hive\nBees\nA\n9",
        "| Hive | Bees |\n| --- | --- |\n| A | 9 |",
    ),
    "a page that is laid out by tables": (
        "<table><tr><td><h2>One</h2><p>First.</p><td><a href=/>Menu</a><tr><td>x<td>y</table>",
        "One\nFirst.",
        "## One\n\nFirst.",
    ),
    "terms": ("<dl><dt>Bee</dt><dd>It hums.</dd></dl>", "Bee\nIt hums.", "**Bee**\n\nIt hums."),
    "what a rule removed of a paragraph stays away": (
        "<p>They hum all day long. <small>Share this</small></p>",
        "They hum all day long.",
        "They hum all day long.",
    ),
    "the densest place counts": (
        "<nav><a href=/h>Hives</a></nav><p>They hum all day.</p><h2>Hives</h2><p>Of wood.</p><footer>Hives</footer>",
        "They hum all day.\nHives\nOf wood.",
        "They hum all day.\n\n## Hives\n\nOf wood.",
    ),
    "a text that the page hides": (
        "<p>Please subscribe.</p><div hidden><h2>Hives</h2><p>Of wood, as ever.</p></div>",
        "Hives\nOf wood, as ever.",
        "## Hives\n\nOf wood, as ever.",
    ),
    "a text that is nowhere on the page": ("<p>Other.</p>", "They hum.\n# Hives", "They hum.\n\n\\# Hives"),
    "markup within text is text": ("<p>&lt;b&gt;x&lt;/b&gt; *y*</p>", "<b>x</b> *y*", "\\<b>x\\</b> \\*y\\*"),
}


@pytest.mark.parametrize("name", PAGES)
def test_markdown(name: str) -> None:
    page, text, wanted = PAGES[name]
    assert bodies(page, text)[1] == wanted


FIGURE = '<p>They hum all day long.</p><figure><img src=/b.jpg alt="A hive"><figcaption>Wood. Photo: Bo</figcaption></figure>'


def test_pictures_stand_where_the_page_has_them_with_their_captions_once() -> None:
    html, markdown = bodies(FIGURE + "<p>So it goes.</p>", "They hum all day long.\nWood. Photo: Bo\nSo it goes.")
    assert markdown == ("They hum all day long.\n\n![A hive](https://example.com/b.jpg)\n\n*Wood. (Bo)*\n\nSo it goes.")
    assert (
        '<figure><img src="https://example.com/b.jpg" alt="A hive"><figcaption>Wood. (Bo)</figcaption></figure>' in html
    )


def test_pictures_of_the_record_that_the_page_does_not_display() -> None:
    pictures = Pictures(
        [Photo(url="https://example.com/lead.jpg"), Photo(url="https://example.com/b.jpg", caption="B")]
    )
    shown = bodies(FIGURE, "They hum all day long.", pictures)[1]
    assert shown.index("b.jpg") < shown.index("lead.jpg")
    stated = bodies("<p>They hum.</p>", "They hum.", Pictures(pictures.photos[:1]))[1]
    assert stated == "![](https://example.com/lead.jpg)\n\nThey hum."


def test_pictures_around_a_text_that_are_not_of_it() -> None:
    around = "<li><a href=/x><img src=/share.png></a></li>"
    page = f"<ul>{around}</ul><p>They hum all day.</p><img src=/icon.svg><p>So it goes.</p><img src=/after.gif>"
    photos = [Photo(url=f"https://example.com/{name}") for name in ("share.png", "icon.svg", "after.gif")]
    assert "![" not in bodies(page, "They hum all day.\nSo it goes.", Pictures(photos, chosen=False))[1]
    assert bodies(page, "They hum all day.\nSo it goes.", Pictures(photos))[1].count("![") == 3


def test_html_is_clean() -> None:
    page = (
        '<p onclick="x()" style="color:red">One <a href="/b" onmouseover="x()" target=_blank>link</a>'
        '<script>x()</script> <img src="/a.jpg" onerror="x()"></p><iframe src=//evil.example></iframe>'
    )
    html, _ = bodies(page, "One link", Pictures([Photo(url="https://example.com/a.jpg")]))
    assert '<p>One <a href="https://example.com/b">link</a></p>' in html
    assert not re.search("script|onclick|onerror|onmouse|style|target|iframe", html)


def test_plain_text_is_paragraphs() -> None:
    assert html_of(plain_body("One.\n\n2 < 3 & 4")) == "<p>One.</p>\n<p>2 &lt; 3 &amp; 4</p>"


TAGS = st.sampled_from(
    ["p", "div", "h2", "li", "ul", "ol", "td", "tr", "table", "blockquote", "b", "a", "br", "pre", "dt"]
)
HTML = st.lists(st.tuples(TAGS, st.booleans(), st.text("ab c|<", max_size=6)), max_size=25)


@settings(max_examples=60)
@given(HTML)
def test_whatever_the_page_no_line_of_its_text_is_lost(parts: list[tuple[str, bool, str]]) -> None:
    html = "".join(f"<{'/' if ends else ''}{tag}>{text.replace('<', '&lt;')}" for tag, ends, text in parts)
    document = parse(Page(url="https://example.com/a", body=f"<body>{html}"))
    root = document.tree.root
    assert root is not None
    lines = visible_lines([root])
    shown = "".join(body_of(document, "\n".join(lines)).text.split())
    for line in lines:
        for cell in line.split(" | "):
            assert "".join(cell.split()) in shown
