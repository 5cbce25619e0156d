"""Units in, how each is built out: its kind and length, links, depth, dates, repetitions and wording."""

import re

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.features.table import UnitTable
from sitewright.tag.features.texts import Texts
from sitewright.tag.features.wording import WORDING, wording_of
from sitewright.tag.units import UnitKind

STRUCTURE = (
    "run", "part", "piece", "stated", "length", "words", "link_share", "linked", "depth", "chain", "place_in_run",
    "date", "clock", "year", "same_text", "text_of_block", *WORDING,
)  # fmt: skip
_DATE = re.compile(
    r"(?:19|20)\d\d\s*[-/.年년]\s*\d{1,2}\s*[-/.月월]\s*\d{1,2}|"
    r"\d{1,2}\s*[-/.]\s*\d{1,2}\s*[-/.]\s*(?:(?:19|20)\d\d|\d\d(?!\d))|"
    r"\d{1,2}(?:st|nd|rd|th|\.|º|er)?\s*(?:de |d['’]|of )?[^\W\d_]{3,12}\.?,?\s*(?:de |del |г\.? )?(?:19|20|25)\d\d|"
    r"[^\W\d_]{3}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:19|20)\d\d"
)
_CLOCK = re.compile(r"\b\d{1,2}[:.h時时]\d\d\b")


def structure_of(table: UnitTable) -> NDArray[np.float32]:
    """Return how units are built: a row a unit."""
    count = len(table.units)
    texts, of_units, kinds, lengths = table.texts, table.texts.of_units, table.kinds, table.lengths
    depths = np.array([*(place.depth for place in table.blocks.places), 0])[table.blocks.of_units]
    blanks = np.array([text.count(" ") for text in texts.distinct], dtype=np.int64)[of_units]
    columns = [
        kinds == UnitKind.RUN, kinds == UnitKind.PART, kinds == UnitKind.PIECE, kinds == UnitKind.STATED,
        np.log1p(lengths) / 4, np.log1p(blanks + 1) / 3,
        np.minimum(table.linked / np.maximum(lengths, 1), 1.0), table.linked > 0,
        depths / 20, np.array([len(unit.chain) for unit in table.units]) / 4,
        np.log1p(np.arange(count) - table.runs) / 3, *_dates(texts)[of_units].T, np.log1p(_repetitions(table)) / 2,
        np.where(kinds == UnitKind.STATED, 0.0, lengths / np.maximum(lengths[table.runs], 1)),
    ]  # fmt: skip
    plain = np.stack([column.astype(np.float32) for column in columns], axis=1)
    return np.concatenate([plain, wording_of(table)], axis=1)


def _dates(texts: Texts) -> NDArray[np.bool_]:
    """Tell which texts have a date, a time of day and a year."""
    found = np.zeros((len(texts.distinct), 3), dtype=np.bool_)
    dated = [texts.distinct[number] for number in texts.dated]
    found[texts.dated, 0] = [_DATE.search(text) is not None for text in dated]
    found[texts.dated, 1] = [_CLOCK.search(text) is not None for text in dated]
    found[texts.dated, 2] = ["20" in text or "19" in text for text in dated]
    return found


def _repetitions(table: UnitTable) -> NDArray[np.int64]:
    """Count for each unit the displayed units that say the same."""
    texts = table.texts
    numbers: dict[str, int] = {}
    same = [numbers.setdefault(f or t, len(numbers)) for f, t in zip(texts.folded, texts.distinct, strict=True)]
    of_units = np.array(same, dtype=np.int64)[texts.of_units]
    displayed = of_units[table.blocks.of_units >= 0]
    return np.bincount(displayed, minlength=len(numbers))[of_units]
