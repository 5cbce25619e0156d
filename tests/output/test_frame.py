"""Pages in frames: what was taken is outlined, and nothing that a stranger wrote can load, run, or leave the frame."""

import re
from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.output.frame import MOST_CHARACTERS, Mark, frame_of, frame_text
from sitewright.parse import Document, parse
from sitewright.types import Page

OURS = frozenset(("html", "head", "meta", "style", "body", "span", "div", "u", "details", "summary", "br", "hr"))
KEPT = OURS | frozenset(
    "h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tfoot tr td th blockquote figure figcaption pre em "
    "strong b i s small sub sup q cite code mark ruby rt rp time address".split()
)
ATTRIBUTES = frozenset(("class", "data-c", "data-f", "data-stated", "dir", "lang", "colspan", "rowspan"))
HOSTILE = [
    "<script>alert(1)</script>",
    "<p onclick=alert(1) onmouseover='alert(1)'>x</p>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href=' java\nscript:alert(1)' target=_top>x</a>",
    "<img src=x onerror=alert(1) alt='\"><script>alert(1)</script>'>",
    "<img srcset='https://evil.example/a.png 1x' alt=x>",
    "<svg onload=alert(1)><script>alert(1)</script><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<base href='https://evil.example/'><base target=_top>",
    "<style>@import url(https://evil.example/a.css); *{background:url(https://evil.example/b)}</style>",
    "<link rel=stylesheet href=https://evil.example/a.css>",
    "<p style='background:url(https://evil.example/c)'>x</p>",
    "<iframe src=https://evil.example/ srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=https://evil.example/></object><embed src=https://evil.example/>",
    "<form action=https://evil.example/><input name=a autofocus onfocus=alert(1)><button>x</button></form>",
    "<video src=https://evil.example/a.mp4 autoplay poster=https://evil.example/p></video>",
    "<template><script>alert(1)</script></template><noscript><img src=https://evil.example/></noscript>",
    "<textarea></textarea><xmp><script>alert(1)</script></xmp><plaintext></body></html><script>alert(1)</script>",
    "</body></html>\"'></iframe><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt; &quot; onload=&quot;alert(1)",
    "<p lang='en\" onload=alert(1)' dir='rtl\" x='>x</p>",
    "<td colspan='9999999'>x<td rowspan='2\" onload=\"x'>x",
    "<h1 class='\"><script>' id=x data-c=x>x</h1>",
    "<!--><script>alert(1)</script>--><![CDATA[<script>alert(1)</script>]]>",
    "<x-y onclick=alert(1)>x</x-y><a xml:base='javascript:alert(1)'>x",
]


class Reader(HTMLParser):
    """Collects what a browser would make of the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def document_of(html: str) -> Document:
    return parse(Page(url="https://example.com/a", body=html))


def body_of(html: str, **marked: str) -> str:
    document = document_of(html)
    marks = {
        element: Mark((field,)) for field, selector in marked.items() for element in document.tree.select(selector)
    }
    return frame_of(document, marks).body


@pytest.mark.parametrize("html", HOSTILE)
@pytest.mark.parametrize("field", ["title", '"]{}</style><script>alert(1)</script>'])
def test_nothing_of_a_hostile_page_is_left_but_words(html: str, field: str) -> None:
    document = document_of(f"<main>{html}<p>end")
    marks = {element: Mark((field,)) for element in document.tree.select("main *")}
    for marked in ({}, marks):
        text = frame_text(frame_of(document, marked), {field: "#0072B2"})
        inner = Reader(text.partition("<body>")[2])
        assert set(inner.tags) <= KEPT
        assert {name for name, _ in inner.attributes} <= ATTRIBUTES
        style = text.partition("<style>")[2].partition("</style>")[0]
        assert not re.search(r"url\(|@import|<", style)
        assert text.count("<style>") == text.count("</style>") == 1
        whole = Reader(f'<iframe srcdoc="{escape(text)}"></iframe>')
        assert whole.tags == ["iframe"]
        assert whole.attributes == [("srcdoc", text)]


@given(
    st.lists(
        st.sampled_from(
            [
                "<p>",
                "</p>",
                "<script>",
                "</script>",
                "<b ",
                "'",
                '"',
                ">",
                "<",
                "&lt;",
                "<!--",
                "-->",
                "x=",
                "<svg>",
                "<style>",
                "</title>",
                "<a href=javascript:1>",
                "\0",
                "<table>",
                "<math>",
                "<plaintext>",
            ]
        ),
        max_size=20,
    )
)
def test_no_mixture_of_markup_gets_through(pieces: list[str]) -> None:
    inner = Reader(body_of("".join(pieces)))
    assert set(inner.tags) <= KEPT
    assert {name for name, _ in inner.attributes} <= ATTRIBUTES


def test_what_was_taken_is_outlined_and_labelled_once() -> None:
    body = body_of("<h1>Bees</h1><p>One</p><p>Two</p><nav>Menu</nav>", title="h1", text="p")
    assert body == (
        '<h1 data-c="title" data-f="title">Bees</h1><p data-c="text" data-f="text">One</p><p data-c="text">Two</p>'
        '<details class="x"><summary>nav</summary>Menu</details>'
    )


def test_what_only_shows_a_stated_value_is_told_apart() -> None:
    document = document_of("<p>By <a href=/ann>Ann</a>")
    framed = frame_of(document, {document.tree.select("a")[0]: Mark(("authors",), stated=True)})
    assert framed.body == '<p>By <u data-c="authors" data-f="authors" data-stated>Ann</u></p>'
    assert framed.marked == {"authors"}


def test_pictures_are_boxes_with_their_words() -> None:
    assert body_of("<img src=a.jpg alt='A  hive'><img src=b.jpg>") == (
        '<span class="pic">A hive</span><span class="pic">picture</span>'
    )


def test_hidden_parts_are_left_out_unless_something_was_taken_there() -> None:
    html = "<div hidden><p>Menu</p></div><div style='display:none'><p class=a>Body</p></div>"
    assert body_of(html, text=".a") == '<div><p data-c="text" data-f="text">Body</p></div>'


def test_language_and_direction_are_those_of_the_page() -> None:
    framed = frame_of(document_of("<html lang=ar dir=RTL><body><p dir=ltr lang=en>x"), {})
    assert (framed.language, framed.direction) == ("ar", "rtl")
    assert '<html lang="ar" dir="rtl">' in frame_text(framed, {})
    assert framed.body == '<p dir="ltr" lang="en">x</p>'


def paragraphs(count: int) -> Iterator[str]:
    return (f"<p>{'word ' * 40}{number}</p>" for number in range(count))


def test_a_frame_is_bounded_and_what_was_taken_has_the_room() -> None:
    beside = "".join(paragraphs(5_000))
    body = body_of(f"{beside}<h1>Bees</h1><article>{beside}</article>", title="h1", text="article")
    assert len(body) < MOST_CHARACTERS + 1_000
    assert '<h1 data-c="title"' in body
    assert '<div data-c="text"' in body
    assert body.count("not all of the page is shown") == 1
    assert len(body_of(beside)) < MOST_CHARACTERS / 2
    assert len(body_of(f"<p>{'&amp;' * MOST_CHARACTERS}</p>", text="p")) < MOST_CHARACTERS + 100


def test_pages_that_are_nested_deeply_are_written() -> None:
    depth = 500
    body = body_of("<div>" * depth + "in the depth")
    assert body == "<div>" * depth + "in the depth" + "</div>" * depth
