from datetime import UTC, datetime

from sitewright.parse import parse
from sitewright.tag import PageReader
from sitewright.types import Page, Record

NOW = datetime(2024, 6, 15, tzinfo=UTC)
STORY = "".join(f"<p>Paragraph {n} of the story, which goes on for a while.</p>" for n in range(5))
HEAD = """<html lang=en><title>Bees | The Lantern</title><meta property="og:title" content="Bees">
<meta property="article:published_time" content="2024-05-06T07:08:09Z">
<meta property="article:tag" content="Honey, sweet"><meta property="article:tag" content="Roofs">
<script type="application/ld+json">{"@type": "NewsArticle", "author": {"name": "Ann Lee"}, "articleSection": "Nature"}</script>
"""


def read(html: str, fields: frozenset[str] = frozenset()) -> Record:
    return PageReader().extract(parse(Page(url="https://www.example.com/a", body=html)), NOW, fields)


def values(html: str) -> dict[str, object]:
    return {name: value.value for name, value in read(html).fields.items()}


def test_what_the_page_states_and_the_text_that_is_found() -> None:
    assert values(f"{HEAD}<nav>Home</nav><div>{STORY}</div>") == {
        "title": "Bees",
        "published": datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC),
        "text": "\n".join(f"Paragraph {n} of the story, which goes on for a while." for n in range(5)),
        "authors": ["Ann Lee"],
        "categories": ["Nature"],
        "tags": ["Honey, sweet", "Roofs"],
    }


def test_every_value_names_its_source() -> None:
    fields = read(f"{HEAD}<div>{STORY}</div>").fields
    assert fields["title"].rule == "meta:og:title"
    assert fields["authors"].rule == "jsonld:author.name"
    assert fields["text"].rule == "mce/text"
    assert all(0 < value.confidence < 1 for value in fields.values())


def test_a_source_that_gives_nothing_usable_is_passed_over() -> None:
    stated = '<meta property="article:published_time" content="soon"><meta name=date content="2024-05-06">'
    assert read(f"{stated}<p>x").fields["published"].rule == "meta:date"


def test_only_the_wanted_fields_are_read() -> None:
    assert set(read(f"{HEAD}<div>{STORY}</div>", frozenset({"title", "tags"})).fields) == {"title", "tags"}


def test_an_empty_page_gives_an_empty_record() -> None:
    record = read("")
    assert record.fields == {}
    assert record.site == "example.com"
    assert record.template == ""
    assert record.map_version is None
