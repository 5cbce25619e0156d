"""URL in, editable site map out, then a collector that runs itself.

- `sitewright.read(html, url)`: a page to a record
- `sitewright.learn(pages)`: pages of a site to its map, which reads others
- `sitewright.find_links(html, url)`: what a front page lists
- `sitewright.collect(url)`: a site into a store
- `sitewright.open_store(store)`: what is in it
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sitewright.errors import SitewrightError
    from sitewright.extract import Extractor
    from sitewright.fetch import open_archive
    from sitewright.maps import dump_map, load_map, parse_map, save_map
    from sitewright.parse import Document
    from sitewright.python.collect import CollectedSite, acollect, collect
    from sitewright.python.fetch_page import fetch_page
    from sitewright.python.links import find_links
    from sitewright.python.read import read
    from sitewright.python.records import Record
    from sitewright.python.site_map import SiteMap, learn
    from sitewright.python.stores import RecordStore, open_store
    from sitewright.types import (
        ExtractionMap,
        Failure,
        FetchSettings,
        IndexPage,
        Limits,
        Link,
        Page,
        Photo,
        Rule,
        Support,
        Template,
        Value,
    )

_HOMES = {
    "CollectedSite": "python.collect",
    "Document": "parse",
    "ExtractionMap": "types",
    "Extractor": "extract",
    "Failure": "types",
    "FetchSettings": "types",
    "IndexPage": "types",
    "Limits": "types",
    "Link": "types",
    "Page": "types",
    "Photo": "types",
    "Record": "python.records",
    "RecordStore": "python.stores",
    "Rule": "types",
    "SiteMap": "python.site_map",
    "SitewrightError": "errors",
    "Support": "types",
    "Template": "types",
    "Value": "types",
    "acollect": "python.collect",
    "collect": "python.collect",
    "dump_map": "maps",
    "fetch_page": "python.fetch_page",
    "find_links": "python.links",
    "learn": "python.site_map",
    "load_map": "maps",
    "open_archive": "fetch",
    "open_store": "python.stores",
    "parse_map": "maps",
    "read": "python.read",
    "save_map": "maps",
}

__all__ = [
    "CollectedSite",
    "Document",
    "ExtractionMap",
    "Extractor",
    "Failure",
    "FetchSettings",
    "IndexPage",
    "Limits",
    "Link",
    "Page",
    "Photo",
    "Record",
    "RecordStore",
    "Rule",
    "SiteMap",
    "SitewrightError",
    "Support",
    "Template",
    "Value",
    "acollect",
    "collect",
    "dump_map",
    "fetch_page",
    "find_links",
    "learn",
    "load_map",
    "open_archive",
    "open_store",
    "parse_map",
    "read",
    "save_map",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import sitewright` loads no library."""
    if name in _HOMES:
        return getattr(import_module(f"sitewright.{_HOMES[name]}"), name)
    if not name.startswith("_") and find_spec(f"sitewright.{name}") is not None:  # a folder that nobody imported yet
        return import_module(f"sitewright.{name}")
    raise AttributeError(f"module 'sitewright' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Name what is there before it is imported, for those who look around."""
    return sorted({*globals(), *__all__})
