"""A labelled page and a field in, the same page without any trace of the field out.

What goes: the smallest elements (and bare strings) that state the label with few words beside it, and the list, byline
or breadcrumb around them; every statement of the field in metadata, whatever its value; the attributes that hold it;
for `published` the day in every address. Of `text` the largest elements that are passages of it. What stays are the
traps: other dates, names, lists and lines. Afterwards the page is parsed again and searched; where the value is still
to be found, or was never displayed (so that something else may be displayed for it), the page is of no use. The words
of a headline in the page's address do not count: nobody can read a title from them.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from turbohtml import Element, Text

from bench.statements import Day, Passages, Statement, statement_of
from sitewright.domains import load_domain
from sitewright.parse import Document, Json, clean_line, parse, visible_lines
from sitewright.parse.jsonld import load_json, types_of
from sitewright.types import Page

FIELDS = ("title", "subtitle", "published", "authors", "categories", "tags", "text")
NOT_A_LABEL, NOT_SHOWN, STILL_THERE = "no usable label", "not displayed", "still there"

_META = {
    "title": r"title|headline",
    "subtitle": r"description|abstract|summary|excerpt|subtitle|teaser",
    "published": r"publi[sc].*(date|time)|pub-?date|issued|created|^(dc\.)?date|[.:_-]date$|release",
    "authors": r"author|creator|byl|writer|contributor|journalist",
    "categories": r"section|categor|channel|rubri|genre",
    "tags": r"keyword|tag$|tags$|topic|subject",
    "text": r"(?!)",
}
_KEYS = {
    "title": {"headline", "alternativeHeadline"},
    "subtitle": {"alternativeHeadline", "description", "abstract"},
    "published": {"datePublished", "dateCreated", "uploadDate"},
    "authors": {"author", "creator", "contributor", "editor", "accountablePerson"},
    "categories": {"articleSection", "genre", "itemListElement"},
    "tags": {"keywords", "about", "mentions"},
    "text": {"articleBody", "text"},
}
_MARKED = {
    "authors": '[itemprop~="author" i], [rel~="author" i]',
    "tags": '[rel~="tag" i], [itemprop~="keywords" i]',
    "categories": '[itemprop~="articleSection" i], [itemtype*="BreadcrumbList" i]',
}
"""Elements that say in their markup that they hold the field; only those outside of comments are the page's own."""
_AROUND = {
    "authors": re.compile(r"author|by-?line|writer|contributor", re.IGNORECASE),
    "tags": re.compile(r"tag|topic|keyword|subject", re.IGNORECASE),
    "categories": re.compile(r"breadcrumb|crumb|categor|section-name|kicker|path", re.IGNORECASE),
}
"""How the list or line around an entry is called: lists are taken as a whole, so they go as a whole."""
_LEVELS_AROUND = 4
_WORDS_AROUND = 60
_COMMENTS = '[itemtype*="Comment" i], [class*="comment" i], [id*="comment" i]'
_UNSEEN = frozenset({"script", "style", "template"})
_KEPT_ATTRIBUTES = frozenset("class id href src srcset style rel type name property itemprop".split())
_ADDRESSES = ("href", "src", "srcset", "content", "data-src", "data-url", "data-href", "id")
_PASSES = 4


class Cut(NamedTuple):
    """A page without a field, or why there is none."""

    url: str
    html: str
    trouble: str = ""


def cut_field(page: Page, name: str, label: Json, language: str = "") -> Cut:
    """Take a field out of a page.

    >>> page = Page(url="https://example.com/a", body="<title>Bees | News</title><h1>Bees</h1><p>They are back.")
    >>> cut_field(page, "title", "Bees").html
    '<html><head></head><body><p>They are back.</p></body></html>'
    """
    statement = statement_of(name, label, language)
    if statement is None:
        return Cut(page.url, "", NOT_A_LABEL)
    document = parse(page)
    stated = _cut_metadata(document, name, statement)
    shown = _cut_displayed(document, name, statement)
    stated |= _cut_attributes(document, statement)
    if not (shown or (stated and name == "published")):
        return Cut(page.url, "", NOT_SHOWN)
    url = statement.without(page.url) if isinstance(statement, Day) else page.url
    html = document.tree.html
    left = any(map(statement.remains, everything_in(parse(Page(url="", body=html)))))
    return Cut(url, "" if left else html, STILL_THERE if left else "")


def everything_in(document: Document) -> Iterator[str]:
    """Yield every line of a page, seen or not, and every string of its metadata and attributes."""
    root = document.tree.root
    if root is None:
        return
    yield document.metadata.title
    yield from visible_lines([root])
    yield from (clean_line(node.text) for node in root.descendants if isinstance(node, Text) and not _in_script(node))
    for element in document.elements:
        yield from (value for key, value in _attributes(element) if key not in _KEPT_ATTRIBUTES)
    for node in document.metadata.jsonld.nodes:
        yield from (value for value in node.values() if isinstance(value, str))


