"""A site is in the hands of one process at a time, and what it leaves is taken over."""

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from sitewright.errors import StoreError
from sitewright.store.database import Store, open_store
from sitewright.store.engine import make_engine, writing
from sitewright.store.entries import FoundLink, StoredSite, WatchedPage
from sitewright.store.states import SiteState, SourceState
from sitewright.types import Failure

pytestmark = pytest.mark.slow

SITE = "example.com"
START = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)
DAY = 86_400.0
LEASER = [sys.executable, str(Path(__file__).parent / "leaser.py")]
Clock = Callable[..., datetime]


def after(**span: float) -> datetime:
    return START + timedelta(**span)


def watched(number: int, site: str = SITE, **changes: object) -> WatchedPage:
    return replace(WatchedPage(site=site, url=f"https://{site}/{number}"), **changes)  # type: ignore[arg-type]


def site_of(store: Store, name: str = SITE) -> StoredSite:
    found = store.site(name)
    assert found is not None
    return found


def names(sites: Sequence[StoredSite]) -> list[str]:
    return [site.name for site in sites]


def add_sites(store: Store, dues: Sequence[datetime]) -> None:
    """Add the sites 0, 1, …, each with an index page that is due at its moment."""
    for number, due in enumerate(dues):
        store.add_site(str(number))
        store.put_index_pages([watched(1, str(number), next_due=due)])


# Index pages


def test_index_pages_keep_their_schedule_when_put_again(store: Store, clock: Clock) -> None:
    page = watched(
        1,
        kind="feed",
        weight=3,
        period_seconds=60.5,
        etag='"a"',
        last_modified="b",
        state=SourceState(pace={"rate": [1, 2]}),
    )
    store.put_index_pages([page, watched(2)])
    store.put_index_pages([])
    assert store.index_pages(SITE)[0] == replace(page, next_due=START)
    clock(hours=1)
    store.put_index_pages([watched(1, weight=9, period_seconds=1.0)])
    assert store.index_pages(SITE)[0] == replace(page, next_due=START, weight=9, kind="page")
    store.remove_index_pages(SITE, [page.url])
    assert store.index_pages(SITE) == [watched(2, next_due=START)]


def test_the_index_pages_that_are_due(store: Store, clock: Clock) -> None:
    pages = [watched(number, next_due=after(hours=hours)) for number, hours in ((1, 2), (2, 1), (3, 5))]
    store.put_index_pages(pages)
    assert store.due_index_pages(SITE) == []
    clock(hours=3)
    assert store.due_index_pages(SITE) == [pages[1], pages[0]]
    assert store.due_index_pages(SITE, limit=1) == [pages[1]]


def test_a_site_is_due_with_the_earliest_of_its_new_pages(store: Store) -> None:
    assert site_of(store).next_due is None
    store.put_index_pages([watched(1, next_due=after(hours=2)), watched(2, next_due=after(hours=3))])
    assert site_of(store).next_due == after(hours=2)
    store.put_index_pages([watched(1), watched(2)])
    assert site_of(store).next_due == after(hours=2)
    store.put_index_pages([watched(3, next_due=after(hours=4))])
    assert site_of(store).next_due == after(hours=2)
    store.put_index_pages([watched(4)])
    assert site_of(store).next_due == START


# Leases


def test_a_site_comes_back_with_all_that_is_known(store: Store) -> None:
    assert store.site("nowhere") is None
    assert site_of(store) == StoredSite(name=SITE, url="https://example.com/", domain="news", added_at=START)
    store.save_site_state(SITE, SiteState(traps=(1, "中")))
    assert store.lease_site("a", SITE, seconds=60)
    wanted = replace(site_of(store), state=SiteState(traps=(1, "中")), lease_owner="a", lease_until=after(seconds=60))
    assert store.sites() == [wanted]


def test_sites_are_leased_when_they_are_due_the_longest_due_first(store: Store, clock: Clock) -> None:
    assert store.next_site_due() is None
    assert store.lease_sites("a", seconds=60) == []
    add_sites(store, [after(hours=hours) for hours in (2, 1, 5)])
    assert store.next_site_due() == after(hours=1)
    assert store.next_site_due(["0", "2"]) == after(hours=2)
    assert store.next_site_due([SITE]) is None
    assert store.lease_sites("a", seconds=60) == []
    clock(hours=6)
    assert names(store.lease_sites("a", seconds=60, only=["2", SITE, "nowhere"])) == ["2"]
    assert names(store.lease_sites("a", seconds=90, limit=1)) == ["1"]
    leased = store.lease_sites("b", seconds=120)
    assert leased == [site_of(store, "0")]
    assert (leased[0].lease_owner, leased[0].lease_until) == ("b", clock() + timedelta(seconds=120))
    assert store.next_site_due() == clock() + timedelta(seconds=60)


