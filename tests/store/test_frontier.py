"""A link is collected once: it waits until it was seen, in whatever spelling."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Engine, event, text

from sitewright.store.database import Store, open_store
from sitewright.store.engine import make_engine, writing
from sitewright.store.entries import Collected, FoundLink, PageLocation, WaitingLink, WatchedPage
from sitewright.types import Failure, Page, PhotoSet, Record, Value

pytestmark = pytest.mark.slow

SITE = "example.com"
START = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
Clock = Callable[..., datetime]


def address(number: int | str) -> str:
    return f"https://example.com/story/{number}"


def collected(number: int | str, *, final_url: str = "", link: str = "") -> Collected:
    fields = {"title": Value("A", 0.5, "article/title#0")}
    record = Record(site=SITE, urls=(address(number),), fields=fields, template="article")
    return Collected(record=record, page=Page(url=address(number), body=b"", final_url=final_url), link=link)


def waiting(store: Store) -> list[str]:
    return [link.url for link in store.due_links(SITE, limit=1000)]


def test_a_link_is_known_while_it_waits_and_when_it_was_seen(store: Store) -> None:
    urls = [address(number) for number in range(3)]
    assert store.known_links(SITE, urls) == set()
    assert store.add_links(SITE, [FoundLink(url) for url in urls[:2]]) == urls[:2]
    assert store.known_links(SITE, urls) == set(urls[:2])
    store.mark_seen(SITE, [urls[1], urls[2]])
    assert store.known_links(SITE, urls) == set(urls)
    assert (store.count_waiting(SITE), store.count_seen(SITE)) == (1, 2)
    store.add_site("b.example")
    assert store.known_links("b.example", urls) == set()
    assert store.known_links(SITE, []) == set()


SPELLINGS = (
    "http://example.com/a",
    "https://www.example.com/a/",
    "HTTPS://EXAMPLE.com/a#top",
    "https://example.com/a?utm_source=x&fbclid=7",
    "https://example.com/a;jsessionid=4F2A?PHPSESSID=0a1b",
)


def test_spellings_of_a_link_are_one_link(store: Store) -> None:
    assert store.add_links(SITE, [FoundLink(url) for url in SPELLINGS]) == [SPELLINGS[0]]
    for url in SPELLINGS:
        assert store.add_links(SITE, [FoundLink(url)]) == []
    assert store.known_links(SITE, [*SPELLINGS, "https://example.com/A"]) == set(SPELLINGS)
    assert waiting(store) == [SPELLINGS[0]]
    store.mark_seen(SITE, [SPELLINGS[3]])
    assert (store.count_waiting(SITE), store.count_seen(SITE)) == (0, 1)


def test_links_wait_until_they_are_due_the_longest_due_first(store: Store, clock: Clock) -> None:
    hours = {1: 3, 2: 1, 3: 2}
    found = [FoundLink(address(number), "", None, START + timedelta(hours=due)) for number, due in hours.items()]
    assert store.add_links(SITE, found) == [link.url for link in found]
    assert waiting(store) == []
    clock(hours=2)
    assert waiting(store) == [address(2), address(3)]
    clock(hours=2)
    assert waiting(store) == [address(2), address(3), address(1)]
    assert [link.url for link in store.due_links(SITE, limit=1)] == [address(2)]
    site = store.site(SITE)
    assert site is not None
    assert site.next_due == START + timedelta(hours=1)


def test_a_waiting_link_comes_back_as_it_was_found(store: Store) -> None:
    published = datetime(2024, 5, 5, tzinfo=UTC)
    store.add_links(SITE, [FoundLink(address(1), "https://example.com/feed", published), FoundLink(address("\0"))])
    wanted = WaitingLink(
        url=address(1), source="https://example.com/feed", found_at=START, due=START, tries=0, published=published
    )
    assert wanted in store.due_links(SITE, limit=2)


def test_what_is_stored_waits_no_longer_under_any_of_its_addresses(store: Store) -> None:
    links = ["https://example.com/short", address(1), address("1-final"), address(2)]
    store.add_links(SITE, [FoundLink(url) for url in links])
    store.commit_pages([collected(1, final_url=address("1-final"), link=links[0])])
    assert waiting(store) == [address(2)]
    assert store.known_links(SITE, links) == set(links)
    assert (store.count_waiting(SITE), store.count_seen(SITE)) == (1, 3)


def test_a_failure_settles_a_link_or_has_it_wait_longer(store: Store, clock: Clock) -> None:
    store.add_links(SITE, [FoundLink(address(number)) for number in range(4)])
    again = clock(minutes=1) + timedelta(hours=1)
    failures = [Failure(address(number), "fetch", "fetch_timeout", "") for number in range(5)]
    store.add_failures(SITE, [(failures[0], True, None), (failures[1], False, again), (failures[4], False, again)])
    store.add_failures(SITE, [])
    store.add_failure(SITE, failures[2])
    assert set(waiting(store)) == {address(2), address(3)}
    assert store.known_links(SITE, map(address, range(5))) == {address(number) for number in range(4)}
    assert len(store.failures(SITE)) == 4
    clock(hours=1)
    assert {link.url: (link.tries, link.due) for link in store.due_links(SITE, limit=5)} == {
        address(1): (1, again),
        address(2): (0, START),
        address(3): (0, START),
    }
    store.add_failure(SITE, failures[1], again_at=again)
    assert [link.tries for link in store.due_links(SITE, limit=5) if link.url == address(1)] == [2]
    store.add_failure(SITE, failures[1], settled=True)
    assert (store.count_waiting(SITE), store.count_seen(SITE)) == (2, 2)


def test_failures_of_what_is_well_again_are_dropped(store: Store) -> None:
    for number in range(2):
        store.add_failure(SITE, Failure(address(number), "fetch", "fetch_timeout", ""))
    store.forget_failures(SITE, [address("0?utm_source=x")])
    assert [one.failure.url for one in store.failures(SITE)] == [address(1)]


def test_a_forgotten_site_leaves_nothing_and_others_as_they_are(store: Store, url: str) -> None:
    store.add_site("b.example")
    for site in (SITE, "b.example"):
        store.put_index_pages([WatchedPage(site=site, url="a")])
        store.add_links(site, [FoundLink(address(1))])
        page = Page(url=address(2), body=b"")
        store.commit_page(Record(site=site, urls=(page.url,), fields={}), page, PageLocation(site, 0, 9, "sha1:"))
        store.put_photo_set(PhotoSet(site=site, urls=("a",)))
        store.add_failure(site, Failure(address(3), "fetch", "a", ""))
    store.forget_site(SITE)
    assert [site.name for site in store.sites()] == ["b.example"]
    engine = make_engine(url, 5)
    tables = "index_pages seen_links waiting_links pages records photo_sets failures metrics".split()
    with engine.begin() as connection:
        counts = [connection.execute(text(f"SELECT count(*) FROM {table}")).scalar() for table in tables]  # noqa: S608
    engine.dispose()
    assert counts == [1] * len(tables)
    store.add_site(SITE)
    assert store.known_links(SITE, [address(1), address(2)]) == set()


steps = st.lists(st.tuples(st.sampled_from("find commit settle again fail".split()), st.integers(0, 5)))


@given(steps)
def test_a_link_never_waits_and_was_seen_at_once(taken: list[tuple[str, int]]) -> None:
    found: set[int] = set()
    seen: set[int] = set()
    with open_store("sqlite://") as store:
        store.add_site(SITE)
        for step, number in taken:
            failure = Failure(address(number), "fetch", "a", "")
            if step == "find":
                assert bool(store.add_links(SITE, [FoundLink(address(number))])) == (number not in found | seen)
                found.add(number)
            elif step == "commit":
                store.commit_pages([collected(number)])
                seen.add(number)
            elif step == "settle":
                store.add_failure(SITE, failure, settled=True)
                seen.add(number)
            else:
                store.add_failure(SITE, failure, again_at=START if step == "again" else None)
            assert set(waiting(store)) == {address(one) for one in found - seen}
            assert store.count_seen(SITE) == len(seen)


FILL = {
    "sqlite": [
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)
        INSERT INTO seen_links (site_id, signature, first_seen, stored_at)
        SELECT 1, (i - 500000) * 18446744073709, '2024-05-06 00:00:00.000000', '2024-05-06 00:00:00.000000' FROM n
    """
    ],
    "postgresql": [
        "SET LOCAL session_replication_role = replica",  # a million checks that there is a site 1 take ten seconds
        """
        INSERT INTO seen_links (site_id, signature, first_seen, stored_at)
        SELECT 1, (i - 500000) * 18446744073709, now(), now() FROM generate_series(1, 1000000) AS n(i)
        """,
        "ANALYZE seen_links",
    ],
}
"""A million links, spread over all numbers."""


