"""Pages and maps that travelled here in, what a collector needs of them out."""

import pickle
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from time import time

from sitewright.domains import kinds, load_domain
from sitewright.errors import SitewrightError
from sitewright.links import StoryPages
from sitewright.links.turning import turns_pictures
from sitewright.notice.observation import (
    Observation,
    address_of,
    agreements_of,
    fingerprint_of,
    observe,
    observe_failure,
    pack_observation,
)
from sitewright.parse import Document
from sitewright.reading.designs import MOST_READERS, Design, DesignReader
from sitewright.reading.item import checked, parsed, says_absent
from sitewright.reading.mapped import Doubt, MapReading
from sitewright.reading.story_pages import story_pages
from sitewright.store.warc import PackedPage, pack_page
from sitewright.types import ExtractionMap, Failure, Limits, Page, Record
from sitewright.values.images import picture_keys


@dataclass(frozen=True, slots=True)
class ItemRead:
    """A page of a story or a product: its record, or why there is none; and the page, packed for the archive."""

    packed: PackedPage
    observation: bytes
    """What baselines count of it, packed."""
    record: Record | None = None
    failure: Failure | None = None
    story: StoryPages = field(default_factory=StoryPages)
    """The other pages of its story, as far as the page names them."""
    unstated: bool = False
    """Whether the page says that it does not state a price."""
    turns: bool = False
    """Whether it shows the pictures of a gallery one at a time, so that a browser has to turn them."""


@dataclass(frozen=True, slots=True)
class PackedMap:
    """A map with what of it is in doubt, and those of former designs, as bytes.

    They travel with every page, and are unpacked in each process once.
    """

    digest: bytes
    content: bytes


def pack_map(extraction_map: ExtractionMap, doubts: Collection[Doubt] = (), former: Sequence[Design] = ()) -> PackedMap:
    """Make a map ready to travel, with the fields whose rules are not believed at present, and its former designs."""
    ordered = sorted(doubts, key=lambda doubt: (doubt.template, doubt.field))
    content = pickle.dumps((extraction_map, tuple(ordered), tuple(former)))
    return PackedMap(blake2b(content, digest_size=16).digest(), content)


def read_item(limits: Limits, page: Page, packed_map: PackedMap, is_part: bool = False) -> ItemRead:
    """Read a page of a story or a product, and pack it for the archive; a further page of a story may say little."""
    packed = pack_page(page)
    at = page.fetched_at.timestamp() if page.fetched_at is not None else time()
    document: Document | None = None
    try:
        document = parsed(limits, page)
        reader = reader_of(packed_map)
        reading = checked(page, document, reader, is_part=is_part)
    except SitewrightError as error:
        failure = Failure(page.url, "extract", error.code, str(error))
        fingerprint = fingerprint_of(document) if document is not None else 0
        seen = observe_failure(failure, at, fingerprint)
        return ItemRead(packed, pack_observation(seen), failure=failure)
    told = pack_observation(observed(reading, document, at))
    domain, record = load_domain(reader.map.domain), reading.record
    if not domain.price:
        story = story_pages(document, record, reader.map)
        turns = page.via != "browser" and not story.parts and turns_pictures(document, _pictures(record))
        return ItemRead(packed, told, record, story=story, turns=turns)
    unstated = domain.price not in reading.by_map.fields and says_absent(document, domain)
    if unstated:  # what the tagger may have found is another item's
        record = replace(record, fields={name: value for name, value in record.fields.items() if name != domain.price})
    return ItemRead(packed, told, record, unstated=unstated)


def _pictures(record: Record) -> int:
    named = load_domain(record.domain).fields_of_kind(kinds.IMAGES)
    return len({key for name in named if name in record.fields for key in picture_keys(record.fields[name].value)})


def observed(reading: MapReading, document: Document, at: float) -> Observation:
    """Return what baselines count of a page that was read."""
    return observe(
        reading.record,
        at,
        by_map=reading.by_map,
        fingerprint=fingerprint_of(document),
        agreements=agreements_of(document, reading.by_map),
        address=address_of(document),
    )


_unpacked: dict[bytes, DesignReader] = {}


def reader_of(packed: PackedMap) -> DesignReader:
    """Return the reader of a map that travelled here, compiled once a process."""
    reader = _unpacked.get(packed.digest)
    if reader is None:
        if len(_unpacked) >= MOST_READERS:
            _unpacked.clear()
        reader = DesignReader(*pickle.loads(packed.content))  # noqa: S301 -- from our own parent
        _unpacked[packed.digest] = reader
    return reader
