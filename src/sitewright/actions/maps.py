"""Maps of people in, versions of the store out, and back."""

from collections import Counter
from dataclasses import dataclass, replace

from sitewright.actions.hold import held
from sitewright.actions.sites import known_sites
from sitewright.actions.telling import Tell, nobody
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


@dataclass(frozen=True, slots=True)
class PutMap:
    """A map of a person as it is stored, and the version that was the newest before."""

    stored: StoredMap
    before: StoredMap | None

    @property
    def is_new(self) -> bool:
        """Whether anything changed."""
        return self.before is None or self.before.version != self.stored.version


@dataclass(frozen=True, slots=True)
class MapVersion:
    """A version of a map, and what changed with it."""

    stored: StoredMap
    rules: int | None
    """How many it has; None where it cannot be read."""
    changes: str
    """In words; empty for the first."""


def store_map(store: Store, text: str, file: str, tell: Tell = nobody) -> PutMap:
    """Store a map of a person as the next version of its site's, which is held, or a repair could take its place."""
    site = parse_map(text, file).site
    known_sites(store, [site])
    with held(store, site, tell):
        before = store.load_map(site)
        return PutMap(put_map(store, text, file), before)


def list_versions(store: Store, site: str) -> list[MapVersion]:
    """Return all versions of a map, the oldest first."""
    known_sites(store, [site])
    stored = store.map_versions(site)
    if not stored:
        raise InputError(f"{site} has no map yet")
    return [_version(before, own) for before, own in zip([None, *stored], stored, strict=False)]


def _version(before: StoredMap | None, own: StoredMap) -> MapVersion:
    known = readable(own)
    told = changes_told(before, own) if before is not None or known is None else ""
    return MapVersion(own, len(known.rules) if known is not None else None, told)


def put_map(store: Store, text: str, file: str) -> StoredMap:
    """Store a map of a person for a site that is held, and return it as it is stored; if it is the same, the newest."""
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
