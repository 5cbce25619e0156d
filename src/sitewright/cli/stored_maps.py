"""`sitewright map get|put|versions`: maps out of a store, and back into it."""

import sys
from collections import Counter
from dataclasses import replace

import click
from rich.console import Console
from rich.table import Table

from sitewright.cli.hold import held
from sitewright.cli.maps import deliver, shown_name, text_of
from sitewright.cli.stored import StoreOption, known_sites, open_known_store
from sitewright.errors import InputError, MapError
from sitewright.extract import Extractor
from sitewright.maps import dump_map, parse_map
from sitewright.maps.diff import compare_maps
from sitewright.maps.edited import mark_edited
from sitewright.store.database import Store
from sitewright.store.entries import StoredMap, WatchedPage
from sitewright.types import ExtractionMap

_NO_CHANGE = {"version", "learned_at"}
"""What differs between any two versions."""


@click.command(short_help="Write a stored map to a file.")
@click.argument("site", metavar="SITE")
@click.option("-o", "--output", default="-", metavar="MAP", help="File to write; default: stdout.")
@click.option("--version", type=click.IntRange(min=1), help="Which version; default: the newest.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
@StoreOption
def get(site: str, output: str, version: int | None, force: bool, store: str | None) -> None:
    """Write the map of a site of the store, to look at it or to edit it.

    `sitewright map put` stores what was edited; `sitewright re-extract SITE --map FILE --dry-run` shows what it would
    change.
    """
    with open_known_store(store) as opened:
        found = stored_map(opened, site, version)
    deliver(found.text, output, force=force)


@click.command(short_help="Store a map as the next version of its site's.")
@click.argument("file", metavar="MAP")
@StoreOption
def put(file: str, store: str | None) -> None:
    """Check a map file (or - on standard input) and store it as the next version of its site's, made by a person.

    Rules that differ from the version before are marked as edited, so that learning again leaves them alone. Index
    pages that are new in the map are watched from now on, those that are gone no longer. Records stay as they are:
    `sitewright re-extract SITE` reads their pages once more.
    """
    text = text_of(file)
    site = parse_map(text, shown_name(file)).site
    with open_known_store(store) as opened:
        known_sites(opened, [site])
        with held(opened, site, lambda line: click.echo(line, err=True)):  # or a repair could take its place unseen
            before = opened.load_map(site)
            stored = put_map(opened, text, shown_name(file))
    if before is not None and before.version == stored.version:
        click.echo(f"{stored.site}: version {before.version} is the same; nothing was stored")
    else:
        told = f" ({_told(before, stored)})" if before is not None else ""
        click.echo(f"{stored.site}: stored as version {stored.version}{told}")


@click.command(short_help="List the versions of a stored map.")
@click.argument("site", metavar="SITE")
@StoreOption
def versions(site: str, store: str | None) -> None:
    """List all versions of the map of a site of the store: since when, who made it, and what changed with it."""
    with open_known_store(store) as opened:
        known_sites(opened, [site])
        stored = opened.map_versions(site)
    if not stored:
        raise InputError(f"{site} has no map yet")
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in ("version", "since (UTC)", "made by", "rules", "changes"):
        table.add_column(column, justify="right" if column in {"version", "rules"} else "left")
    for before, own in zip([None, *stored], stored, strict=False):
        known = readable(own)
        rules = str(len(known.rules)) if known is not None else "-"
        told = _told(before, own) if before is not None or known is None else ""
        table.add_row(str(own.version), f"{own.made_at:%Y-%m-%d %H:%M}", own.made_by, rules, told)
    Console(width=None if sys.stdout.isatty() else 120).print(table)


def stored_map(store: Store, site: str, version: int | None = None) -> StoredMap:
    """Return the newest map of a site, or the version asked for; where there is none, say what there is."""
    known_sites(store, [site])
    found = store.load_map(site, version)
    if found is not None:
        return found
    there = [stored.version for stored in store.map_versions(site)]
    if not there:
        raise InputError(f"{site} has no map yet")
    raise InputError(f"{site} has no map of version {version}; there are {', '.join(map(str, there))}")


def readable(stored: StoredMap | None) -> ExtractionMap | None:
    """Return the map of a version; None where there is none, or its text cannot be read (a damaged or edited store)."""
    try:
        return stored.parsed() if stored is not None else None
    except MapError:
        return None


def put_map(store: Store, text: str, file: str) -> StoredMap:
    """Store a map of a person and return it as it is stored; where nothing changed, the newest one stays."""
    site = parse_map(text, file).site
    known_sites(store, [site])
    before = store.load_map(site)
    prepared = prepared_text(text, file, before)
    if before is not None and prepared == before.text:
        return before
    stored = stored_map(store, site, store.save_map(prepared, "person"))
    watch_sources(store, before, stored)
    return stored


def prepared_text(text: str, file: str, before: StoredMap | None) -> str:
    """Check a map of a person and return it as it is stored; where nothing changed, that is the text before."""
    given = parse_map(text, file)
    Extractor(given)  # a rule that cannot be used fails here
    if before is None:
        return dump_map(replace(mark_edited(given), version=1), like=text)
    marked = mark_edited(given, readable(before))
    if before.text in (text, dump_map(replace(marked, version=before.version), like=text)):
        return before.text
    return dump_map(replace(marked, version=before.version + 1), like=text)


def watch_sources(store: Store, before: StoredMap | None, after: StoredMap) -> None:
    """Watch the index pages that are new in a map, or weigh more or less, and those that are gone no longer."""
    known = readable(before)
    weights = {page.url: page.weight for page in known.index} if known is not None else {}
    kinds = {page.url: page.kind for page in store.index_pages(after.site)}
    entries = after.parsed().index
    new = [
        WatchedPage(site=after.site, url=page.url, weight=page.weight, kind=kinds.get(page.url, "page"))
        for page in entries
        if weights.get(page.url) != page.weight
    ]
    if new:
        store.put_index_pages(new)
    gone = weights.keys() - {page.url for page in entries}
    if gone:
        store.remove_index_pages(after.site, gone)


def _told(before: StoredMap | None, after: StoredMap) -> str:
    """Return how many rules and facts of a map changed with a version, in words."""
    old, new = readable(before), readable(after)
    if new is None:
        return "cannot be read"
    if old is None:
        return "the version before cannot be read"
    kinds = Counter(change.kind for change in compare_maps(old, new) if change.path not in _NO_CHANGE)
    return ", ".join(f"{number} {kind}" for kind, number in kinds.items()) or "no rule changed"
