"""Signs of the kind of a page: stories and lists differ in them, whatever their addresses."""

import math

import pytest
from tests.tag.columns import NEWS

from sitewright.parse import parse
from sitewright.tag.kind_signs import KIND_SIGNS, kind_signs
from sitewright.tag.units import read_units
from sitewright.types import Page

PARAGRAPH = "They hum in the gardens behind the old town hall, and nobody in the city knows where they came from. "
STORY = f"<title>Bees | Lantern</title><article><h1>Bees</h1>{f'<p>{PARAGRAPH * 2}</p>' * 6}</article>"
ENTRY = "<article><h2><a href=/a>Bees are back behind the old town hall</a></h2><p>{}</p><time>6 May</time></article>"
LIST = "<title>Lantern</title>" + ENTRY.format(PARAGRAPH) * 12


def signs(html: str, url: str = "https://example.com/p/7") -> dict[str, float]:
    document = parse(Page(url=url, body=html))
    return dict(zip(KIND_SIGNS, kind_signs(document, read_units(document), NEWS), strict=True))


@pytest.mark.parametrize("html", ["", "<p>Bees", STORY, LIST, "<a href=/b>Other bees hum</a>" * 9])
@pytest.mark.parametrize(
    "url", ["", "https://example.com", "https://example.com/2024/05/bees-hum-all-day-1234567.html"]
)
def test_every_page_has_them_all(html: str, url: str) -> None:
    found = signs(html, url)
    assert len(found) == len(KIND_SIGNS)
    assert all(map(math.isfinite, found.values()))


def test_a_story_stands_together_and_a_list_does_not() -> None:
    story, listed = signs(STORY), signs(LIST)
    assert story["share_of_largest_block"] == pytest.approx(1.0)
    assert listed["share_of_largest_block"] < 0.2
    assert story["longest_stretch"] > listed["longest_stretch"]
    assert story["share_of_linked_headings"] == 0
    assert listed["share_of_linked_headings"] == 1
    assert (math.expm1(listed["articles"]), math.expm1(listed["times"])) == pytest.approx((12, 12))
    assert math.expm1(listed["entries"]) == pytest.approx(12)


def test_the_headline_that_a_page_states_is_found_among_its_headings() -> None:
    assert signs(STORY)["titled_by_main_heading"] == 1
    assert signs("<title>Lantern</title><h1>Bees</h1>")["titled_by_main_heading"] == 0
    assert signs("<title>Bees</title><h2><a href=/bees>Bees</a></h2>")["titled_by_link"] == 1


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        ('<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Bees"}</script>', "items_stated"),
        ('<script type="application/ld+json">{"@type": "CollectionPage"}</script>', "others_stated"),
        ('<meta property="og:type" content="article">', "said_item"),
        ('<meta property="og:type" content="website">', "said_other"),
        ('<meta property="article:published_time" content="2024-05-06">', "dates_stated"),
    ],
)
def test_what_a_page_states_of_its_kind_is_seen(stated: str, name: str) -> None:
    assert signs(f"<head>{stated}</head>{STORY}")[name] > signs(STORY)[name]


def test_the_address_is_one_sign_among_many() -> None:
    home, story = (
        signs(STORY, "https://example.com/"),
        signs(STORY, "https://example.com/2024/bees-hum-all-day-1234567"),
    )
    assert (home["home"], story["home"], signs(STORY, "https://example.com/?p=7")["home"]) == (1, 0, 0)
    assert (story["folders"], story["words_of_address"], story["digits_of_address"]) == (2, 5, 7)
    assert {name for name in home if home[name] != story[name]} <= {
        "home", "folders", "words_of_address", "digits_of_address",
    }  # fmt: skip
