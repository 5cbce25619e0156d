"""A document and a field whose values are objects in, those that JSON-LD and the state of scripts hold out."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import orjson

from sitewright.domains import FieldSpec, kinds, meaning_of
from sitewright.parse import Document, Json
from sitewright.repeats.objects import FoundObjects
from sitewright.repeats.stars import MOST
from sitewright.values import PARSERS, Context, string_of
from sitewright.values.state import inner_values, script_values

_STATE = "state:"
_MOST_OBJECTS = 1000
_BEST = "bestRating"
_HUNDRED, _FAR = 100, 20
"""Amounts so many times what the item costs are hundredths; variants differ by less."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the item that a page is about: what it is called, and what it costs."""

    heading: str = ""
    price: Mapping[str, object] = field(default_factory=dict)


def stated_objects(
    document: Document, spec: FieldSpec, types: Sequence[str], context: Context, known: Known | None = None
) -> FoundObjects | None:
    """Return the objects that a page states at the first of the field's sources that has some.

    Of a page's state, which may hold other items, too, the list counts that stands beside the heading, or alone; its
    prices may be in hundredths, which what the item costs tells.
    """
    known = known or Known()
    for source in spec.sources:
        entries = (
            _in_state(document, source, known.heading) if source.startswith(_STATE) else _of(document, source, types)
        )
        objects = [row for entry in entries[:_MOST_OBJECTS] if (row := _object(entry, spec, context))]
        needed = [name for name, part in spec.parts.items() if part.required]
        whole = [row for row in objects if all(name in row for name in needed) and len(row) > 1]
        if len(whole) >= spec.least:
            return FoundObjects(_in_units(whole, spec, known.price), source)
    return None


def _of(document: Document, source: str, types: Sequence[str]) -> list[dict[str, Json]]:
    facts = document.metadata.facts([source], types)
    entries = [entry for fact in facts for entry in (fact.value if isinstance(fact.value, list) else [fact.value])]
    return [entry for entry in entries if isinstance(entry, dict)]


def _in_state(document: Document, source: str, heading: str) -> list[dict[str, Json]]:
    key = source.removeprefix(_STATE)
    found = list(_lists(document, key))
    named = [rows for beside, rows in found if heading and heading.casefold() in beside]
    alone = [rows for _, rows in found] if len(found) == 1 else []
    return next(iter(named or alone), [])


def _lists(document: Document, key: str) -> Iterator[tuple[set[str], list[dict[str, Json]]]]:
    """Yield the lists of objects under a key of scripts, or in an attribute called so, with the texts beside them."""
    name = f"data-{key}"
    for element in document.tree.select(f"[{name}]"):
        try:
            rows = orjson.loads(element.attr(name) or "")
        except orjson.JSONDecodeError:
            continue
        if _is_rows(rows):
            yield set(), rows
    for value in script_values(document, re.compile(rf"\b{re.escape(key)}\b")):
        for one in inner_values(value):
            if isinstance(one, dict) and _is_rows(rows := one.get(key)):
                yield {text.casefold() for text in one.values() if isinstance(text, str)}, rows


def _is_rows(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def _object(entry: dict[str, Json], spec: FieldSpec, context: Context) -> dict[str, object]:
    found = {name: _part(entry, part, context) for name, part in spec.parts.items()}
    return {name: value for name, value in found.items() if value not in (None, "", [])}


def _part(entry: dict[str, Json], spec: FieldSpec, context: Context) -> object:
    within = _within(entry, spec.sources, context)
    if spec.kind == kinds.LIST:
        texts = [text for values in within for value in values for text in _texts(value)]
        return list(dict.fromkeys(texts))
    for values in within:
        for value in values:
            if spec.match.phrases:
                return meaning_of(string_of(value), spec)
            parsed = PARSERS[spec.parse]([value], False, context)
            if parsed is not None:
                return _of_five(parsed.value, entry, context) if spec.match.look == "stars" else parsed.value
    return None


def _within(entry: dict[str, Json], sources: Sequence[str], context: Context) -> Iterator[list[Json]]:
    """Yield what stands at each of some paths within an object."""
    jsonld = context.document.metadata.jsonld
    return (jsonld.within(entry, path) for path in sources)


def _in_units(
    objects: Sequence[dict[str, object]], spec: FieldSpec, price: Mapping[str, object]
) -> Sequence[dict[str, object]]:
    """Return objects with prices in the currency of the item's own price, and in its unit: some state hundredths."""
    own = price.get("amount")
    for name in (name for name, part in spec.parts.items() if part.kind == kinds.PRICE):
        costs = [cost for one in objects if isinstance(cost := one.get(name), dict)]
        amounts = [float(cost["amount"]) for cost in costs]
        in_hundredths = isinstance(own, int | float) and amounts and _are_hundredths(amounts, float(own))
        for cost in costs:
            cost["amount"] = cost["amount"] / _HUNDRED if in_hundredths else cost["amount"]
            if "currency" in price:
                cost.setdefault("currency", price["currency"])
    return objects


def _are_hundredths(amounts: Sequence[float], own: float) -> bool:
    """Tell whether amounts fit an item's price as hundredths, and do not as they are.

    >>> _are_hundredths([8599.0, 9599.0], 85.99), _are_hundredths([85.99], 85.99), _are_hundredths([80.0], 80.0)
    (True, False, False)
    """
    return all(amount.is_integer() for amount in amounts) and min(amounts) > _FAR * own


def _texts(value: Json) -> list[str]:
    inner = value.values() if isinstance(value, dict) and "name" not in value else [value]
    return [text for one in inner if (text := string_of(one))]


def _of_five(stars: object, entry: dict[str, Json], context: Context) -> object:
    best = context.document.metadata.jsonld.within(entry, f"reviewRating.{_BEST}")
    most = float(string_of(best[0])) if best and string_of(best[0]).replace(".", "", 1).isdigit() else MOST
    return round(stars * MOST / most, 2) if isinstance(stars, int | float) and most not in (0.0, MOST) else stars
