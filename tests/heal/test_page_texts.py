"""What a page displays and states: only what may hold a sought text is looked at closely."""

from datetime import UTC, date, datetime

import pytest

from sitewright.heal.page_texts import PageTexts
from sitewright.parse import Document, parse
from sitewright.types import Label, Page, TaggedPage
from sitewright.values import page_context

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)


def texts(body: str, *sought: str, head: str = "", labels: tuple[Label, ...] = ()) -> PageTexts:
    html = f"<html lang=en><head>{head}</head><body>{body}</body></html>"
    document = parse(Page(url="https://example.com/a", body=html))
    tagged = TaggedPage(url=document.url, kind="article", kind_score=1.0, labels=labels)
    return PageTexts(document, tagged, page_context(document, NOW), sought)


def tags(page: Document, numbers: list[int]) -> list[str]:
    return [page.elements[number].tag for number in numbers]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("<div><p><b>Ann Lee</b></p></div>", ["b"]),
        ("<b>Ann Lee</b><i>ANN  LEE</i>", ["b", "i"]),
        ("<p>By <b>Ann</b> <i>Lee</i></p>", ["p"]),
        ("<script>Ann Lee</script><p>Bo Ek</p>", []),
        (f"<p>Ann Lee {'and many others ' * 9}</p>", []),
    ],
)
def test_the_elements_that_hold_a_text(body: str, found: list[str]) -> None:
    page = texts(body, "Ann Lee")
    assert tags(page.document, page.holding("ann lee")) == found


def test_what_metadata_states() -> None:
    jsonld = '<script type="application/ld+json">{"author": {"name": ["Bo Ek"]}}</script>'
    page = texts("", head=f'<title>Bees</title><meta name=author content="Ann Lee">{jsonld}')
    assert {"Bees", "Ann Lee", "Bo Ek"} <= set(page.stated)
    assert {"bees", "ann lee", "bo ek"} <= set(page.stated_keys)


def test_moments_of_texts_of_attributes_and_of_metadata() -> None:
    head = '<meta property="article:published_time" content="2024-05-06">'
    page = texts('<p>7 May 2024</p><time datetime="2024-05-08">today</time><p>Bees</p>', head=head)
    days = [(node is None, str(moment)[:10]) for node, moment in page.moments]
    assert (True, str(date(2024, 5, 6))) in days
    assert {(False, "2024-05-07"), (False, "2024-05-08")} <= set(days)


def test_what_the_tagger_holds_of_an_element() -> None:
    labels = (Label(field="title", value="a", score=0.4, node=3), Label(field="title", value="b", score=0.7, node=3))
    page = texts("", labels=labels)
    assert [page.opinion("title", 3), page.opinion("title", 4), page.opinion("text", 3)] == [0.7, 0.0, 0.0]
