"""Pages in, what others made of them out: a collector has its pages worked on in other processes."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Any, Concatenate, NamedTuple, ParamSpec, Self, TypeVar

from sitewright.errors import PageError, TooManyLinks
from sitewright.fetch import PagePlace
from sitewright.fetch.data_calls import DataCall
from sitewright.fetch.fingerprint import Decision, Level
from sitewright.heal.known import KnownPage
from sitewright.heal.repaired import RepairedMap
from sitewright.heal.sources import HealedIndex
from sitewright.links import Feed
from sitewright.processes import repairs, tasks
from sitewright.processes.here import WorkersHere
from sitewright.processes.places import StoredPlace
from sitewright.processes.pool import BATCH_BYTES
from sitewright.processes.repairs import PlacedPage
from sitewright.processes.reread import Reread
from sitewright.processes.tasks import ItemRead, PackedMap
from sitewright.processes.work import failure_from
from sitewright.processes.workers import Workers
from sitewright.reading import feeds, index, learn, levels, rendering
from sitewright.reading.designs import Design
from sitewright.reading.feeds import SitemapRead
from sitewright.reading.index import IndexRead, SiteRead
from sitewright.reading.learn import MapLearned, Tagged
from sitewright.reading.levels import SeenPage
from sitewright.reading.mapped import Doubt
from sitewright.reading.rendering import OfferedCall
from sitewright.types import DEFAULT_DOMAIN, ExtractionMap, Failure, IndexPage, Limits, Page, TaggedPage

LEARNING_SECONDS = 120.0
"""What learning may take, or a page, if that is more: forty pages take about ten seconds, long ones a minute."""
_MOST_PACKED = 100
_PRELOADED = ("sitewright.processes.readers",)
_Designs = tuple[Design, ...]
P = ParamSpec("P")
T = TypeVar("T")


class _About(NamedTuple):
    """What a failure of a task speaks of, and how much of a batch the task fills."""

    url: str
    stage: str
    size: int = BATCH_BYTES


class _Task(NamedTuple):
    about: _About
    work: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Job:
    """Does tasks of all kinds; what goes wrong is a failure of the task's page."""

    limits: Limits

    def start(self) -> Callable[[_Task], Any]:
        return self._do

    def _do(self, task: _Task) -> Any:
        try:
            return task.work(self.limits, *task.arguments)
        except Exception as error:  # noqa: BLE001 -- the worker's last resort: this task fails, the others go on
            return failure_from(error, task.about.url, task.about.stage)

    def weigh(self, task: _Task) -> int:
        return task.about.size

    def fail(self, task: _Task, error: PageError) -> Failure:
        return failure_from(error, task.about.url, task.about.stage)


