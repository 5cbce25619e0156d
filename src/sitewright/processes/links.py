"""Stored index pages in, their links out, to be judged with those of their site."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sitewright.errors import NoLinks, PageError, SitewrightError
from sitewright.fetch import Place
from sitewright.links import (
    entry_for,
    load_model,
    read_page,
    select_links,
)
from sitewright.links.anchors import refuse_too_many
from sitewright.parse import Document, absolute_url
from sitewright.processes.work import failure_of, work_on
from sitewright.reading.index import ReadPage, feed_of
from sitewright.types import ExtractionMap, Failure, Limits


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
                lambda document: read(place, self._few(document)),
                lambda failure: ReadPage(failure=failure),
                working="links",
            )

        return work

    def _few(self, document: Document) -> Document:
        refuse_too_many(document, self.limits.links)
        return document

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
