"""How good the attributes of single pages are: quality, languages, reliability, kinds, absence, beside a peer.

    python -m bench.attributes [--folds 0] [--only PART …] [--pages N] [--workers 2] [--show N]

Runs the extraction of `sitewright extract` without a map on labelled pages of the shared corpora (which have to lie
beside the repository) and prints tables in Markdown; the figures also go to bench/results/ as JSON. Fold 0 is for
validation: score on it, study errors elsewhere (`--show` prints false answers, and refuses fold 0).
"""

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import sqrt
from statistics import stdev
from typing import Any

from bench import absence
from bench.labelled import Row, cut_rows, front_rows, kind_of, load_eval, news_rows, spread, text_is_sure
from bench.languages import GROUPS, group_of
from bench.markdown import markdown
from bench.reading import Readings, Record, read_with_trafilatura
from bench.reliability import Judged, bins, calibration_error
from bench.samples import ROOT, has_shared

FIELDS = ("title", "subtitle", "published", "published_minute", "text", "snippets", "authors", "categories", "tags")
VALUES = ("title", "subtitle", "published", "text", "authors", "categories", "tags")
RIGHT_TEXT = 0.9
"""From this F1 on a title, subtitle or text counts as right: a word more or less is no error."""
ALL_LANGUAGES = "all"
LANGUAGE_CELLS = ("pages", "f1", "error", "from_mean")
KINDS = ("article", "list", "other", "none")
RESULTS = ROOT / "bench" / "results"
Figures = dict[str, Any]


@dataclass
class Bench:
    """The pages of a run and what has been read of them."""

    folds: Sequence[int]
    pages: int | None
    workers: int
    show: int = 0
    readings: Readings = field(default_factory=Readings)

    @cached_property
    def rows(self) -> list[Row]:
        """All pages of the folds."""
        return news_rows(self.folds)

    @cached_property
    def front(self) -> list[Row]:
        """Front pages of the folds."""
        return spread(front_rows(self.folds), self.pages)

    @cached_property
    def cut(self) -> list[Row]:
        """The pages that the evaluation of attributes scores."""
        return spread(cut_rows(self.rows), self.pages)

    @cached_property
    def cut_pages(self) -> absence.CutPages:
        """The pages of the cut, each without one of its fields."""
        return absence.cut_questions(cut_rows(self.rows), self.pages, self.workers)

    @cached_property
    def questions(self) -> list[absence.Question]:
        """Pages and fields that are not on them."""
        lists = spread([row for row in self.rows if kind_of(row) == "list"], self.pages)
        return [*absence.kind_questions([*self.front, *lists]), *self.cut_pages.questions]

    def false_answers(self) -> list[absence.Answer]:
        """Return what our reader invents."""
        return absence.answers(self.questions, self.readings.of([question.row for question in self.questions]))


def quality(bench: Bench) -> Figures:
    """Print precision, recall and F1 of each field, over all pages and by corpus."""
    score, rows, records = load_eval("score"), bench.cut, bench.readings.of(bench.cut)
    table = score.score_news(rows, records)
    print(f"\n### Quality\n\n{len(rows)} pages of {len({row['site'] for row in rows})} sites, folds {bench.folds}.\n")
    head = ["field", "F1", "precision", "recall", "pages", "F1 by site", "sites"]
    keys = ("f1", "p", "r", "pages", "f1_by_site", "sites")
    print(markdown(head, ([name, *(table[name][key] for key in keys)] for name in FIELDS if name in table)))
    by_source = {
        source: score.score_news(*_where(rows, records, lambda row, source=source: row["source"] == source))
        for source in sorted({row["source"] for row in rows})
    }
    print("\nF1 by corpus (pages):\n")
    print(markdown(["corpus", *FIELDS], ([source, *_f1_cells(found)] for source, found in by_source.items())))
    return {"fields": table, "sources": by_source}


