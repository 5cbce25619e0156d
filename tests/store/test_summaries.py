"""Sites in numbers, and records by many addresses at once."""

from datetime import UTC, datetime

from sitewright.store.database import Store
from sitewright.store.entries import FoundLink, RecordQuery, SiteSummary, WatchedPage
from sitewright.types import Failure, Page, Record, Value

MAP = "sitewright: 1\nsite: {site}\ntemplates:\n  - {{name: a, rules: {{title: {{select: [h1]}}}}}}\n"


def add_record(store: Store, site: str, path: str, published: str) -> None:
    fields = {"title": Value(path, 0.9, "a/title#0"), "published": Value(published, 0.9, "a/published#0")}
    url = f"https://{site}{path}"
    store.commit_page(Record(site=site, urls=(url,), fields=fields), Page(url=url, body=b""))


def test_what_there_is_of_each_site(store: Store) -> None:
    store.add_site("a.example")
    store.save_map(MAP.format(site="example.com"), "learned")
    store.save_map(MAP.format(site="example.com"), "person")
    add_record(store, "example.com", "/a", "2024-05-06")
    add_record(store, "example.com", "/b", "2024-05-05")
    store.put_index_pages([WatchedPage(site="example.com", url="https://example.com/")])
    store.add_links("example.com", [FoundLink("https://example.com/c"), FoundLink("https://example.com/d")])
    store.add_failure("example.com", Failure("https://example.com/c", "fetch", "fetch_error", ""))
    first, second = store.site_summaries()
    assert first == SiteSummary(site=store.sites()[0])
    assert second == SiteSummary(
        site=store.sites()[1],
        records=2,
        last_record=datetime(2024, 5, 6, tzinfo=UTC),
        sources=1,
        waiting=2,
        failures=1,
        map_version=2,
        map_made_by="person",
    )


def test_records_by_their_addresses(store: Store) -> None:
    for number in range(5):
        add_record(store, "example.com", f"/{number}", "2024-05-06")
    urls = ["https://EXAMPLE.com/1?utm_source=x", "https://example.com/3", "https://example.com/7"]
    found = {stored.record.urls[0] for stored in store.find_records("example.com", urls)}
    assert found == {"https://example.com/1", "https://example.com/3"}
    assert store.find_records("example.com", []) == []


def test_records_of_several_sites(store: Store) -> None:
    for site in ("a.example", "b.example"):
        store.add_site(site)
        add_record(store, site, "/a", "2024-05-06")
    add_record(store, "example.com", "/a", "2024-05-07")
    query = RecordQuery(sites=("example.com", "b.example"), newest_first=True)
    assert [stored.record.site for stored in store.records(query)] == ["example.com", "b.example"]
    assert store.count_records(RecordQuery(site="a.example", sites=("b.example",))) == 2
