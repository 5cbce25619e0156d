"""A list of addresses in, its sites by name out; and the sites of a store as such a list."""

from collections.abc import Iterable, Sequence

from sitewright.actions.sites import known_sites
from sitewright.fetch.lists import ListedAddress
from sitewright.links.discover import could_be_feed
from sitewright.parse.sites import site_name
from sitewright.store.database import Store
from sitewright.store.entries import StoredSite


def sites_of_list(addresses: Iterable[ListedAddress]) -> dict[str, ListedAddress]:
    """Return what a list has of each site, by name: of several feeds of one site the first.

    A feed whose site the list names is of that site, wherever the feed itself lies.
    """
    found: dict[str, ListedAddress] = {}
    for listed in addresses:
        found.setdefault(site_name(address_of(listed)), listed)
    return found


def address_of(listed: ListedAddress) -> str:
    """Return the address by which a site is learned: its front page, where the list names it."""
    return listed.front or listed.address


def listed_sites(store: Store, names: Sequence[str] = ()) -> list[ListedAddress]:
    """Return the sites of a store as a list: their feeds where they are known, else their front pages."""
    return [listed for site in known_sites(store, names) for listed in _listed(store, site)]


def _listed(store: Store, site: StoredSite) -> list[ListedAddress]:
    title, front = site.state.title or site.name, site.url or f"https://{site.name}/"
    feeds = [page.url for page in store.index_pages(site.name) if could_be_feed(page.url)]
    if not feeds:
        return [ListedAddress(front, title)]
    return [ListedAddress(url, title, "feed", front if front != url else "") for url in feeds]
