"""The texts of several pages in, one text out, in which what they repeat stands once."""

from collections.abc import Sequence

SHORTEST = 20
"""Shorter lines may well stand twice in one story ("Why?"); repeated leads and captions are longer."""


def joined_text(texts: Sequence[str], without: Sequence[str] = ()) -> str:
    """Join texts line by line; longer lines stand once, and those of `without` not at all.

    >>> joined_text(["The bees are back in town.\\nWhy?", "The bees are back in town.\\nWhy?\\nNobody knows."])
    'The bees are back in town.\\nWhy?\\nWhy?\\nNobody knows.'
    """
    seen = {_plain(line) for line in without}
    lines = []
    for line in (line for text in texts for line in text.split("\n")):
        plain = _plain(line)
        if len(plain) >= SHORTEST and plain in seen:
            continue
        seen.add(plain)
        lines.append(line)
    return "\n".join(lines)


def _plain(line: str) -> str:
    return " ".join(line.casefold().split())
