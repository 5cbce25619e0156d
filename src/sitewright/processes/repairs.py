"""Known pages in, repaired maps and records anew out; done in other processes, like what readers.py has."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sitewright.errors import NoArticles, NoLinks, SitewrightError
from sitewright.fetch import PagePlace
from sitewright.heal.known import KnownPage
from sitewright.heal.lists import heal_index
from sitewright.heal.repair import heal
from sitewright.heal.repaired import RepairedMap
from sitewright.heal.sources import HealedIndex, count_known
from sitewright.processes.places import StoredPlace
from sitewright.processes.tasks import PackedMap, reader_of
from sitewright.reading.item import checked, parsed
from sitewright.reading.taggers import tagger_of
from sitewright.types import ExtractionMap, IndexPage, Limits, Page, Record

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


def heal_entry(limits: Limits, entry: IndexPage, page: Page, known: frozenset[str]) -> HealedIndex:
    """Find new selectors for an index page; `known` are signatures of articles."""
    document = parsed(limits, page)
    healed = heal_index(entry, [document], known)
    if healed is None:
        raise NoLinks("no selectors find the articles of the page")
    return count_known(healed, document, known)


def reread(limits: Limits, place: StoredPlace, packed_map: PackedMap) -> tuple[Page, Record]:
    """Read a page of the archive once more; return it without its body, and its record."""
    page = place.load()
    record = checked(page, parsed(limits, page), reader_of(packed_map)).record
    return replace(page, body=b"", headers={}), record
