"""The tagged pages of a site in, the same with the kinds that pages of one design agree on out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import fmean

from sitewright.domains import Domain, kinds
from sitewright.induce.lists import SURELY
from sitewright.parse import Document
from sitewright.structure import names_of
from sitewright.types import OTHER, PageKind, TaggedPage

_ONE_DESIGN = 0.85
"""The names that two pages share, from which on they are of one design. On 19 shops of the training folds nine in ten
product pages share more with another one, and lists at most .79 with a product's page."""
_ENOUGH_PAGES = 3
"""Fewer pages of a design have nothing to agree on."""
_VARIED, _MOST = 0.5, 0.4
"""Where no page looks like an item, the pages of one design are items that have headings of their own, half of them,
and are this share of all pages."""
_LIKELY = 0.3
_EVEN = 0.5

Pages = Sequence[tuple[Document, TaggedPage]]


def agreed_kinds(pages: Pages, domain: Domain) -> list[tuple[Document, TaggedPage]]:
    """Return the pages with the kinds of their designs: pages that are made alike are all items, or none of them is.

    Only of domains whose sites have lists of items; elsewhere each page is of the kind that it seems to be.
    """
    if not domain.fields_of_kind(kinds.ITEMS):
        return list(pages)
    item = domain.item.kind
    agreed = [tagged for _, tagged in pages]
    groups = [group for group in _by_design([document for document, _ in pages]) if len(group) >= _ENOUGH_PAGES]
    likely = {group: fmean(_likely(agreed[number], item) for number in group) for group in groups}
    most = max(likely.values(), default=0.0)
    for group, share in likely.items():
        own = [agreed[number] for number in group]
        kind = _kind_of(own, share, item)
        score = share if kind == item else 1 - share
        if kind == item and share == most:
            score = max(score, SURELY)  # what stands below a product is no reason to take it for a list
        for number in group:
            agreed[number] = replace(agreed[number], kind=kind, kind_score=round(score, 3))
    if groups and most < _EVEN:
        _believe_largest(agreed, max(groups, key=len), domain)
    return [(document, tagged) for (document, _), tagged in zip(pages, agreed, strict=True)]


def _likely(tagged: TaggedPage, item: PageKind) -> float:
    return tagged.kind_score if tagged.kind == item else 1 - tagged.kind_score


def _kind_of(pages: Sequence[TaggedPage], likely: float, item: PageKind) -> PageKind:
    if likely >= _EVEN:
        return item
    others = Counter(page.kind for page in pages if page.kind != item)
    return others.most_common(1)[0][0] if others else OTHER


def _believe_largest(agreed: list[TaggedPage], group: Sequence[int], domain: Domain) -> None:
    """Take the pages that are made alike for items where no page looks like one: a shop that shows no prices.

    Who gives such pages means them. They are no lists, and many of them have a heading of their own: of cars that are
    sold with several engines some share one.
    """
    own = [agreed[number] for number in group]
    headings = [_heading(page, domain) for page in own]
    is_clear = len(set(filter(None, headings))) >= _VARIED * len(own)
    if is_clear and len(own) >= _MOST * len(agreed) and all(page.kind == OTHER for page in own):
        for number in group:
            agreed[number] = replace(agreed[number], kind=domain.item.kind, kind_score=_EVEN)


def _heading(page: TaggedPage, domain: Domain) -> str:
    """Return the likeliest heading of a page; nothing where none is likely."""
    likely = [label for label in page.labels if label.field == domain.heading and label.score >= _LIKELY]
    return str(max(likely, key=lambda label: label.score).value) if likely else ""


def _by_design(documents: Iterable[Document]) -> list[tuple[int, ...]]:
    """Return the numbers of pages whose elements go by the same names."""
    designs = [names_of(document.elements) for document in documents]
    groups: list[list[int]] = []
    for number, own in enumerate(designs):
        near = [group for group in groups if any(_likeness(own, designs[other]) >= _ONE_DESIGN for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([number, *(other for group in near for other in group)])
    return [tuple(sorted(group)) for group in groups]


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    total = len(one | other)
    return len(one & other) / total if total else 1.0
