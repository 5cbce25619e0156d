"""A page's units in, the same page as it could have been out: less metadata, sections and fields cut out."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from sitewright.tag.units import Unit, UnitKind
from training.columns import COLUMN
from training.labels import Targets

_SPLIT = {
    "jsonld": re.compile(r"^jsonld:|^microdata:"),
    "social": re.compile(r"^meta:(?:og|twitter|article)"),
    "meta": re.compile(r"^meta:(?!og|twitter|article)"),
    "title": re.compile(r"^title$"),
    "url": re.compile(r"^url"),
}


def keep_units(units: Sequence[Unit], keep: Callable[[int, Unit], bool]) -> tuple[list[Unit], list[int]]:
    """Return the units that are kept (parts only with their run), numbered anew, and their old indices."""
    kept = [number for number, unit in enumerate(units) if keep(unit.run, units[unit.run]) and keep(number, unit)]
    new = {old: number for number, old in enumerate(kept)}
    return [replace(units[old], run=new[units[old].run]) for old in kept], kept


def hide_stated(units: Sequence[Unit], kinds: Sequence[str]) -> tuple[list[Unit], list[int]]:
    """Return the units without what some kinds of metadata state."""
    patterns = [_SPLIT[kind] for kind in kinds]
    return keep_units(units, lambda _, unit: not (unit.source and any(p.search(unit.source) for p in patterns)))


def some_kinds(chance: random.Random) -> list[str]:
    """Choose kinds of metadata to hide."""
    return [kind for kind in _SPLIT if chance.random() < (0.25 if kind in {"title", "url"} else 0.5)]


def cut_sections(units: Sequence[Unit], targets: Targets, chance: random.Random) -> tuple[list[Unit], list[int]]:
    """Return the units without those of one to three blocks that hold less than a tenth of the page."""
    below: dict[int, set[int]] = {}
    for number, unit in enumerate(units):
        place = unit.place
        while place is not None:
            below.setdefault(id(place), set()).add(number)
            place = place.above
    blocks = [found for found in below.values() if 1 < len(found) <= max(3, len(units) // 10)]
    gone: set[int] = set()
    for _ in range(chance.randint(1, 3)):
        if blocks:
            gone |= chance.choice(blocks)
    title = targets.values[:, COLUMN["title"]]
    return keep_units(units, lambda number, _: number not in gone or title[number] >= 0.5)


def cut_field(units: Sequence[Unit], targets: Targets, field: str) -> tuple[list[Unit], list[int]]:
    """Return the units without all that show or state a field."""
    column = targets.values[:, COLUMN[field]]
    runs = {unit.run for number, unit in enumerate(units) if column[number] > 0}
    if field == "text":
        runs |= {n for n, unit in enumerate(units) if column[n] < 0 and unit.kind is UnitKind.RUN}
        return keep_units(units, lambda number, _: number not in runs)
    if field == "title":  # another headline of the same story is no false answer, so these go as well
        runs |= {unit.run for unit in units if _is_title(unit)}
    texts = {units[run].text.casefold() for run in runs if len(units[run].text) <= 200}
    return keep_units(units, lambda number, unit: number not in runs and unit.text.casefold() not in texts)


def _is_title(unit: Unit) -> bool:
    return unit.place.tag == "h1" if unit.place is not None else "title" in unit.source or "headline" in unit.source
