"""Known pages in, repaired maps and records anew out; done in other processes, like what reading.py has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from sitewright.batch.heal import Remembered, heal
from sitewright.batch.heal_index import heal_index
from sitewright.batch.places import StoredPlace
from sitewright.batch.proposal import Proposal
from sitewright.batch.reading import PackedMap, checked, parsed, reader_of, tagger_of
from sitewright.errors import NoArticles, NoLinks, SitewrightError
from sitewright.fetch import PagePlace
from sitewright.links import select_links
from sitewright.parse import signature
from sitewright.types import ExtractionMap, IndexPage, Limits, Page, Record


class KnownPage(NamedTuple):
    """Where a page is, as it is now, and the values that its record held (None: it is new)."""

    place: PagePlace | StoredPlace
    values: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexHealed:
    """An entry with new selectors, and how well these find articles that are known: how many, and of how many."""

    entry: IndexPage
    found: int
    known: int


def heal_map(limits: Limits, old: ExtractionMap, pages: Sequence[KnownPage], now: datetime, sure: float) -> Proposal:
    """Propose a map for what the site looks like now; pages that cannot be read are left out."""
    remembered = []
    for known in pages:
        try:
            remembered.append(Remembered(parsed(limits, known.place.load()), known.values))
        except SitewrightError:
            continue
    if not remembered:
        raise NoArticles(f"none of {len(pages)} pages can be read")
    return heal(old, remembered, tagger_of(old.domain), now, sure)


def heal_entry(limits: Limits, entry: IndexPage, page: Page, known: frozenset[str]) -> IndexHealed:
    """Find new selectors for an index page; `known` are signatures of articles."""
    document = parsed(limits, page)
    healed = heal_index(entry, [document], known)
    if healed is None:
        raise NoLinks("no selectors find the articles of the page")
    there = {signature(link.url): link.is_item for link in select_links(document, healed).links}
    wanted = known & there.keys()
    return IndexHealed(entry=healed, found=sum(there[name] for name in wanted), known=len(wanted))


def reread(limits: Limits, place: StoredPlace, packed_map: PackedMap) -> tuple[Page, Record]:
    """Read a page of the archive once more; return it without its body, and its record."""
    page = place.load()
    record = checked(page, parsed(limits, page), reader_of(packed_map)).record
    return replace(page, body=b"", headers={}), record
