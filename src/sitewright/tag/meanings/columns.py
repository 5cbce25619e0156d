"""A page and its domain in, what is looked at of each unit for each field out: a table a page, a view a field."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import Domain, FieldSpec, kinds
from sitewright.parse import Document
from sitewright.repeats import FoundList, main_list
from sitewright.tag.features import DENSE, dense_of, group_units, read_table
from sitewright.tag.meanings.amounts import AMOUNTS, amounts_of
from sitewright.tag.meanings.beside import in_sections, labelled, labelled_otherwise
from sitewright.tag.meanings.by_heading import opening, pressable
from sitewright.tag.meanings.looks import LOOKS, looks_of
from sitewright.tag.meanings.naming import named
from sitewright.tag.meanings.surroundings import SURROUNDINGS, surroundings_of
from sitewright.tag.units import Unit, UnitKind
from sitewright.values.prices import PRICE

OF_FIELD = (
    "own", "around", "own_against", "around_against", "label", "stated", "as_stated", "best_own", "best_around",
    "best_label", "rival_own", "rival_label", "other_labels", "other_names", "section",
)  # fmt: skip
"""What is looked at of a field: its words, its labels, what metadata states of it, and those of other fields."""
SHARED = (*DENSE, *LOOKS, *SURROUNDINGS, *AMOUNTS)
COLUMNS = (*SHARED, *OF_FIELD)
NO_LIST = (0.0, 0.0, 0.0, 0.0)
_LOOK = {name: number + len(DENSE) for number, name in enumerate(LOOKS)}
_LONGEST_LINE = 300
_LONGEST_ENTRY = 120
_SHORTEST_PARAGRAPH = 2


@dataclass(frozen=True)
class Seen:
    """All that is looked at of the units of a page."""

    domain: Domain
    units: Sequence[Unit]
    shared: NDArray[np.float32]
    names: NDArray[np.float32]
    labels: NDArray[np.float32]
    sections: NDArray[np.float32]
    stated: NDArray[np.float32]
    """Where metadata states a field: how near the top of its sources."""
    as_stated: NDArray[np.float32]
    """Whether a unit displays what metadata states."""
    pressed: NDArray[np.float32]
    """How surely each unit is what people press beside the heading."""
    opens: NDArray[np.float32]
    """Whether the heading begins with it."""
    otherwise: NDArray[np.float32]
    """How surely a label says of each unit that it is something that each field is taken for."""
    listing: tuple[float, ...] = NO_LIST
    """The page's main list: how many entries, how rich, what share of the page's text, how many with a price."""

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {name: number for number, name in enumerate(self.domain.fields)}

    def place(self, field: str) -> int:
        """Return the column of a field."""
        return self._places[field]

    def look(self, name: str) -> NDArray[np.float32]:
        """Return one look of all units."""
        return self.shared[:, _LOOK[name]]

    def of_field(self, spec: FieldSpec) -> NDArray[np.float32]:
        """Return the table of a field: a row a unit, its columns are `COLUMNS`."""
        count = len(self.domain.fields)
        column = self._places[spec.name]
        rival = self._places.get(spec.rival, column)
        own, own_against = self.names[:, column], self.names[:, count + column]
        around, around_against = self.names[:, 2 * count + column], self.names[:, 3 * count + column]
        others = [n for n in range(count) if n != column]
        label = self.labels[:, column]
        own_columns = [
            own, around, own_against, around_against, label, self.stated[:, column], self.as_stated[:, column],
            np.full_like(own, own.max(initial=0.0)), np.full_like(own, around.max(initial=0.0)),
            np.full_like(own, label.max(initial=0.0)), self.names[:, rival], self.labels[:, rival],
            self.labels[:, others].max(axis=1, initial=0.0), self.names[:, others].max(axis=1, initial=0.0),
            self.sections[:, column],
        ]  # fmt: skip
        return np.concatenate([self.shared, np.stack(own_columns, axis=1)], axis=1)

    def may_be(self, spec: FieldSpec) -> NDArray[np.bool_]:
        """Tell which units look like a value of a field at all."""
        lengths = np.array([len(unit.text) for unit in self.units])
        runs = np.array([unit.kind is UnitKind.RUN and unit.place is not None for unit in self.units], dtype=bool)
        digits = self.look("digits") > 0
        look = spec.match.look or {kinds.PRICE: "price", kinds.TEXT: "text"}.get(spec.kind, "line")
        if spec.name == self.domain.main_text:
            return runs & (lengths >= _SHORTEST_PARAGRAPH)
        match look:
            case "price":
                is_price = (self.look("price") > 0) | (self.look("bare_amount") > 0)
                return np.asarray((digits & is_price) | (self.stated[:, self._places[spec.name]] > 0))
            case "number":
                return np.asarray(digits & (lengths <= _LONGEST_ENTRY))
            case "code":
                return np.asarray(
                    (lengths <= _LONGEST_ENTRY) & (digits | (self.labels[:, self._places[spec.name]] > 0))
                )
            case "phrase":
                return np.asarray(self.look("phrase") > 0)
        longest = _LONGEST_ENTRY if spec.many else _LONGEST_LINE
        return np.asarray(lengths <= longest)


class Looker:
    """Looks at pages of a domain."""

    def __init__(self, domain: Domain) -> None:
        """Compile the domain's word lists and labels."""
        self._domain = domain
        self._lists, self._labels = domain.word_lists, domain.labels

    def look(self, document: Document, units: Sequence[Unit]) -> Seen:
        """Return what is looked at of a page."""
        table = read_table(units)
        dense = dense_of(document, table, group_units(units))
        looks = looks_of(table.texts.distinct, self._domain)[table.texts.of_units]
        title = _heading(dense, units)
        found = main_list(document)
        prices = looks[:, LOOKS.index("price")]
        around = surroundings_of(document, table, self._domain, prices, title, found.items if found is not None else ())
        stated = _stated(units, self._domain)
        return Seen(
            self._domain,
            units,
            np.concatenate([dense, looks, around, amounts_of(units, prices)], axis=1),
            named(units, table.blocks, self._lists),
            labelled(units, self._labels),
            in_sections(units, self._labels),
            stated,
            _as_stated(table.texts.of_units, table.texts.folded, stated),
            pressable(units, self._domain, title),
            opening(units, title),
            labelled_otherwise(units, self._domain.other_labels),
            _listing(document, found),
        )


