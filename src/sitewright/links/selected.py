"""A document and an index entry of a map in, its links out: selectors alone decide, no model is asked."""

from collections.abc import Iterable
from dataclasses import replace

from turbohtml import Element

from sitewright.domains import DEFAULT_DOMAIN, load_domain
from sitewright.links.anchors import Anchor, is_paid, read_anchors
from sitewright.links.paging import find_paging
from sitewright.parse import Document, compile_selector, normalise_url
from sitewright.types import LIST, NEXT, OTHER, IndexPage, Link, LinkSet, Role


def entry_for(url: str, index: Iterable[IndexPage]) -> IndexPage | None:
    """Return the entry of a page; where it has none of its own, the first that has selectors: sections look alike."""
    entries = [entry for entry in index if entry.items]
    own = normalise_url(url).rstrip("/")
    return next((entry for entry in entries if normalise_url(entry.url).rstrip("/") == own), next(iter(entries), None))


def select_links(document: Document, entry: IndexPage, domain: str = DEFAULT_DOMAIN) -> LinkSet:
    """Return the links of a page, told apart by the selectors of an entry; items are called as their domain does."""
    item = load_domain(domain).item.kind
    paging = find_paging(document)
    turning = {element for element in (paging.previous, *paging.pages) if element is not None}
    chosen = {link: css for link, css in _chosen(document, entry.items).items() if link not in turning}
    lists = {link: css for link, css in _chosen(document, entry.lists).items() if link not in turning}
    following = _chosen(document, entry.next) | ({paging.next: ""} if paging.next is not None else {})
    links: dict[str, Link] = {}
    for anchor in read_anchors(document):
        role = NEXT if anchor.element in following else item if anchor.element in chosen else LIST
        link = _link(anchor, chosen.get(anchor.element, "") or lists.get(anchor.element, ""), role, item)
        found = links.get(anchor.page)
        links[anchor.page] = link if found is None else _joined(found, link)
    return LinkSet(url=document.url, time=document.fetched_at, links=tuple(links.values()))


def _link(anchor: Anchor, selector: str, wanted: Role, item: Role) -> Link:
    paid = bool(selector) and is_paid(anchor.element)
    role = wanted if wanted == NEXT or (selector and not paid) else OTHER
    chosen = f"selected by {selector}{', but paid for' * paid}" if selector else "not selected"
    reason = "leads to the next page" if wanted == NEXT else chosen
    url = anchor.href.partition("#")[0]
    return Link(url=url, text=anchor.text, role=role, score=float(role == item), reason=reason)


def _joined(first: Link, second: Link) -> Link:
    """Return one of two links to the same page: the first, unless only the second was selected."""
    if first.role == OTHER and second.role != OTHER:
        return replace(second, text=second.text or first.text)
    return replace(first, text=second.text) if second.role == first.role and not first.text else first


def _chosen(document: Document, selectors: Iterable[str]) -> dict[Element, str]:
    """Return the link elements that selectors find, or that are inside of what they find, and by which."""
    found: dict[Element, str] = {}
    for text in selectors:
        for element in compile_selector(text).elements(document.tree):
            for link in (element,) if element.attr("href") else element.select("a[href]"):
                found.setdefault(link, text)
    return found


def chosen_links(document: Document, selectors: Iterable[str]) -> list[Element]:
    """Return the link elements that selectors find, or that are inside of what they find, each once."""
    return list(_chosen(document, selectors))
