"""A site in, an earlier version of its map as the newest one out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sitewright.actions.hold import held
from sitewright.actions.maps import readable, stored_map, watch_sources
from sitewright.actions.telling import Tell, nobody
from sitewright.errors import InputError
from sitewright.maps.changes import real_changes
from sitewright.maps.diff import Change
from sitewright.store.database import Store
from sitewright.store.entries import StoredMap
from sitewright.store.states import SiteState


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack:
    """What was gone back to."""

    earlier: StoredMap
    """The version that is back."""
    stored: StoredMap
    """The same, as the newest version."""
    changes: Sequence[Change] | None
    """What differs from the version that was the newest; None where that cannot be read."""
    read_since: datetime
    """Since when pages were read with later versions."""


def roll_back(store: Store, site: str, version: int | None = None, tell: Tell = nobody) -> RolledBack:
    """Store an earlier version of a map (default: the one before the newest) as its next version.

    From then on collectors ask before they repair this map. `tell` is told where a collector has to be waited for.
    """
    _earlier(store, stored_map(store, site), version)  # what cannot be done is told at once
    with held(store, site, tell):
        newest = stored_map(store, site)
        earlier = _earlier(store, newest, version)
        stored = stored_map(store, site, store.adopt_map(earlier.text, "person", state=_refusing(store, newest)))
        watch_sources(store, newest, stored)
    known = readable(newest)
    return RolledBack(
        earlier=earlier,
        stored=stored,
        changes=real_changes(known, stored.parsed()) if known is not None else None,
        read_since=_read_since(store, earlier),
    )


def _earlier(store: Store, newest: StoredMap, wanted: int | None) -> StoredMap:
    """Return the version to go back to."""
    if wanted is not None:
        if wanted == newest.version:
            raise InputError(f"version {wanted} is the newest map of {newest.site} already")
        return stored_map(store, newest.site, wanted)
    versions = store.map_versions(newest.site)
    if len(versions) < 2:
        raise InputError(f"{newest.site} has only version {newest.version} of its map; there is none to go back to")
    return versions[-2]


def _read_since(store: Store, earlier: StoredMap) -> datetime:
    """Return since when pages were read with later versions; those that came with a repair read older ones, too."""
    made = next(own.made_at for own in store.map_versions(earlier.site) if own.version > earlier.version)
    incidents = store.incidents(earlier.site, open_only=False)
    healed = [one.since for one in incidents if one.state == "healed" and one.closed_at and one.closed_at >= made]
    proposals = store.proposals(earlier.site, waiting_only=False)
    accepted = [
        one.since for one in proposals if one.state == "accepted" and one.since and one.based_on >= earlier.version
    ]
    return min([made, *healed, *accepted])


def _refusing(store: Store, newest: StoredMap) -> SiteState:
    """Return the site's state with a note for collectors: what led to this version is not done again."""
    known = store.site(newest.site)
    state = known.state if known is not None else SiteState()
    return replace(state, repair=replace(state.repair, refused=newest.version))
