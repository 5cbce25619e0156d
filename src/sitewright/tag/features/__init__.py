"""Units in, arrays out: what a tagger knows of each unit, for training and extraction alike.

Four views of a unit: `dense` numbers (structure, agreement with what the page states, position, shape, list, sections,
where links lead),
`grams` (hashed character trigrams of how its text begins and ends, and words), `names` (hashed words of class, id,
itemprop, rel and link paths, of the unit and of the blocks around it) and `tags` (the elements around it).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitewright.parse import Document
from sitewright.tag.features.agreement import AGREEMENT, agreement_of
from sitewright.tag.features.facts import names_site, read_facts
from sitewright.tag.features.grams import GRAM_BUCKETS, GRAM_SLOTS, grams_of
from sitewright.tag.features.groups import GROUP, group_numbers, group_units, places_in_groups
from sitewright.tag.features.leads import LEADS, leads_of
from sitewright.tag.features.names import AROUND_NAMES, NAME_BUCKETS, OWN_NAMES, name_numbers, names_of
from sitewright.tag.features.position import POSITION, positions_of
from sitewright.tag.features.sections import SECTIONS, sections_of
from sitewright.tag.features.shape import SHAPE, shapes_of
from sitewright.tag.features.structure import STRUCTURE, structure_of
from sitewright.tag.features.table import UnitTable, read_table
from sitewright.tag.features.tags import TAG_LEVELS, TAGS, tags_of
from sitewright.tag.units import Unit

DENSE = (*STRUCTURE, *AGREEMENT, *POSITION, *SHAPE, *GROUP, *(f"in_{name}" for name in SECTIONS), *LEADS)


class Features(NamedTuple):
    """What is known of the units of a page, one row a unit."""

    dense: NDArray[np.float32]
    grams: NDArray[np.uint16]
    names: NDArray[np.uint16]
    tags: NDArray[np.uint8]
    groups: NDArray[np.int32]
    """Units of one list (same block around, same tags inside) have one number."""


def features_of(document: Document, units: Sequence[Unit]) -> Features:
    """Return the features of a page's units."""
    table = read_table(units)
    texts = table.texts
    groups = group_units(units)
    dense = dense_of(document, table, groups)
    return Features(dense, grams_of(texts)[texts.of_units], names_of(table), tags_of(table), groups)


def dense_of(document: Document, table: UnitTable, groups: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return the numbers of a page's units alone: what needs no words of the page."""
    texts = table.texts
    agreement = agreement_of(texts, read_facts(document, table.units))[texts.of_units]
    return np.concatenate(
        [
            structure_of(table),
            agreement.astype(np.float32),
            positions_of(table, agreement[:, 0]),
            shapes_of(texts.distinct)[texts.of_units],
            group_numbers(table, groups),
            sections_of(table.blocks),
            leads_of(table, document.url),
        ],
        axis=1,
    )


__all__ = [
    "AGREEMENT",
    "AROUND_NAMES",
    "DENSE",
    "GRAM_BUCKETS",
    "GRAM_SLOTS",
    "GROUP",
    "LEADS",
    "NAME_BUCKETS",
    "OWN_NAMES",
    "POSITION",
    "SHAPE",
    "STRUCTURE",
    "TAGS",
    "TAG_LEVELS",
    "Features",
    "UnitTable",
    "dense_of",
    "features_of",
    "group_units",
    "name_numbers",
    "names_site",
    "places_in_groups",
    "read_table",
]
