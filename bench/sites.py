"""How good the maps of sites are: quality beside other ways, pages learned from, stability, cost.

    python -m bench.sites [--folds 0] [--only PART …] [--groups N] [--workers 2] [--show N]

Learns maps from groups of labelled pages of one site, as the shared evaluation of sites does (the corpora have to lie
beside the repository), and prints tables in Markdown; the figures also go to bench/results/ as JSON. Fold 0 is for
validation: score on it, study errors elsewhere (`--show` prints the worst maps, and refuses fold 0).
"""

import argparse
import importlib.util
import json
import logging
import lzma
import random
import sys
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any, NamedTuple

from bench.attributes import FIELDS, VALUES, keep
from bench.contender import CONTENDERS
from bench.labelled import Row, load_eval, news_rows, spread
from bench.markdown import Cell, markdown
from bench.reading import Record, page_line, page_url, read_with_trafilatura
from bench.samples import NEWS, has_shared
from bench.vote import vote_map
from sitewright.errors import PageError, SitewrightError
from sitewright.extract import Extractor
from sitewright.fetch.archive import TextPlace
from sitewright.induce import learn_map
from sitewright.maps import dump_map
from sitewright.output.rows import row_of
from sitewright.parse import Document, parse
from sitewright.processes.pool import BATCH_BYTES, Pool
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, TaggedPage
from sitewright.values.as_json import json_of

SITES = NEWS.with_name("sites.jsonl.xz")
VALIDATION = 0
HALVED = 6
"""From so many pages on a map is learned from one half and scored on the other (the rule of the evaluation)."""
POOR = 0.1
"""A text shorter than this share of the usual is next to nothing: the page goes to the tagger (induction-notes.md)."""
SIZES = (2, 3, 5, 10)
LEAST_LEARNED = 2
PAGE_SECONDS, MAP_SECONDS = 60.0, 600.0
"""Ten times what the slowest take on a busy machine: they end only what hangs."""
Figures = dict[str, Any]
Learner = Callable[[Sequence[tuple[Document, TaggedPage]]], ExtractionMap]
LEARNERS: Mapping[str, Learner] = {"ours": lambda pages: learn_map(pages).extraction_map, "vote": vote_map}


@dataclass(frozen=True, slots=True)
class Tagging:
    """What was seen on a page (None where it could not be read), its record, and the CPU seconds that took."""

    tagged: TaggedPage | None
    record: Record
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class SitePage:
    """A labelled page, its stored form and its tagging."""

    row: Row
    place: TextPlace
    tagging: Tagging


class Split(NamedTuple):
    """Pages to learn from, and pages to apply the map to."""

    learn: Sequence[SitePage]
    apply: Sequence[SitePage]


@dataclass(frozen=True, slots=True)
class MapTask:
    """What a worker needs of a split."""

    learner: str
    lessons: Sequence[tuple[TextPlace, TaggedPage]]
    places: Sequence[TextPlace]


@dataclass(frozen=True, slots=True)
class Mapped:
    """What a map gave on the pages it was applied to, and what is known of the map."""

    records: Sequence[Record]
    usual: float = 0.0
    """The median length of the texts that it gives on the pages it was learned from."""
    text: str = ""
    """The map as a file."""
    seconds: float = 0.0
    """CPU seconds of the induction alone."""
    error: str = ""
    """The code of the error that ended it."""


@dataclass(frozen=True, slots=True)
class TagJob:
    """Reads stored pages one by one with the shipped tagger."""

    def start(self) -> Callable[[TextPlace], Tagging]:
        """Load the tagger and return the function that reads one page."""
        reader = PageReader()

        def tag(place: TextPlace) -> Tagging:
            started = time.process_time()
            try:
                reading = reader.read(parse(place.load()))
            except SitewrightError:
                return Tagging(None, {})
            tagged, record = reading.tagged, json.loads(json_of(row_of(reading.record)))
            return Tagging(tagged, record, time.process_time() - started)

        return tag

    def weigh(self, task: TextPlace) -> int:
        """Return the size of a page."""
        return task.size

    def fail(self, task: TextPlace, error: PageError) -> Tagging:  # noqa: ARG002 -- what a job has to have
        """Return what is known of a page that it crashed on: nothing."""
        return Tagging(None, {})


@dataclass(frozen=True, slots=True)
class MapJob:
    """Learns maps and applies them."""

    def start(self) -> Callable[[MapTask], Mapped]:
        """Return the function that does one map."""
        return learn_and_apply

    def weigh(self, task: MapTask) -> int:  # noqa: ARG002 -- what a job has to have
        """Return as much as fills a batch: each map has its time for itself."""
        return BATCH_BYTES

    def fail(self, task: MapTask, error: PageError) -> Mapped:
        """Return the outcome of a map that it crashed on."""
        return Mapped([{} for _ in task.places], error=error.code)


