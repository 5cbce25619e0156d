"""Links of index pages are judged, feeds added, selectors learned and written."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from sitewright.actions.find_links import LinkFinder, LinkOptions, deciding_map, write_index
from sitewright.errors import InputError, MapError, NoStableRule
from sitewright.maps import load_map
from sitewright.reading.index import ReadPage
from sitewright.types import Failure, LinkSet, Page

FRONT = "https://paper.example/"
STORIES = [f"{FRONT}2024/05/0{number}/a-story-about-bees-and-hives-{number}" for number in range(1, 9)]
LIST = "".join(f'<div class=card><h2><a class=card__link href="{url}">A long story about {n} bees that hum</a></h2></div>' for n, url in enumerate(STORIES))  # fmt: skip
PAGE = f"<nav><a href=/>Home</a> <a href=/about>About us</a> <a href=/sport/>Sport</a></nav><main>{LIST}</main>"
FEED = f"""<rss version="2.0"><channel><item><title>Only in the feed, which is odd</title>
<link>{FRONT}2024/05/09/only-in-the-feed</link></item></channel></rss>"""


class Shelf:
    """Pages by address, in place of the web."""

    def __init__(self, **pages: str) -> None:
        self._pages = {FRONT: pages.get("front", PAGE), f"{FRONT}feed": FEED}

    def fetch(self, url: str) -> Page:
        if url not in self._pages:
            return Page(url=url, body=b"", status=404)
        return Page(url=url, body=self._pages[url].encode(), via="http")

    def fetch_each(self, urls: Iterable[str]) -> Iterator[Page]:
        return map(self.fetch, urls)


def found(finding: LinkFinder) -> LinkSet:
    (outcome,) = finding.outcomes
    assert isinstance(outcome, LinkSet)
    return outcome


def judged(sources: list[str], options: LinkOptions, fetcher: Shelf | None = None) -> LinkFinder:
    finding = LinkFinder(sources, fetcher or Shelf(), options)
    finding.read()
    finding.judge()
    return finding


def test_a_page_of_the_web_is_fetched_and_judged() -> None:
    noted: list[ReadPage] = []
    finding = LinkFinder([FRONT], Shelf(), LinkOptions(jobs=1))
    finding.read(noted.append)
    assert len(noted) == 1
    finding.judge()
    articles = {link.url for link in found(finding).links if link.role == "article"}
    assert articles == set(STORIES)


def test_selectors_are_learned_and_decide_afterwards(tmp_path: Path) -> None:
    target = str(tmp_path / "paper.map.yaml")
    finding = judged([FRONT], LinkOptions(jobs=1, to_learn=True))
    learned = finding.learn()
    written = write_index(target, None, learned)
    assert (written.site, load_map(target)) == ("paper.example", written)
    again = write_index(target, written, learned)
    assert again.version == written.version
    by_map = judged([FRONT], LinkOptions(jobs=1, extraction_map=deciding_map(target)))
    assert {link.url for link in found(by_map).links if link.role == "article"} == set(STORIES)


def test_feeds_are_merged() -> None:
    front = f'<link rel=alternate type="application/rss+xml" href="/feed">{PAGE}'
    finding = judged([FRONT], LinkOptions(jobs=1), Shelf(front=front))
    before = len(found(finding).links)
    finding.add_feeds()
    assert len(found(finding).links) == before + 1


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the address of a page begins with"):
        LinkFinder(["paper.html"], Shelf(), LinkOptions())
    (tmp_path / "a.map.yaml").write_text(
        "sitewright: 1\nsite: a.example\ntemplates:\n  - {name: a, rules: {}}\n", "utf-8"
    )
    with pytest.raises(MapError, match="no selectors of article links"):
        deciding_map(str(tmp_path / "a.map.yaml"))
    with pytest.raises(NoStableRule, match="is not written"):
        write_index("b.map.yaml", None, [])


def test_a_page_that_cannot_be_had_is_a_failure() -> None:
    finding = judged([FRONT], LinkOptions(jobs=1), Shelf(front=""))
    assert all(isinstance(outcome, Failure) for outcome in finding.outcomes)
