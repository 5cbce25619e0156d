"""Other pages of a story: found beside the labelled ones, and invented on pages that have none.

    python -m bench.parts [--folds 1 2 …]

Needs the corpora beside the repository. Fold 0 is for validation: score on it, study errors elsewhere. What a page
has is found from its address and its links alone; `sitewright extract --parts` also asks what kind of page it is.
"""

import argparse
from collections.abc import Iterator

from bench.labelled import Row, labelled_rows, news_rows
from bench.paging import GALLERIES, ONE_STORY
from sitewright.errors import PageError
from sitewright.links import find_story_pages
from sitewright.links.addresses import same_page
from sitewright.parse import parse
from sitewright.types import Page


def main() -> None:
    """Print what is right, missed and invented, and every page with a mistake."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folds", type=int, nargs="+", default=[1, 2])
    folds = parser.parse_args().folds
    right = invented = missed = traps = fallen = 0
    for row in _rows(folds):
        found = _found(row)
        if row["kind"] in ONE_STORY:
            wanted = {same_page(url) for url in row["next_pages"]} - {same_page(row["url"])}
            right, invented = right + len(found & wanted), invented + len(found - wanted)
            missed += len(wanted - found)
            mistakes = sorted(found ^ wanted)
        else:
            traps, fallen, mistakes = traps + 1, fallen + bool(found), sorted(found)
        if mistakes and 0 not in folds:
            print(row["kind"], row["url"], *mistakes, sep="\n    ")
    print(f"stories: precision {right / (right + invented or 1):.4f}, recall {right / (right + missed or 1):.4f}")
    print(f"traps: {fallen} of {traps} have parts that are none")
    articles = [row for row in news_rows(folds) if row["page_type"] == "article" and row["url"]]
    given = [row["url"] for row in articles if _found(row)]
    print(f"articles of the news corpus: {len(given)} of {len(articles)} have parts")
    if 0 not in folds:
        print(*given, sep="\n")


def _rows(folds: list[int]) -> Iterator[Row]:
    for name in ("multipage_articles", "relnext_elsewhere"):
        yield from labelled_rows(GALLERIES / f"{name}.jsonl.xz", folds)


def _found(row: Row) -> set[str]:
    try:
        parts = find_story_pages(parse(Page(url=row["url"], body=row["html"]))).parts
    except PageError:
        return set()
    return {same_page(url) for url in parts}


if __name__ == "__main__":
    main()
