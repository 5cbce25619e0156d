"""Document and its domain in, the lists that the page shows out, with the fields of their entries."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sitewright.domains import load_domain
from sitewright.parse import Document
from sitewright.repeats import find_lists, item_fields, item_values
from sitewright.values import page_context


@dataclass(frozen=True, slots=True)
class ShownList:
    """A list: the selector of its entries, how much it seems to be what the page is about, the entries."""

    selector: str
    score: float
    items: tuple[dict[str, object], ...]


@dataclass(frozen=True, slots=True)
class PageLists:
    """The lists of a page, the one that it is about first."""

    url: str
    lists: tuple[ShownList, ...]


def read_lists(document: Document, domain: str, now: datetime | None = None) -> PageLists:
    """Return the lists of a page whose entries say anything."""
    known = load_domain(domain)
    context = page_context(document, now or datetime.now(UTC))
    shown = []
    for found in find_lists(document):
        items = item_values(found.items, item_fields(found.items, known), known, context)
        if items:
            shown.append(ShownList(found.selectors[-1], round(found.score, 1), tuple(items)))
    return PageLists(document.url, tuple(shown))
