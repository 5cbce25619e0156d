"""line.v1 and text.v1: one line, and a text of one line a paragraph."""

from collections.abc import Sequence

from turbohtml import Element

from sitewright.parse import clean_lines, visible_lines
from sitewright.values.value import Context, Parsed, Taken, string_of


def parse_line(item: Taken, _: Context) -> Parsed | None:
    """Read one line of text."""
    line = string_of(item)
    return Parsed(line) if line else None


def parse_text(items: Sequence[Taken], _many: bool, _: Context) -> Parsed | None:
    """Read a running text: the paragraphs of all items, each once, joined by line breaks."""
    elements = [item for item in items if isinstance(item, Element)]
    lines = visible_lines(elements) if elements else []
    if len(elements) < len(items):
        strings = [
            item if isinstance(item, str) else string_of(item) for item in items if not isinstance(item, Element)
        ]
        lines = clean_lines("\n".join([*lines, *strings]))
    return Parsed("\n".join(lines)) if lines else None
