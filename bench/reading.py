"""Stored pages in, one record a page out: by the command's own job, and by trafilatura in the same form."""

import json
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from bench.labelled import Row
from sitewright.errors import PageError
from sitewright.fetch.archive import TextPlace
from sitewright.processes.extract import ExtractJob
from sitewright.processes.pool import Pool

Record = dict[str, Any]


@dataclass(slots=True)
class Readings:
    """What has been read so far; each page is read once, however many parts ask for it."""

    workers: int = 2
    seconds: float = 0.0
    pages: int = 0
    _records: dict[int, tuple[Row, Record]] = field(default_factory=dict)

    def of(self, rows: Sequence[Row]) -> list[Record]:
        """Return the records of pages, in their order; rows are told apart as objects, so they have to stay alive."""
        missing = [row for row in rows if id(row) not in self._records]
        started = time.perf_counter()
        for row, record in zip(missing, read(missing, self.workers), strict=True):
            self._records[id(row)] = row, record
        self.seconds += time.perf_counter() - started
        self.pages += len(missing)
        return [self._records[id(row)][1] for row in rows]

    @property
    def milliseconds(self) -> float:
        """Return the time a page took, over all workers."""
        return self.seconds * 1000 / self.pages if self.pages else 0.0


def read(rows: Iterable[Row], workers: int = 2) -> list[Record]:
    """Read pages as `sitewright extract` does without a map; a page that failed has a record with its error."""
    places = (TextPlace("bench", number, page_line(row, number)) for number, row in enumerate(rows))
    job = ExtractJob()
    return [json.loads(line.content) for line in Pool(job, workers, job.limits.page_seconds).run(places)]


def page_url(row: Row, number: int) -> str:
    """Return the address of a page, or the one that the evaluation gives to those that have none."""
    return str(row.get("url") or f"https://{row['site']}/page/{number}")


def page_line(row: Row, number: int) -> bytes:
    """Return the input line of a page."""
    line = {"url": page_url(row, number), "html": row["html"], **({"time": row["time"]} if row.get("time") else {})}
    return json.dumps(line).encode()


@dataclass(frozen=True, slots=True)
class TrafilaturaJob:
    """Reads rows with trafilatura."""

    def start(self) -> Callable[[Row], Record]:
        """Return the function that reads one page."""
        import trafilatura

        logging.disable(logging.CRITICAL)  # it tells of every page it stumbles over

        def read_one(row: Row) -> Record:
            try:
                found = trafilatura.bare_extraction(row["html"], url=row.get("url"), with_metadata=True)
            except Exception:  # noqa: BLE001 -- a peer that breaks on a page found nothing on it
                return {}
            return _as_record(found.as_dict()) if found is not None else {}

        return read_one

    def weigh(self, task: Row) -> int:
        """Return the size of a page."""
        return len(task["html"])

    def fail(self, task: Row, error: PageError) -> Record:  # noqa: ARG002 -- what a job has to have
        """Return the record of a page it crashed on."""
        return {}


def read_with_trafilatura(rows: Sequence[Row], workers: int = 2) -> list[Record]:
    """Return its records, in our form."""
    small = [{"html": row["html"], "url": row.get("url")} for row in rows]
    return list(Pool(TrafilaturaJob(), workers, 60.0).run(small))


def _as_record(found: dict[str, Any]) -> Record:
    record = {
        "title": found.get("title"),
        "subtitle": found.get("description"),
        "published": found.get("date"),
        "text": found.get("text"),
        "authors": [name.strip() for name in (found.get("author") or "").split(";") if name.strip()],
        "categories": _entries(found.get("categories")),
        "tags": _entries(found.get("tags")),
    }
    return {name: value for name, value in record.items() if value}


def _entries(given: Sequence[str] | None) -> list[str]:
    """Return single entries: of keywords that a page lists in one meta tag it makes one entry.

    >>> _entries(["bees, harbour", "quay"])
    ['bees', 'harbour', 'quay']
    """
    return [entry.strip() for text in given or () for entry in text.split(",") if entry.strip()]
