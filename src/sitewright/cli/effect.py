"""Two maps and stored pages in, the values that differ out."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import tee
from typing import Any

import orjson

from sitewright.cli.commands.extract import Inputs
from sitewright.cli.settings import load_settings
from sitewright.fetch import Place
from sitewright.processes.extract import ExtractJob, Line
from sitewright.processes.pool import Pool
from sitewright.reading.taggers import ONLY_MAP
from sitewright.types import ExtractionMap, Limits

_SHORT = 200


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value of a page as two maps give it; empty where one gives none."""

    url: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What another map does to the values of pages."""

    pages: int
    failed: int
    """How many pages could not be read."""
    fields: dict[str, list[ValueChange]]


def effect_of(before: ExtractionMap, after: ExtractionMap, sources: Sequence[str]) -> Effect:
    """Read pages with both maps, and with nothing but them, and compare."""
    settings = load_settings()
    fields: dict[str, list[ValueChange]] = {name: [] for name in dict.fromkeys((*before.fields, *after.fields))}
    pages = failed = 0
    places = tee(Inputs(tuple(sources)).places())
    rows = [
        _pool(extraction_map, settings.jobs, settings.limits).run(own)
        for extraction_map, own in zip((before, after), places, strict=True)
    ]
    for old, new in zip(*rows, strict=True):
        old_row, new_row = orjson.loads(old.json), orjson.loads(new.json)
        if "error" in old_row or "error" in new_row:
            failed += 1
            continue
        pages += 1
        for name, changes in fields.items():
            if old_row.get(name) != new_row.get(name):
                changes.append(ValueChange(new_row["url"], _short(old_row.get(name)), _short(new_row.get(name))))
    return Effect(pages, failed, fields)


def _pool(extraction_map: ExtractionMap, workers: int, limits: Limits) -> Pool[Place, Line]:
    job = ExtractJob(extraction_map=extraction_map, limits=limits, tagger=ONLY_MAP)
    return Pool(job, workers, job.page_seconds)


def _short(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else orjson.dumps(value).decode()
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHORT else f"{flat[:_SHORT]}… ({len(text):,} characters)"