def _cut_metadata(document: Document, name: str, statement: Statement) -> bool:
    """Remove all that states the field, whatever its value; tell whether any of it was the label's."""
    known = {
        source.partition(":")[2] for source in load_domain("news").fields[name].sources if source.startswith("meta:")
    }
    pattern, confirmed = re.compile(_META[name]), False
    for meta in document.tree.select("meta[content]"):
        key = (meta.attr("property") or meta.attr("name") or meta.attr("itemprop") or "").strip().lower()
        content = meta.attr("content") or ""
        said = statement.remains(content) or (isinstance(statement, Day) and statement.in_attribute(content))
        if said or key in known or key.replace("dc:", "dc.") in known or pattern.search(key):
            confirmed |= said
            meta.decompose()
    for script in document.tree.select('script[type*="ld+json" i]'):
        confirmed |= _cut_script(script, name, statement)
    for title in document.tree.select("title:not(svg title)"):
        said = statement.remains(title.text)
        confirmed |= said
        if said or name == "title":
            title.decompose()
    return confirmed


def _cut_script(script: Element, name: str, statement: Statement) -> bool:
    try:
        loaded = load_json(script.text)
    except (ValueError, RecursionError):
        script.decompose()
        return False
    before = sum(map(statement.remains, _strings(loaded)))
    script.set_text(json.dumps(_pruned(loaded, name, statement)).replace("</", "<\\/"))
    return before > 0


def _pruned(value: Json, name: str, statement: Statement) -> Json:
    """Return JSON-LD without the keys of a field and without the strings that state it."""
    if isinstance(value, list):
        return [_pruned(item, name, statement) for item in value if not _goes(item, statement)]
    if not isinstance(value, dict):
        return value
    kinds = types_of(value)
    keys = _KEYS[name] - ({"itemListElement"} if "BreadcrumbList" not in kinds else set())
    keys |= (
        {"name"} if name == "title" and any(kind.endswith(("Article", "Posting", "Page")) for kind in kinds) else set()
    )
    return {
        key: _pruned(item, name, statement)
        for key, item in value.items()
        if key not in keys and not _goes(item, statement)
    }


def _goes(value: Json, statement: Statement) -> bool:
    return isinstance(value, str) and statement.remains(value)


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _cut_displayed(document: Document, name: str, statement: Statement) -> bool:
    """Remove what displays the value; tell whether anything did."""
    body = document.tree.select_one("body")
    if body is None:
        return False
    shown = False
    for _ in range(_PASSES):
        found = list(_largest(body, statement) if isinstance(statement, Passages) else _smallest(body, statement))
        for element in found:
            _remove(_whole(element, name))
        strings = [node for node in body.descendants if isinstance(node, Text) and _is_stated(node, statement)]
        for node in strings:
            node.decompose()
        shown |= bool(found or strings)
        if not found and not strings:
            break
    if shown and name in _MARKED:
        for element in body.select(_MARKED[name]):
            if element.closest(_COMMENTS) is None:
                _remove(element)
    return shown


def _remove(element: Element) -> None:
    if element.parent is not None:
        element.decompose()


def _is_stated(node: Text, statement: Statement) -> bool:
    return not _in_script(node) and statement.states(clean_line(node.text))


def _in_script(node: Text) -> bool:
    return isinstance(node.parent, Element) and node.parent.tag in _UNSEEN


def _smallest(body: Element, statement: Statement) -> Iterator[Element]:
    """Yield the elements that state the value and hold no smaller one that does."""
    around: set[Element] = set()
    for element in reversed(list(_seen(body))):
        if element not in around and statement.states(text_of(element)):
            around.update(node for node in element.ancestors if isinstance(node, Element))
            yield element


def _largest(element: Element, statement: Statement) -> Iterator[Element]:
    """Yield the elements that are passages of the text, outermost first."""
    for child in list(element.children):
        if not isinstance(child, Element) or child.tag in _UNSEEN:
            continue
        if statement.states(text_of(child)):
            yield child
        else:
            yield from _largest(child, statement)


def _seen(body: Element) -> Iterable[Element]:
    return (node for node in body.iter_elements() if node.tag not in _UNSEEN and node.tag != "body")


def text_of(element: Element) -> str:
    """Return the strings of an element with blanks between."""
    return clean_line(" ".join(element.strings))


def _whole(element: Element, name: str) -> Element:
    """Return the heading, list, byline or breadcrumb that an entry stands in, or the entry itself."""
    if name == "title":
        return element.closest("h1, h2, h3") or element
    if name not in _AROUND:
        return element
    for level, node in enumerate(element.ancestors):
        if level >= _LEVELS_AROUND or not isinstance(node, Element) or node.tag in {"body", "html", "main", "article"}:
            break
        called = f"{node.attr('class') or ''} {node.attr('id') or ''} {node.attr('itemtype') or ''}"
        if _AROUND[name].search(called) and len(text_of(node).split()) <= _WORDS_AROUND:
            return node
    return element


def _cut_attributes(document: Document, statement: Statement) -> bool:
    """Remove the attributes that hold the value, and the day from addresses."""
    confirmed = False
    for element in document.tree.iter_elements():
        for key, value in _attributes(element):
            if isinstance(statement, Day) and key in _ADDRESSES and (bare := statement.without(value)) != value:
                element.attrs[key] = bare
            elif key not in _KEPT_ATTRIBUTES and _holds(statement, value):
                del element.attrs[key]
                confirmed = True
    return confirmed


def _attributes(element: Element) -> list[tuple[str, str]]:
    """Return the attributes that are plain strings (lists of names, as of `class`, state nothing)."""
    return [(key, value) for key, value in element.attrs.items() if value and isinstance(value, str)]


def _holds(statement: Statement, value: str) -> bool:
    return statement.in_attribute(value) if isinstance(statement, Day) else statement.remains(value)
