"""URL in, editable site map out, then a collector that runs itself."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitewright.errors import SitewrightError
    from sitewright.extract import Extractor
    from sitewright.fetch import open_archive
    from sitewright.maps import dump_map, load_map, parse_map, save_map
    from sitewright.parse import Document
    from sitewright.types import (
        ExtractionMap,
        Failure,
        IndexPage,
        Limits,
        Page,
        Photo,
        Record,
        Rule,
        Support,
        Template,
        Value,
    )

_HOMES = {
    "Document": "parse",
    "ExtractionMap": "types",
    "Extractor": "extract",
    "Failure": "types",
    "IndexPage": "types",
    "Limits": "types",
    "Page": "types",
    "Photo": "types",
    "Record": "types",
    "Rule": "types",
    "SitewrightError": "errors",
    "Support": "types",
    "Template": "types",
    "Value": "types",
    "dump_map": "maps",
    "load_map": "maps",
    "open_archive": "fetch",
    "parse_map": "maps",
    "save_map": "maps",
}

__all__ = [
    "Document",
    "ExtractionMap",
    "Extractor",
    "Failure",
    "IndexPage",
    "Limits",
    "Page",
    "Photo",
    "Record",
    "Rule",
    "SitewrightError",
    "Support",
    "Template",
    "Value",
    "dump_map",
    "load_map",
    "open_archive",
    "parse_map",
    "save_map",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import sitewright` loads no library."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sitewright' has no attribute {name!r}")
    return getattr(import_module(f"sitewright.{_HOMES[name]}"), name)
