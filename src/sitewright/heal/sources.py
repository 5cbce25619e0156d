"""The selectors of a source before and after a repair in, what becomes of the source out: how sure that is, and why."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitewright.errors import MapError
from sitewright.heal.repaired import source_name
from sitewright.links import select_links
from sitewright.parse import Document, signature
from sitewright.store.entries import ProposedField, ShownValue, StoredMap
from sitewright.types import IndexPage

_LEAST_LISTED, _MOSTLY_LISTED = 3, 0.8
"""Selectors of a source are sure that find so much of so many known articles."""
_LESS_SURE = 0.1
"""They may be so much less sure than the rules of fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealedIndex:
    """An entry with new selectors, and how well these find articles that are known: how many, and of how many."""

    entry: IndexPage
    found: int
    known: int

    @property
    def share(self) -> float:
        """How much of the known articles is found."""
        return self.found / self.known if self.known else 0.0


def count_known(entry: IndexPage, document: Document, known: frozenset[str]) -> HealedIndex:
    """Count the known articles among a page's links, and those of them that an entry finds; `known` are signatures."""
    there = {signature(link.url): link.is_item for link in select_links(document, entry).links}
    listed = known & there.keys()
    return HealedIndex(entry=entry, found=sum(there[name] for name in listed), known=len(listed))


def proposed_source(old: IndexPage, healed: HealedIndex, versions: Sequence[StoredMap], least: float) -> ProposedField:
    """Return what becomes of a source; `versions` of the map tell who wrote its selectors, `least` is for fields."""
    is_edited = _is_by_person(old, versions)
    before, after = (", ".join(one.items) or "none" for one in (old, healed.entry))
    is_found = healed.known >= _LEAST_LISTED and healed.share >= max(_MOSTLY_LISTED, least - _LESS_SURE)
    return ProposedField(
        field=source_name(old.url),
        confidence=round(healed.share, 3),
        before=0.0,
        tagger=0.0,
        judged=healed.known,
        changed=True,
        sure=is_found and not is_edited,
        edited=is_edited,
        shown=(ShownValue(old.url, before, after, remembered=False),),
    )


def is_found_otherwise(old: IndexPage, new: IndexPage) -> bool:
    """Tell whether the articles of a source, or its next page, are found by other selectors."""
    return (old.items, old.next) != (new.items, new.next)


def _is_by_person(entry: IndexPage, versions: Sequence[StoredMap]) -> bool:
    """Tell whether the selectors of a source came with a version that a person made."""
    author = versions[-1].made_by
    for version in reversed(versions):
        own = next((one for one in _entries(version) if one.url == entry.url), None)
        if own is None or is_found_otherwise(own, entry):
            break
        author = version.made_by
    return author == "person"


def _entries(version: StoredMap) -> tuple[IndexPage, ...]:
    """Return the sources of a version of a map; none where it cannot be read any more."""
    try:
        return version.parsed().index
    except MapError:
        return ()
