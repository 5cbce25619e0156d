"""Records before and after in, what changes field by field out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from sitewright.types import Record
from sitewright.values.as_json import json_of
from sitewright.values.words import short_pair, value_line


@dataclass(slots=True)
class FieldChanges:
    """What becomes of one field."""

    changed: int = 0
    before: int = 0
    """How many records had it."""
    after: int = 0
    example: tuple[str, str] | None = None


class Changes:
    """Counts what becomes of the values of records that are read once more."""

    def __init__(self, fields: Iterable[str]) -> None:
        """Begin with the fields that are expected; others join as they come."""
        self.fields = {name: FieldChanges() for name in fields}

    def count(self, before: Record | None, after: Record) -> bool:
        """Note a record, and tell whether any value changed; one that is new has none that could."""
        old = _values(before) if before is not None else {}
        new = _values(after)
        changed = False
        for name in dict.fromkeys((*old, *new)):
            own = self.fields.setdefault(name, FieldChanges())
            own.before += name in old
            own.after += name in new
            if before is not None and old.get(name) != new.get(name):
                changed = True
                own.changed += 1
                own.example = own.example or short_pair(value_line(old.get(name)), value_line(new.get(name)))
        return changed


def _values(record: Record) -> dict[str, Any]:
    """Return the values as the store gives them back, without those that are empty."""
    plain: Mapping[str, Any] = orjson.loads(json_of({name: value.value for name, value in record.fields.items()}))
    return {name: value for name, value in plain.items() if value not in (None, "", [], {})}