def learn_and_apply(task: MapTask) -> Mapped:
    """Learn a map and read pages with it; without a map, every record is empty."""
    lessons = [(parse(place.load()), tagged) for place, tagged in task.lessons]
    started = time.process_time()
    try:
        extraction_map = LEARNERS[task.learner](lessons)
        seconds = time.process_time() - started
        extractor = Extractor(extraction_map)
    except SitewrightError as error:
        return Mapped([{} for _ in task.places], error=error.code)
    lengths = [length for document, _ in lessons if (length := text_length(_record(extractor, document)))]
    return Mapped(
        records=[_record_of(extractor, place) for place in task.places],
        usual=float(median(lengths)) if lengths else 0.0,
        text=dump_map(extraction_map),
        seconds=seconds,
    )


def _record_of(extractor: Extractor, place: TextPlace) -> Record:
    try:
        return _record(extractor, parse(place.load()))
    except SitewrightError:
        return {}


def _record(extractor: Extractor, document: Document) -> Record:
    record: Record = json.loads(json_of(row_of(extractor.extract(document))))
    return record


def text_length(record: Record) -> int:
    """Return how many characters of text a record has."""
    return len(record.get("text") or "")


def is_poor(record: Record, usual: float) -> bool:
    """Tell whether the text is missing or next to nothing.

    >>> is_poor({}, 0.0), is_poor({"text": "Read on"}, 3000.0), is_poor({"text": "x" * 900}, 3000.0)
    (True, True, False)
    """
    return text_length(record) == 0 or text_length(record) < POOR * usual


def read_with_newspaper(rows: Sequence[Row], workers: int = 2) -> list[Record]:
    """Return the records of newspaper4k, in our form."""
    small = [{"html": row["html"], "url": page_url(row, number)} for number, row in enumerate(rows)]
    return list(Pool(NewspaperJob(), workers, PAGE_SECONDS).run(small))


@dataclass(frozen=True, slots=True)
class NewspaperJob:
    """Reads rows with newspaper4k."""

    def start(self) -> Callable[[Row], Record]:
        """Return the function that reads one page."""
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)  # it tells of every page it stumbles over
        work = CONTENDERS["newspaper4k"].prepare()

        def read_one(row: Row) -> Record:
            try:
                article = work(row["url"], row["html"], "")
            except Exception:  # noqa: BLE001 -- a peer that breaks on a page found nothing on it
                return {}
            return _from_newspaper(article)

        return read_one

    def weigh(self, task: Row) -> int:
        """Return the size of a page."""
        return len(task["html"])

    def fail(self, task: Row, error: PageError) -> Record:  # noqa: ARG002 -- what a job has to have
        """Return the record of a page it crashed on."""
        return {}


def _from_newspaper(article: Any) -> Record:
    record = {
        "title": article.title,
        "subtitle": article.meta_description,
        "published": article.publish_date.isoformat() if article.publish_date else None,
        "text": article.text,
        "authors": list(article.authors or ()),
        "tags": sorted(article.tags or ()),
    }
    return {name: value for name, value in record.items() if value}


PEERS: Mapping[str, Callable[[Sequence[Row], int], list[Record]]] = {
    "trafilatura": read_with_trafilatura,
    "newspaper4k": read_with_newspaper,
}


def site_rows(folds: Sequence[int]) -> dict[str, list[Row]]:
    """Return the groups of pages of one site, in the order of their names."""
    rows = list(_validation_rows()) if VALIDATION in folds else []
    if others := [fold for fold in folds if fold != VALIDATION]:
        rows += load_eval("cut").cut(news_rows(others))["sites"]
    return grouped(rows)


def _validation_rows() -> Iterator[Row]:
    with lzma.open(SITES, "rt", encoding="utf-8") as lines:
        yield from (row for row in map(json.loads, lines) if row.get("fold", VALIDATION) == VALIDATION)


