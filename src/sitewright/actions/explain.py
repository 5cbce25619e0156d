"""What a person calls a record in, where each of its values is from out: rule, place on the page, value of today."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sitewright.actions.look_up import look_up
from sitewright.actions.maps import stored_map
from sitewright.errors import InputError, StoreError
from sitewright.reading.explain import Explanation, explain_record
from sitewright.reading.mapped import Doubt
from sitewright.store.database import Store
from sitewright.store.entries import StoredMap, StoredRecord
from sitewright.store.warc import read_page
from sitewright.types import Limits, Page
from sitewright.watch.health import doubts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """All that is told of a record."""

    stored: StoredRecord
    page: Page
    read_by: StoredMap
    explanation: Explanation

    @property
    def is_same(self) -> bool:
        """Whether the same values are read today, and no others."""
        told = self.explanation
        return told.failure is None and not told.also and all(field.state == "same" for field in told.fields)


def explain(
    store: Store, folder: Path, wanted: str, *, site: str | None = None, fields: Sequence[str] = (), limits: Limits
) -> Explained:
    """Find a record by its address or id, and read its page (in `folder`) once more with the map that made it.

    `fields` are those that are asked for; all where none is named.
    """
    stored = look_up(store, wanted, site, folder)
    _refuse_unknown(fields, stored)
    read_by = _map(store, stored)
    if stored.location is None:
        raise StoreError(f"the page of {stored.record.urls[0]} was not kept, so nothing can be told of its values")
    page = read_page(folder, stored.location)
    told = explain_record(stored.record, page, read_by.parsed(), limits, _doubts(store, read_by))
    return Explained(stored=stored, page=page, read_by=read_by, explanation=_narrowed(told, fields))


def _refuse_unknown(fields: Sequence[str], stored: StoredRecord) -> None:
    for name in fields:
        if name not in stored.record.fields:
            there = ", ".join(stored.record.fields) or "none"
            raise InputError(f"the record of {stored.record.urls[0]} has no field {name}; there are {there}")


def _map(store: Store, stored: StoredRecord) -> StoredMap:
    record = stored.record
    if record.map_version is None:
        raise InputError(f"the record of {record.urls[0]} does not say which version of the map made it")
    return stored_map(store, record.site, record.map_version)


def _doubts(store: Store, read_by: StoredMap) -> frozenset[Doubt]:
    """Return what is in doubt at present, of the newest version only: earlier ones are not used any more."""
    is_newest = stored_map(store, read_by.site).version == read_by.version
    return doubts_of(store.incidents(read_by.site)) if is_newest else frozenset()


def _narrowed(told: Explanation, fields: Sequence[str]) -> Explanation:
    """Leave the fields that are asked for; all where none is named."""
    if not fields:
        return told
    return replace(told, fields=tuple(field for field in told.fields if field.name in fields), also={})
