from datetime import UTC, datetime

import pytest

from sitewright.demo import generate_site
from sitewright.parse import Document, parse, visible_lines
from sitewright.tag import MceTagger, PageReader, main_content
from sitewright.types import Page

PARAGRAPHS = "".join(f"<p>Sentence number {n} of the story, long enough to be one.</p>" for n in range(8))


def document(html: str) -> Document:
    return parse(Page(url="https://example.com/a", body=html))


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "<nav><a href=/>Home</a><a href=/b>World</a></nav><main>{}</main><footer>Imprint</footer>",
        "<table><tr><td><ul><li>One<li>Two<li>Three</ul><td>{}</table>",
        "<script>var text = 'a very long script that is no text at all, whatever its length may be';</script>{}",
        "<div><div><div><div><div>{}</div></div></div></div></div><div>Cookies!</div>",
    ],
)
def test_the_parent_of_the_paragraphs_is_found(around: str) -> None:
    found = main_content(document(around.format(f"<div id=story>{PARAGRAPHS}</div>")))
    assert found is not None
    assert found.attr("id") == "story"


@pytest.mark.parametrize(
    "html", ["", "<p></p>", "<script>text</script>", "<style>p{}</style><svg><text>x</text></svg>"]
)
def test_a_page_without_text_has_no_content(html: str) -> None:
    assert main_content(document(html)) is None


def test_a_page_of_one_line_is_its_content() -> None:
    found = main_content(document("<pre>all there is</pre>"))
    assert found is not None
    assert visible_lines([found]) == ["all there is"]


@pytest.mark.parametrize("language", ["en", "zh", "ar"])
def test_most_of_the_text_of_generated_articles_is_found(language: str) -> None:
    site = generate_site(3, language=language, stories=12)
    for path, truth in site.truth.items():
        page = site.pages[path]
        if page.kind != "article":
            continue
        body = parse(Page(url=site.base_url + path, body=page.html, headers={"Content-Type": page.content_type}))
        found = main_content(body)
        assert found is not None
        lines = set(visible_lines([found]))
        wanted = truth.text.split("\n")
        assert sum(line in lines for line in wanted) >= 0.5 * len(wanted)


HEAD = """<html lang=en><title>Bees | The Lantern</title><meta property="og:title" content="Bees">
<meta property="article:published_time" content="2024-05-06T07:08:09Z">
<meta property="article:tag" content="Honey, sweet"><meta property="article:tag" content="Roofs">
<script type="application/ld+json">{"@type": "NewsArticle", "author": {"name": "Ann Lee"}, "articleSection": "Nature"}</script>
"""


@pytest.fixture
def reader() -> PageReader:
    return PageReader(tagger=MceTagger())


def test_the_text_is_found_and_all_else_is_as_the_page_states_it(reader: PageReader) -> None:
    record = reader.extract(document(f"{HEAD}<nav>Home</nav><div>{PARAGRAPHS}</div>"))
    assert {name: value.value for name, value in record.fields.items()} == {
        "title": "Bees",
        "published": datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC),
        "text": "\n".join(f"Sentence number {n} of the story, long enough to be one." for n in range(8)),
        "authors": ["Ann Lee"],
        "categories": ["Nature"],
        "tags": ["Honey", "sweet", "Roofs"],
    }
    assert record.kind == "article"
    assert {name: value.confidence for name, value in record.fields.items()} == pytest.approx(
        {"title": 0.8, "published": 0.8, "text": 0.7, "authors": 0.8, "categories": 0.8, "tags": 0.8}, abs=0.01
    )


def test_the_most_trustworthy_source_is_taken(reader: PageReader) -> None:
    fields = reader.extract(document(f"{HEAD}<div>{PARAGRAPHS}</div>")).fields
    assert fields["title"].rule == "tagger/title: not displayed, stated: meta:og:title"
    assert fields["authors"].rule == "tagger/authors: not displayed, stated: jsonld:author.name"
    assert fields["text"].rule == "tagger/text: p"


@pytest.mark.parametrize("html", ["", "<script>x</script>"])
def test_an_empty_page_gives_an_empty_record(reader: PageReader, html: str) -> None:
    record = reader.extract(document(html))
    assert record.fields == {}
    assert record.kind == "other"
