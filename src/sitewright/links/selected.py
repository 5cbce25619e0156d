"""A document and an index entry of a map in, its links out: selectors alone decide, no model is asked."""

from collections.abc import Iterable

from turbohtml import Element

from sitewright.links.anchors import read_anchors
from sitewright.parse import Document, compile_selector, normalise_url
from sitewright.types import IndexPage, Link, LinkSet, Role


def entry_for(url: str, index: Iterable[IndexPage]) -> IndexPage | None:
    """Return the entry of a page; where it has none of its own, the first that has selectors: sections look alike."""
    entries = [entry for entry in index if entry.articles]
    own = normalise_url(url).rstrip("/")
    return next((entry for entry in entries if normalise_url(entry.url).rstrip("/") == own), next(iter(entries), None))


def select_links(document: Document, entry: IndexPage) -> LinkSet:
    """Return the links of a page, told apart by the selectors of an entry."""
    chosen = _chosen(document, entry.articles)
    following = _chosen(document, entry.next)
    links: dict[str, Link] = {}
    for anchor in read_anchors(document):
        found = links.get(anchor.page)
        selector, role = chosen.get(anchor.element, ""), _role(anchor.element, chosen, following)
        if found is not None and (found.role != "other" or role == "other"):
            if role == found.role and not found.text:
                links[anchor.page] = Link(
                    url=found.url, text=anchor.text, role=role, score=found.score, reason=found.reason
                )
            continue
        reason = (
            f"selected by {selector}" if selector else "leads to the next page" if role == "next" else "not selected"
        )
        links[anchor.page] = Link(
            url=anchor.href.partition("#")[0],
            text=anchor.text or (found.text if found is not None else ""),
            role=role,
            score=float(role == "article"),
            reason=reason,
        )
    return LinkSet(url=document.url, time=document.fetched_at, links=tuple(links.values()))


def _role(element: Element, chosen: dict[Element, str], following: dict[Element, str]) -> Role:
    return "article" if element in chosen else "next" if element in following else "other"


def _chosen(document: Document, selectors: Iterable[str]) -> dict[Element, str]:
    """Return the link elements that selectors find, or that are inside of what they find, and by which."""
    found: dict[Element, str] = {}
    for text in selectors:
        for element in compile_selector(text).elements(document.tree):
            for link in (element,) if element.attr("href") else element.select("a[href]"):
                found.setdefault(link, text)
    return found