class Readers:
    """Has pages worked on in other processes; open it with `async with`. What cannot be done is a `Failure`."""

    def __init__(self, limits: Limits | None = None, workers: int = 0) -> None:
        held = limits or Limits()
        self._workers = self._started(_Job(held), workers, held.page_seconds)
        self._long = max(LEARNING_SECONDS, held.page_seconds)
        self._packed: dict[tuple[tuple[int, frozenset[Doubt]], ...], tuple[_Designs, PackedMap]] = {}

    def _started(self, job: _Job, workers: int, seconds: float) -> "Workers[_Task, Any] | WorkersHere[_Task, Any]":
        return Workers(job, workers, seconds, _PRELOADED)

    async def __aenter__(self) -> Self:
        await self._workers.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._workers.__aexit__(kind, error, trace)

    async def read_item(
        self,
        page: Page,
        extraction_map: ExtractionMap,
        doubts: frozenset[Doubt] = frozenset(),
        former: tuple[Design, ...] = (),
        *,
        is_part: bool = False,
    ) -> ItemRead | Failure:
        """Read a page of a story or a product; fields in doubt are read by the tagger, former designs by their maps."""
        about = _About(page.url, "extract", len(page.body))
        packed = self._travelling(extraction_map, doubts, former)
        return await self._have(about, None, tasks.read_item, page, packed, is_part)

    async def observe_known(self, known: KnownPage[PagePlace], extraction_map: ExtractionMap) -> bytes | Failure:
        """Observe the page of a known item as it is now, packed."""
        about = _About(known.page.name, "extract", known.page.size)
        packed = self._travelling(extraction_map, frozenset())
        return await self._have(about, None, repairs.observe_known, known, packed)

    async def read_index(
        self, page: Page, entry: IndexPage | None, domain: str = DEFAULT_DOMAIN
    ) -> IndexRead | Failure:
        """Read a feed, a sitemap, or an index page: by the selectors of its entry, or by the model if they fail."""
        return await self._have(_About(page.url, "links"), None, index.read_index, page, entry, domain)

    async def look_at(self, page: Page, domain: str, site: str) -> SeenPage | Failure:
        """Tell what a page of a site with levels is, what it lists, and where its links stand."""
        return await self._have(_About(page.url, "links"), None, levels.look_at, page, domain, site)

    async def learn_levels(
        self, pages: Sequence[Page], items: Collection[str], lists: Collection[str], url: str
    ) -> IndexPage | Failure:
        """Learn the selectors by which the pages of a site list items and further lists."""
        about, known = _About(url, "links"), (frozenset(items), frozenset(lists))
        return await self._have(about, self._long, levels.learn_levels, tuple(pages), *known, url)

    async def read_site(self, pages: Sequence[Page]) -> SiteRead | Failure:
        """Judge the index pages of a site together, and learn selectors of their article links."""
        return await self._have(_About(pages[0].url, "links"), self._long, index.read_site, tuple(pages))

    async def read_feed(self, page: Page) -> Feed | Failure:
        """Read a feed or sitemap."""
        return await self._have(_About(page.url, "links"), None, feeds.read_one_feed, page)

    async def read_sitemap(self, page: Page, articles: Sequence[str], since: datetime) -> SitemapRead | Failure:
        """Read a sitemap for articles since a day, told by the addresses of known ones."""
        about = _About(page.url, "links")
        return await self._have(about, self._long, feeds.read_sitemap, page, tuple(articles), since)

    async def compare(
        self, static: Page, rendered: Page, calls: Sequence[DataCall], level: Level
    ) -> tuple[Decision, list[OfferedCall]] | Failure:
        """Tell whether pages like this need a browser, and which calls bring its content."""
        about = _About(static.url, "fetch")
        return await self._have(about, None, rendering.compare, static, rendered, tuple(calls), level)

    async def too_many_links(self, page: Page) -> Failure | None:
        """Tell of a page that it is no index page which is read, as it has too many links; None: of those it is not."""
        refused = await self._have(_About(page.url, "links"), None, index.count_links, page)
        return refused if isinstance(refused, Failure) and refused.code == TooManyLinks.code else None

    async def tag(self, page: Page, domain: str) -> TaggedPage | Failure:
        """Tag a page to learn from."""
        return await self._have(_About(page.url, "tag"), None, learn.tag, page, domain)

    async def learn(self, tagged: Sequence[Tagged], domain: str) -> MapLearned | Failure:
        """Learn a map from tagged pages."""
        url = tagged[0].place.name if tagged else ""
        return await self._have(_About(url, "learn"), self._long, learn.learn, tuple(tagged), domain)

    async def heal_map(
        self, old: ExtractionMap, pages: Sequence[PlacedPage], now: datetime, sure: float
    ) -> RepairedMap | Failure:
        """Repair a map for what the site looks like now."""
        about = _About(old.site, "heal")
        return await self._have(about, self._long, repairs.heal_map, old, tuple(pages), now, sure)

    async def heal_entry(self, entry: IndexPage, page: Page, known: frozenset[str]) -> HealedIndex | Failure:
        """Find new selectors for an index page; `known` are signatures of articles."""
        return await self._have(_About(page.url, "heal"), self._long, repairs.heal_entry, entry, page, known)

    async def reread(
        self,
        place: StoredPlace,
        extraction_map: ExtractionMap,
        doubts: frozenset[Doubt] = frozenset(),
        former: tuple[Design, ...] = (),
    ) -> Reread | Failure:
        """Read a page of the archive once more."""
        about = _About(place.url, "extract", 5 * place.location.length)
        return await self._have(about, None, repairs.reread, place, self._travelling(extraction_map, doubts, former))

    def _travelling(
        self, extraction_map: ExtractionMap, doubts: frozenset[Doubt], former: tuple[Design, ...] = ()
    ) -> PackedMap:
        """Return maps in the form in which they travel; the last ones are remembered."""
        designs = (Design(extraction_map, doubts), *former)
        key = tuple((id(design.map), design.doubts) for design in designs)
        known = self._packed.get(key)
        if known is None or any(own.map is not one.map for own, one in zip(known[0], designs, strict=True)):
            if len(self._packed) >= _MOST_PACKED:
                self._packed.clear()
            known = self._packed[key] = (designs, tasks.pack_map(extraction_map, doubts, former))
        return known[1]

    async def _have(
        self,
        about: _About,
        seconds: float | None,
        work: Callable[Concatenate[Limits, P], T],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> T | Failure:
        """Have a function called in another process."""
        if named:
            raise TypeError("arguments travel by their place")
        outcome: T | Failure = await self._workers.do(_Task(about, work, arguments), seconds)
        return outcome


class ReadersHere(Readers):
    """Works on pages in this process, one after the other: for tests and notebooks."""

    def _started(self, job: _Job, workers: int, seconds: float) -> WorkersHere[_Task, Any]:  # noqa: ARG002
        return WorkersHere(job)