def languages(bench: Bench) -> Figures:
    """Print F1 of title and text by group of languages, on all article pages that are labelled with either."""
    rows = [row for row in bench.rows if row["page_type"] == "article" and _has_title_or_text(row)]
    rows = spread(rows, bench.pages)
    scores = language_scores(rows, bench.readings.of(rows))
    means = {name: _mean(found) for (group, name), found in scores.items() if group == ALL_LANGUAGES}
    figures: Figures = {}
    lines = []
    for group in (ALL_LANGUAGES, *GROUPS):
        cells = {name: _language_cells(scores[group, name], means.get(name)) for name in ("title", "text")}
        if any(found[0] for found in cells.values()):
            sites = {row["site"] for row in rows if group in {ALL_LANGUAGES, group_of(row["lang"])}}
            lines.append([group, len(sites), *cells["title"], *cells["text"]])
            figures[group] = {name: dict(zip(LANGUAGE_CELLS, found, strict=True)) for name, found in cells.items()}
    print(f"\n### Languages\n\n{len(rows)} article pages with a label of title or text, folds {bench.folds}; ", end="")
    print("± is twice the standard error.\n")
    head = ["languages", "sites", "titles", "F1", "±", "from mean", "texts", "F1", "±", "from mean"]
    print(markdown(head, lines))
    return figures


def language_scores(rows: Sequence[Row], records: Sequence[Record]) -> dict[tuple[str, str], list[float]]:
    """Return F1 of each page by group of languages (and for all) and field."""
    bag, scores = load_eval("score").bag, defaultdict(list)
    for row, record in zip(rows, records, strict=True):
        for name in ("title", "text"):
            if row["labels"].get(name) and (name == "title" or text_is_sure(row)):
                f1 = bag(row["labels"][name], record.get(name))[2]
                scores[ALL_LANGUAGES, name].append(f1)
                scores[group_of(row["lang"]), name].append(f1)
    return scores


def reliability(bench: Bench) -> Figures:
    """Print how often values are right that were given with some confidence."""
    judged = judge(bench.cut, bench.readings.of(bench.cut))
    figures: Figures = {}
    lines = []
    for name in VALUES:
        found = bins(judged[name])
        error = calibration_error(found)
        figures[name] = {"error": error, "bins": [each._asdict() for each in found]}
        lines += [[name, each.name, each.values, each.confidence, each.right] for each in found]
        lines.append([f"**{name}**", "all", len(judged[name]), *_overall(judged[name])])
    print(f"\n### Reliability\n\nValues of labelled fields on {len(bench.cut)} pages, folds {bench.folds}.\n")
    print(markdown(["field", "confidence", "values", "mean confidence", "right"], lines))
    print("\nExpected calibration error:\n")
    print(markdown(["field", "error"], ([name, found["error"]] for name, found in figures.items())))
    return figures


def judge(rows: Sequence[Row], records: Sequence[Record]) -> dict[str, list[Judged]]:
    """Return by field the values given for labelled fields, and whether they are right."""
    score, judged = load_eval("score"), defaultdict(list)
    for row, record in zip(rows, records, strict=True):
        scores = score.score_page(row["labels"], record)
        for name in VALUES:
            stated = (record.get("confidence") or {}).get(name)
            if name in scores and record.get(name) and stated is not None:
                enough = RIGHT_TEXT if name in score.TEXT else 1.0
                judged[name].append(Judged(stated, scores[name][2] >= enough))
    return judged