def _listing(document: Document, found: FoundList | None) -> tuple[float, ...]:
    if found is None:
        return NO_LIST
    texts = [item.text for item in found.items]
    root = document.tree.root
    total = len(root.text) if root is not None else 0
    prices = sum(PRICE.search(text[:500]) is not None for text in texts)
    share = sum(map(len, texts)) / max(total, 1)
    return math.log1p(len(texts)) / 4, math.log1p(found.score) / 5, share, prices / len(texts)


def _heading(dense: NDArray[np.float32], units: Sequence[Unit]) -> int:
    """Return the displayed unit that is most like the stated title, the first main heading where none is; or -1."""
    best, place = 0.3, -1
    likeness = dense[:, DENSE.index("title_precision")] * dense[:, DENSE.index("title_recall")]
    for number, unit in enumerate(units):
        if unit.place is None or unit.kind is not UnitKind.RUN:
            continue
        score = float(likeness[number]) + (0.4 if unit.place.tag == "h1" else 0.0) - 0.3 * (unit.linked > 0)
        if score > best:
            best, place = score, number
    return place


def _stated(units: Sequence[Unit], domain: Domain) -> NDArray[np.float32]:
    table = np.zeros((len(units), len(domain.fields)), dtype=np.float32)
    ranks = [
        {source: 1 / (1 + 0.15 * place) for place, source in enumerate(spec.sources)} for spec in domain.fields.values()
    ]
    for number, unit in enumerate(units):
        if unit.place is None:
            table[number] = [rank.get(unit.source, 0.0) for rank in ranks]
    return table


def _as_stated(of_units: NDArray[np.intp], folded: Sequence[str], stated: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how well each unit agrees with what is stated of each field: the rank of the source that says the same."""
    best = np.zeros((len(folded), stated.shape[1]), dtype=np.float32)
    np.maximum.at(best, of_units, stated)
    best[[n for n, text in enumerate(folded) if not text]] = 0.0
    return best[of_units]
