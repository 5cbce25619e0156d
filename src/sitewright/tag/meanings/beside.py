"""Units and a domain's labels in, which field the label before each unit speaks of out ("Art. no.:", 规格, Артикул)."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sitewright.domains.labels import LONGEST_LABEL, Labels
from sitewright.tag.units import Unit, UnitKind

WITHIN, RIGHT_BEFORE, MAYBE = 1.0, 0.9, 0.6
"""How surely a label speaks of a unit: it begins with it; the unit before is the label, with a colon; without one."""


def labelled(units: Sequence[Unit], labels: Labels) -> NDArray[np.float32]:
    """Return how surely a label of each field stands before each unit: a row a unit."""
    table = np.zeros((len(units), labels.width), dtype=np.float32)
    for number, text in _before(units).items():
        if columns := labels.columns_of(text):
            is_sure = text.rstrip().endswith((":", "：", "#"))
            table[number, list(columns)] = RIGHT_BEFORE if is_sure else MAYBE
    for number, unit in enumerate(units):
        if unit.place is not None and len(unit.text) <= 3 * LONGEST_LABEL:
            rest, columns = labels.cut(unit.text)
            if rest and columns:
                table[number, list(columns)] = WITHIN
    return table


def labelled_otherwise(units: Sequence[Unit], labels: Labels) -> NDArray[np.float32]:
    """Tell which units are labelled as something else; a label without a colon stands right beside, in the same row."""
    table = np.zeros((len(units), labels.width), dtype=np.float32)
    if not labels:
        return table
    last: Unit | None = None
    for number, unit in enumerate(units):
        if unit.place is None:
            continue
        rest, columns = labels.cut(unit.text) if len(unit.text) <= 3 * LONGEST_LABEL else ("", ())
        if rest and columns:
            table[number, list(columns)] = WITHIN
        elif last is not None and unit.kind is UnitKind.RUN and last.place is not None:
            is_sure = last.text.rstrip().endswith((":", "："))
            if is_sure or last.place.above is unit.place.above:
                table[number, list(labels.columns_of(last.text))] = RIGHT_BEFORE
        elif unit.kind is not UnitKind.RUN:
            table[number] = np.maximum(table[unit.run], table[number])
            start = units[unit.run].text.find(unit.text)
            before = units[unit.run].text[:start].rstrip()[-LONGEST_LABEL - 1 :] if start > 0 else ""
            table[number, list(labels.columns_of(before))] = RIGHT_BEFORE
        if unit.kind is UnitKind.RUN:
            last = unit
    return table


def _before(units: Sequence[Unit]) -> Mapping[int, str]:
    """Return for each unit the text right before it: of the same line, or the line before."""
    found: dict[int, str] = {}
    last_run, last = "", {}
    for number, unit in enumerate(units):
        if unit.place is None:
            continue
        if unit.kind is UnitKind.RUN:
            found[number] = last_run
            last_run = unit.text
            last = {number: found[number]}
        else:
            found[number] = last.get(unit.run, "")
            whole = units[unit.run].text
            start = whole.find(unit.text)
            if start > 0:
                found[number] = whole[:start].rstrip()[-LONGEST_LABEL - 1 :]
    return found


def in_sections(units: Sequence[Unit], labels: Labels) -> NDArray[np.float32]:
    """Return under which field's heading each unit stands, as long as no other heading of its level follows."""
    table = np.zeros((len(units), labels.width), dtype=np.float32)
    current: Sequence[int] = ()
    level = 0
    for number, unit in enumerate(units):
        if unit.place is None:
            continue
        own_level = heading_level(unit)
        if unit.kind is UnitKind.RUN and (columns := _told_by(unit, labels, own_level)):
            current, level = columns, own_level or LOWEST
        elif unit.kind is UnitKind.RUN and own_level and own_level <= level:
            current = ()
        elif current:
            table[number, list(current)] = 1.0
    return table


def _told_by(unit: Unit, labels: Labels, level: int) -> Sequence[int]:
    """Return the fields that a line speaks of: a heading may say more than the label."""
    return labels.columns_of(unit.text) or (labels.columns_in(unit.text) if level else ())


LOWEST = 7
"""The level of what is no heading: any heading ends what stands below it."""


def heading_level(unit: Unit) -> int:
    """Return the level of the heading that a unit stands in, 0 where it is in none."""
    place = unit.place
    while place is not None:
        if len(place.tag) == 2 and place.tag[0] == "h" and place.tag[1].isdigit():
            return int(place.tag[1])
        place = place.above
    return 0
