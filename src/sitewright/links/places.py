"""The document of a list in, where in its site the lists it links stand: names of the levels above, and their own."""

import re
from collections.abc import Collection, Mapping
from urllib.parse import parse_qsl, urlsplit

from turbohtml import Element

from sitewright.links.addresses import same_page
from sitewright.links.anchors import read_anchors
from sitewright.parse import Document, absolute_url, clean_line

_TRAIL = (
    '[class*="breadcrumb" i], [id*="breadcrumb" i], [itemtype*="BreadcrumbList"], [aria-label*="breadcrumb" i], '
    '[class*="crumb" i], [class~="path" i], [class*="trail" i], [id="ur_here"], [class*="ur_here"]'
)
"""What the way to a page is called in markup, from schema.org's word to ECShop's."""
_LONGEST_TRAIL = 400
_STEPS = re.compile(r"[\s/\\|>»›→·:：＞-]+")
_DEEPEST = 8
_OUTER = frozenset({"li", "dl"})
"""What holds an entry of a menu together with those below it."""
_LONGEST_NAME = 80


def trail_of(document: Document) -> tuple[str, ...]:
    """Return the names of the levels on the way to a page, its own last, as the page displays them.

    >>> from sitewright.parse import parse
    >>> from sitewright.types import Page
    >>> way = "<p class=breadcrumb><a href=/>Home</a> › <a href=/a/>Garden</a> › <b>Tools</b></p><h1>Garden tools</h1>"
    >>> trail_of(parse(Page(url="https://example.com/a/tools/", body=way)))
    ('Garden', 'Tools')
    """
    found = [element for element in document.tree.select(_TRAIL) if 0 < len(element.text) <= _LONGEST_TRAIL]
    shown = [element for element in found if element.select_one("a[href]") is not None]
    if not shown:
        return ()
    element = max(shown, key=lambda one: len(one.select("a[href]")))
    names = [clean_line(link.text) for link in element.select("a[href]") if not _leads_home(link, document)]
    last = element.select("a[href]")[-1]
    behind = clean_line(_STEPS.sub(" ", clean_line(element.text).rpartition(clean_line(last.text))[2]))
    heading = document.tree.select_one("h1")
    own = behind or (clean_line(heading.text) if heading is not None else "")
    if own and len(own) <= _LONGEST_NAME and own not in names:
        names.append(own)
    return tuple(name for name in names if name)[:_DEEPEST]


def _leads_home(link: Element, document: Document) -> bool:
    parts = urlsplit(absolute_url(link.attr("href") or "", document.base_url))
    return not parts.query and parts.path.strip("/").rpartition("/")[2] in ("", "index.php", "index.html", "home")


def nested_names(document: Document, lists: Collection[str]) -> Mapping[str, tuple[str, ...]]:
    """Return by page the names of the entries of menus that links to lists stand below, and their own.

    >>> from sitewright.parse import parse
    >>> from sitewright.types import Page
    >>> menu = "<ul><li><a href=/a>Garden</a><ul><li><a href=/b>Tools</a></ul></ul>"
    >>> nested_names(parse(Page(url="https://example.com/", body=menu)), {"https://example.com/a", "https://example.com/b"})
    {'https://example.com/a': ('Garden',), 'https://example.com/b': ('Garden', 'Tools')}
    """
    anchors = {anchor.element: anchor for anchor in read_anchors(document) if anchor.page in lists}
    firsts: dict[Element, Element | None] = {}
    found: dict[str, tuple[str, ...]] = {}
    for element, anchor in anchors.items():
        names = [anchor.text]
        for outer in element.ancestors:
            if not isinstance(outer, Element) or outer.tag not in _OUTER:
                continue
            if outer not in firsts:
                firsts[outer] = next((link for link in outer.select("a[href]") if link in anchors), None)
            first = firsts[outer]
            if first is not None and anchors[first].page != anchor.page and anchors[first].text not in names:
                names.insert(0, anchors[first].text)
        known = found.get(anchor.page, ())
        if all(names) and len(names) > len(known):
            found[anchor.page] = tuple(names[-_DEEPEST:])
    return found


def is_view(url: str, page: str) -> bool:
    """Tell whether an address is a page, only sorted or filtered: its own, with parameters added or changed.

    >>> is_view("https://example.com/tools/?sort=price", "https://example.com/tools/?page=2")
    True
    >>> is_view("https://example.com/c.php?id=2", "https://example.com/c.php?id=1")
    False
    >>> is_view("https://example.com/c.php?id=1&sort=price", "https://example.com/c.php?id=1")
    True
    """
    one, other = urlsplit(same_page(url)), urlsplit(same_page(page))
    if (one.netloc, one.path.rstrip("/")) != (other.netloc, other.path.rstrip("/")) or not one.query:
        return False
    added, own = (
        dict(parse_qsl(one.query, keep_blank_values=True)),
        dict(parse_qsl(other.query, keep_blank_values=True)),
    )
    if not own.keys() <= added.keys() and own.keys() & added.keys():
        own = {name: value for name, value in own.items() if name in added}
    kept = {name for name, value in own.items() if added.get(name) == value}
    return bool(added.keys() - own.keys()) and (kept == own.keys() or not own.keys() & added.keys())
