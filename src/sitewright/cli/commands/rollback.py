"""`sitewright rollback`: a site in, an earlier version of its map as the newest one out."""

from datetime import UTC, datetime
from typing import Any

import click

from sitewright.actions.hold import held
from sitewright.actions.maps import readable, stored_map, watch_sources
from sitewright.cli.options import StoreOption, open_known_store
from sitewright.cli.show.map_changes import print_changes
from sitewright.errors import InputError
from sitewright.maps.changes import real_changes
from sitewright.store.database import Store
from sitewright.store.entries import StoredMap
from sitewright.values.words import counted

_HEALING = "healing"


@click.command(short_help="Go back to an earlier version of a site's map.")
@click.argument("site", metavar="SITE")
@click.option(
    "--to",
    "wanted",
    type=click.IntRange(min=1),
    metavar="VERSION",
    help="Which one; default: the one before the newest.",
)
@StoreOption
def rollback(site: str, wanted: int | None, store: str | None) -> None:
    """Store an earlier version of a site's map as its next version, and show what changes by that, rule by rule.

    No version is lost: `sitewright map versions SITE` lists them all, and another rollback undoes this one. From then
    on the collector asks before it repairs this map, until a repair is accepted. Records stay as they are:
    `sitewright re-extract SITE` reads their pages once more.
    """
    with open_known_store(store) as opened:
        _earlier(opened, stored_map(opened, site), wanted)  # what cannot be done is told at once
        with held(opened, site, lambda line: click.echo(line, err=True)):
            newest = stored_map(opened, site)
            earlier = _earlier(opened, newest, wanted)
            version = opened.adopt_map(earlier.text, "person", state=_refusing(opened, newest))
            stored = stored_map(opened, site, version)
            watch_sources(opened, newest, stored)
        since = _read_since(opened, earlier)
    told = "the newest could not be read"
    if (known := readable(newest)) is not None:
        changes = real_changes(known, stored.parsed())
        print_changes(changes)
        told = counted(len(changes), "change") if changes else "no rule differs"
    click.echo(f"{site}: version {earlier.version} is back, as version {version} ({told})")
    again = f"sitewright re-extract {site} --since {since.astimezone(UTC):%Y-%m-%d}"
    click.echo(f"records stay as they are; to read what later versions read once more: {again}")


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


def _refusing(store: Store, newest: StoredMap) -> dict[str, Any]:
    """Return the site's state with a note for collectors: what led to this version is not done again."""
    known = store.site(newest.site)
    state = dict(known.state) if known is not None else {}
    return {**state, _HEALING: {**(state.get(_HEALING) or {}), "refused": newest.version}}
