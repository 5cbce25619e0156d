"""Pages of a site in, its map out, and pages read by it."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Self

from sitewright.actions.learn_map import MOST_PAGES, LearnOptions, examples_of
from sitewright.domains import DEFAULT_DOMAIN
from sitewright.errors import MapExists, SitewrightError, TooFewPages
from sitewright.fetch import Place
from sitewright.maps import dump_map, load_map, save_map
from sitewright.parse import parse
from sitewright.python.links import select_by_map
from sitewright.python.pages import Html, Pages, is_address, page_of, places_of
from sitewright.python.records import Record
from sitewright.reading.designs import design_reader
from sitewright.reading.explain import ExplainedField, explain_record
from sitewright.reading.learn import Tagged, tag
from sitewright.reading.learn import learn as learn_tagged
from sitewright.reading.stated import displayed, displaying_reader
from sitewright.types import ExtractionMap, Failure, FetchSettings, IndexPage, Limits, Link, Rule
from sitewright.values.words import counted

_LIMITS = Limits()


@dataclass(frozen=True, slots=True, repr=False)
class SiteMap:
    """How a site is read: which selectors give which fields. `learn` makes one, `SiteMap.load` reads a file."""

    extraction_map: ExtractionMap
    """All that the map holds."""
    heading: str = ""
    """What a person should know about it, as it stands above its file."""
    warnings: tuple[str, ...] = ()
    """What a person should look at."""

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a map file; `MapError` says what is wrong with it, and where."""
        return cls(load_map(Path(path)))

    @property
    def site(self) -> str:
        """The name of the site."""
        return self.extraction_map.site

    @property
    def domain(self) -> str:
        """What kind of site it is."""
        return self.extraction_map.domain

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that there are rules for."""
        return self.extraction_map.fields

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of all kinds of pages."""
        return self.extraction_map.rules

    @property
    def index(self) -> tuple[IndexPage, ...]:
        """The pages that list others, and the selectors of the links that matter there."""
        return self.extraction_map.index

    @property
    def text(self) -> str:
        """The map as its file has it."""
        return dump_map(self.extraction_map, heading=self.heading)

    def read(self, html: Html, url: str = "", *, stated: bool = True) -> Record:
        """Read a page of the site; what a learned map does not know of it, the tagger reads (`record.via` says so).

        With `stated=False` authors, categories, tags and updates are left out that the page only states in metadata.
        """
        page = page_of(html, url)
        document = parse(page, _LIMITS)
        if not stated:
            return Record.of(displayed(displaying_reader(self.extraction_map).extract(document)), page)
        return Record.of(design_reader(self.extraction_map).read(document).record, page)

    def explain(self, html: Html, url: str = "") -> dict[str, ExplainedField]:
        """Tell of each value that is read from a page which rule gave it, and where on the page it stands."""
        page = page_of(html, url, call="explain")
        told = explain_record(self.read(page), page, self.extraction_map, _LIMITS)
        return {field.name: field for field in told.fields}

    def find_links(self, html: Html, url: str = "") -> list[Link]:
        """Return the links of an index page, told apart by the map's selectors alone."""
        return select_by_map(html, url, self.extraction_map)

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> None:
        """Write it to a file; one that is there only if told to, and then the comments in it are kept."""
        if Path(path).exists() and not overwrite:
            raise MapExists(f"{os.fspath(path)} exists; it is written over with save(…, overwrite=True)")
        save_map(self.extraction_map, Path(path), overwrite=overwrite, heading=self.heading)

    def __repr__(self) -> str:
        """Show the site, the fields and how much there is."""
        own = self.extraction_map
        much = f"{counted(len(own.templates), 'template')}, {counted(len(self.rules), 'rule')}"
        return f"<SiteMap {self.site} ({self.domain}): {', '.join(self.fields) or 'no fields'}; {much}>"


def learn(
    pages: Pages,
    *,
    url: str = "",
    domain: str = DEFAULT_DOMAIN,
    examples: Mapping[str, str | Iterable[str]] | None = None,
    limit: int = MOST_PAGES,
    fetch: FetchSettings | None = None,
) -> SiteMap:
    """Learn the map of a site from its address, or from some of its pages: two at least, ten or more are better.

    An address (`learn("https://example.com/")`) is the front page of a site: its articles are found and some of them
    fetched, as `fetch` says, then learned from. Else `pages` are HTML texts, bytes, paths, pairs `(url, html)`, rows
    `{"url": …, "html": …}` or Pages, in any iterable; a dict of addresses and HTML; or the path of a folder, a web
    archive or a JSONL file. `url` is the address of those that neither have one nor state one. `examples` are values as
    one of the pages shows them, by field: fields of your own are learned by them. After `limit` pages no more are
    looked at. `LearnError` says why no map can be learned.
    """
    shown = examples_of([f"{name}={value}" for name, values in (examples or {}).items() for value in _several(values)])
    if is_address(pages):
        return _learned_site(pages.strip(), LearnOptions(domain=domain, examples=shown), limit, fetch)
    tagged = list(_tagged(islice(places_of(pages, url), limit), domain))
    failures = [page.failure for page in tagged if page.failure is not None]
    try:
        found = learn_tagged(_LIMITS, tagged, domain, shown)
    except TooFewPages as error:
        raise TooFewPages(f"{error}{_unread(failures)}") from error
    return SiteMap(found.extraction_map, found.heading, tuple(found.warnings))


def _learned_site(url: str, options: LearnOptions, limit: int, fetch: FetchSettings | None) -> SiteMap:
    """Learn a site from its address, in a thread: a notebook has an event loop of its own."""
    from sitewright.actions.learn_site import SiteOptions, learn_site  # noqa: PLC0415 -- only who fetches pays for it

    looking = SiteOptions(fetch=fetch or FetchSettings(), pages=limit)
    with ThreadPoolExecutor(1) as aside:
        found = aside.submit(learn_site, url, options, looking).result()
    return SiteMap(found.extraction_map, found.heading, tuple(found.warnings))


def _several(values: str | Iterable[str]) -> Iterable[str]:
    return (values,) if isinstance(values, str) else values


def _tagged(places: Iterable[Place], domain: str) -> Iterator[Tagged]:
    """Tag pages in this process: the model is loaded once, and no process is started behind a program's back."""
    for place in places:
        name = place.name
        try:
            page = place.load()
            name = page.url or name
            yield Tagged(place, tag(_LIMITS, page, domain))
        except SitewrightError as error:
            yield Tagged(place, None, Failure(name, "tag", error.code, str(error)))


def _unread(failures: Sequence[Failure]) -> str:
    """Tell that there were more pages."""
    if not failures:
        return ""
    first = failures[0]
    return f"; {counted(len(failures), 'page')} could not be read, the first: {first.code}: {first.detail}"
