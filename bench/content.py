"""MCE beside other extractors of main content: quality and time on the same labelled pages.

    python -m bench.content [--folds 1 2 …]

Needs the corpora and their scorer beside the repository. Pages with a text label, at most four a site; precision,
recall and F1 of bags of 4-grams, averaged over pages. Fold 0 is for validation: score on it, study errors elsewhere.
"""

import argparse
import importlib.util
import json
import logging
import lzma
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from bench.samples import NEWS
from sitewright.parse import parse, visible_lines
from sitewright.tag import main_content
from sitewright.types import Page

PAGES_A_SITE = 4
FOUND = 0.8
"""Labels of which less is in the page are wrong."""


def labelled(folds: set[int]) -> Iterator[dict[str, Any]]:
    """Yield article pages with a text label, at most four a site."""
    sites: Counter[str] = Counter()
    with lzma.open(NEWS, "rt", encoding="utf-8") as lines:
        for page in map(json.loads, lines):
            if page["fold"] not in folds or page["page_type"] != "article" or not page["labels"].get("text"):
                continue
            if (page["found"] or 0) >= FOUND and sites[page["site"]] < PAGES_A_SITE:
                sites[page["site"]] += 1
                yield page


def mce(html: str) -> str:
    """Read with our own."""
    element = main_content(parse(Page(url="", body=html)))
    return "\n".join(visible_lines([element])) if element is not None else ""


def turbohtml_article(html: str) -> str:
    """Read with the parser's own extractor."""
    import turbohtml

    return turbohtml.parse(html).article().text


def trafilatura(html: str) -> str:
    """Read with trafilatura."""
    import trafilatura as peer

    return peer.extract(html) or ""


def readability(html: str) -> str:
    """Read with readability-lxml; its markup is turned into text by our renderer."""
    from readability import Document

    tree = parse(Page(url="", body=Document(html).summary())).tree
    return "\n".join(visible_lines([tree.root])) if tree.root is not None else ""


def boilerpy3(html: str) -> str:
    """Read with boilerpy3."""
    from boilerpy3.extractors import ArticleExtractor

    return ArticleExtractor().get_content(html)


def resiliparse(html: str) -> str:
    """Read with resiliparse."""
    from resiliparse.extract.html2text import extract_plain_text

    return extract_plain_text(html, main_content=True)


CONTENDERS: dict[str, Callable[[str], str]] = {
    "mce": mce,
    "turbohtml": turbohtml_article,
    "resiliparse": resiliparse,
    "boilerpy3": boilerpy3,
    "readability-lxml": readability,
    "trafilatura": trafilatura,
}


def scorer() -> ModuleType:
    """Load the scorer that lies beside the corpora."""
    spec = importlib.util.spec_from_file_location("score", NEWS.parents[1] / "eval" / "score.py")
    if spec is None or spec.loader is None:
        raise SystemExit("the scorer is not there: ../shared/eval/score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(read: Callable[[str], str], pages: list[dict[str, Any]], bag: Callable[[str, str], Any]) -> list[float]:
    """Return mean precision, recall and F1, milliseconds a page, and how many pages failed."""
    results, failed, spent = [], 0, 0.0
    for page in pages:
        started = time.process_time()
        try:
            text = read(page["html"])
        except Exception:  # noqa: BLE001 -- a peer that breaks on a page found nothing on it
            text, failed = "", failed + 1
        spent += time.process_time() - started
        results.append(bag(page["labels"]["text"], text))
    means = [sum(column) / len(results) for column in zip(*results, strict=True)]
    return [*means, spent / len(pages) * 1000, failed]


def main() -> int:
    """Measure all that are installed and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.content", description=__doc__.split("\n")[0])
    parser.add_argument("--folds", type=int, nargs="+", default=[1])
    parser.add_argument("--limit", type=int, default=400, help="pages, evenly over the folds")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # some peers tell of every page they stumble over
    pages = list(labelled(set(options.folds)))
    pages = pages[:: max(1, len(pages) // options.limit)]
    bag = scorer().bag
    print(f"{len(pages)} pages of {len({page['site'] for page in pages})} sites, folds {options.folds}")
    print(f"{'':18} {'P':>6} {'R':>6} {'F1':>6} {'ms':>8} {'failed':>7}")
    for name, read in CONTENDERS.items():
        try:
            read("<p>warm up</p>")
        except ImportError:
            print(f"{name:18} not installed")
            continue
        precision, recall, f1, milliseconds, failed = measure(read, pages, bag)
        print(f"{name:18} {precision:6.3f} {recall:6.3f} {f1:6.3f} {milliseconds:8.2f} {failed:7.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
