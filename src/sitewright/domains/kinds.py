"""The kinds of values that fields have, and what each kind settles where a field itself says nothing else."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

LINE, TEXT, DATE, NAMES, LIST, IMAGES, PRICE, URL, ITEMS, PAIRS, OBJECTS = (
    "line", "text", "date", "names", "list", "images", "price", "url", "items", "pairs", "objects",
)  # fmt: skip


class Usual(NamedTuple):
    """How values of a kind are usually read."""

    parse: str
    many: bool = False


USUAL: Mapping[str, Usual] = MappingProxyType({
    LINE: Usual("line.v1"),
    TEXT: Usual("text.v1"),
    DATE: Usual("date.v1"),
    NAMES: Usual("authors.v1", many=True),
    LIST: Usual("list.v1", many=True),
    IMAGES: Usual("image.v1", many=True),
    PRICE: Usual("price.v1"),
    URL: Usual("url.v1"),
    ITEMS: Usual("line.v1", many=True),
    PAIRS: Usual("line.v1", many=True),
    OBJECTS: Usual("line.v1", many=True),
})  # fmt: skip
NOT_SCORED = frozenset({IMAGES, ITEMS, PAIRS, OBJECTS})
"""Kinds whose values no single unit of a page holds: each has a way of its own to be read."""
