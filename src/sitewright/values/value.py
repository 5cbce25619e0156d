"""What goes into a value parser, what comes out, and how taken things become strings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from turbohtml import Element

from sitewright.parse import Document, Json, clean_line, visible_text

Taken = Element | Json
"""One thing a rule took: an element, a string (attribute, XPath), or a JSON-LD value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a parser may need to know about the page and the site."""

    document: Document
    now: datetime
    """The time the page was fetched (with a zone): relative dates count from here, and no date is later."""
    timezone: tzinfo | None = None
    language: str = ""
    date_formats: tuple[str, ...] = ()

    @property
    def base_url(self) -> str:
        """What relative links of the page are relative to."""
        return self.document.base_url


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value and how certain the parser is of it (1.0: it could be nothing else)."""

    value: object
    certainty: float = 1.0


Parser = Callable[[Sequence[Taken], bool, Context], Parsed | None]
"""Items, whether many values are wanted, the context; None where the items hold no such value."""

OneParser = Callable[[Taken, Context], Parsed | None]


def each(parse_one: OneParser) -> Parser:
    """Make a parser of many items from a parser of one."""

    def parse(items: Sequence[Taken], many: bool, context: Context) -> Parsed | None:
        everything: list[Parsed] = []
        for item in items:
            if (found := parse_one(item, context)) is not None:
                if not many:
                    return found
                everything.append(found)
        if not everything:
            return None
        return Parsed([found.value for found in everything], min(found.certainty for found in everything))

    return parse


def string_of(item: Taken, depth: int = 4) -> str:
    """Return an item as one line of text; objects by their name, no deeper than people nest them.

    >>> string_of({"@type": "Person", "name": " Ann  Lee "})
    'Ann Lee'
    """
    if isinstance(item, Element):
        return visible_text(item)
    if isinstance(item, str):
        return clean_line(item)
    if depth == 0:
        return ""
    if isinstance(item, dict):
        named = next((item[key] for key in ("name", "@value", "headline", "url", "@id") if item.get(key)), None)
        return string_of(named, depth - 1) if named is not None else ""
    if isinstance(item, list):
        return " ".join(text for part in item if (text := string_of(part, depth - 1)))
    return "" if item is None or isinstance(item, bool) else str(item)
