"""The shared corpora in, the labelled pages of some folds out, and the scorer that lies beside them."""

import importlib.util
import json
import lzma
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from bench.samples import NEWS

Row = dict[str, Any]
Item = TypeVar("Item")

FRONT_PAGES = NEWS.parent / "frontpages"
FRONT_PAGES_A_SITE = 12
"""Snapshots of one front page are much alike; a dozen of a series are enough, and no paper outweighs all others."""
FOUND = 0.8
"""Text labels of which less is in the page are wrong (the rule of the cut)."""
LISTS = frozenset({"collection", "listing", "catalog", "list"})


@lru_cache
def load_eval(name: str) -> ModuleType:
    """Load a module that lies beside the corpora: `score` or `cut`."""
    spec = importlib.util.spec_from_file_location(f"shared_{name}", NEWS.parents[1] / "eval" / f"{name}.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"it is not there: ../shared/eval/{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def news_rows(folds: Sequence[int]) -> list[Row]:
    """Return all pages of the folds, articles and others."""
    return labelled_rows(NEWS, folds)


def labelled_rows(path: Path, folds: Sequence[int]) -> list[Row]:
    """Return the pages of a corpus that are in the folds."""
    return list(_rows(path, folds))


def front_rows(folds: Sequence[int]) -> list[Row]:
    """Return the front pages of the folds, of each series some, evenly over its time."""
    sites: dict[str, list[Row]] = defaultdict(list)
    for path in sorted(FRONT_PAGES.glob("*.jsonl.xz")):
        for row in _rows(path, folds):
            sites[row["site"]].append({**row, "source": "frontpages", "page_type": "list", "labels": {}})
    return [row for rows in sites.values() for row in spread(rows, FRONT_PAGES_A_SITE)]


def _rows(path: Path, folds: Sequence[int]) -> Iterator[Row]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        yield from (row for row in map(json.loads, lines) if row["fold"] in folds)


def cut_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the pages that the evaluation of attributes scores."""
    return list(load_eval("cut").cut(rows)["attributes"])


def text_is_sure(row: Row) -> bool:
    """Tell whether a page has a text label that is in the page."""
    return bool(row["labels"].get("text")) and (row["found"] or 0.0) >= FOUND


def kind_of(row: Row) -> str:
    """Return what a page is: `article`, `list` or `other`. Types that are paths are home, section and archive pages.

    >>> [kind_of({"page_type": kind}) for kind in ("article", "listing", "/2020/03/", "forum")]
    ['article', 'list', 'list', 'other']
    """
    kind = row["page_type"]
    if kind == "article":
        return kind
    return "list" if kind in LISTS or kind.startswith("/") else "other"


def spread(items: Sequence[Item], most: int | None) -> list[Item]:
    """Return at most so many of the items, evenly over all.

    >>> spread("abcdefg", 3), spread("ab", None)
    (['a', 'c', 'e'], ['a', 'b'])
    """
    if not most or len(items) <= most:
        return list(items)
    return [items[place * len(items) // most] for place in range(most)]
