"""Map files: load, save, check, compare, convert."""

from sitewright.maps.check import notes, problems, read_tree, schema
from sitewright.maps.file import dump_map, load_map, parse_map, save_map

__all__ = ["dump_map", "load_map", "notes", "parse_map", "problems", "read_tree", "save_map", "schema"]
