"""The elements of a page in, the names that its design gives them out."""

import re
from collections.abc import Iterable

from turbohtml import Element

_NUMBERED = re.compile(r"\d{2,}")
"""What has a longer number in its name is one thing among many, or was counted."""


def names_of(elements: Iterable[Element]) -> frozenset[str]:
    """Return the classes and ids of elements: pages of one design share most of them.

    >>> from turbohtml import parse
    >>> sorted(names_of(parse('<p id=lead class="wide text"><p class="text" id="p-1042">').select("*")))
    ['#lead', '.text', '.wide']
    """
    return frozenset(name for element in elements for name in _names(element) if not _NUMBERED.search(name))


def _names(element: Element) -> Iterable[str]:
    classes, own = element.attrs.get("class"), element.attrs.get("id")
    words = classes.split() if isinstance(classes, str) else classes or ()
    yield from (f".{word}" for word in words)
    if isinstance(own, str) and own:
        yield f"#{own}"
