"""Stored records in, those of them that are photo sets out, with the pictures that are the story's own."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice

from sitewright.domains import kinds, load_domain
from sitewright.store.database import Store
from sitewright.store.entries import StoredRecord
from sitewright.types import PhotoSet, Record, Value

_TOGETHER = 500
ENTRY = "photo_set"
"""What a record says of its set: which version it is, and what it leaves out."""


def as_photo_sets(store: Store, records: Iterable[StoredRecord]) -> Iterator[StoredRecord]:
    """Yield the records that are photo sets, in their order, as their sets have them."""
    waiting = iter(records)
    while some := list(islice(waiting, _TOGETHER)):
        sets = {
            (site, one.urls[0]): one
            for site in {stored.record.site for stored in some}
            for one in store.photo_sets_of(site, [own.record.urls[0] for own in some if own.record.site == site])
        }
        for stored in some:
            own = sets.get((stored.record.site, stored.record.urls[0]))
            if own is not None:
                yield replace(stored, record=_as_set(stored.record, own))


def _as_set(record: Record, photo_set: PhotoSet) -> Record:
    domain, fields = load_domain(record.domain), dict(record.fields)
    named = [name for name in domain.fields_of_kind(kinds.IMAGES) if name in fields]
    for name in named[:1]:
        fields[name] = replace(fields[name], value=[_shown(photo) for photo in map(asdict, photo_set.photos)])
    for name in named[1:]:
        del fields[name]
    if domain.main_text in fields:
        fields[domain.main_text] = replace(fields[domain.main_text], value=photo_set.text)
    told = {"version": photo_set.version, "left_out": [asdict(one) for one in photo_set.left_out]}
    return replace(record, fields=fields | {ENTRY: Value(told, 1.0, "")})


def _shown(photo: dict[str, object]) -> dict[str, object]:
    """Leave out sizes that are not known, as records do."""
    return {name: value for name, value in photo.items() if value is not None}
