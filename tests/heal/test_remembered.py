"""Which stored records are worth fetching again, and what of them is remembered; tests/watch/test_healer.py has more."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from tests.watch.bulletin import record_of, url_of, values_of

from sitewright.heal.known import KnownPage
from sitewright.heal.remembered import MOST_KNOWN, remembered_pages
from sitewright.heal.symptoms import Symptoms
from sitewright.store.entries import StoredRecord

BEGAN = datetime(2024, 6, 20, 12, 0, tzinfo=UTC)


def stored(number: int, at: datetime = BEGAN - timedelta(days=1), **changes: object) -> StoredRecord:
    record = record_of(number, at, **changes)
    return StoredRecord(number=number, id=str(number), record=record, shown_at=at, stored_at=at, location=None)


def addresses(pages: Sequence[KnownPage[str]]) -> list[str]:
    return [known.page for known in pages]


def test_nothing_is_remembered_of_nothing() -> None:
    assert remembered_pages([], Symptoms()) == []


def test_an_article_comes_with_the_values_of_its_record() -> None:
    assert remembered_pages([stored(3)], Symptoms()) == [KnownPage(url_of(3), values_of(3))]


def test_what_was_read_after_it_began_is_no_memory() -> None:
    records = [stored(1, BEGAN), stored(2, BEGAN - timedelta(seconds=1))]
    assert addresses(remembered_pages(records, Symptoms(since=BEGAN))) == [url_of(2)]
    assert len(remembered_pages(records, Symptoms())) == 2


def test_a_record_of_one_value_tells_nothing() -> None:
    only_title = dict.fromkeys(("published", "text", "authors", "tags"))
    assert remembered_pages([stored(1, **only_title)], Symptoms()) == []


def test_texts_that_repeat_are_the_sites_and_other_values_are_not() -> None:
    records = [stored(number, title="The Bulletin", authors=["Ann Lee"], published="2024-06-01") for number in range(2)]
    kept = [known.values or {} for known in remembered_pages(records, Symptoms())]
    assert [sorted(values) for values in kept] == [["authors", "published", "tags", "text"]] * 2


def test_the_first_ones_are_spread_over_time() -> None:
    first = addresses(remembered_pages([stored(number) for number in range(40)], Symptoms()))[:MOST_KNOWN]
    assert first == [url_of(number) for number in range(3, 43, 4)][:MOST_KNOWN]


def test_affected_folders_come_first() -> None:
    pages = addresses(remembered_pages([stored(number) for number in range(9)], Symptoms(sections=("/nature",))))
    assert len(pages) == 9
    assert all("/nature/" in url for url in pages[:3])
