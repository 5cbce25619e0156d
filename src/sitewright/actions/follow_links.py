"""A site and parts of addresses in, which of its links are followed from now on kept in the store."""

from collections.abc import Sequence
from dataclasses import replace

from sitewright.store.database import Store
from sitewright.watch.links import LinkRules


def follow_links(store: Store, site: str, seed: Sequence[str], banned: Sequence[str]) -> None:
    """Follow links with one of the parts of `seed` (none: all), and none with one of `banned`."""
    LinkRules(site, seed=tuple(seed), banned=tuple(banned))  # refuses what is no expression
    known = store.site(site)
    if known is not None:
        store.save_site_state(site, replace(known.state, seed=tuple(seed), banned=tuple(banned)))
