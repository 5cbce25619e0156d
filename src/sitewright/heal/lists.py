"""An index entry of a map and its page after a redesign in, the entry's new selectors out.

Links to articles that are known already say where the page lists them now; what the model of links takes for articles
is added, since most of what an index page shows is new.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from turbohtml import Element

from sitewright.links import find_paging, judge, learn_index, load_model, measure_index, read_page
from sitewright.links.addresses import read_address
from sitewright.links.anchors import read_anchors
from sitewright.parse import Document, compile_selector, signature
from sitewright.structure import tokens_of
from sitewright.types import IndexPage

_BETTER = 0.03
"""New selectors replace old ones that still work only if their F1 is so much higher."""
_LEAST_RECALL = 0.5
"""Selectors that find fewer of the known articles than this are none."""
_LEAST_ALIKE, _MANY_KNOWN = 2, 0.3
"""By the shape of their addresses links are taken for articles if so many of a shape, and such a share, are known."""
_SIGNATURE = re.compile(r"[0-9a-f]{16}")
_CHILD = 0.4


def heal_index(entry: IndexPage, documents: Sequence[Document], known: Collection[str]) -> IndexPage | None:
    """Return the entry with selectors for what its page looks like now; None where no selectors find its articles.

    `known` are addresses of articles, or their signatures. An entry that still does as well as any stays as it is.
    """
    if not documents:
        return None
    wanted = _known_links(documents, known)
    articles = _alike(documents, wanted) | _likely_links(documents)
    if not articles:
        return None
    learned = learn_index(documents, articles)
    found = _find_next(entry, documents)
    old = measure_index(entry, documents, articles)
    if learned is None or _f1(learned.precision, learned.recall) <= _f1(old.precision, old.recall) + _BETTER:
        chosen = entry
    else:
        chosen = replace(entry, items=learned.entry.items)
    if measure_index(chosen, documents, wanted or articles).recall < _LEAST_RECALL:
        return None
    return replace(chosen, next=found)


def _known_links(documents: Sequence[Document], known: Collection[str]) -> set[str]:
    """Return where the links lead that lead to known articles."""
    names = {name if _SIGNATURE.fullmatch(name) else signature(name) for name in known}
    anchors = (anchor for document in documents for anchor in read_anchors(document))
    return {anchor.page for anchor in anchors if signature(anchor.href) in names}


def _alike(documents: Sequence[Document], wanted: set[str]) -> set[str]:
    """Return known links and those whose addresses are made like theirs, where many of these are known."""
    pages = {anchor.page for document in documents for anchor in read_anchors(document)}
    shapes: dict[str, set[str]] = {}
    for page in pages:
        shapes.setdefault(read_address(page).shape, set()).add(page)
    alike = [own for own in shapes.values() if len(own & wanted) >= max(_LEAST_ALIKE, _MANY_KNOWN * len(own))]
    return wanted.union(*alike)


def _likely_links(documents: Sequence[Document]) -> set[str]:
    """Return where the links lead that the model takes for links to articles."""
    model = load_model()
    pages = [page for document in documents if (page := read_page(document, model.networks)).pages]
    judged = judge(pages, model).links if pages else {}
    return {page for page, link in judged.items() if link.is_item}


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _find_next(entry: IndexPage, documents: Sequence[Document]) -> tuple[str, ...]:
    """Return selectors of the link to the next page: the old ones if they find it, else one by what the link is named.

    An entry without any needs none: the link was found by what it says and where it leads, and will be again.
    """
    links = {n: link for n, document in enumerate(documents) if (link := find_paging(document).next) is not None}
    if not entry.next:
        return ()
    if not links:
        still = any(compile_selector(css).elements(d.tree) for css in entry.next for d in documents)
        return entry.next if still else ()
    if all(_finds(css, documents, links) for css in entry.next):
        return entry.next
    names: Counter[str] = Counter()
    costs: dict[str, float] = {}
    for link in links.values():
        for css, cost in _names(link):
            names[css] += 1
            costs[css] = cost
    fitting = [css for css in names if names[css] == len(links) and _finds(css, documents, links)]
    best = min(fitting, key=lambda css: (costs[css], css), default="")
    return (best,) if best else ()


def _names(link: Element) -> Iterator[tuple[str, float]]:
    """Yield selectors by the link's own names, alone and within the element around it."""
    own = [token for token in tokens_of(link) if token.css != "a"]
    yield from own
    if isinstance(parent := link.parent, Element):
        for around in tokens_of(parent):
            for token in (*own, *tokens_of(link)):
                yield f"{around.css} > {token.css}", around.cost + token.cost + _CHILD


def _finds(css: str, documents: Sequence[Document], links: dict[int, Element]) -> bool:
    """Tell whether a selector finds the link to the next page on all pages that have one, and no other link."""
    for number, document in enumerate(documents):
        found = {element.attr("href") for element in compile_selector(css).elements(document.tree)}
        if found != ({links[number].attr("href")} if number in links else set()):
            return False
    return True
