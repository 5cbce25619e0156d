"""One contender in a process of its own: `python -m bench.contender NAME PAGES.jsonl`.

Loads the pages, says `ready`, and then answers each line of standard input: `go` with the CPU seconds of one pass
over all pages, `memory` with its peak in megabytes and on how many pages it failed.
"""

import json
import logging
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.processes import own_peak_mb

Work = Callable[[str, str, str], object]
"""Does one page: URL, HTML, the text of the site's map."""

LONG_ENOUGH = 0.4
"""Seconds of CPU; passes are repeated until a round takes so long, so that the clock's grain does not matter."""


def _nothing() -> Work:
    return lambda _url, _html, _map: None


def _turbohtml() -> Work:
    import turbohtml

    return lambda _url, html, _map: turbohtml.parse(html)


def _lexbor() -> Work:
    from selectolax.lexbor import LexborHTMLParser

    return lambda _url, html, _map: LexborHTMLParser(html)


def _lxml() -> Work:
    import lxml.html

    return lambda _url, html, _map: lxml.html.document_fromstring(html)


def _sitewright() -> Work:
    from sitewright.extract import Extractor
    from sitewright.maps import parse_map
    from sitewright.parse import parse
    from sitewright.types import Page

    now = datetime.now(UTC)
    extractors: dict[str, Any] = {}

    def work(url: str, html: str, map_text: str) -> object:
        extractor = extractors.get(map_text)
        if extractor is None:
            extractor = extractors[map_text] = Extractor(parse_map(map_text))
        return extractor.extract(parse(Page(url=url, body=html)), now)

    return work


def _trafilatura() -> Work:
    import trafilatura

    return lambda _url, html, _map: trafilatura.bare_extraction(html, with_metadata=True)


def _newspaper() -> Work:
    import newspaper

    logging.disable(logging.CRITICAL)
    settings = newspaper.Config()
    settings.fetch_images = False  # it would look on the network for the size of pictures

    def work(url: str, html: str, _map: str) -> object:
        article = newspaper.Article(url, config=settings)
        article.download(input_html=html)
        article.parse()
        return article

    return work


def _readability() -> Work:
    import readability

    def work(_url: str, html: str, _map: str) -> object:
        document = readability.Document(html)
        return document.title(), document.summary()

    return work


@dataclass(frozen=True, slots=True)
class Contender:
    """What is measured, what it does with a page, and the module it needs."""

    does: str
    module: str
    prepare: Callable[[], Work]


CONTENDERS = {
    "python": Contender("holds the pages, does nothing", "json", _nothing),
    "turbohtml": Contender("parse", "turbohtml", _turbohtml),
    "lexbor": Contender("parse (selectolax)", "selectolax", _lexbor),
    "lxml": Contender("parse (lxml.html)", "lxml", _lxml),
    "sitewright": Contender("parse, extract with the map", "sitewright", _sitewright),
    "trafilatura": Contender("bare_extraction, with_metadata", "trafilatura", _trafilatura),
    "newspaper4k": Contender("download(input_html), parse", "newspaper", _newspaper),
    "readability": Contender("title, summary", "readability", _readability),
}


def main() -> None:
    """Serve until standard input ends."""
    name, path = sys.argv[1:]
    warnings.simplefilter("ignore")
    work = CONTENDERS[name].prepare()
    pages = [tuple(json.loads(line)) for line in Path(path).open(encoding="utf-8")]
    failed = _pass(work, pages)
    seconds = max(_timed(work, pages, 1), 1e-6)
    repeats = max(1, min(1000, round(LONG_ENOUGH / seconds)))
    print("ready", flush=True)
    for order in sys.stdin:
        if order.strip() == "go":
            print(json.dumps(_timed(work, pages, repeats)), flush=True)
        else:
            print(json.dumps([own_peak_mb(), failed]), flush=True)


def _timed(work: Work, pages: list[Any], repeats: int) -> float:
    begin = time.process_time()
    for _n in range(repeats):
        _pass(work, pages)
    return (time.process_time() - begin) / repeats


def _pass(work: Work, pages: list[Any]) -> int:
    """Do all pages and return on how many the library raised an error."""
    failed = 0
    for url, html, map_text in pages:
        try:
            work(url, html, map_text)
        except Exception:  # noqa: BLE001 -- peers raise all kinds; it is counted, and told beside the figure
            failed += 1
    return failed


if __name__ == "__main__":
    main()
