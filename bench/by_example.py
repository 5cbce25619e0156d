"""Sites whose pages are labelled in, how well maps learned from one labelled page read the others out.

    python -m bench.by_example --data ../shared/data [--folds 0] [--sites NAME] [--peers] [--wrong N]

The values of one page of a site go in as `--example FIELD=VALUE`, beside nine pages of the site without labels; the
map reads the rest. A value is right where it is one of the page's labelled ones, or all of them in one line; values on
pages without the field are wrong.
With `--peers` the same page goes to mlscraper and autoscraper, where these are installed.
"""

import argparse
import json
import lzma
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.peers_by_example import PEERS
from sitewright.errors import BadExample, NoStableRule
from sitewright.extract import Extractor
from sitewright.induce import example_of, learn_map
from sitewright.parse import Document, fold_words, parse
from sitewright.types import OTHER, Page, TaggedPage, TextLine

CORPORA = ("swde_shop", "swde_other")
LEARNED = 10
"""Pages that a map is learned from; the first of them has the examples."""
NOW = datetime(2026, 1, 1, tzinfo=UTC)

Row = dict[str, Any]
Values = Mapping[str, Sequence[str]]
Read = Callable[[Row], Values]


@dataclass
class Tally:
    """How many values were given, were there, were right."""

    given: int = 0
    there: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return 2 * self.right / (self.given + self.there) if self.given + self.there else 1.0


def main() -> None:
    """Print a table of all sites and fields."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--folds", type=int, nargs="+", default=[0])
    parser.add_argument("--sites", nargs="*", default=[])
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--wrong", type=int, default=0, help="show so many wrong values a field, of folds other than 0")
    args = parser.parse_args()
    contenders: dict[str, Callable[[Sequence[Row]], Read]] = {"sitewright": by_map}
    if args.peers:
        contenders |= PEERS
    totals: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name in contenders}
    for site, rows in sites_of(args.data / "shops", frozenset(args.folds), args.sites):
        for name, learn in contenders.items():
            found = measured(rows, learn)
            vertical = site.partition("-")[0]
            for tally in found.values():
                totals[name][vertical].append(tally.f1)
            print(f"{name:12} {site:26}", " ".join(f"{key} {tally.f1:.2f}" for key, tally in found.items()), flush=True)
            for key, tally in found.items() if rows[0]["fold"] else ():
                for line in tally.wrong[: args.wrong]:
                    print(f"    {key}: {line}")
    for name, verticals in totals.items():
        means = {vertical: sum(values) / len(values) for vertical, values in verticals.items()}
        every = [value for values in verticals.values() for value in values]
        print(
            f"{name:12}",
            {key: round(mean, 3) for key, mean in means.items()},
            "all",
            round(sum(every) / max(len(every), 1), 3),
        )


def sites_of(folder: Path, folds: frozenset[int], named: Sequence[str]) -> Iterator[tuple[str, list[Row]]]:
    """Yield sites with their pages; the first page shows all fields, if any does."""
    sites: dict[str, list[Row]] = defaultdict(list)
    for corpus in CORPORA:
        with lzma.open(folder / f"{corpus}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if row["fold"] in folds and (not named or any(name in row["site"] for name in named)):
                    row["url"] = row.get("url") or f"https://{row['site']}.example/{row['page_id']}"
                    sites[row["site"]].append(row)
    for site, rows in sorted(sites.items()):
        best = max(rows, key=lambda row: sum(bool(values) for values in fields_of(row).values()))
        yield site, [best, *(row for row in rows if row is not best)]


def fields_of(row: Row) -> Values:
    """Return the labelled values of a page."""
    fields: Values = row["labels"]["fields"]
    return fields


def measured(rows: Sequence[Row], learn: Callable[[Sequence[Row]], Read]) -> dict[str, Tally]:
    """Return how the fields of the example are read on the pages that nothing was learned from."""
    wanted = [name for name, values in fields_of(rows[0]).items() if values]
    read = learn(rows[:LEARNED])
    tallies = {name: Tally() for name in wanted}
    for row in rows[LEARNED:]:
        found = read(row)
        for name, tally in tallies.items():
            _count(tally, found.get(name, ()), fields_of(row).get(name, ()))
    return tallies


def _count(tally: Tally, given: Sequence[str], gold: Sequence[str]) -> None:
    known = {_folded(value) for value in gold} | {_words(gold)}
    is_right = any(_folded(value) in known or _words([value]) in known for value in given)
    tally.given += bool(given)
    tally.there += bool(gold)
    tally.right += is_right
    if (given or gold) and not is_right:
        tally.wrong.append(f"{list(given)[:2]} for {list(gold)[:2]}")


def _folded(value: object) -> str:
    return " ".join(str(value).split()).casefold()


def _words(values: Sequence[object]) -> str:
    """Return the words of values, in whatever order, without the marks between them."""
    return " ".join(sorted(fold_words(" ".join(map(str, values)))))


def by_map(rows: Sequence[Row]) -> Read:
    """Learn a map from the first page's values and the pages beside it."""
    documents = [_document(row) for row in rows]
    shown = [f"{name}={value}" for name, values in fields_of(rows[0]).items() for value in values[:1]]
    pages = [(document, _untagged(document)) for document in documents]
    extractor = _extractor(pages, shown)

    def read(row: Row) -> Values:
        found = extractor.extract(_document(row), NOW).fields if extractor is not None else {}
        return {name: list(_texts(value.value)) for name, value in found.items()}

    return read


def _untagged(document: Document) -> TaggedPage:
    """Return a page of which nothing is known: fields of examples are learned from these alone."""
    line = TextLine(document.tree.root.text if document.tree.root is not None else "", 0, 0.0)
    return TaggedPage(url=document.url, kind=OTHER, kind_score=1.0, lines=(line,))


def _extractor(pages: Sequence[tuple[Document, TaggedPage]], shown: Sequence[str]) -> Extractor | None:
    """Learn a map; fields that no rule gives are left out."""
    while shown:
        try:
            return Extractor(learn_map(pages, "news", NOW, example_of(shown)).extraction_map)
        except (NoStableRule, BadExample) as error:
            lacking = {word.strip(",") for word in str(error).split()}
            shown = [text for text in shown if text.partition("=")[0] not in lacking]
            print(f"    {error}")
    return None


def _texts(value: object) -> Iterator[str]:
    for entry in value if isinstance(value, list) else [value]:
        yield str(entry)


def _document(row: Row) -> Document:
    return parse(Page(url=row["url"], body=row["html"]))


if __name__ == "__main__":
    main()
