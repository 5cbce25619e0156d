"""Document in, its lists out: repeated similar parts, the fields within each, and selectors that find them again."""

from sitewright.repeats.columns import Column
from sitewright.repeats.find import FoundList, find_lists, main_list
from sitewright.repeats.items import ItemFields, item_fields, item_values

__all__ = ["Column", "FoundList", "ItemFields", "find_lists", "item_fields", "item_values", "main_list"]
