from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitewright.errors import StoreError
from sitewright.store.database import Store, open_store
from sitewright.store.story_parts import PART_OF, FoundPart
from sitewright.types import Record, Value

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
SITE = "example.com"
STORY = "https://example.com/bees"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/store.db", clock=lambda: NOW) as opened:
        opened.add_site(SITE)
        yield opened


def record(url: str) -> Record:
    published = Value(NOW, 0.8, "article/published#0")
    return Record(site=SITE, urls=(url,), fields={"published": published}, map_version=3, extracted_at=NOW)


def test_what_a_page_says_comes_back(store: Store) -> None:
    store.keep_part(SITE, STORY, FoundPart(STORY, 0), record(STORY))
    part = store.part_of(SITE, STORY + "/")
    assert part is not None
    assert part.record is not None
    assert (part.state, part.story, part.record.urls, part.record.map_version) == ("here", STORY, (STORY,), 3)
    assert part.record.extracted_at == NOW
    assert datetime.fromisoformat(str(part.record.fields["published"].value)) == NOW
    assert store.part_of(SITE, f"{STORY}?page=2") is None


def test_pages_that_are_expected_wait_in_their_order_each_once(store: Store) -> None:
    store.keep_part(SITE, STORY, FoundPart(STORY, 0), record(STORY))
    found = [FoundPart(f"{STORY}?page={number}", number) for number in (3, 2)]
    store.expect_parts(SITE, STORY, [*found, FoundPart(STORY, 0)])
    store.expect_parts(SITE, STORY, found)
    assert [(part.number, part.state) for part in store.parts_of(SITE, STORY)] == [
        (0, "here"), (2, "awaited"), (3, "awaited"),
    ]  # fmt: skip
    waiting = store.due_links(SITE, limit=9)
    assert {link.url for link in waiting} == {part.url for part in found}
    assert {link.source for link in waiting} == {PART_OF + STORY}


def test_a_page_that_was_seen_before_is_asked_for_again(store: Store) -> None:
    second = f"{STORY}?page=2"
    store.mark_seen(SITE, [second])
    store.expect_parts(SITE, STORY, [FoundPart(second, 2)])
    assert [link.url for link in store.due_links(SITE, limit=9)] == [second]
    store.settle_part(SITE, [second])
    assert store.due_links(SITE, limit=9) == []


def test_what_became_of_a_page(store: Store) -> None:
    second = f"{STORY}?page=2"
    store.expect_parts(SITE, STORY, [FoundPart(second, 2)])
    store.mark_part(SITE, second, "missing")
    part = store.part_of(SITE, second)
    assert part is not None
    assert part.state == "missing"


def test_what_is_read_at_one_moment_stays_as_it_was(store: Store) -> None:
    with store.at_one_moment():
        before = len(store.sites())
        store.add_site("late.example", url="https://late.example/")
        assert len(store.sites()) == before, "what is written meanwhile is stored, and seen afterwards"
    assert len(store.sites()) == before + 1


def test_what_is_asked_together_is_stored_together(store: Store) -> None:
    second = f"{STORY}?page=2"
    with store.together():
        store.keep_part(SITE, STORY, FoundPart(STORY, 0), record(STORY))
        store.expect_parts(SITE, STORY, [FoundPart(second, 2)])
        assert [part.state for part in store.parts_of(SITE, STORY)] == ["here", "awaited"]

    def interrupted() -> None:
        with store.together():
            store.mark_part(SITE, second, "missing")
            store.add_site("new.example")
            store.mark_part("elsewhere", second, "missing")

    with pytest.raises(StoreError, match="no site elsewhere"):
        interrupted()
    assert [part.state for part in store.parts_of(SITE, STORY)] == ["here", "awaited"]
    assert [site.name for site in store.sites()] == [SITE]


def test_other_threads_are_not_part_of_it(store: Store) -> None:
    with store.together(), ThreadPoolExecutor(1) as other:
        store.keep_part(SITE, STORY, FoundPart(STORY, 0), record(STORY))
        assert other.submit(store.parts_of, SITE, STORY).result() == []
    assert len(store.parts_of(SITE, STORY)) == 1
