"""Of a story one report is suggested, with the others beside it; what is the same for all is read again when it changed."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitewright.actions import next_reads
from sitewright.actions.catalogues import Library, open_catalogue
from sitewright.actions.next_reads import NextReads
from sitewright.store.catalogue.stories import SameCard
from sitewright.store.database import open_store
from sitewright.store.entries import Collected
from sitewright.store.next_reads import EVERYBODY, NextRead
from sitewright.types import Page, Record, Value

pytestmark = pytest.mark.slow


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    address = f"sqlite:///{tmp_path}/store.db"
    with open_store(address) as store, open_catalogue(store, address) as catalogue:
        store.add_site("example.com", url="https://example.com/")
        store.commit_pages([stored(number) for number in range(6)])
        catalogue.catch_up()
        yield Library(store, catalogue, tmp_path)


def stored(number: int) -> Collected:
    url = f"https://example.com/{number}"
    fields = {"title": Value(f"Story {number}", 1.0, "a/title#0")}
    record = Record(site="example.com", urls=(url,), fields=fields)
    return Collected(record=record, page=Page(url=url, body=b"", via="http"))


def numbers(library: Library) -> list[int]:
    return [one.number for one in library.store.records()]


def put_lists(library: Library, *likely: int) -> None:
    now, lists = datetime.now(UTC), library.store.next_reads
    lists.take_turn("test", seconds=60)
    lists.put_lists({EVERYBODY: [NextRead(one, 0.3 / place) for place, one in enumerate(likely, 1)]}, now)
    lists.finish_turn("test", made_at=now)


def suggested(reads: NextReads, *without: int) -> list[int]:
    return [one.card.number for one in reads.suggestions("sent", "new", without)]


def test_one_report_of_a_story_is_suggested_with_the_others(library: Library) -> None:
    first, second, third, *rest = numbers(library)
    stories = {one.number: one for one in library.store.numbered([first, third])}
    library.catalogue.put_in_story(stories[first], [1], None)
    library.catalogue.put_in_story(stories[third], [1], SameCard(first, "same event", 0.9))
    put_lists(library, third, second, first)
    reads = NextReads(library)
    assert suggested(reads)[:2] == [third, second]
    assert sorted(suggested(reads)) == sorted([third, second, *rest])
    [best, *_] = reads.suggestions("sent", "new")
    assert [card.number for card in best.others] == [first]
    assert sorted(suggested(reads, first)) == sorted([second, *rest])


def test_new_lists_and_new_records_are_seen(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(next_reads, "_CHECKED_SECONDS", 0.0)
    reads, [first, second, *_] = NextReads(library), numbers(library)
    assert [one.chance for one in reads.suggestions("sent", "new")] == [None] * 6
    put_lists(library, first)
    assert suggested(reads)[0] == first
    put_lists(library, second, first)
    assert suggested(reads)[:2] == [second, first]
    library.store.commit_pages([stored(9)])
    library.catalogue.catch_up()
    assert len(suggested(reads)) == 7


def test_records_that_are_gone_are_not_suggested(library: Library) -> None:
    put_lists(library, 999, numbers(library)[0])
    assert suggested(NextReads(library))[0] == numbers(library)[0]


def test_a_new_report_is_of_the_story_of_one_that_is_known(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(next_reads, "_CHECKED_SECONDS", 0.0)
    reads, [first, *_] = NextReads(library), numbers(library)
    put_lists(library, first)
    assert suggested(reads)[0] == first
    library.store.commit_pages([stored(9)])
    library.catalogue.catch_up()
    late = max(numbers(library))
    stories = {one.number: one for one in library.store.numbered([first, late])}
    library.catalogue.put_in_story(stories[first], [1], None)
    library.catalogue.put_in_story(stories[late], [1], SameCard(first, "same event", 0.9))
    assert first in suggested(reads)
    assert late not in suggested(reads)
    [best, *_] = reads.suggestions("sent", "new")
    assert [card.number for card in best.others] == [late]
