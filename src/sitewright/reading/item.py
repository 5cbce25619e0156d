"""A page of a story or a product in, its record out, or why it has none."""

from dataclasses import replace
from urllib.parse import urlsplit

from turbohtml import Element

from sitewright.domains import Domain, load_domain
from sitewright.errors import ErrorPage, NotItem, PageError, SitewrightError
from sitewright.fetch.walls import is_wall_status, wall_of
from sitewright.parse import Document, absolute_url, clean_line, host_of, is_of_site, parse, url_id
from sitewright.reading.designs import Design, DesignReader, design_reader
from sitewright.reading.embedded import with_embedded_pictures
from sitewright.reading.mapped import Doubt, MapReading
from sitewright.types import LIST, ExtractionMap, Limits, Page, Record


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
    reading, domain = reader.read(document), load_domain(reader.map.domain)
    record, item = reading.record, domain.item
    handed_over = record.via == "tagger" and record.kind != item.kind and not _is_unpriced(reading, document, domain)
    is_other = record.template == LIST or (not is_part and (handed_over or reader.looks_other(reading)))
    if is_other or not record.fields:
        raise wall_of(page, document) or NotItem(f"the page is no {item.noun}")
    complete = with_embedded_pictures(record, document)
    record = replace(complete, site=reader.map.site, extracted_at=page.fetched_at)
    return reading._replace(record=_at_home(record, document) if domain.same else record)


def _at_home(record: Record, document: Document) -> Record:
    """Return a record under the address that its page wants to be known by, if that is one of its site."""
    stated = (absolute_url(str(fact.value), document.base_url) for fact in document.metadata.facts(["canonical"]))
    own = next((url for url in stated if url and is_of_site(host_of(url), record.site)), "")
    is_home = not own or url_id(own) == url_id(record.urls[0]) or urlsplit(own).path.strip("/") == ""
    return record if is_home else replace(record, urls=(own, *record.urls))


def _is_unpriced(reading: MapReading, document: Document, domain: Domain) -> bool:
    """Tell whether the map reads an item's name and the page says that it states no price: it lacks only that."""
    return domain.heading in reading.by_map.fields and says_absent(document, domain)


_AROUND = 3
"""How far around a heading it is looked for that a value is not stated: farther out other items begin."""


def says_absent(document: Document, domain: Domain) -> bool:
    """Tell whether a page says, near its heading, that it does not state the price.

    >>> from sitewright.domains import load_domain
    >>> page = Page(url="https://example.com/a", body="<div><h1>Spade</h1><p>Price on request</p></div>")
    >>> says_absent(parse(page), load_domain("shop"))
    True
    """
    phrases = {phrase.casefold() for phrase in domain.spec_of(domain.price).absent} if domain.price else set()
    around = document.tree.select_one("h1")
    for _ in range(_AROUND if phrases else 0):
        parent = around.parent if around is not None else None
        if not isinstance(parent, Element):
            break
        around = parent
        if any(clean_line(one.text).casefold() in phrases for one in around.select("*") if len(one.text) <= _LONGEST):
            return True
    return False


_LONGEST = 60
"""A phrase is no longer, with the spaces around it."""


def parsed(limits: Limits, page: Page) -> Document:
    """Parse a page; where the server refused it, say what it shows instead."""
    if not is_wall_status(page.status):
        return parse(page, limits)
    try:
        wall: PageError | None = wall_of(page, parse(replace(page, status=200), limits))
    except SitewrightError:
        wall = None
    raise wall or ErrorPage(f"the server answered {page.status}")
