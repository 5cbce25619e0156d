"""Labelled pages in, training examples out: each page as it is, without metadata, with sections or fields cut out."""

import random
import zlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from sitewright import Page
from sitewright.errors import SitewrightError
from sitewright.parse import Document, parse
from sitewright.tag.features import Features, features_of
from sitewright.tag.units import Unit, read_units
from sitewright.values import Context, page_context
from training.columns import COLUMN, FIELDS
from training.corpus import KIND_ARTICLE, KIND_LIST, LabelledPage, source_number, stated_labels
from training.labels import Targets, page_targets, unit_targets
from training.variants import cut_field, cut_sections, hide_stated, some_kinds

MOST_UNITS = 1500
"""Longer pages are cut off in training; the last one in a hundred."""
NOT_ON_LISTS = ("subtitle", "published", "modified", "text", "authors", "tags", "categories")
_RARE = ("subtitle", "tags", "categories")


@dataclass(frozen=True, slots=True)
class Example:
    """What the network sees of a page, and what it should say."""

    features: Features
    targets: NDArray[np.float16]
    """Units by fields; -1 where nobody knows."""
    shown: NDArray[np.int8]
    """Fields: 1 the page shows it, 0 it does not, -1 nobody knows."""
    kind: int
    source: int
    fold: int
    page: int
    variant: int


def examples_of(page: LabelledPage, number: int, variants: bool = True) -> list[Example]:
    """Return the examples of a page."""
    try:
        document = parse(Page(url=page.url, body=page.html))
    except SitewrightError:
        return []
    units = read_units(document)[:MOST_UNITS]
    units = [unit for unit in units if unit.run < len(units)]
    if len(units) < 3:
        return []
    context = page_context(document, datetime.now(UTC))
    targets = page_targets(units, page, context)
    maker = _Maker(document, page, number)
    found = [maker.example(units, targets, 0)]
    if variants:
        found += _variants(maker, units, targets, context, random.Random(zlib.crc32(f"{number} {page.url}".encode())))
    return found


@dataclass(frozen=True, slots=True)
class _Maker:
    document: Document
    page: LabelledPage
    number: int

    def example(self, units: Sequence[Unit], targets: Targets, variant: int, distant: bool = False) -> Example:
        """Make an example of some of a page's units."""
        source = source_number("distant") if distant else source_number(self.page.source)
        shown = _shown(targets, self.page.kind, units)  # first, because it fills in what lists do not show
        return Example(
            features_of(self.document, units), targets.values.astype(np.float16), shown,
            self.page.kind, source, self.page.fold, self.number, variant,
        )  # fmt: skip


def _shown(targets: Targets, kind: int, units: Sequence[Unit]) -> NDArray[np.int8]:
    shown = np.full(len(FIELDS), -1, dtype=np.int8)
    for field, column in COLUMN.items():
        known = targets.shown(field) if len(units) else None
        if known is not None:
            shown[column] = int(known)
        elif kind == KIND_LIST and field in NOT_ON_LISTS:
            shown[column] = 0
            targets.values[:, column] = 0.0
    return shown


def _variants(
    maker: _Maker, units: list[Unit], targets: Targets, context: Context, chance: random.Random
) -> Iterator[Example]:
    """Yield the page without metadata, with some of it and without some sections, and with fields cut out."""
    hidden = ["jsonld", "social", "meta"] + (["title"] if chance.random() < 0.3 else [])
    kept_units, kept = hide_stated(units, [*hidden, "url"] if chance.random() < 0.5 else hidden)
    if maker.page.kind == KIND_ARTICLE and len(kept_units) > 3:
        known = maker.page.labels.keys() | maker.page.absent
        stated = {k: v for k, v in stated_labels(maker.document).items() if k not in known}
        free = unit_targets(kept_units, stated, context).values if stated else None
        values = targets.values[kept]
        if free is not None:
            unknown = (values < 0).all(axis=0)
            values[:, unknown] = free[:, unknown]
        yield maker.example(kept_units, Targets(values), 1, distant=not maker.page.labels)
    rounds = 2 if any(maker.page.labels.get(field) for field in _RARE) else 1
    for variant in range(2, 2 + rounds):
        some, first = hide_stated(units, some_kinds(chance))
        some, second = cut_sections(some, Targets(targets.values[first]), chance)
        if len(some) > 3:
            yield maker.example(some, Targets(targets.values[first][second]), variant)
    fields = [field for field in FIELDS if targets.shown(field)]
    for variant in range(4, 4 + (2 if len(fields) >= 3 else 1)):
        if fields and maker.page.kind == KIND_ARTICLE:
            yield from _with_cut_fields(
                maker,
                units,
                targets,
                chance,
                chance.sample(fields, min(len(fields), chance.choice((1, 1, 2)))),
                variant,
            )


def _with_cut_fields(
    maker: _Maker, units: list[Unit], targets: Targets, chance: random.Random, fields: Sequence[str], variant: int
) -> Iterator[Example]:
    values = targets.values
    if chance.random() < 0.5:
        units, kept = hide_stated(units, some_kinds(chance))
        values = values[kept]
    for field in fields:
        units, kept = cut_field(units, Targets(values), field)
        values = values[kept].copy()
        values[:, COLUMN[field]] = 0.0
    if len(units) > 3:
        yield maker.example(units, Targets(values), variant)


def prepare(pages: Iterable[LabelledPage], workers: int, variants: bool = True) -> list[Example]:
    """Make the examples of all pages, in the order of the pages."""
    with ProcessPoolExecutor(workers) as pool:
        jobs = pool.map(_of, ((page, number, variants) for number, page in enumerate(pages)), chunksize=16)
        return [example for found in jobs for example in found]


def _of(job: tuple[LabelledPage, int, bool]) -> list[Example]:
    return examples_of(*job)
