"""An item in, its fields that are made of parts as tables or passages out: specifications, variants, reviews."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fastapi import Request

from sitewright.actions.wares import ShownWare
from sitewright.domains import FieldSpec, kinds, load_domain
from sitewright.serve.money import money
from sitewright.serve.rendering import words_for
from sitewright.store.offers import Money

_OF_PAIRS = ("name", "value")
_MOST_ROWS = 200
_DAY = 10


@dataclass(frozen=True, slots=True)
class Row:
    """An object of a field: its short parts, and what it says at length."""

    cells: Sequence[str]
    said: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """A field whose values are made of parts."""

    name: str
    heading: str
    parts: Sequence[str]
    rows: Sequence[Row]

    @property
    def said(self) -> bool:
        """Whether its objects say something at length, so that a table would not hold them."""
        return any(row.said for row in self.rows)


def detailed(request: Request, shown: ShownWare) -> list[Detail]:
    """Return the fields of an item that are made of parts."""
    words = words_for(request)
    domain = load_domain(shown.card.domain)

    def called(kind: str, name: str) -> str:
        return words(f"product.{kind}.{name}") if words.has(f"product.{kind}.{name}") else name

    return [
        _detail(domain.fields[name], shown.fields[name], called)
        for name in domain.fields_of_kind(kinds.PAIRS, kinds.OBJECTS)
        if shown.fields.get(name)
    ]


def _detail(spec: FieldSpec, value: object, called: Callable[[str, str], str]) -> Detail:
    objects = [one for one in value if isinstance(one, Mapping)] if isinstance(value, list | tuple) else []
    long = next((name for name, part in spec.parts.items() if part.kind == kinds.TEXT), "")
    parts = [name for name in spec.parts or _OF_PAIRS if name != long and any(name in one for one in objects)]
    rows = [Row([_cell(one.get(name)) for name in parts], str(one.get(long, ""))) for one in objects[:_MOST_ROWS]]
    return Detail(spec.name, called("field", spec.name), [called("part", name) for name in parts], rows)


def _cell(value: object) -> str:
    if isinstance(value, Mapping):
        amount = value.get("amount")
        return money(Money(float(amount), str(value.get("currency", "")))) if isinstance(amount, int | float) else ""
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    if isinstance(value, int | float):
        return f"{value:g}"
    text = str(value) if value is not None else ""
    return text[:_DAY] if _is_moment(text) else text


def _is_moment(text: str) -> bool:
    return len(text) > _DAY and text[4:5] == text[7:8] == "-" and text[10:11] in ("T", " ")
