"""Lists of sites against a store."""

from sitewright.actions.add_sites import add_site
from sitewright.actions.site_lists import address_of, listed_sites, sites_of_list
from sitewright.fetch.lists import ListedAddress
from sitewright.store.database import Store
from sitewright.store.entries import WatchedPage


def test_a_feed_elsewhere_is_of_its_site() -> None:
    listed = [
        ListedAddress("https://feeds.example/bees", "Bees", "feed", "https://bees.example/"),
        ListedAddress("https://bees.example/sport.xml", "Sport", "feed"),
        ListedAddress("https://www.wasps.example/rss", "Wasps", "feed"),
    ]
    found = sites_of_list(listed)
    assert list(found) == ["bees.example", "wasps.example"]
    assert [address_of(entry) for entry in found.values()] == ["https://bees.example/", "https://www.wasps.example/rss"]


def test_sites_are_listed_by_their_feeds(store: Store) -> None:
    add_site(store, "https://bees.example/", title="Bees")
    store.put_index_pages(
        [WatchedPage(site="bees.example", url=f"https://bees.example/{name}") for name in ("rss", "a")]
    )
    assert listed_sites(store, ["bees.example", "notes.example"]) == [
        ListedAddress("https://bees.example/rss", "Bees", "feed", "https://bees.example/"),
        ListedAddress("https://notes.example/", "notes.example"),
    ]
