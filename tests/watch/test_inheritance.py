"""What a map says of its sources is inherited by their links and stories."""

import pytest

from sitewright.types import ExtractionMap, IndexPage, Record, Value
from sitewright.watch.inheritance import (
    FROM_SOURCE,
    category_of,
    entry_above,
    given_categories,
    rules_of,
    with_categories_of,
    with_category,
    without_categories,
)
from sitewright.watch.links import LinkRules

FRONT = IndexPage(url="https://example.com/", banned=("/live/",))
LOCAL = IndexPage(url="https://example.com/local/", seed=("/local/",), category="Town")
INDEX = (FRONT, LOCAL)
RULES = LinkRules("example.com", seed=("/news/",), banned=("/ad/",))


def record(*categories: str) -> Record:
    fields = {"categories": Value(list(categories), 0.8, "article/categories#0")} if categories else {}
    return Record(site="example.com", urls=("https://example.com/local/bees",), fields=fields)


@pytest.mark.parametrize(
    ("url", "entry"),
    [
        ("https://example.com/", FRONT),
        ("https://example.com", FRONT),
        ("https://example.com/?page=2", FRONT),
        ("https://example.com/local", LOCAL),
        ("https://example.com/local/?page=3", LOCAL),
        ("https://example.com/local/page/2", LOCAL),
        ("https://example.com/locals", FRONT),
        ("https://other.example/", None),
    ],
)
def test_further_pages_of_a_list_are_read_by_its_entry(url: str, entry: IndexPage | None) -> None:
    assert entry_above(url, INDEX) == entry


def test_a_source_has_seeds_of_its_own_and_further_bans() -> None:
    front, local = (rules_of(entry.url, INDEX, RULES) for entry in INDEX)
    assert (front.seed, front.banned) == (("/news/",), ("/ad/", "/live/"))
    assert (local.seed, local.banned) == (("/local/",), ("/ad/",))
    assert rules_of("https://other.example/feed", INDEX, RULES) is RULES


def test_the_category_of_a_source_goes_before_that_of_the_site() -> None:
    assert category_of(LOCAL.url, INDEX, "Press") == "Town"
    assert category_of(FRONT.url, INDEX, "Press") == "Press"
    assert category_of("", INDEX, "Press") == "Press"
    assert category_of(FRONT.url, INDEX) == ""
    assert given_categories(ExtractionMap(site="example.com", index=INDEX), "Press") == {"Town", "Press"}


def test_a_story_has_the_category_of_its_source_once() -> None:
    assert with_category(record(), "Town").fields["categories"] == Value(["Town"], 1.0, FROM_SOURCE)
    named = with_category(record("Nature"), "Town")
    assert named.fields["categories"] == Value(["Town", "Nature"], 0.8, "article/categories#0")
    assert with_category(named, "Town") is named
    assert with_category(record("Nature"), "") == record("Nature")


def test_a_domain_without_sections_has_no_categories() -> None:
    job = Record(site="example.com", urls=("https://example.com/1",), fields={}, domain="jobs")
    assert with_category(job, "Town") is job


def test_what_a_source_gave_is_kept_when_the_page_is_read_again() -> None:
    before = with_category(record("Nature"), "Town")
    assert with_categories_of(before, record("Animals"), {"Town"}).fields["categories"].value == ["Town", "Animals"]
    assert with_categories_of(before, record("Animals"), {"Village"}) == record("Animals")
    assert with_categories_of(None, record("Animals"), {"Town"}) == record("Animals")


def test_what_the_page_alone_gives() -> None:
    assert without_categories(with_category(record("Nature"), "Town"), {"Town"}) == record("Nature")
    assert without_categories(with_category(record(), "Town"), {"Town"}) == record()
    assert without_categories(record("Nature"), {"Town"}) == record("Nature")
