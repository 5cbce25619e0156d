"""A page and the seed of its site in, the page after its site was built anew out: the same words, all else is new.

Harder than `bench.mutate`: every class and id is a hash, headings move down a level, `<time>` and what it states become
spans, lists become divisions, blocks are wrapped, change places and have adverts between them, and all that machines
are told (JSON-LD, microdata, `<meta>`) is gone. As there, whatever is decided is drawn from the seed and the name of
what it is about: all pages of a site change in the same way.
"""

from collections.abc import Mapping
from hashlib import blake2b

import turbohtml
from turbohtml import Element, Namespace

from bench.mutate import Design, Shares, add_wrappers, classes_of, insert_adverts, move_blocks

SHARES = Shares(names=1.0, wrapped=0.3, retagged=1.0, moved=0.4, adverts=3)
_TAGS: Mapping[str, str] = {
    "h1": "h2", "h2": "h3", "h3": "h4", "time": "span", "ul": "div", "ol": "div", "li": "div", "dl": "div", "dt": "div",
    "dd": "div", "article": "section", "main": "div", "header": "div", "footer": "div", "aside": "section",
    "figure": "div", "figcaption": "p", "section": "div",
}  # fmt: skip
"""What elements become; all of them stay what they were to the eye: blocks, or parts of a line."""
_TOLD_TO_MACHINES = 'script[type="application/ld+json"], meta[property], meta[name], meta[itemprop], link[itemprop]'
_STATED = frozenset("itemprop itemscope itemtype itemid itemref property typeof vocab datetime content rel".split())
"""Attributes that say what something is."""
_KEPT_NAMES = frozenset(("viewport", "robots"))


def rebuild(html: str, seed: int) -> str:
    """Return a page as it is after its site was built anew.

    >>> rebuild("<title>Bees</title><meta property=og:title content=Bees><body><h1 class=title>Bees</h1>", 2)
    '<html><head><title>Bees</title></head><body><h2 class="x2fb5gj9">Bees</h2></body></html>'
    """
    tree = turbohtml.parse(html, positions=False)
    body = tree.select_one("body")
    if body is not None:
        design = Design(seed, SHARES)
        tell_machines_nothing(tree)
        for mutate in (move_blocks, insert_adverts, add_wrappers):
            mutate(body, design)
        change_elements(body, design)
    return tree.html


def tell_machines_nothing(tree: turbohtml.Document) -> None:
    """Drop what states metadata."""
    for element in tree.select(_TOLD_TO_MACHINES):
        if element.attr("name") not in _KEPT_NAMES:
            element.extract()


def change_elements(body: Element, design: Design) -> None:
    """Give every element another tag where it has one, hashed names, and nothing that says what it is."""
    for element in list(body.iter_elements(include_self=True)):
        if element.namespace is not Namespace.HTML:
            continue
        names = {key: value for key in ("class", "id") if (value := _hashed(element, key, design))}
        for key in filter(_is_dropped, list(element.attrs)):
            del element.attrs[key]
        for key, value in names.items():
            element.attrs[key] = value
        if element.tag in _TAGS:
            element.tag = _TAGS[element.tag]


def _is_dropped(key: str) -> bool:
    """Tell whether an attribute names something, or says what it is; where a picture is stays."""
    return key in _STATED or key in ("class", "id") or (key.startswith("data-") and "src" not in key)


def _hashed(element: Element, key: str, design: Design) -> str:
    """Return the names of an element as a style compiler makes them; numbers in them do not count."""
    names = classes_of(element) if key == "class" else [element.attr("id") or ""]
    return " ".join(dict.fromkeys(hashed_name(name, design.seed) for name in names if name))


def hashed_name(name: str, seed: int) -> str:
    """Return the hash that takes the place of a name.

    >>> hashed_name("post-17", 2) == hashed_name("post-18", 2) != hashed_name("post-17", 3)
    True
    """
    stem = "".join(letter for letter in name if not letter.isdigit())
    digest = int.from_bytes(blake2b(f"{seed} {stem}".encode(), digest_size=5).digest())
    letters = "abcdefghijkmnpqrstuvwxyz23456789"
    return "x" + "".join(letters[digest >> 5 * place & 31] for place in range(7))
