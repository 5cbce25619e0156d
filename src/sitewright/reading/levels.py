"""A page of a site with levels in, out what it is on the way from the front page down: what it lists, its links."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from turbohtml import Element

from sitewright.domains import Domain, kinds, load_domain, named_levels
from sitewright.fetch.walls import wall_of
from sitewright.links import Care, find_paging, learn_index
from sitewright.links.addresses import same_page
from sitewright.links.anchors import read_anchors, refuse_too_many
from sitewright.links.places import is_view, trail_of
from sitewright.parse import Document, host_of, is_of_site, parse
from sitewright.reading.item import parsed
from sitewright.reading.taggers import tagger_of
from sitewright.repeats import item_fields, item_values, main_list
from sitewright.structure import tokens_of
from sitewright.types import Failure, IndexPage, Limits, Page, TaggedPage, Value
from sitewright.values import page_context

_URL = "url"
_PRICED = 0.5
"""The share of a list's entries that show a price, where items have one: menus, stories and reviews show none."""
_LEAST_ITEMS = 2
_STEPS = 6
"""How many elements, from the link outwards, tell where in a page a link stands."""
_OF_LISTS = Care(pure=0.6, wrong=1.0, found=2)
"""A link that leads to no list costs one fetch, a list that is not found all its items: menus mix both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """What was seen of a page."""

    url: str
    tagged: TaggedPage
    is_item: bool
    items: tuple[str, ...] = ()
    """Where the entries of its list lead, if it lists items."""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Its other links to pages of the site, by where they stand."""
    trail: tuple[str, ...] = ()
    wall: Failure | None = None
    """What stands in its place, where it lists nothing: a log-in, a test for robots."""

    @property
    def is_list(self) -> bool:
        """Whether it lists items."""
        return bool(self.items) and not self.is_item


def look_at(limits: Limits, page: Page, domain: str, site: str) -> SeenPage:
    """Tell what a page is, what it lists, and where its links stand."""
    known = load_domain(domain)
    document = parsed(limits, page)
    refuse_too_many(document, limits.links)
    reading = tagger_of(domain).read(document)
    listed = _listed(reading.record.fields, known, site)
    paging = find_paging(document)
    turning = {element for element in (paging.next, paging.previous, *paging.pages) if element is not None}
    items = set(map(same_page, listed))
    groups: dict[str, dict[str, None]] = defaultdict(dict)
    for anchor in read_anchors(document):
        is_own = is_of_site(host_of(anchor.href), site) and same_page(document.url) != anchor.page
        if is_own and anchor.page not in items and anchor.element not in turning:
            url = anchor.href.partition("#")[0]
            if not is_view(url, document.url):
                groups[_stand(anchor.element)][url] = None
    return SeenPage(
        url=document.url,
        tagged=reading.tagged,
        is_item=reading.tagged.kind == known.item.kind,
        items=listed,
        groups={place: tuple(urls) for place, urls in groups.items()},
        trail=named_levels(trail_of(document), known),
        wall=_wall(page, document) if not listed else None,
    )


def _wall(page: Page, document: Document) -> Failure | None:
    error = wall_of(page, document)
    return Failure(page.url, "links", error.code, str(error)) if error is not None else None


def listed_items(document: Document, domain: Domain, site: str) -> tuple[str, ...]:
    """Return where the entries lead of the list that a page is about, if these are items; no map is asked."""
    return _listed(tagger_of(domain.reference).read(document).record.fields, domain, site)


def listed_costs(document: Document, domain: Domain) -> Mapping[str, float]:
    """Return what the entries of the list that a page is about cost, by where they lead."""
    found = main_list(document) if domain.price else None
    if found is None:
        return {}
    context = page_context(document, document.fetched_at or datetime.now(UTC))
    entries = item_values(found.items, item_fields(found.items, domain), domain, context)
    costs = ((str(entry.get(_URL, "")), entry.get(domain.price)) for entry in entries)
    amounts = ((url, cost.get("amount")) for url, cost in costs if url and isinstance(cost, Mapping))
    return {url: float(amount) for url, amount in amounts if isinstance(amount, int | float)}


def _listed(fields: Mapping[str, Value], domain: Domain, site: str) -> tuple[str, ...]:
    """Return where the entries lead of the list that a page is about, if these are items."""
    names = domain.fields_of_kind(kinds.ITEMS)[:1]
    entries = [entry for name in names if name in fields for entry in _rows(fields[name].value)]
    urls = [str(entry[_URL]) for entry in entries if is_of_site(host_of(str(entry.get(_URL, ""))), site)]
    priced = sum(domain.price in entry for entry in entries) / max(len(entries), 1)
    is_of_items = len(urls) >= _LEAST_ITEMS and (not domain.price or priced >= _PRICED)
    return tuple(dict.fromkeys(urls)) if is_of_items else ()


def _rows(value: object) -> list[Mapping[str, object]]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list | tuple) else []


def _stand(element: Element) -> str:
    """Return where a link stands: how it and the elements around it are named, without their places."""
    steps = [element, *(outer for outer in element.ancestors if isinstance(outer, Element))][:_STEPS]
    return " > ".join(_name(step) for step in reversed(steps))


def _name(element: Element) -> str:
    """Return the first name of an element beside its tag; the tag where it has none."""
    return next((token.css for token in tokens_of(element) if token.css != element.tag), element.tag)


def learn_levels(
    limits: Limits, pages: Sequence[Page], items: Collection[str], lists: Collection[str], url: str
) -> IndexPage:
    """Learn the selectors of links to items and to lists, which hold on all pages of a site that list something."""
    documents = [parse(page, limits) for page in pages]
    of_items = learn_index(documents, {same_page(one) for one in items})
    of_lists = learn_index(documents, {same_page(one) for one in lists} - {same_page(one) for one in items}, _OF_LISTS)
    return IndexPage(
        url=url,
        items=of_items.entry.items if of_items is not None else (),
        lists=of_lists.entry.items if of_lists is not None else (),
    )
