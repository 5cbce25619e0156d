"""How good values are on pages that people labelled by reading, where an empty label says "not on this page".

    python -m bench.hand [--folds 0] [--only WAY …] [--pages N] [--groups N] [--workers 2]

Two sets lie in the shared corpora: single pages, mostly one a site, and groups of pages of one site, some of each
labelled. The first are read page by page; of the others a map is learned from the pages without labels (from all where
they are fewer than four), and read with it. Ours stands beside peers on the same pages, and how sure it was beside how
often it is right. Tables in Markdown; the figures also go to bench/results/ as JSON. Fold 0 is for validation.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.attributes import RIGHT_TEXT, VALUES, Figures, keep
from bench.labelled import Row, labelled_rows, load_eval, spread
from bench.markdown import Cell, markdown
from bench.reading import Record, page_line, page_url, read, read_with_trafilatura
from bench.reliability import Judged, bins, calibration_error
from bench.samples import NEWS, has_shared
from bench.sites import MAP_SECONDS, read_with_newspaper
from sitewright.errors import PageError, SitewrightError
from sitewright.fetch.archive import TextPlace
from sitewright.processes.pool import BATCH_BYTES, Pool
from sitewright.python.site_map import learn

SINGLE, GROUPS = NEWS.with_name("hand.jsonl.xz"), NEWS.with_name("hand_sites.jsonl.xz")
LEAST_OTHERS = 4
"""With fewer pages without labels a map is learned from all pages of its group (the rule of the evaluation)."""
BY_MAP, PAGE_BY_PAGE = "sitewright, by map", "sitewright, page by page"
FIGURES = ("p", "r", "f1", "invented")
FIELDS = (*VALUES[:3], "modified", *VALUES[3:])
SHOW_FIELDS = frozenset({"article", "media"})
"""Kinds of pages on which an empty label says something."""
PAGE_WAYS: Mapping[str, Callable[[Sequence[Row], int], list[Record]]] = {
    PAGE_BY_PAGE: read,
    "trafilatura": read_with_trafilatura,
    "newspaper4k": read_with_newspaper,
}
WAYS = (BY_MAP, *PAGE_WAYS)


@dataclass(frozen=True, slots=True)
class SiteTask:
    """Pages of a site to learn from, and pages to read with the map."""

    lessons: Sequence[TextPlace]
    places: Sequence[TextPlace]


@dataclass(frozen=True, slots=True)
class SiteJob:
    """Learns a site as `sitewright map` does, and reads its pages as `sitewright extract --map` does."""

    def start(self) -> Callable[[SiteTask], list[Record]]:
        """Return the function that does one site."""
        return read_site

    def weigh(self, task: SiteTask) -> int:  # noqa: ARG002 -- what a job has to have
        """Return as much as fills a batch: each site has its time for itself."""
        return BATCH_BYTES

    def fail(self, task: SiteTask, error: PageError) -> list[Record]:  # noqa: ARG002 -- what a job has to have
        """Return empty records where it crashed."""
        return [{} for _ in task.places]


def read_site(task: SiteTask) -> list[Record]:
    """Learn a map and read pages with it; without a map every record is empty."""
    try:
        site_map = learn([place.load() for place in task.lessons])
        return [site_map.read(place.load()).to_dict() for place in task.places]
    except SitewrightError:
        return [{} for _ in task.places]


def site_tasks(groups: Iterable[Sequence[Row]]) -> Iterator[SiteTask]:
    """Yield what is to be done for each group of pages."""
    for rows in groups:
        others = [row for row in rows if row.get("label_kind") != "hand"]
        yield SiteTask(_places(others if len(others) >= LEAST_OTHERS else rows), _places(labelled(rows)))


def labelled(rows: Iterable[Row]) -> list[Row]:
    """Return the pages that somebody has read."""
    return [row for row in rows if row.get("label_kind") == "hand"]


def _places(rows: Sequence[Row]) -> list[TextPlace]:
    named = (({**row, "url": page_url(row, number)}, number) for number, row in enumerate(rows))
    return [TextPlace("bench", number, page_line(row, number)) for row, number in named]


def grouped(rows: Iterable[Row]) -> list[list[Row]]:
    """Return pages by group, in the order of the groups' names."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["group"]].append(row)
    return [groups[name] for name in sorted(groups)]


