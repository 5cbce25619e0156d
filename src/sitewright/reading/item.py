"""A page of a story or a product in, its record out, or why it has none."""

from dataclasses import replace
from functools import lru_cache

from sitewright.domains import load_domain
from sitewright.errors import ErrorPage, NotItem, PageError, SitewrightError
from sitewright.fetch.walls import is_wall_status, wall_of
from sitewright.parse import Document, parse
from sitewright.reading.mapped import Doubt, MapReader, MapReading
from sitewright.types import ExtractionMap, Limits, Page, Record

MOST_READERS = 64
"""So many maps are kept compiled in each process."""


def read_record(
    limits: Limits, page: Page, extraction_map: ExtractionMap, doubts: frozenset[Doubt] = frozenset()
) -> Record:
    """Return the record of a page, with fields in doubt read by the tagger; an error says why it has none."""
    return checked(page, parsed(limits, page), map_reader(extraction_map, doubts)).record


def checked(page: Page, document: Document, reader: MapReader) -> MapReading:
    """Read a page; an error says why it has no record."""
    reading, item = reader.read(document), load_domain(reader.map.domain).item
    record = reading.record
    handed_over = record.via == "tagger" and record.kind != item.kind
    if handed_over or not record.fields or reader.looks_other(reading):
        raise wall_of(page, document) or NotItem(f"the page is no {item.noun}")
    return reading._replace(record=replace(record, site=reader.map.site, extracted_at=page.fetched_at))


def parsed(limits: Limits, page: Page) -> Document:
    """Parse a page; where the server refused it, say what it shows instead."""
    if not is_wall_status(page.status):
        return parse(page, limits)
    try:
        wall: PageError | None = wall_of(page, parse(replace(page, status=200), limits))
    except SitewrightError:
        wall = None
    raise wall or ErrorPage(f"the server answered {page.status}")


@lru_cache(maxsize=MOST_READERS)
def map_reader(extraction_map: ExtractionMap, doubts: frozenset[Doubt] = frozenset()) -> MapReader:
    """Return a map compiled; the last ones are remembered."""
    return MapReader(extraction_map, doubts)
