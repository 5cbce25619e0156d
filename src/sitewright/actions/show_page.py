"""A stored record in, its page out as it may be shown: rebuilt and harmless, the elements of its fields outlined."""

from dataclasses import dataclass
from pathlib import Path

from sitewright.actions.catalogues import Library
from sitewright.actions.maps import stored_map
from sitewright.domains import load_domain
from sitewright.errors import NotThere
from sitewright.output.frame import FramedPage, frame_of
from sitewright.parse import parse
from sitewright.reading.report import page_of_record
from sitewright.store.database import Store
from sitewright.store.entries import StoredRecord
from sitewright.store.warc import read_page
from sitewright.types import Page


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page that can be shown, and the fields of its record: each with what it means and what kind its values are."""

    frame: FramedPage
    fields: tuple[tuple[str, str, str], ...]


def record_of(store: Store, site: str, name: str) -> StoredRecord:
    """Return the record of an id; one that is not there is told."""
    found = store.find_records_by_id(name, [site]) if store.site(site) is not None else []
    if not found:
        raise NotThere(f"there is no record {name} of {site}")
    return found[0]


def page_of(folder: Path, stored: StoredRecord) -> Page:
    """Return the page that a record was read from; where it was not kept, that is told."""
    if stored.location is None:
        raise NotThere(f"the page of {stored.record.urls[0]} was not kept")
    return read_page(folder, stored.location)


def framed_page(library: Library, site: str, name: str) -> ShownPage:
    """Return the page of a record with its fields outlined."""
    stored = record_of(library.store, site, name)
    document = parse(page_of(library.folder, stored), library.limits)
    record, domain = stored.record, load_domain(stored.record.domain)
    specs = [(name, domain.spec_of(name)) for name in record.fields]
    fields = tuple((name, spec.means, spec.kind) for name, spec in specs)
    if record.map_version is None:
        return ShownPage(frame_of(document, {}), fields)
    read_by = stored_map(library.store, site, record.map_version).parsed()
    return ShownPage(page_of_record(record, document, read_by), fields)
