"""Two maps and stored pages in, the values that differ out."""

from dataclasses import dataclass
from itertools import tee
from typing import Any

import orjson

from sitewright.actions.inputs import Inputs
from sitewright.fetch import Place
from sitewright.processes.extract import ExtractJob, Line
from sitewright.processes.pool import Pool
from sitewright.reading.taggers import ONLY_MAP
from sitewright.types import ExtractionMap, Limits


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value of a page as two maps give it, as JSON has it; None where one gives none."""

    url: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class ValueChanges:
    """What another map does to the values of pages."""

    pages: int
    failed: int
    """How many pages could not be read."""
    fields: dict[str, list[ValueChange]]


def compare_values(
    before: ExtractionMap, after: ExtractionMap, pages: Inputs, limits: Limits, jobs: int = 0
) -> ValueChanges:
    """Read pages with both maps, and with nothing but them, and compare."""
    fields: dict[str, list[ValueChange]] = {name: [] for name in dict.fromkeys((*before.fields, *after.fields))}
    read = failed = 0
    places = tee(pages.places())
    rows = [_pool(own, jobs, limits).run(its) for own, its in zip((before, after), places, strict=True)]
    for old, new in zip(*rows, strict=True):
        if old.failure or new.failure:
            failed += 1
            continue
        read += 1
        old_row, new_row = orjson.loads(old.content), orjson.loads(new.content)
        for name, changes in fields.items():
            if old_row.get(name) != new_row.get(name):
                changes.append(ValueChange(new_row["url"], old_row.get(name), new_row.get(name)))
    return ValueChanges(read, failed, fields)


def _pool(extraction_map: ExtractionMap, workers: int, limits: Limits) -> Pool[Place, Line]:
    job = ExtractJob(extraction_map=extraction_map, limits=limits, tagger=ONLY_MAP)
    return Pool(job, workers, job.page_seconds)