def test_a_lease_is_for_one_until_time_is_up(store: Store, clock: Clock) -> None:
    add_sites(store, [START] * 4)
    assert names(store.lease_sites("a", seconds=60, limit=2)) == ["0", "1"]
    assert names(store.lease_sites("b", seconds=90)) == ["2", "3"]
    assert store.lease_sites("a", seconds=60) == []
    clock(seconds=50)
    assert store.renew_sites("a", seconds=60) == {"0", "1"}
    clock(seconds=50)
    assert names(store.lease_sites("c", seconds=60, limit=1)) == ["2"]  # of b, whose time is up
    assert store.renew_sites("b", seconds=60) == {"3"}  # its time was up too, but nobody took it
    assert store.lease_sites("c", seconds=60) == []
    assert not store.release_site("b", "2")
    assert store.release_site("c", "2")
    assert not store.release_site("c", "2")
    assert not store.release_site("c", "nowhere")
    store.release_sites("a")
    assert names(store.lease_sites("d", seconds=60)) == ["0", "1", "2"]
    assert store.renew_sites("a", seconds=60) == set()


def test_a_site_is_leased_by_name_even_if_it_is_not_due(store: Store, clock: Clock) -> None:
    assert store.lease_site("a", SITE, seconds=60)
    assert store.lease_site("a", SITE, seconds=90)
    assert not store.lease_site("b", SITE, seconds=60)
    clock(seconds=90)
    assert store.lease_site("b", SITE, seconds=60)
    assert not store.lease_site("a", SITE, seconds=60)
    with pytest.raises(StoreError, match="no site nowhere"):
        store.lease_site("a", "nowhere", seconds=60)


RELEASES = [
    ({}, {}, None, None),
    ({1: 3, 2: 2}, {}, None, 2),
    ({}, {1: 5, 2: 4}, None, 4),
    ({1: 3}, {1: 4}, None, 3),
    ({1: 4}, {1: 3}, None, 3),
    ({1: 4}, {1: 3}, 2, 3),
    ({1: 4}, {1: 3}, 7, 7),
    ({}, {}, 7, None),
]


@pytest.mark.parametrize(("pages", "links", "not_before", "wanted"), RELEASES)
def test_a_released_site_is_due_with_its_next_page_or_link(
    store: Store, pages: dict[int, int], links: dict[int, int], not_before: int | None, wanted: int | None
) -> None:
    assert store.lease_site("a", SITE, seconds=60)
    store.put_index_pages([watched(number, next_due=after(hours=hours)) for number, hours in pages.items()])
    store.add_links(SITE, [FoundLink(str(number), due=after(hours=hours)) for number, hours in links.items()])
    assert store.release_site("a", SITE, not_before=after(hours=not_before) if not_before else None)
    released = site_of(store)
    assert released.next_due == (after(hours=wanted) if wanted else None)
    assert (released.lease_owner, released.lease_until) == (None, None)
    assert store.lease_site("a", SITE, seconds=60)
    store.release_sites("a")
    earliest = min([*pages.values(), *links.values()], default=None)
    assert site_of(store).next_due == (after(hours=earliest) if earliest else None)


def test_a_look_writes_schedule_links_and_state_at_once(store: Store, clock: Clock) -> None:
    store.put_index_pages([watched(1)])
    store.mark_seen(SITE, ["https://example.com/seen"])
    store.add_links(SITE, [FoundLink("https://example.com/waiting")])
    (site,) = store.lease_sites("a", seconds=60)
    assert site.state == SiteState()
    clock(seconds=5)
    urls = [f"https://example.com/{name}" for name in ("b", "seen", "a", "waiting", "b?utm_source=x")]
    published = datetime(2024, 5, 6, 9, tzinfo=UTC)
    links = [FoundLink(url, published=published, due=after(hours=1) if url.endswith("/a") else None) for url in urls]
    done = watched(1, last_fetched=clock(), next_due=after(hours=2), etag='"e"', state=SourceState(pace={"rate": 2}))
    assert store.finish_look("a", done, links, SiteState(rhythm="x")) == [urls[0], urls[2]]
    assert store.index_pages(SITE) == [done]
    assert site_of(store).state == SiteState(rhythm="x")
    clock(hours=1)
    first, second, third = store.due_links(SITE, limit=10)
    assert (first.url, first.source, first.due) == ("https://example.com/waiting", "", START)
    assert (second.url, second.source, second.due, second.tries) == (urls[0], done.url, after(seconds=5), 0)
    assert (third.url, third.due, third.published, third.found_at) == (
        urls[2],
        after(hours=1),
        published,
        after(seconds=5),
    )
    assert store.finish_look("a", done, links) == []
    assert site_of(store).state == SiteState(rhythm="x")


