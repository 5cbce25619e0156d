"""What becomes of a source by new selectors; tests/watch/test_healer.py repairs whole sites."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.watch.bulletin import FRONT, MAP, front_of, url_of

from sitewright.heal.sources import HealedIndex, count_known, is_found_otherwise, proposed_source
from sitewright.parse import parse, signature
from sitewright.store.entries import MadeBy, StoredMap
from sitewright.types import IndexPage

OLD = IndexPage(url=FRONT, items=("li.teaser > a",))
NEW = replace(OLD, items=(".card-head > a",))


def version(number: int, made_by: MadeBy, text: str = MAP) -> StoredMap:
    made_at = datetime(2024, 6, number, tzinfo=UTC)
    return StoredMap(site="example.com", version=number, made_by=made_by, made_at=made_at, text=text)


@pytest.mark.parametrize(("entry", "found"), [(NEW, 4), (OLD, 0)])
def test_known_articles_are_counted_that_the_page_lists(entry: IndexPage, found: int) -> None:
    known = frozenset(signature(url_of(number)) for number in (*range(4), 90, 91))
    healed = count_known(entry, parse(front_of(range(8), "new")), known)
    assert (healed.entry, healed.found, healed.known) == (entry, found, 4)
    assert healed.share == found / 4


def test_of_no_known_articles_none_are_found() -> None:
    assert count_known(NEW, parse(front_of(range(8), "new")), frozenset()).share == 0.0


@pytest.mark.parametrize(
    ("found", "known", "least", "sure"),
    [
        (3, 3, 0.9, True),
        (2, 2, 0.9, False),
        (8, 10, 0.9, True),
        (7, 10, 0.9, False),
        (8, 10, 0.95, False),
        (8, 10, 0.5, True),
        (7, 10, 0.5, False),
        (0, 0, 0.0, False),
    ],
)
def test_how_many_known_articles_make_selectors_sure(found: int, known: int, least: float, sure: bool) -> None:
    healed = HealedIndex(entry=NEW, found=found, known=known)
    one = proposed_source(OLD, healed, [version(1, "learned")], least)
    assert (one.field, one.sure, one.judged) == (f"index {FRONT}", sure, known)
    assert [(shown.before, shown.after) for shown in one.shown] == [("li.teaser > a", ".card-head > a")]


OTHER = MAP.replace("li.teaser > a", ".teaser a")


@pytest.mark.parametrize(
    ("versions", "is_edited"),
    [
        ([version(1, "person")], True),
        ([version(1, "learned"), version(2, "person")], False),
        ([version(1, "learned", OTHER), version(2, "person")], True),
        ([version(1, "learned", OTHER), version(2, "person"), version(3, "healed")], True),
        ([version(1, "person", OTHER), version(2, "healed")], False),
        ([version(1, "person", "not: a map"), version(2, "healed")], False),
    ],
)
def test_who_wrote_the_selectors(versions: list[StoredMap], is_edited: bool) -> None:
    one = proposed_source(OLD, HealedIndex(entry=NEW, found=9, known=9), versions, 0.9)
    assert (one.edited, one.sure) == (is_edited, not is_edited)


def test_sources_are_found_otherwise_by_other_selectors_only() -> None:
    assert is_found_otherwise(OLD, NEW)
    assert is_found_otherwise(OLD, replace(OLD, next=("a.next",)))
    assert not is_found_otherwise(OLD, replace(OLD, weight=9))
