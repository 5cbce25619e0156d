"""A page and what was read of it in, the addresses of the other pages of its story out."""

from sitewright.domains import load_domain
from sitewright.links import StoryPages, find_story_pages
from sitewright.links.addresses import LONG_NUMBER, SLUG_WORDS, read_address
from sitewright.links.mapped_parts import mapped_story_pages
from sitewright.parse import Document
from sitewright.types import ExtractionMap, PartsRule, Record


def story_pages(document: Document, record: Record, extraction_map: ExtractionMap | None = None) -> StoryPages:
    """Find the other pages of a story: as the map says, or as the page links them; lists go on with other stories.

    A page that was not read as an item has to be named like one: galleries look like lists. Of 70 pages of folds 1 to 4
    that are none and have further pages, two are named so.
    """
    rule = _rule(record, extraction_map) if extraction_map is not None else None
    mapped = mapped_story_pages(document, rule) if rule is not None else StoryPages()
    if rule is not None and (mapped.parts or not rule.learned):
        return mapped
    if record.kind in (None, load_domain(record.domain).item.kind) or _is_named_like_item(document.url):
        return find_story_pages(document)
    return StoryPages()


def _rule(record: Record, extraction_map: ExtractionMap) -> PartsRule | None:
    return next((one.parts for one in extraction_map.templates if one.name == record.template), None)


def _is_named_like_item(url: str) -> bool:
    address = read_address(url)
    return address.slug_words >= SLUG_WORDS or address.digits >= LONG_NUMBER
