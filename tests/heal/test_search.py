"""Remembered values and where they stand on a page that looks different now."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from sitewright.domains import load_domain
from sitewright.heal.search import Search, look_for
from sitewright.parse import Document, parse
from sitewright.types import Label, Page, TaggedPage, TextLine

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
FIRST = "The bees of the old harbour came back this spring, and nobody knows from where they came."
SECOND = "They were counted on the quay before the rain, said the keepers of the harbour."
ADVERT = "Switch to Brightwave broadband today and pay nothing at all for the first three months."


def document(body: str, head: str = "") -> Document:
    return parse(Page(url="https://example.com/a", body=f"<html lang=en><head>{head}</head><body>{body}</body></html>"))


def tagged(page: Document, *labels: Label) -> TaggedPage:
    lines = [
        TextLine(element.text, number, 0.5)
        for number, element in enumerate(page.elements)
        if element.tag in {"p", "li"}
    ]
    return TaggedPage(url=page.url, kind="other", kind_score=0.9, labels=labels, lines=tuple(lines))


def looked_for(page: Document, before: TaggedPage, values: Mapping[str, object]) -> Search:
    return look_for(values, page, before, load_domain("news"), NOW)


def corrected(page: Document, before: TaggedPage, values: Mapping[str, object]) -> TaggedPage:
    return looked_for(page, before, values).tagged


def nodes_of(page: Document, found: TaggedPage, field: str, least: float = 0.5) -> list[str]:
    """Return tag and class of the elements that display a field."""
    nodes = [label.node for label in found.labels if label.field == field and label.score >= least]
    elements = [page.elements[node] for node in nodes if node is not None]
    return [f"{element.tag}.{element.attr('class')}" for element in elements]


def score_of(found: TaggedPage, field: str, value: object) -> float:
    return max((label.score for label in found.labels if label.field == field and label.value == value), default=0.0)


def test_the_innermost_element_that_displays_a_value_is_certain_and_other_opinions_are_damped() -> None:
    page = document("<div class=a><h2 class=b>Bees are BACK!</h2></div><h1 class=c>More bees</h1>")
    found = corrected(
        page, tagged(page, Label(field="title", value="More bees", score=0.9, node=5)), {"title": "Bees are back"}
    )
    assert nodes_of(page, found, "title") == ["h2.b"]
    assert score_of(found, "title", "Bees are back") == 1.0
    assert score_of(found, "title", "More bees") < 0.1


def test_a_value_within_a_longer_text_is_found_in_the_smallest_element_that_holds_it() -> None:
    page = document("<header class=x><div class=by>By Ann Lee, city desk</div><p class=y>4 min</p></header>")
    found = corrected(page, tagged(page), {"authors": ["Ann Lee"]})
    assert nodes_of(page, found, "authors") == ["div.by"]


def test_all_entries_of_a_list_are_found() -> None:
    page = document("<ul class=t><li class=i>bees</li><li class=i>quay</li><li class=i>rain</li></ul>")
    found = corrected(page, tagged(page), {"tags": ["Bees", "Quay", "Rain"]})
    assert nodes_of(page, found, "tags") == ["li.i"] * 3


def test_of_several_places_the_one_that_the_tagger_believes_in_is_likeliest() -> None:
    page = document("<nav><a class=menu>News</a></nav><main><a class=kicker>News</a></main>")
    kicker = next(n for n, element in enumerate(page.elements) if element.attr("class") == "kicker")
    found = corrected(
        page, tagged(page, Label(field="categories", value="News", score=0.8, node=kicker)), {"categories": ["News"]}
    )
    scores = {page.elements[label.node].attr("class"): label.score for label in found.labels if label.node is not None}
    assert scores["kicker"] > scores["menu"] > 0.5


@pytest.mark.parametrize(
    "shown",
    [
        "<span class=d>6 May 2024</span>",
        "<span class=d>06.05.2024, 10:30</span>",
        "<span class=d>Monday, May 6th, 2024</span>",
        '<time class=d datetime="2024-05-06T10:30:00+01:00">this morning</time>',
    ],
)
def test_a_day_is_found_in_whatever_format_it_is_shown(shown: str) -> None:
    page = document(f"<div class=e><span class=x>7 May 2024</span></div><div class=f>{shown}</div>")
    found = looked_for(page, tagged(page), {"published": "2024-05-06T10:30:00+01:00"})
    assert found.found == {"published"}
    shown_at = nodes_of(page, found.tagged, "published")
    assert shown_at
    assert all(name.endswith((".d", ".f")) for name in shown_at)


def test_a_moment_at_another_time_of_the_day_is_less_certain() -> None:
    page = document("<i class=a>6 May 2024, 10:30</i><b class=b>6 May 2024, 17:05</b>")
    found = corrected(page, tagged(page), {"published": "2024-05-06T10:30:00"})
    scores = {page.elements[label.node].tag: label.score for label in found.labels if label.node is not None}
    assert scores["i"] > scores["b"]


def test_lines_of_the_stored_text_are_certain_and_all_others_are_not() -> None:
    page = document(f"<p>{FIRST}</p><p>{ADVERT}</p><p>{SECOND}</p>")
    found = looked_for(page, tagged(page), {"text": f"{FIRST}\n\n{SECOND}"})
    assert [line.score > 0.9 for line in found.tagged.lines] == [True, False, True]
    assert found.found == {"text"}


def test_lines_that_are_broken_otherwise_now_are_found_by_their_words() -> None:
    page = document(f"<p>{FIRST} {SECOND}</p><p>{ADVERT}</p>")
    found = corrected(page, tagged(page), {"text": f"{FIRST}\n\n{SECOND}"})
    assert [line.score > 0.7 for line in found.lines] == [True, False]


def test_what_is_nowhere_is_left_to_the_tagger() -> None:
    page = document("<h1>Cookies</h1><p>We value your privacy.</p>")
    before = tagged(page, Label(field="title", value="Cookies", score=0.8, node=2))
    found = looked_for(
        page, before, {"title": "Bees are back", "text": f"{FIRST}\n\n{SECOND}", "published": "2024-05-06"}
    )
    assert found.found == frozenset()
    assert found.sought == {"title", "text", "published"}
    assert found.tagged == before


def test_a_value_that_metadata_states_is_found_without_an_element() -> None:
    page = document("<p>…</p>", head='<meta name=author content="Ann Lee">')
    found = looked_for(page, tagged(page), {"authors": ["Ann Lee"]})
    assert found.found == {"authors"}
    assert [label.node for label in found.tagged.labels] == [None]


def test_a_page_that_shows_what_it_was_is_an_article() -> None:
    page = document(f"<h1>Bees are back</h1><p>{FIRST}</p>")
    assert corrected(page, tagged(page), {"title": "Bees are back", "text": FIRST}).kind == "article"


def test_a_page_that_shows_the_text_is_an_article_whatever_else_went_with_the_metadata() -> None:
    told = {"published": "2024-05-06", "authors": ["Ann Lee"], "categories": ["Nature"], "tags": ["bees", "quay"]}
    page = document(f"<h2>Bees are back</h2><p>{FIRST}</p>")
    assert corrected(page, tagged(page), {**told, "text": FIRST}).kind == "article"
    assert corrected(page, tagged(page), {**told, "title": "Bees are back"}).kind == "other", "it may be a notice"


def test_pictures_are_found_in_whatever_size_and_others_are_damped() -> None:
    page = document("<img class=a src=/new/harbour-dawn-7_800x600.webp><img class=b src=/new/advert-88.jpg>")
    opinions = [
        Label(field="images", value=image.attr("src"), score=0.5, node=page.number_of(image))
        for image in page.tree.select("img")
    ]
    values = {"images": [{"url": "https://example.com/old/harbour-dawn-7.jpg", "caption": "", "credit": ""}]}
    search = looked_for(page, tagged(page, *opinions), values)
    assert nodes_of(page, search.tagged, "images") == ["img.a"]
    assert search.found == {"images"}
    assert score_of(search.tagged, "images", "/new/advert-88.jpg") < 0.1


def test_pictures_whose_addresses_are_all_new_are_left_to_the_tagger() -> None:
    page = document("<img class=a src=/new/44f1c2d0-quay.jpg>")
    opinion = Label(field="images", value="/new/44f1c2d0-quay.jpg", score=0.8, node=page.number_of(page.elements[-1]))
    search = looked_for(page, tagged(page, opinion), {"images": [{"url": "https://example.com/old/harbour-7.jpg"}]})
    assert (search.sought, search.found) == (frozenset(), frozenset())
    assert search.tagged.labels == (opinion,)
