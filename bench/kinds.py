"""Pages that are no articles in, how many are taken for one and given an article's fields out.

    python -m bench.kinds [--folds 0] [--workers 2]

Three sets of the shared corpora: front pages of newspapers (of a series some), front pages whose links were decided by
reading, and the pages labelled by reading that are lists, forums, products and the like. The share of articles that
are not taken for one stands beside them, because a reader that takes nothing for an article invents nothing. A table in
Markdown; the figures also go to bench/results/ as JSON. Fold 0 is for validation.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence

from bench.attributes import Figures, keep
from bench.hand import GROUPS, SHOW_FIELDS, SINGLE, labelled
from bench.labelled import Row, front_rows, labelled_rows
from bench.markdown import markdown
from bench.reading import Record, read
from bench.samples import NEWS, has_shared

HAND_LINKS = NEWS.with_name("hand_links.jsonl.xz")
ARTICLE = "article"
NOT_SHOWN = ("subtitle", "published", "authors", "text")
"""Fields of an article that no list has; a heading, tags or a section it may have."""
LISTS = frozenset({"list"})


def sets_of(folds: Sequence[int]) -> dict[str, list[Row]]:
    """Return the pages by set."""
    read_by_hand = [*labelled_rows(SINGLE, folds), *labelled(labelled_rows(GROUPS, folds))]
    others = [row for row in read_by_hand if row["page_type"] not in SHOW_FIELDS]
    return {
        "front pages": front_rows(folds),
        "front pages, read": labelled_rows(HAND_LINKS, folds),
        "lists, read": [row for row in others if row["page_type"] in LISTS],
        "others, read": [row for row in others if row["page_type"] not in LISTS],
        "articles, read": [row for row in read_by_hand if row["page_type"] == ARTICLE],
    }


def measure(rows: Sequence[Row], records: Sequence[Record]) -> Figures:
    """Return the share of pages taken for articles, and of those given a field of an article."""
    taken = [record.get("page_kind") == ARTICLE for record in records]
    given = [any(record.get(name) for name in NOT_SHOWN) for record in records]
    return {"pages": len(rows), "taken": _share(taken), "given": _share(given)}


def _share(flags: Sequence[bool]) -> float:
    return round(sum(flags) / len(flags), 3) if flags else 0.0


def lines(figures: Mapping[str, Figures]) -> Iterator[Sequence[str | float]]:
    """Yield the table's lines."""
    for name, found in figures.items():
        yield name, found["pages"], found["taken"], found["given"]


def main() -> int:
    """Read, print the table and keep the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.kinds", description=__doc__.split("\n")[0])
    parser.add_argument("--folds", type=int, nargs="+", default=[0])
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    if not has_shared():
        parser.error("the corpora are not there: ../shared/data")
    found = {name: measure(rows, read(rows, options.workers)) for name, rows in sets_of(options.folds).items() if rows}
    print(markdown(["pages", "number", "taken for articles", "given fields of one"], lines(found)))
    keep(found, "kinds", options.folds, "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
