"""Records before and after in, what changes field by field out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson
from rich.table import Table
from rich.text import Text

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

    def table(self) -> Table:
        """Return a line for each field."""
        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
        table.add_column("field")
        for column in ("changed", "before", "after"):
            table.add_column(column, justify="right")
        table.add_column("for example", overflow="fold")
        for name, own in self.fields.items():
            numbers = (f"{number:,}" for number in (own.changed, own.before, own.after))
            example = " → ".join(part or "nothing" for part in own.example) if own.example is not None else ""
            table.add_row(name, *numbers, Text(example))
        return table


def _values(record: Record) -> dict[str, Any]:
    """Return the values as the store gives them back, without those that are empty."""
    plain: Mapping[str, Any] = orjson.loads(json_of({name: value.value for name, value in record.fields.items()}))
    return {name: value for name, value in plain.items() if value not in (None, "", [], {})}
