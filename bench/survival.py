"""How much of what maps read survives a redesign of their site: our maps beside those of the paper's vote.

    python -m bench.survival [--folds 1] [--groups N] [--workers 2] [--strength weak medium strong]

Learns maps from groups of pages of one site, as the shared evaluation of sites does (the corpora have to lie beside the
repository), reads the other pages before and after a made-up redesign (bench.mutate), and prints of each field the
share of the values given before that are the same after it; the figures also go to bench/results/ as JSON. Maps are
not learned again. Values need not be right: what is measured is whether a map goes on reading what it has read.
"""

import argparse
import json
import sys
import time
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from bench.attributes import FIELDS, VALUES, keep
from bench.labelled import Row, load_eval, spread
from bench.markdown import Cell, markdown
from bench.mutate import STRENGTHS, Strength, redesign
from bench.reading import Record, page_url
from bench.samples import has_shared
from bench.sites import HALVED, LEARNERS, MAP_SECONDS, agreement, site_rows
from sitewright.errors import PageError, SitewrightError
from sitewright.extract import Extractor
from sitewright.output.rows import row_of
from sitewright.parse import Document, parse
from sitewright.processes.pool import BATCH_BYTES, Pool
from sitewright.tag import PageReader
from sitewright.types import Page, TaggedPage
from sitewright.values.as_json import json_of

Figures = dict[str, Any]


class Group(NamedTuple):
    """Pages of one site."""

    name: str
    rows: Sequence[Row]


class Survival(NamedTuple):
    """How much of one value that a map gave before a redesign it gives after it, 0 to 1."""

    learner: str
    strength: Strength
    field: str
    share: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the values of a group, on how many pages, and the errors of learners that made no map."""

    survivals: Sequence[Survival] = ()
    pages: int = 0
    failed: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class SurvivalJob:
    """Learns the maps of groups and reads their pages before and after redesigns."""

    strengths: Sequence[Strength]

    def start(self) -> Callable[[Group], Outcome]:
        """Load the tagger and return the function that does one group."""
        reader = PageReader()
        return lambda group: survive(group, self.strengths, reader)

    def weigh(self, task: Group) -> int:  # noqa: ARG002 -- what a job has to have
        """Return as much as fills a batch: each group has its time for itself."""
        return BATCH_BYTES

    def fail(self, task: Group, error: PageError) -> Outcome:  # noqa: ARG002 -- what a job has to have
        """Return the outcome of a group that it crashed on."""
        return Outcome(failed=[(learner, error.code) for learner in LEARNERS])


def survive(group: Group, strengths: Sequence[Strength], reader: PageReader) -> Outcome:
    """Learn the maps of a site and compare what they read before and after its redesigns."""
    middle = len(group.rows) // 2 if len(group.rows) >= HALVED else 0
    learned, applied = group.rows[:middle] or group.rows, group.rows[middle:]
    lessons = list(_lessons(learned, reader))
    before = _pages(applied)
    after = {strength: _redesigned(before, strength, group.name) for strength in strengths}
    survivals: list[Survival] = []
    failed: list[tuple[str, str]] = []
    for learner, learn in LEARNERS.items():
        try:
            extractor = Extractor(learn(lessons))
        except SitewrightError as error:
            failed.append((learner, error.code))
            continue
        read = Reader(extractor, datetime.now(UTC))
        given = [read(page) for page in before]
        for strength, pages in after.items():
            for one, other in zip(given, map(read, pages), strict=True):
                survivals += [Survival(learner, strength, *found) for found in shares(one, other)]
    return Outcome(survivals, len(applied), failed)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pages with a map, all at the same moment: "an hour ago" is the same time before and after."""

    extractor: Extractor
    now: datetime

    def __call__(self, page: Page) -> Record:
        """Return the record of a page, an empty one where it cannot be read."""
        try:
            record: Record = json.loads(json_of(row_of(self.extractor.extract(parse(page), self.now))))
        except SitewrightError:
            return {}
        return record


def shares(before: Record, after: Record) -> Iterator[tuple[str, float]]:
    """Yield of each field given before how much of it is there after: of a text F1, of all else all or nothing.

    Moments are compared as the scorer compares them, by day and by minute: a rule that takes over from another one may
    well state the same moment in another zone, or without its time.
    """
    for name in VALUES:
        if not before.get(name):
            continue
        if name == "published":
            yield from _moments(before[name], after.get(name))
        elif (share := agreement(name, before, after)) is not None:
            yield name, share


