"""Document in, its lists out: repeated similar parts, the fields within each, and selectors that find them again."""

from sitewright.repeats.columns import Column
from sitewright.repeats.find import FoundList, find_lists, main_list
from sitewright.repeats.items import ItemFields, item_fields, item_values
from sitewright.repeats.objects import FoundObjects, find_objects
from sitewright.repeats.pairs import FoundPairs, Pair, find_pairs, pair_rows, stated_pairs
from sitewright.repeats.stated_objects import Known, stated_objects

__all__ = [
    "Column", "FoundList", "FoundObjects", "FoundPairs", "ItemFields", "Known", "Pair", "find_lists", "find_objects",
    "find_pairs", "item_fields", "item_values", "main_list", "pair_rows", "stated_objects", "stated_pairs",
]  # fmt: skip