def fill_seen(url: str) -> None:
    engine = make_engine(url, 60)
    with writing(engine) as connection:
        for statement in FILL[engine.dialect.name]:
            connection.execute(text(statement))
    engine.dispose()


EXPLAIN = {"sqlite": "EXPLAIN QUERY PLAN", "postgresql": "EXPLAIN"}


@contextmanager
def explained(plans: list[str]) -> Iterator[None]:
    """Note the plan of every query."""

    def explain(_: object, cursor: Any, statement: str, parameters: Any, context: Any, __: object) -> None:
        if statement.lstrip().startswith("SELECT"):
            cursor.execute(f"{EXPLAIN[context.dialect.name]} {statement}", parameters)
            plans.append("\n".join(" ".join(map(str, row)) for row in cursor.fetchall()))

    event.listen(Engine, "before_cursor_execute", explain)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", explain)


def test_a_million_seen_links_are_searched_by_an_index(store: Store, url: str) -> None:
    fill_seen(url)
    store.commit_pages([collected(0)])
    assert store.count_seen(SITE) == 1_000_001
    urls = [address(number) for number in range(500)]
    plans: list[str] = []
    with explained(plans):
        assert store.known_links(SITE, urls) == {urls[0]}
    searched = [plan for plan in plans if "seen_links" in plan]
    assert searched
    assert not [plan for plan in searched if "SCAN seen_links" in plan or "Seq Scan on seen_links" in plan]


def test_pages_of_a_span_of_time_are_fetched_again(store: Store) -> None:
    """The site showed an error page in the place of each: what was settled waits once more."""
    for number in range(4):
        status = 404 if number == 2 else 200
        place = PageLocation("a.warc.gz", 100 * number, 10, "sha1:x")
        page = Page(url=address(number), body=b"", status=status, fetched_at=START + timedelta(hours=number))
        store.add_page(SITE, page, place)
    store.mark_seen(SITE, [address(number) for number in range(4)])
    assert store.recollect(SITE, START + timedelta(hours=1), START + timedelta(hours=3)) == 2
    assert sorted(waiting(store)) == [address(1), address(3)]  # what was gone stays gone
    site = store.site(SITE)
    assert site is not None
    assert site.next_due is not None
    assert store.recollect(SITE, START + timedelta(hours=1), START + timedelta(hours=3)) == 0  # they wait already
