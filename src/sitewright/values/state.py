"""A document in, the values that its scripts hold as JSON out: what a page's state is made of."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from sitewright.parse import Document

_MOST_SCRIPTS, _LONGEST = 60, 3_000_000
_MOST_STARTS = 20
"""So many values of a script are tried: state is assigned to few names."""
_MOST_VALUES = 50_000
_START = re.compile(r"[=(:]\s*(?=[\[{]\s*[\"\[{])")


def script_values(document: Document, holding: re.Pattern[str]) -> Iterator[Any]:
    """Yield the values of the scripts whose text holds what is looked for; JSON-LD is none of a page's state."""
    for script in document.tree.select("script:not([src])")[:_MOST_SCRIPTS]:
        kind, text = (script.attr("type") or "").lower(), script.text
        if "ld+json" not in kind and len(text) <= _LONGEST and holding.search(text):
            yield from _of_script(text)


def _of_script(text: str) -> Iterator[Any]:
    """Yield the values of a script that is JSON, or assigns some."""
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        decoder, end = json.JSONDecoder(), 0
        starts = (found.end() for found in _START.finditer(text))
        for _, start in zip(range(_MOST_STARTS), (one for one in starts if one >= end), strict=False):
            if start < end:
                continue
            try:
                value, end = decoder.raw_decode(text, start)
            except (ValueError, RecursionError):
                continue
            yield value


def inner_values(value: Any) -> Iterator[Mapping[str, Any] | list[Any]]:
    """Yield a value's objects and lists, outermost first, without recursion: state may be nested deeply."""
    waiting = [value]
    for _ in range(_MOST_VALUES):
        if not waiting:
            return
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting.extend(reversed(one.values()))
        elif isinstance(one, list):
            yield one
            waiting.extend(reversed(one))
