"""Names of sites in, the sites of the store out."""

from collections.abc import Sequence

from sitewright.errors import InputError
from sitewright.store.database import Store
from sitewright.store.entries import StoredSite

_SHOWN = 10


def known_sites(store: Store, names: Sequence[str]) -> list[StoredSite]:
    """Return the sites of these names, each once (all where none is named); one that is not there is told."""
    known = {site.name: site for site in store.sites()}
    if not known:
        raise InputError("there is no site in the store yet; begin with: sitewright collect URL")
    for name in names:
        if name not in known:
            more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
            raise InputError(f"there is no site {name} in the store; there are {', '.join([*known][:_SHOWN])}{more}")
    return [known[name] for name in dict.fromkeys(names or known)]
