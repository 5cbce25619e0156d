"""Known pages in, repaired maps and records anew out; done in other processes, like what readers.py has."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from time import time

from sitewright.errors import NoArticles, NoLinks, SitewrightError
from sitewright.fetch import PagePlace
from sitewright.fetch.walls import wall_of
from sitewright.heal.known import KnownPage
from sitewright.heal.lists import heal_index
from sitewright.heal.repair import heal
from sitewright.heal.repaired import RepairedMap
from sitewright.heal.rightness import rightness
from sitewright.heal.sources import HealedIndex, count_known
from sitewright.notice.observation import pack_observation
from sitewright.processes.places import StoredPlace
from sitewright.processes.reread import Reread
from sitewright.processes.tasks import PackedMap, observed, reader_of
from sitewright.reading.item import checked, parsed
from sitewright.reading.taggers import tagger_of
from sitewright.types import ExtractionMap, IndexPage, Limits, Page, Record

_RIGHT = 0.5
"""A value, or a page, of which less is left is not as it was."""
PlacedPage = KnownPage[PagePlace | StoredPlace]
"""A known page, and where it lies: fetched just now, or in the archive."""


def heal_map(
    limits: Limits, old: ExtractionMap, pages: Sequence[PlacedPage], now: datetime, sure: float
) -> RepairedMap:
    """Repair a map for what the site looks like now; pages that cannot be read are left out."""
    readable = []
    for known in pages:
        try:
            readable.append(known.then(parsed(limits, known.page.load())))
        except SitewrightError:
            continue
    if not readable:
        raise NoArticles(f"none of {len(pages)} pages can be read")
    return heal(old, readable, tagger_of(old.domain), now, sure)


def observe_known(limits: Limits, known: KnownPage[PagePlace], packed_map: PackedMap) -> bytes:
    """Observe the page of a known item as it is now, packed; what is not as its record held it counts as not found.

    Of a page on which less than half of it is left the map reads next to nothing, whatever it finds there.
    """
    page = known.page.load()
    document = parsed(limits, page)
    wall = wall_of(page, document)
    if wall is not None:
        raise wall
    at = page.fetched_at.timestamp() if page.fetched_at is not None else time()
    reading, values = reader_of(packed_map).read(document), known.values or {}
    right = {name for name, value in values.items() if rightness(value, _value(reading.by_map, name)) >= _RIGHT}
    seen = observed(reading, document, at)
    found = {name: own for name, own in seen.found.items() if name in right}
    return pack_observation(replace(seen, found=found, handed=len(right) < _RIGHT * len(values)))


def _value(record: Record, name: str) -> object | None:
    found = record.fields.get(name)
    return found.value if found is not None else None


def heal_entry(limits: Limits, entry: IndexPage, page: Page, known: frozenset[str]) -> HealedIndex:
    """Find new selectors for an index page; `known` are signatures of articles."""
    document = parsed(limits, page)
    healed = heal_index(entry, [document], known)
    if healed is None:
        raise NoLinks("no selectors find the articles of the page")
    return count_known(healed, document, known)


def reread(limits: Limits, place: StoredPlace, packed_map: PackedMap) -> Reread:
    """Read a page of the archive once more."""
    page = place.load()
    reading = checked(page, parsed(limits, page), reader_of(packed_map))
    bare = replace(page, body=b"", headers={})
    return Reread(page=bare, record=reading.record, is_clear=reading.is_clear)
