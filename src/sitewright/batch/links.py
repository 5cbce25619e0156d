"""Index pages in, their links judged out: pages are read in worker processes, all of a host are judged in this one."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter
from typing import NamedTuple

from sitewright.batch.extract import failure_of, work_on
from sitewright.errors import NoLinks, PageError, SitewrightError
from sitewright.fetch import Place
from sitewright.links import (
    Feed,
    Judged,
    LearnedIndex,
    PageLinks,
    entry_for,
    is_feed,
    judge,
    learn_index,
    links_of_feed,
    load_model,
    read_feed,
    read_page,
    select_links,
)
from sitewright.parse import Document, absolute_url, host_of, parse
from sitewright.types import DEFAULT_DOMAIN, ExtractionMap, Failure, Limits, LinkSet, Page

SNAPSHOTS = 5
"""So many snapshots of an index page its selectors are learned from; on fold 1 they find more links of later snapshots
than those of one or three (`bench.links selectors`)."""
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class ReadPage(NamedTuple):
    """What was read of a page: its links, to be judged with those of its site; a finished set of them; or a failure."""

    links: PageLinks | None = None
    finished: LinkSet | None = None
    failure: Failure | None = None
    place: Place | None = None
    """Where it is, if it is to be looked at again; many places hold the whole page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksJob:
    """Reads the links of pages; with a map, its selectors decide about them at once."""

    limits: Limits = field(default_factory=Limits)
    extraction_map: ExtractionMap | None = None
    keep_places: bool = False
    """Whether selectors are to be learned from the pages afterwards."""

    def start(self) -> Callable[[Place], ReadPage]:
        """Load the model, where one is needed, and return the function that reads one page."""
        read = self._by_model() if self.extraction_map is None else self._by_map(self.extraction_map)

        def work(place: Place) -> ReadPage:
            return _of_feed(place, self.limits) or work_on(
                place,
                self.limits,
                lambda document: read(place, document),
                lambda failure: ReadPage(failure=failure),
                working="links",
            )

        return work

    def _by_model(self) -> Callable[[Place, Document], ReadPage]:
        networks = load_model().networks

        def read(place: Place, document: Document) -> ReadPage:
            links = read_page(document, networks)
            if not links.pages:
                raise NoLinks(_why_none(document))
            return ReadPage(links, place=place if self.keep_places else None)

        return read

    def _by_map(self, extraction_map: ExtractionMap) -> Callable[[Place, Document], ReadPage]:
        def read(_place: Place, document: Document) -> ReadPage:
            entry = entry_for(document.url, extraction_map.index)
            if entry is None:
                raise NoLinks("the map's index has no selectors of article links")
            found = select_links(document, entry, extraction_map.domain)
            if not found.links:
                raise NoLinks(_why_none(document))
            return ReadPage(finished=found)

        return read

    def weigh(self, task: Place) -> int:
        """Return about how many bytes the page has."""
        return task.size

    def fail(self, task: Place, error: PageError) -> ReadPage:
        """Return the page that killed its worker or ran out of time."""
        return ReadPage(failure=failure_of(task, error, "links"))


def _why_none(document: Document) -> str:
    """Say why a page has no links: where it has no address, those written without one lead nowhere."""
    told = "the page has no links to web pages"
    return told if absolute_url("/", document.base_url) else f"{told}; its own URL, which links start from, is missing"


def _of_feed(place: Place, limits: Limits) -> ReadPage | None:
    """Return what a stored feed or sitemap lists; None where the page is neither, or cannot be worked on at all."""
    try:
        page = place.load()
    except SitewrightError:
        return None  # whoever works on it as a page will say why
    try:
        found = feed_of(page, limits)
    except PageError as error:
        return ReadPage(failure=Failure(page.url or place.name, "links", error.code, str(error)))
    return ReadPage(finished=found[1]) if found is not None else None


def feed_of(page: Page, limits: Limits) -> tuple[Feed, LinkSet] | None:
    """Return a feed or sitemap and what it lists; None where the page is neither."""
    if page.status >= 400 or len(page.body) > limits.page_bytes or not is_feed(page.body):
        return None
    feed = read_feed(page.body, page.location)
    links = links_of_feed(feed, page.location, page.fetched_at)
    if not links.links:
        raise NoLinks("the feed or sitemap lists nothing")
    return feed, links


@dataclass(frozen=True, slots=True)
class JudgedPages:
    """Pages in their order, and the decisions about the links of their sites."""

    pages: Sequence[ReadPage]
    sites: Mapping[str, Judged]
    """By what `site_of` says of their pages."""

    def clusters(self) -> dict[str, str]:
        """Return the selector of the cluster of each link that is in one, by where it leads."""
        return {page: selector for judged in self.sites.values() for page, selector in judged.clusters.items()}

    def outcomes(self) -> Iterator[LinkSet | Failure]:
        """Yield for each page its links, or why there are none."""
        sets = {site: iter(judged.sets()) for site, judged in self.sites.items()}
        for page in self.pages:
            if page.failure is not None:
                yield page.failure
            elif page.finished is not None:
                yield page.finished
            elif page.links is not None:
                yield next(sets[site_of(page.links.url)])


def judge_pages(pages: Iterable[ReadPage], domain: str = DEFAULT_DOMAIN) -> JudgedPages:
    """Judge the links of pages, those of one host together."""
    read = list(pages)
    sites: dict[str, list[PageLinks]] = defaultdict(list)
    for page in read:
        if page.links is not None:
            sites[site_of(page.links.url)].append(page.links)
    model = load_model() if sites else None
    return JudgedPages(read, {site: judge(own, model, domain) for site, own in sites.items() if model is not None})


def site_of(url: str) -> str:
    """Return what pages are judged together by: the host; pages without one are judged by themselves."""
    return host_of(url) or url


def learn_indexes(judged: JudgedPages, limits: Limits) -> list[LearnedIndex]:
    """Learn the entries of all index pages for a map, from their latest snapshots; their places must be kept."""
    pages: dict[str, list[tuple[datetime, Place]]] = defaultdict(list)
    for page in judged.pages:
        if page.links is not None and page.place is not None:
            pages[page.links.url].append((page.links.time or _LONG_AGO, page.place))
    learned = [_learned(own, judged.sites[site_of(url)], limits) for url, own in pages.items()]
    return [index for index in learned if index is not None]


def _learned(snapshots: Sequence[tuple[datetime, Place]], judged: Judged, limits: Limits) -> LearnedIndex | None:
    articles = {page for page, link in judged.links.items() if link.is_item}
    latest = sorted(snapshots, key=itemgetter(0))[-SNAPSHOTS:]
    return learn_index([parse(place.load(), limits) for _, place in latest], articles)