def kinds(bench: Bench) -> Figures:
    """Print how well articles are told from other pages, and what each kind of page was taken for."""
    rows = spread(bench.rows, bench.pages)
    said = [_said_kind(record) for record in bench.readings.of(rows)]
    confusion = Counter((kind_of(row), kind) for row, kind in zip(rows, said, strict=True))
    details = Counter((_detail(row), kind) for row, kind in zip(rows, said, strict=True))
    details.update(("front page (not counted)", _said_kind(record)) for record in bench.readings.of(bench.front))
    figures = _kind_figures(confusion)
    print(f"\n### Kinds of pages\n\n{len(rows)} pages, folds {bench.folds}. Article or not: ", end="")
    print(", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in figures.items()) + ".\n")
    head = ["kind", *(f"said {kind}" for kind in KINDS)]
    print(markdown(head, ([true, *(confusion[true, kind] for kind in KINDS)] for true in KINDS[:-1])))
    print("\nIn detail:\n")
    names = sorted({name for name, _ in details})
    print(markdown(head, ([name, *(details[name, kind] for kind in KINDS)] for name in names)))
    return {**figures, "confusion": {f"{true}>{kind}": count for (true, kind), count in sorted(confusion.items())}}


def absent(bench: Bench) -> Figures:
    """Print how often a field is given that is not on the page."""
    found, outcomes = bench.false_answers(), bench.cut_pages.outcomes
    table = absence.counts(bench.questions, found)
    print(f"\n### False answers\n\nShare of pages without a field for which it is given, folds {bench.folds}.\n")
    head = [
        "field",
        "kind: pages",
        "false",
        "cut: pages",
        "false",
        "both: pages",
        "false",
        f"false, ≥ {absence.SURE} sure",
    ]
    print(markdown(head, ([name, *_absence_cells(cells)] for name, cells in table.items())))
    names = sorted({name for counter in outcomes.values() for name in counter})
    print("\nWhat became of the pages a field was to be cut from:\n")
    print(markdown(["field", *names], ([key, *(counter[name] for name in names)] for key, counter in outcomes.items())))
    _show(found, bench.show)
    return {"fields": table, "cutting": {name: dict(counter) for name, counter in outcomes.items()}}


def peers(bench: Bench) -> Figures:
    """Print F1 of each field beside trafilatura's on the same pages, and what either invents."""
    score = load_eval("score")
    ours = score.score_news(bench.cut, bench.readings.of(bench.cut))
    started = time.perf_counter()
    theirs = score.score_news(bench.cut, read_with_trafilatura(bench.cut, bench.workers))
    spent = (time.perf_counter() - started) * 1000 / max(1, len(bench.cut))
    print(f"\n### Beside trafilatura\n\n{len(bench.cut)} pages, folds {bench.folds}.\n")
    lines = [[name, ours[name]["f1"], theirs[name]["f1"], ours[name]["pages"]] for name in FIELDS if name in ours]
    print(markdown(["field", "ours", "trafilatura", "pages"], lines))
    invented = _invented(bench)
    print("\nFalse answers (share of pages without the field):\n")
    print(markdown(["field", "ours", "trafilatura", "pages"], ([name, *cells] for name, cells in invented.items())))
    return {"ours": ours, "trafilatura": theirs, "trafilatura_ms": round(spent, 1), "invented": invented}


def _invented(bench: Bench) -> dict[str, list[Any]]:
    """Return the shares of false answers of both, and the number of pages, by field."""
    records = read_with_trafilatura([question.row for question in bench.questions], bench.workers)
    ours, theirs = (
        absence.counts(bench.questions, found)
        for found in (bench.false_answers(), absence.answers(bench.questions, records))
    )
    return {
        name: [cells["both"]["share"], theirs[name]["both"]["share"], cells["both"]["pages"]]
        for name, cells in ours.items()
        if "both" in cells
    }


PARTS: Mapping[str, Callable[[Bench], Figures]] = {
    "quality": quality,
    "languages": languages,
    "reliability": reliability,
    "kinds": kinds,
    "absence": absent,
    "peers": peers,
}


def main() -> int:
    """Measure what is asked for, print the tables and keep the figures."""
    options = _options()
    bench = Bench(options.folds, options.pages, options.workers, options.show, Readings(options.workers))
    figures: Figures = {}
    for name in options.only:
        started = time.perf_counter()
        figures[name] = {**PARTS[name](bench), "seconds": round(time.perf_counter() - started, 1)}
        sys.stdout.flush()
    figures["milliseconds_a_page"] = round(bench.readings.milliseconds, 1)
    print(f"\n{bench.readings.pages} pages read, {bench.readings.milliseconds:.1f} ms a page; ", end="")
    print("seconds: " + ", ".join(f"{name} {figures[name]['seconds']}" for name in options.only))
    keep(figures, "attributes", options.folds, f"-{options.pages}-pages" if options.pages else "")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.attributes", description=__doc__.split("\n")[0])
    parser.add_argument("--folds", type=int, nargs="+", default=[0])
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument(
        "--pages", type=int, help="at most so many pages a part (absence: a field), evenly over the folds"
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print so many false answers a field")
    options = parser.parse_args()
    if options.show and 0 in options.folds:
        parser.error("fold 0 is for validation: its pages are not looked at (--show goes with other folds)")
    if not has_shared():
        parser.error("the corpora are not there: ../shared/data")
    return options


def keep(figures: Figures, name: str, folds: Sequence[int], some: str = "") -> None:
    """Write the figures, beside those of parts that an earlier run measured on the same pages."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}-fold-{'-'.join(map(str, folds))}{some}.json"
    earlier = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**earlier, **figures}, indent=1, ensure_ascii=False))
    print(f"figures: {path.relative_to(ROOT)}")


def _where(
    rows: Sequence[Row], records: Sequence[Record], keep: Callable[[Row], bool]
) -> tuple[list[Row], list[Record]]:
    kept = [(row, record) for row, record in zip(rows, records, strict=True) if keep(row)]
    return [row for row, _ in kept], [record for _, record in kept]


def _f1_cells(table: Figures) -> list[str | None]:
    return [f"{table[name]['f1']:.3f} ({table[name]['pages']})" if name in table else None for name in FIELDS]


def _has_title_or_text(row: Row) -> bool:
    return bool(row["labels"].get("title")) or text_is_sure(row)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _language_cells(found: Sequence[float], overall: float | None) -> list[Any]:
    """Return number, mean, twice its standard error and the distance from the mean of all."""
    if not found or overall is None:
        return [0, None, None, None]
    mean = sum(found) / len(found)
    error = 2 * stdev(found) / sqrt(len(found)) if len(found) > 1 else None
    return [len(found), mean, error, round(mean - overall, 4)]


def _overall(judged: Sequence[Judged]) -> list[float | None]:
    return [_mean([each.confidence for each in judged]), _mean([float(each.right) for each in judged])]


def _said_kind(record: Record) -> str:
    said = record.get("page_kind")
    return said if said in KINDS else "none"


def _detail(row: Row) -> str:
    """Return kind, corpus and, but for paths, which are many, the type of a page."""
    kind = row["page_type"]
    if kind == "article":
        return kind
    return f"{kind_of(row)}: {row['source']} {'/…' if kind.startswith('/') else kind}"


def _kind_figures(confusion: Mapping[tuple[str, str], int]) -> dict[str, float]:
    hit = confusion["article", "article"]
    articles = sum(count for (true, _), count in confusion.items() if true == "article")
    said = sum(count for (_, kind), count in confusion.items() if kind == "article")
    total = sum(confusion.values())
    others = total - articles
    rejected = others - (said - hit)
    precision, recall, f1 = load_eval("score").prf(hit, said - hit, articles - hit)
    return {
        "accuracy": (hit + rejected) / total,
        "balanced_accuracy": (hit / max(1, articles) + rejected / max(1, others)) / 2,
        "precision": precision,
        "recall": recall,
        "f1": f1,
    }


def _absence_cells(cells: Mapping[str, Mapping[str, float]]) -> list[Any]:
    pairs = [
        (int(cells[kind]["pages"]), cells[kind]["share"]) if kind in cells else (0, None)
        for kind in ("kind", "cut", "both")
    ]
    return [*(cell for pair in pairs for cell in pair), cells["both"]["sure"] if "both" in cells else None]


def _show(found: Sequence[absence.Answer], most: int) -> None:
    """Print the surest false answers of each field and set, one a site."""
    shown: dict[tuple[str, str], set[str]] = defaultdict(set)
    for answer in found if most else ():
        kind, name, row = answer.question
        sites = shown[kind, name]
        if row["site"] not in sites and len(sites) < most:
            sites.add(row["site"])
            value = json.dumps(answer.value, ensure_ascii=False)[:200]
            print(f"{kind} {name} {answer.confidence:.2f} {row['source']} {row.get('url')}\n    {value}")


if __name__ == "__main__":
    sys.exit(main())
