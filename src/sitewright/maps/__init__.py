"""Map files: load, save, check, compare, convert."""

from sitewright.maps.check import problems, schema
from sitewright.maps.file import dump_map, load_map, parse_map, save_map

__all__ = ["dump_map", "load_map", "parse_map", "problems", "save_map", "schema"]