def test_a_look_after_a_lost_lease_writes_nothing(store: Store, clock: Clock) -> None:
    store.put_index_pages([watched(1)])
    store.lease_sites("a", seconds=60)
    clock(seconds=61)
    store.lease_sites("b", seconds=60)
    before = (store.index_pages(SITE), store.sites())
    done = watched(1, last_fetched=clock(), next_due=after(hours=2))
    found = [FoundLink("https://example.com/a")]
    for owner in ("a", "nobody"):
        assert store.finish_look(owner, done, found, SiteState(others={"a": 1})) is None
    assert (store.index_pages(SITE), store.sites()) == before
    assert store.count_waiting(SITE) == 0
    store.forget_site(SITE)
    assert store.finish_look("b", done, found) is None


def test_what_was_found_by_one_who_was_killed_is_due(store: Store, clock: Clock) -> None:
    store.lease_site("a", SITE, seconds=60)  # it was not due, so nobody else would look for it
    store.finish_look("a", watched(1, next_due=after(hours=9)), [FoundLink("https://example.com/a")])
    clock(seconds=60)
    assert names(store.lease_sites("b", seconds=60)) == [SITE]
    assert [link.url for link in store.due_links(SITE, limit=5)] == ["https://example.com/a"]


def test_a_link_that_a_clock_of_the_future_found_is_brought_back_once(store: Store, clock: Clock) -> None:
    """Whoever begins anew does not ask at once again for what was tried in vain by the right clock."""
    url = "https://example.com/a"
    clock(hours=5)
    store.add_links(SITE, [FoundLink(url)])
    store.add_failure(SITE, Failure(url, "fetch", "fetch_timeout", ""), again_at=after(hours=6))
    clock(hours=-5)
    assert store.bring_back(DAY, 60) == [SITE]
    assert [link.url for link in store.due_links(SITE, limit=5)] == [url]
    assert [one.at for one in store.failures(SITE)] == [clock()]
    store.add_failure(SITE, Failure(url, "fetch", "fetch_timeout", ""), again_at=after(minutes=20))
    assert store.bring_back(DAY, 60) == []
    assert store.due_links(SITE, limit=5) == []


def test_two_who_lease_at_once_do_not_wait_for_one_another(postgres_url: str) -> None:
    with open_store(postgres_url, wait_seconds=5) as store:
        add_sites(store, [START, START])
        engine = make_engine(postgres_url, 5)
        with writing(engine) as connection:
            connection.execute(text("SELECT id FROM sites ORDER BY id LIMIT 1 FOR NO KEY UPDATE"))
            assert names(store.lease_sites("a", seconds=60)) == ["1"]
        engine.dispose()


def test_threads_do_not_hold_one_site_either(store: Store) -> None:
    add_sites(store, [START] * 8)
    taken: list[str] = []

    def take(owner: str) -> None:
        while leased := store.lease_sites(owner, seconds=60, limit=1):
            taken.extend(names(leased))

    work = [threading.Thread(target=take, args=[str(number)]) for number in range(4)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(600)
    # Who comes when another is just taking the only free one goes away with empty hands, so some may be left.
    assert len(set(taken)) == len(taken)
    assert sorted([*taken, *names(store.lease_sites("last", seconds=60))]) == [str(number) for number in range(8)]


# Several processes


def test_four_processes_share_the_sites_and_none_is_held_by_two(url: str, tmp_path: Path) -> None:
    with open_store(url) as store:
        add_sites(store, [START] * 40)
        store.put_index_pages([watched(2, str(number)) for number in range(40)])
        command = [*LEASER, url]
        running = [
            subprocess.Popen([*command, f"worker {number}", "60", str(tmp_path)], stdout=subprocess.PIPE, text=True)
            for number in range(4)
        ]
        printed = [line for process in running for line in process.communicate(timeout=600)[0].splitlines()]
        assert [process.returncode for process in running] == [0] * 4
        assert sorted(printed) == sorted(f"looked https://{site}/{page}" for site in range(40) for page in (1, 2))
        assert [store.count_waiting(str(site)) for site in range(40)] == [4] * 40


def test_sites_of_a_killed_process_are_taken_over_when_its_lease_is_over(url: str, tmp_path: Path) -> None:
    later = timedelta()
    with open_store(url, clock=lambda: datetime.now(UTC) + later) as store:
        add_sites(store, [START] * 3)
        command = [*LEASER, url, "killed", "600", str(tmp_path), "2"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert [process.stdout.readline() for _ in range(2)] == ["looked https://0/1\n", "holds 0 1\n"]
            process.kill()
        assert names(store.lease_sites("next", seconds=6000)) == ["2"]
        due = store.next_site_due(["0", "1"])
        assert due is not None
        assert store.lease_sites("next", seconds=60) == []
        later = due - datetime.now(UTC)
        assert names(store.lease_sites("next", seconds=60)) == ["0", "1"]
        assert len(store.due_links("0", limit=5)) == 2
        assert store.renew_sites("killed", seconds=60) == set()