def grouped(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return pages by group, each group shuffled as the evaluation does."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["group"]].append(row)
    for name, found in groups.items():
        random.Random(name).shuffle(found)  # noqa: S311 -- repeatable on purpose
    return dict(sorted(groups.items()))


def halves(pages: Sequence[SitePage]) -> Split:
    """Split as the evaluation does: learn from one half, apply to the other; of a few pages, learn from all."""
    middle = len(pages) // 2
    return Split(pages[:middle], pages[middle:]) if len(pages) >= HALVED else Split(pages, pages)


def held_out(pages: Sequence[SitePage]) -> Split:
    """Keep the last third back; fewer pages where only that leaves enough for the largest size.

    The cut ends groups at twelve pages: those of twelve keep two.
    """
    third = len(pages) // 3
    kept = len(pages) - max(SIZES)
    kept = kept if LEAST_LEARNED <= kept < third else third
    return Split(pages[: len(pages) - kept], pages[len(pages) - kept :])


def twins(pages: Sequence[SitePage]) -> tuple[Split, Split] | None:
    """Return two splits that learn from different pages and are applied to the same; None where pages are too few."""
    third = len(pages) // 3
    half = (len(pages) - third) // 2
    if third == 0 or half < LEAST_LEARNED:
        return None
    rest = pages[len(pages) - third :]
    return Split(pages[:half], rest), Split(pages[half : 2 * half], rest)


def agreement(name: str, one: Record, other: Record) -> float | None:
    """Return how much two records agree on a field: texts by F1, all else wholly or not; None where neither has it."""
    if not one.get(name) and not other.get(name):
        return None
    score = load_eval("score")
    if name == "text":
        return float(score.bag(one.get(name), other.get(name))[2])
    return float(score.fold(one.get(name)) == score.fold(other.get(name)))


@dataclass
class Bench:
    """The pages of a run, and the workers."""

    folds: Sequence[int]
    most: int | None
    workers: int
    show: int = 0

    @cached_property
    def sites(self) -> dict[str, list[SitePage]]:
        """The pages by group, all tagged."""
        groups = site_rows(self.folds)
        chosen = [(row, number) for name in spread(list(groups), self.most) for number, row in enumerate(groups[name])]
        places = [TextPlace("bench", number, page_line(row, number)) for row, number in chosen]
        sites: dict[str, list[SitePage]] = defaultdict(list)
        taggings = Pool(TagJob(), self.workers, PAGE_SECONDS).run(places)
        for (row, _), place, tagging in zip(chosen, places, taggings, strict=True):
            sites[row["group"]].append(SitePage(row, place, tagging))
        return dict(sites)

    def maps(self, learner: str, splits: Iterable[Split]) -> list[Mapped]:
        """Learn a map for each split and apply it."""
        return list(Pool(MapJob(), self.workers, MAP_SECONDS).run(_task(learner, split) for split in splits))


def _task(learner: str, split: Split) -> MapTask:
    lessons = [(page.place, page.tagging.tagged) for page in split.learn if page.tagging.tagged is not None]
    return MapTask(learner, lessons, [page.place for page in split.apply])


def quality(bench: Bench) -> Figures:
    """Print F1 of each field on pages that maps were (mostly) not learned from, beside other ways to read them."""
    splits = [halves(pages) for pages in bench.sites.values()]
    pages = [page for split in splits for page in split.apply]
    ours, vote = (bench.maps(learner, splits) for learner in LEARNERS)
    completed = [record for mapped, split in zip(ours, splits, strict=True) for record in with_tagger(mapped, split)]
    by_page = [page.tagging.record for page in pages]
    found = {"ours": completed, "ours (map alone)": _records(ours), "vote of the paper": _records(vote)}
    found |= {"page by page": by_page, **_peer_records(pages, bench.workers)}
    rows = [page.row for page in pages]
    table = {name: load_eval("score").score_news(rows, records) for name, records in found.items()}
    without = {name: sum(not text_length(record) for record in records) for name, records in found.items()}
    handed = sum(map(_handed, ours)) / max(1, len(pages))
    small = sum(split.learn is split.apply for split in splits)
    print(f"\n### Quality of maps\n\n{len(splits)} groups ({small} of fewer than {HALVED} pages, which are ", end="")
    print(f"learned from and scored), {len(pages)} pages scored, folds {bench.folds}. ", end="")
    print(f"Handed to the tagger: {handed:.1%} of the pages. {_failures('ours', ours)} {_failures('vote', vote)}\n")
    print(markdown(["F1 over pages", *FIELDS], _f1_lines(table, "f1", "pages")))
    print()
    print(markdown(["F1 by site", *FIELDS], _f1_lines(table, "f1_by_site", "sites")))
    told = ", ".join(f"{name} {count}" for name, count in without.items())
    print(f"\nPages without any text: {told}.")
    _show(bench, list(zip(bench.sites, splits, ours, vote, strict=True)))
    return {
        "contenders": table,
        "without_text": without,
        "handed": round(handed, 4),
        "groups": len(splits),
        "pages": len(pages),
        "failed": {"ours": _failed(ours), "vote": _failed(vote)},
    }


def with_tagger(mapped: Mapped, split: Split) -> list[Record]:
    """Return the records of a map, those of the tagger where the map found next to no text."""
    return [
        page.tagging.record if not mapped.error and is_poor(record, mapped.usual) else record
        for page, record in zip(split.apply, mapped.records, strict=True)
    ]


def _handed(mapped: Mapped) -> int:
    return 0 if mapped.error else sum(is_poor(record, mapped.usual) for record in mapped.records)


def _records(found: Iterable[Mapped]) -> list[Record]:
    return [record for mapped in found for record in mapped.records]


def _peer_records(pages: Sequence[SitePage], workers: int) -> dict[str, list[Record]]:
    records: dict[str, list[Record]] = {}
    for name, read in PEERS.items():
        if importlib.util.find_spec(CONTENDERS[name].module) is None:
            print(f"{name} is not installed: it is left out (pip install --group bench)")
        else:
            records[name] = read([page.row for page in pages], workers)
    return records


def _failed(found: Iterable[Mapped]) -> dict[str, int]:
    """Return how many maps failed, by the code of the error: its words would name pages."""
    return dict(Counter(mapped.error for mapped in found if mapped.error))


def _failures(name: str, found: Sequence[Mapped]) -> str:
    codes = ", ".join(f"{code} {count}" for code, count in sorted(_failed(found).items()))
    return f"Maps that failed, {name}: {codes or 'none'}."


def _f1_lines(table: Mapping[str, Figures], key: str, counted: str) -> Iterator[Sequence[Cell]]:
    """Yield a line a contender, and one with what the figures are a mean of."""
    for name, found in table.items():
        yield [name, *(found[field][key] if field in found else None for field in FIELDS)]
    first = next(iter(table.values()), {})
    yield [counted, *(first[field][counted] if field in first else None for field in FIELDS)]


def _show(bench: Bench, done: Sequence[tuple[str, Split, Mapped, Mapped]]) -> None:
    """Print the maps that lose most text against the tagger, with what they score."""
    score = load_eval("score")
    losses: list[tuple[float, str, str]] = []
    for name, split, ours, vote in done if bench.show else ():
        rows = [page.row for page in split.apply]
        ways = (ours.records, vote.records, [page.tagging.record for page in split.apply])
        f1 = [{field: cells["f1"] for field, cells in score.score_news(rows, records).items()} for records in ways]
        told = "\n".join(f"{way:13} {found}" for way, found in zip(("ours", "vote", "page by page"), f1, strict=True))
        losses.append((f1[0].get("text", 1.0) - f1[2].get("text", 1.0), name, f"{told}\n{ours.error or ours.text}"))
    for loss, name, told in sorted(losses)[: bench.show]:
        print(f"\n#### {name}: text {loss:+.3f} against page by page\n\n{told}")


def curve(bench: Bench) -> Figures:
    """Print F1 of each field by the number of pages learned from, always on the same pages of a site."""
    splits = {name: held_out(pages) for name, pages in bench.sites.items()}
    largest = [name for name, split in splits.items() if len(split.learn) >= max(SIZES)]
    figures: Figures = {"all": {}, "largest": {}}
    for learner in LEARNERS:
        for size in SIZES:
            names = [name for name, split in splits.items() if len(split.learn) >= size and split.apply]
            smaller = [Split(splits[name].learn[:size], splits[name].apply) for name in names]
            mapped = dict(zip(names, bench.maps(learner, smaller), strict=True))
            for kind, chosen in (("all", names), ("largest", largest)):
                figures[kind][f"{learner}, {size} pages"] = _scored(splits, mapped, chosen)
    print(f"\n### Pages learned from\n\nAll groups with enough pages, folds {bench.folds}: F1 (maps alone).\n")
    head = ["learned from", "groups", "pages scored", *FIELDS]
    print(markdown(head, _curve_lines(figures["all"])))
    print(f"\nOnly groups with {max(SIZES)} pages to learn from, so that all lines are of the same pages:\n")
    print(markdown(head, _curve_lines(figures["largest"])))
    return figures


def _scored(splits: Mapping[str, Split], mapped: Mapping[str, Mapped], names: Sequence[str]) -> Figures:
    rows = [page.row for name in names for page in splits[name].apply]
    records = _records(mapped[name] for name in names)
    return {"groups": len(names), "pages": len(rows), "fields": load_eval("score").score_news(rows, records)}


def _curve_lines(found: Mapping[str, Figures]) -> Iterator[Sequence[Cell]]:
    for name, cells in found.items():
        f1 = (cells["fields"][field]["f1"] if field in cells["fields"] else None for field in FIELDS)
        yield [name, cells["groups"], cells["pages"], *f1]


def stability(bench: Bench) -> Figures:
    """Print how much two maps of a site agree that were learned from different pages."""
    pairs = [pair for pages in bench.sites.values() if (pair := twins(pages)) is not None]
    figures: Figures = {"groups": len(pairs), "pages": sum(len(pair[0].apply) for pair in pairs)}
    lines: list[list[Cell]] = []
    for learner in LEARNERS:
        one, other = (_records(bench.maps(learner, [pair[side] for pair in pairs])) for side in (0, 1))
        shares = {name: [agreement(name, *both) for both in zip(one, other, strict=True)] for name in VALUES}
        counted = {name: [share for share in found if share is not None] for name, found in shares.items()}
        figures[learner] = {name: {"share": _mean(found), "pages": len(found)} for name, found in counted.items()}
        lines.append([learner, *(figures[learner][name]["share"] for name in VALUES)])
        lines.append([f"{learner}, pages with a value", *(figures[learner][name]["pages"] for name in VALUES)])
    print(
        f"\n### Stability\n\n{len(pairs)} groups, {figures['pages']} pages, folds {bench.folds}. Share of equal ",
        end="",
    )
    print("values of two maps from different pages, where either gives one (text: F1 between both).\n")
    print(markdown(["maps", *VALUES], lines))
    return figures


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


def cost(bench: Bench) -> Figures:
    """Print what a map costs that is learned from ten pages, and how long its file is."""
    size = max(SIZES)
    splits = [Split(pages[:size], ()) for pages in bench.sites.values() if len(pages) >= size]
    tagging = [sum(page.tagging.seconds for page in split.learn) for split in splits]
    figures: Figures = {"groups": len(splits)}
    lines: list[list[Cell]] = []
    for learner in LEARNERS:
        done = [
            (mapped, spent)
            for mapped, spent in zip(bench.maps(learner, splits), tagging, strict=True)
            if not mapped.error
        ]
        measured = {
            "induction, CPU s": [mapped.seconds for mapped, _ in done],
            "with tagging, CPU s": [mapped.seconds + spent for mapped, spent in done],
            "lines of the map": [float(len(mapped.text.splitlines())) for mapped, _ in done],
        }
        figures[learner] = {name: _summary(values) for name, values in measured.items()}
        lines += [[learner, name, *summary.values()] for name, summary in figures[learner].items()]
    print(f"\n### Cost\n\nMaps from {size} pages, {len(splits)} groups, folds {bench.folds}.\n")
    print(markdown(["maps", "", "median", "mean", "most"], lines))
    return figures


def _summary(values: Sequence[float]) -> dict[str, float | None]:
    if not values:
        return dict.fromkeys(("median", "mean", "most"))
    return {"median": median(values), "mean": sum(values) / len(values), "most": max(values)}


PARTS: Mapping[str, Callable[[Bench], Figures]] = {
    "quality": quality,
    "curve": curve,
    "stability": stability,
    "cost": cost,
}


def main() -> int:
    """Measure what is asked for, print the tables and keep the figures."""
    options = _options(sys.argv[1:])
    bench = Bench(options.folds, options.groups, options.workers, options.show)
    figures: Figures = {}
    for name in options.only:
        started = time.perf_counter()
        figures[name] = {**PARTS[name](bench), "seconds": round(time.perf_counter() - started, 1)}
        sys.stdout.flush()
    pages = [page for found in bench.sites.values() for page in found]
    unread = sum(page.tagging.tagged is None for page in pages)
    print(f"\n{len(pages)} pages of {len(bench.sites)} groups tagged, {unread} could not be read; seconds: ", end="")
    print(", ".join(f"{name} {figures[name]['seconds']}" for name in options.only))
    keep(figures, "sites", options.folds, f"-{options.groups}-groups" if options.groups else "")
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.sites", description=__doc__.split("\n")[0])
    parser.add_argument("--folds", type=int, nargs="+", default=[VALIDATION])
    parser.add_argument("--only", nargs="+", default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--groups", type=int, metavar="N", help="at most so many groups, evenly over the folds")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="quality: print so many of the worst maps")
    options = parser.parse_args(arguments)
    options.only = [part for word in options.only for part in word.split(",") if part]
    if unknown := [part for part in options.only if part not in PARTS]:
        parser.error(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    if options.show and VALIDATION in options.folds:
        parser.error("fold 0 is for validation: its pages are not looked at (--show goes with other folds)")
    if not has_shared():
        parser.error("the corpora are not there: ../shared/data")
    return options


if __name__ == "__main__":
    sys.exit(main())