def _moments(before: str, after: str | None) -> Iterator[tuple[str, float]]:
    score = load_eval("score")
    one, other = score.moment(before), score.moment(after)
    yield "published", float(score.same_day(one, other))
    if one is not None and (one.hour or one.minute):
        yield "published_minute", float(score.same_minute(one, other))


def _lessons(rows: Sequence[Row], reader: PageReader) -> Iterator[tuple[Document, TaggedPage]]:
    for page in _pages(rows):
        try:
            document = parse(page)
            yield document, reader.read(document).tagged
        except SitewrightError:
            continue


def _pages(rows: Sequence[Row]) -> list[Page]:
    return [Page(url=page_url(row, number), body=row["html"]) for number, row in enumerate(rows)]


def _redesigned(pages: Iterable[Page], strength: Strength, site: str) -> list[Page]:
    seed = zlib.crc32(site.encode())
    return [Page(url=page.url, body=redesign(str(page.body), strength, seed)) for page in pages]


def summary(survivals: Iterable[Survival]) -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """Return the mean share and the number of values, by field, strength and learner."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for survival in survivals:
        found[survival.field, survival.strength, survival.learner].append(survival.share)
    table: dict[str, dict[str, dict[str, dict[str, float]]]] = {}
    for name in FIELDS:
        for (field, strength, learner), values in found.items():
            if field == name:
                cells = {"share": round(sum(values) / len(values), 4), "values": len(values)}
                table.setdefault(name, {}).setdefault(strength, {})[learner] = cells
    return table


def _table(fields: Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]], strengths: Sequence[Strength]) -> str:
    head = ["field", *(f"{strength}: {learner}" for strength in strengths for learner in LEARNERS)]
    head += [f"values: {learner}" for learner in LEARNERS]
    lines: list[list[Cell]] = []
    for name, found in fields.items():
        cells = [found[strength].get(learner, {}) for strength in strengths for learner in LEARNERS]
        counts = cells[: len(LEARNERS)]
        lines.append([name, *(cell.get("share") for cell in cells), *(cell.get("values", 0) for cell in counts)])
    return markdown(head, lines)


def main() -> int:
    """Measure, print the table and keep the figures."""
    options = _options(sys.argv[1:])
    started = time.perf_counter()
    groups = site_rows(options.folds)
    tasks = [Group(name, [_small(row) for row in groups[name]]) for name in spread(list(groups), options.groups)]
    outcomes = list(Pool(SurvivalJob(options.strength), options.workers, MAP_SECONDS).run(tasks))
    fields = summary(survival for outcome in outcomes for survival in outcome.survivals)
    failed = Counter(f"{learner} {code}" for outcome in outcomes for learner, code in outcome.failed)
    pages = sum(outcome.pages for outcome in outcomes)
    print(f"\n### Survival of a redesign\n\n{len(tasks)} groups, {pages} pages read, folds {options.folds}. ", end="")
    print("Share of the values given before that are the same after (published: the day; text: F1 between both).\n")
    print(_table(fields, options.strength))
    print(f"\nMaps that failed: {', '.join(f'{name} {count}' for name, count in sorted(failed.items())) or 'none'}.")
    figures = {"fields": fields, "groups": len(tasks), "pages": pages, "failed": dict(failed)}
    kinds = "" if set(options.strength) == set(STRENGTHS) else f"-{'-'.join(options.strength)}"
    some = f"-{options.groups}-groups{kinds}" if options.groups else kinds
    keep({**figures, "seconds": round(time.perf_counter() - started, 1)}, "survival", options.folds, some)
    return 0


def _small(row: Row) -> Row:
    return {name: row[name] for name in ("site", "url", "html") if name in row}


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.survival", description=__doc__.split("\n")[0])
    parser.add_argument("--folds", type=int, nargs="+", default=[1])
    parser.add_argument("--groups", type=int, metavar="N", help="at most so many groups, evenly over the folds")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--strength", nargs="+", choices=STRENGTHS, default=list(STRENGTHS))
    options = parser.parse_args(arguments)
    if not has_shared():
        parser.error("the corpora are not there: ../shared/data")
    return options


if __name__ == "__main__":
    sys.exit(main())
