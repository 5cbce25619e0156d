"""A document in, out whether it shows the pictures of a gallery one at a time, with a control that turns them."""

import re

from turbohtml import Element

from sitewright.links.paging_signs import LONGEST_MARKUP, places_told, sign_of_words
from sitewright.links.paging_words import NEXT_WORDS
from sitewright.parse import Document, clean_line, visible_text
from sitewright.values.images import PICTURES

_CONTROLS = (
    "button, [role=button], a:not([href]), a[href^='#'], a[href^='javascript:'], [class*=next i], [data-slide=next]"
)
_NEXT_NAME = re.compile(r"(?<![a-z])next(?![a-z])|[a-z]Next")
FEWEST = 3
_LEVELS, _MOST_CONTROLS = 6, 60
_LONGEST = 3000
"""Characters around a gallery: where there are more, the counter is of something else."""


def turns_pictures(document: Document, known: int = 0) -> bool:
    """Tell whether a page has a control for the next picture that is no link, and counts more than are `known`.

    >>> from sitewright.parse import parse
    >>> from sitewright.types import Page
    >>> def page(count):
    ...     stage = f"<img src=/a.jpg><button>Next</button><span>{count}</span>"
    ...     return parse(Page(url="https://example.com/sea", body=f"<h1>At sea</h1><div>{stage}</div>"))
    >>> turns_pictures(page("1/12")), turns_pictures(page(""))
    (True, False)
    """
    controls = [one for one in document.tree.select(_CONTROLS)[:_MOST_CONTROLS] if _says_next(one)]
    return any(_counts_more(control, known) for control in controls)


def _says_next(element: Element) -> bool:
    text = clean_line(element.text) if len(element.text) <= LONGEST_MARKUP else ""
    said = (text, element.attr("aria-label") or "", element.attr("title") or "")
    signs = (sign_of_words(one) for one in said if one)
    given = element.attrs.get("class") or ""
    names = f"{given if isinstance(given, str) else ' '.join(given)} {element.attr('id') or ''}"
    return any(sign is not None and sign.direction > 0 for sign in signs) or bool(_NEXT_NAME.search(names))


def _counts_more(control: Element, known: int) -> bool:
    """Tell whether around a control stands a picture, and that there are more than are there, and than are known."""
    around = [outer for outer in control.ancestors if isinstance(outer, Element)][:_LEVELS]
    for outer in around:
        if outer.tag in ("body", "html") or len(text := visible_text(outer)) > _LONGEST:
            return False
        pictures = len(outer.select(PICTURES))
        counted = max((place.of for place in places_told(text) if place.number == 1), default=0)
        if pictures and counted >= FEWEST:
            return counted > max(pictures, known)
    return False


def turning_words() -> frozenset[str]:
    """Return the words that controls of galleries say, in all languages that are known."""
    return frozenset(" ".join(NEXT_WORDS.values()).casefold().split()) - {"more", "load"}