def measure(title: str, rows: Sequence[Row], ways: Mapping[str, Sequence[Record]]) -> Figures:
    """Print the figures of each way to read the pages, and how sure ours was."""
    score = load_eval("score")
    tables = {name: score.score_hand(rows, records) for name, records in ways.items()}
    print(f"\n### {title}\n\n{len(rows)} pages of {len({row['site'] for row in rows})} sites.\n")
    for table in _tables(tables):
        print(table, end="\n\n")
    sure = {name: reliability(rows, records) for name, records in ways.items() if name in (BY_MAP, PAGE_BY_PAGE)}
    for name, found in sure.items():
        print(f"Reliability, {name}: the share of right values by confidence.\n")
        print(markdown(["field", "confidence", "values", "mean confidence", "right"], _bin_lines(found)), end="\n\n")
    return {"fields": tables, "reliability": sure}


def _tables(tables: Mapping[str, Figures]) -> Iterator[str]:
    """Yield precision, recall, F1 and what is invented: a line a way, a column a field."""
    for key, said in zip(FIGURES, ("precision", "recall", "F1", "invented"), strict=True):
        yield markdown([said, *FIELDS], ([name, *_cells(table, key)] for name, table in tables.items()))


def _cells(table: Figures, key: str) -> Iterator[Cell]:
    for name in FIELDS:
        cells: Mapping[str, Any] = table.get(name, {})
        yield None if key == "invented" and not cells.get("pages_without") else cells.get(key)


def reliability(rows: Sequence[Row], records: Sequence[Record]) -> Figures:
    """Return by field the bins of confidence, and how far confidence and truth are apart."""
    judged: dict[str, list[Judged]] = defaultdict(list)
    for row, record in zip(rows, records, strict=True):
        for name in VALUES:
            sure, right = (record.get("confidence") or {}).get(name), is_right(row, record, name)
            if sure is not None and right is not None:
                judged[name].append(Judged(sure, right))
    found = {name: bins(judged[name]) for name in VALUES}
    return {
        name: {"error": calibration_error(own), "bins": [each._asdict() | {"name": each.name} for each in own]}
        for name, own in found.items()
    }


def is_right(row: Row, record: Record, name: str) -> bool | None:
    """Tell whether a value is right; None where there is none, or where no label says so.

    What a page only states for this very field is neither.
    """
    score, labels, value = load_eval("score"), row["labels"], record.get(name)
    if not value or name not in labels:
        return None
    if labels[name]:
        enough = RIGHT_TEXT if name in score.TEXT else 1.0
        return bool(score.score_page(labels, record)[name][2] >= enough)
    is_stated = name in score.SETS and score.fold(value) <= score.fold(row.get("stated", {}).get(name))
    return None if is_stated or row["page_type"] not in SHOW_FIELDS else False


def _bin_lines(found: Figures) -> Iterator[Sequence[Cell]]:
    for name, own in found.items():
        yield from ([name, *(each[key] for key in ("name", "values", "confidence", "right"))] for each in own["bins"])
        yield [f"**{name}**", "apart by", sum(each["values"] for each in own["bins"]), own["error"], None]


def single(options: argparse.Namespace) -> Figures:
    """Measure what is read page by page on single pages."""
    rows = spread(labelled_rows(SINGLE, options.folds), options.pages)
    chosen = {name: way for name, way in PAGE_WAYS.items() if name in options.only}
    return measure("Single pages", rows, {name: way(rows, options.workers) for name, way in chosen.items()})


def sites(options: argparse.Namespace) -> Figures:
    """Measure what maps read, beside the same pages read one by one."""
    groups = spread(grouped(labelled_rows(GROUPS, options.folds)), options.groups)
    rows = [row for group in groups for row in labelled(group)]
    ways = {}
    if BY_MAP in options.only:
        done = Pool(SiteJob(), options.workers, MAP_SECONDS).run(site_tasks(groups))
        ways[BY_MAP] = [record for records in done for record in records]
    chosen = {name: way for name, way in PAGE_WAYS.items() if name in options.only}
    ways |= {name: way(rows, options.workers) for name, way in chosen.items()}
    return measure("Pages of sites", rows, ways)


def main() -> int:
    """Measure, print the tables and keep the figures."""
    options = _options(sys.argv[1:])
    figures = {"single": single(options), "sites": sites(options)}
    some = "".join(f"-{value}-{name}" for name in ("pages", "groups") if (value := getattr(options, name)))
    keep(json.loads(json.dumps(figures)), "hand", options.folds, some)
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.hand", description=__doc__.split("\n")[0])
    parser.add_argument("--folds", type=int, nargs="+", default=[0])
    parser.add_argument("--only", nargs="+", choices=WAYS, default=list(WAYS), metavar="WAY", help=", ".join(WAYS))
    parser.add_argument("--pages", type=int, metavar="N", help="at most so many single pages")
    parser.add_argument("--groups", type=int, metavar="N", help="at most so many sites")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(arguments)
    if not has_shared():
        parser.error("the corpora are not there: ../shared/data")
    return options


if __name__ == "__main__":
    sys.exit(main())
