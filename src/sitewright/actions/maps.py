"""Maps of people in, versions of the store out, and back."""

from collections import Counter
from dataclasses import replace

from sitewright.actions.sites import known_sites
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


def changes_told(before: StoredMap | None, after: StoredMap) -> str:
    """Return how many rules and facts of a map changed with a version, in words."""
    old, new = readable(before), readable(after)
    if new is None:
        return "cannot be read"
    if old is None:
        return "the version before cannot be read"
    kinds = Counter(change.kind for change in compare_maps(old, new) if change.path not in _NO_CHANGE)
    return ", ".join(f"{number} {kind}" for kind, number in kinds.items()) or "no rule changed"
