"""Pages and maps that travelled here in, what a collector needs of them out."""

import pickle
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import blake2b
from time import time

from sitewright.errors import SitewrightError
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
from sitewright.reading.item import MOST_READERS, checked, parsed
from sitewright.reading.mapped import Doubt, MapReader, MapReading
from sitewright.store.warc import PackedPage, pack_page
from sitewright.types import ExtractionMap, Failure, Limits, Page, Record


@dataclass(frozen=True, slots=True)
class ItemRead:
    """A page of a story or a product: its record, or why there is none; and the page, packed for the archive."""

    packed: PackedPage
    observation: bytes
    """What baselines count of it, packed."""
    record: Record | None = None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class PackedMap:
    """A map and what of it is in doubt as bytes, which travel with every page and are unpacked in each process once."""

    digest: bytes
    content: bytes


def pack_map(extraction_map: ExtractionMap, doubts: Collection[Doubt] = ()) -> PackedMap:
    """Make a map ready to travel, with the fields whose rules are not believed at present."""
    content = pickle.dumps((extraction_map, tuple(sorted(doubts))))
    return PackedMap(blake2b(content, digest_size=16).digest(), content)


def read_item(limits: Limits, page: Page, packed_map: PackedMap) -> ItemRead:
    """Read a page of a story or a product, and pack it for the archive."""
    packed = pack_page(page)
    at = page.fetched_at.timestamp() if page.fetched_at is not None else time()
    document: Document | None = None
    try:
        document = parsed(limits, page)
        reading = checked(page, document, reader_of(packed_map))
    except SitewrightError as error:
        failure = Failure(page.url, "extract", error.code, str(error))
        fingerprint = fingerprint_of(document) if document is not None else 0
        seen = observe_failure(failure, at, fingerprint)
        return ItemRead(packed, pack_observation(seen), failure=failure)
    return ItemRead(packed, pack_observation(_observed(reading, document, at)), reading.record)


def _observed(reading: MapReading, document: Document, at: float) -> Observation:
    return observe(
        reading.record,
        at,
        by_map=reading.by_map,
        fingerprint=fingerprint_of(document),
        agreements=agreements_of(document, reading.by_map),
        address=address_of(document),
    )


_unpacked: dict[bytes, MapReader] = {}


def reader_of(packed: PackedMap) -> MapReader:
    """Return the reader of a map that travelled here, compiled once a process."""
    reader = _unpacked.get(packed.digest)
    if reader is None:
        if len(_unpacked) >= MOST_READERS:
            _unpacked.clear()
        extraction_map, doubts = pickle.loads(packed.content)  # noqa: S301 -- from our own parent
        reader = _unpacked[packed.digest] = MapReader(extraction_map, doubts)
    return reader
