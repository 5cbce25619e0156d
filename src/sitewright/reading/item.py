"""A page of a story or a product in, its record out, or why it has none."""

from dataclasses import replace

from sitewright.domains import load_domain
from sitewright.errors import ErrorPage, NotItem, PageError, SitewrightError
from sitewright.fetch.walls import is_wall_status, wall_of
from sitewright.parse import Document, parse
from sitewright.reading.designs import Design, DesignReader, design_reader
from sitewright.reading.mapped import Doubt, MapReading
from sitewright.types import ExtractionMap, Limits, Page


def read_page(
    limits: Limits,
    page: Page,
    extraction_map: ExtractionMap,
    doubts: frozenset[Doubt] = frozenset(),
    former: tuple[Design, ...] = (),
) -> MapReading:
    """Read a page with the map of its design, fields in doubt with the tagger; an error says why it has no record."""
    return checked(page, parsed(limits, page), design_reader(extraction_map, doubts, former))


def checked(page: Page, document: Document, reader: DesignReader, *, is_part: bool = False) -> MapReading:
    """Read a page; an error says why it has no record. A further page of a story (`is_part`) may be hardly more than a
    picture, which by itself would be no item.
    """
    reading, item = reader.read(document), load_domain(reader.map.domain).item
    record = reading.record
    handed_over = record.via == "tagger" and record.kind != item.kind
    is_other = not is_part and (handed_over or reader.looks_other(reading))
    if is_other or not record.fields:
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
