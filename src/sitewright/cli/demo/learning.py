"""The address of a front page in, out the map of its site, learned live, and its articles, read with it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sitewright.actions.find_links import LinkFinder, LinkOptions
from sitewright.actions.learn_map import LearnedMap, LearnOptions, learn_map
from sitewright.cli.demo.steps import Steps
from sitewright.errors import NoArticles
from sitewright.fetch import PagePlace, WebFetcher
from sitewright.parse import clean_url, parse
from sitewright.reading.learn import Tagged
from sitewright.reading.mapped import MapReader
from sitewright.types import LIST, FetchSettings, Link, LinkSet, Page, Record
from sitewright.values.words import counted

SAMPLE = 20
"""Articles that the map is learned from; beyond them it gets slower to learn and hardly better (docs/evaluation.md)."""
_MOST_SECTIONS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedPaper:
    """What was learned of a site, the pages of all its articles that were found, and what the map reads of them."""

    found: LearnedMap
    pages: Sequence[Page]
    records: Sequence[Record]


def learn_paper(front: str, steps: Steps) -> LearnedPaper:
    """Find the articles of a site on loopback, learn its map from some and read all, as commands do with any site."""
    host = front.partition("//")[2].strip("/")
    with WebFetcher(FetchSettings(allow_hosts=(host,), pause_seconds=0.0)) as fetcher:
        sections = _look(front, fetcher, steps)
        addresses = _find(front, sections, fetcher, steps)
        pages = list(_fetch(addresses, fetcher, steps))
    found = _learn(pages[:SAMPLE], steps)
    return LearnedPaper(found=found, pages=pages, records=_read(found, pages, steps))


def _look(front: str, fetcher: WebFetcher, steps: Steps) -> list[str]:
    """Read the front page; return its sections."""
    with steps.step("front page", f"fetching {front}") as step:
        finder = LinkFinder([front], fetcher, LinkOptions(jobs=1))
        finder.read()
        finder.judge()
        links = list(_links(finder))
        articles = len(_distinct(link for link in links if link.is_item))
        sections = _distinct(link for link in links if link.role == LIST)
        step.done(f"{counted(len(links), 'link')}: {counted(articles, 'article')}, {counted(len(sections), 'section')}")
    return sections[:_MOST_SECTIONS]


def _find(front: str, sections: Sequence[str], fetcher: WebFetcher, steps: Steps) -> list[str]:
    """Read the sections beside the front page, then feeds and sitemaps; return the addresses of articles."""
    with steps.step("more links", "reading sections and feeds") as step:
        finder = LinkFinder([front, *sections], fetcher, LinkOptions(jobs=1))
        finder.read()
        finder.judge()
        feeds: list[str] = []
        finder.add_feeds(feeds.append)
        articles = _distinct(link for link in _links(finder) if link.is_item)
        step.done(
            f"{counted(len(sections), 'section')}, {len(set(feeds))} feeds and sitemaps: "
            f"{counted(len(articles), 'article')} in all"
        )
    if not articles:
        raise NoArticles(f"{front}: no article links were found; another --seed makes another paper")
    return articles


def _links(finder: LinkFinder) -> Iterator[Link]:
    return (link for outcome in finder.outcomes if isinstance(outcome, LinkSet) for link in outcome.links)


def _distinct(links: Iterator[Link]) -> list[str]:
    """Return addresses, each once, without what only tells visits apart."""
    return list(dict.fromkeys(clean_url(link.url) for link in links))


def _fetch(addresses: Sequence[str], fetcher: WebFetcher, steps: Steps) -> Iterator[Page]:
    with steps.step("articles", "fetching") as step:
        fetched = 0
        for number, address in enumerate(addresses, 1):
            step.note(f"fetching {number} of {len(addresses)}")
            page = fetcher.fetch(address)
            if page.status < 400:
                fetched += 1
                yield page
        step.done(f"{fetched:,} fetched")


def _learn(pages: Sequence[Page], steps: Steps) -> LearnedMap:
    with steps.step("map", "reading pages to learn from") as step:
        tagged: list[Tagged] = []

        def note(page: Tagged) -> None:
            tagged.append(page)
            learning = "learning rules from" if len(tagged) == len(pages) else f"reading {len(tagged)} of"
            step.note(f"{learning} {counted(len(pages), 'article')}")

        found = learn_map((PagePlace(page) for page in pages), LearnOptions(), note)
        extraction_map = found.extraction_map
        step.done(
            f"learned from {len(found.records)} of them: {counted(len(extraction_map.fields), 'field')}, "
            f"{counted(len(extraction_map.rules), 'rule')}"
        )
    return found


def _read(found: LearnedMap, pages: Sequence[Page], steps: Steps) -> list[Record]:
    with steps.step("records", "reading") as step:
        reader = MapReader(found.extraction_map)
        records = []
        for number, page in enumerate(pages, 1):
            step.note(f"reading {number} of {len(pages)}")
            records.append(reader.extract(parse(page)))
        step.done(f"{len(records):,} read with this map")
    return records
