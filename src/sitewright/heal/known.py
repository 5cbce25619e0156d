"""Articles of a site and the values that their records held: as addresses, as pages that lie somewhere, as trees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sitewright.parse import Document

P_co = TypeVar("P_co", covariant=True)
Q = TypeVar("Q")
MOST_PAGES, LEAST_KEPT, MOST_ELEMENTS = 14, 6, 16_000
"""So many pages are looked at, fewer (but so many) where they have more elements together: a heal takes seconds."""


@dataclass(frozen=True, slots=True)
class KnownPage(Generic[P_co]):
    """A page (its address, where it lies, or its tree), and the values that its record held.

    A page is the same throughout a repair: its address is known first, then it is fetched, then parsed.
    """

    page: P_co
    values: Mapping[str, object] | None = None
    """None of a new page, which only the tagger knows."""

    def then(self, page: Q) -> "KnownPage[Q]":
        """Return the page in its next form, with the same values."""
        return KnownPage(page, self.values)


def enough_pages(pages: Sequence[KnownPage[Document]]) -> list[KnownPage[Document]]:
    """Return as many pages as can be learned from in time: those first whose records held most, then new ones."""
    order = sorted(range(len(pages)), key=lambda number: -len(pages[number].values or ()))
    chosen: list[int] = []
    elements = 0
    for number in order[:MOST_PAGES]:
        elements += len(pages[number].page.elements)
        if elements > MOST_ELEMENTS and len(chosen) >= LEAST_KEPT:
            break
        chosen.append(number)
    return [pages[number] for number in sorted(chosen)]
