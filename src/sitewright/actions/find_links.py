"""Index pages in, a decision about each of their links out, and the selectors that find those that lead to articles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice

from sitewright.actions.inputs import Inputs
from sitewright.actions.telling import Tell, nobody
from sitewright.domains import DEFAULT_DOMAIN, load_domain
from sitewright.errors import MapError, MixedSites, NoStableRule
from sitewright.fetch import Fetcher
from sitewright.links import LearnedIndex, is_feed, merge_feeds
from sitewright.maps import dump_map, load_map, parse_map, save_map
from sitewright.output.link_report import write_link_report
from sitewright.parse import host_of, owner_of, parse
from sitewright.processes.links import LinksJob
from sitewright.processes.pool import Pool
from sitewright.reading.feeds import FetchOnce, find_feeds
from sitewright.reading.index import JudgedPages, ReadPage, judge_pages, learn_indexes
from sitewright.types import ExtractionMap, Failure, Limits, LinkSet, Page, Template


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOptions:
    """How links are judged."""

    extraction_map: ExtractionMap | None = None
    """A map whose selectors decide; None: the model does."""
    to_learn: bool = False
    """Whether selectors are to be learned afterwards."""
    domain: str = DEFAULT_DOMAIN
    """What kind of site the pages are of."""
    limit: int | None = None
    """Stop after so many pages."""
    jobs: int = 0
    """Processes to use; 0: one a core."""
    limits: Limits = field(default_factory=Limits)


class LinkFinder:
    """Reads all pages before any is judged: what stands on one tells of the others.

    An interrupt while pages are read, or feeds looked for, leaves what there is by then: it can be judged all the same.
    """

    def __init__(self, sources: Sequence[str], fetcher: Fetcher, options: LinkOptions) -> None:
        """Open all files; fetch nothing yet. The fetcher stays the caller's to close."""
        self._options = options
        self._fetcher = FetchOnce(fetcher)
        self.sources = Inputs(sources, self._fetcher, options.limit)
        self._read: list[ReadPage] = []
        self._judged: JudgedPages | None = None
        self.outcomes: list[LinkSet | Failure] = []
        """Of each page, in their order: its links, or why there are none."""

    def read(self, note: Callable[[ReadPage], None] = nobody) -> None:
        """Read until the end, or until an input breaks off (`InputError`); what came before is kept."""
        options = self._options
        job = LinksJob(limits=options.limits, extraction_map=options.extraction_map, keep_places=options.to_learn)
        pool = Pool(job, options.jobs, options.limits.page_seconds)
        for page in pool.run(islice(self.sources.places(), options.limit)):
            self._read.append(page)
            note(page)

    def judge(self) -> None:
        """Decide about all links that were read."""
        self._judged = judge_pages(self._read, self._options.domain)
        self.outcomes = list(self._judged.outcomes())

    def add_feeds(self, tell: Tell = nobody) -> None:
        """Merge what feeds and sitemaps list into the links of fetched pages."""
        for number, outcome in enumerate(self.outcomes):
            page = self._fetched(outcome) if isinstance(outcome, LinkSet) else None
            if not isinstance(outcome, LinkSet) or page is None or is_feed(page.body):
                continue
            feeds = find_feeds(parse(page, self._options.limits), self._fetcher, tell)
            self.outcomes[number] = merge_feeds(outcome, feeds)

    def _fetched(self, links: LinkSet) -> Page | None:
        """Return the page of the web that these links are on; None where they are on a stored one."""
        pages = self._fetcher.pages
        return next((page for page in pages if (links.url, links.time) == (page.location, page.fetched_at)), None)

    def write_report(self, target: str) -> None:
        """Write a page that shows the links by decision and by cluster."""
        clusters = self._judged.clusters() if self._judged is not None else {}
        write_link_report(target, self.outcomes, clusters, self._options.domain)

    def learn(self) -> list[LearnedIndex]:
        """Return selectors that find the article links of each page."""
        return learn_indexes(self._judged, self._options.limits) if self._judged is not None else []


def deciding_map(path: str) -> ExtractionMap:
    """Load a map whose selectors decide; one without any is refused before any work is done."""
    extraction_map = load_map(path)
    if not any(entry.items for entry in extraction_map.index):
        raise MapError(f"{path} has no selectors of article links in its index; learn some with --write-map {path}")
    return extraction_map


def write_index(target: str, kept: ExtractionMap | None, learned: Sequence[LearnedIndex]) -> ExtractionMap:
    """Put learned entries into a map (None: a new one) and write it: entries of other pages stay as they are."""
    _refuse_unlearned(target, kept, learned)
    before = kept if kept is not None else _new_map(host_of(learned[0].entry.url))
    entries = {entry.url: entry for entry in before.index}
    for index in learned:
        entry = entries.get(index.entry.url, index.entry)
        entries[entry.url] = replace(entry, items=index.entry.items)
    changed = kept is not None and kept.index != tuple(entries.values())
    after = replace(before, index=tuple(entries.values()), version=before.version + changed)
    parse_map(dump_map(after), target)  # what would not load again is not written
    save_map(after, target, overwrite=True)
    return after


def _refuse_unlearned(target: str, kept: ExtractionMap | None, learned: Sequence[LearnedIndex]) -> None:
    left = f"{target} is left as it is" if kept is not None else f"{target} is not written"
    if not learned:
        raise NoStableRule(f"no selector finds the article links of these pages and little else; {left}")
    sites = sorted({owner_of(host_of(index.entry.url)) for index in learned})
    if len(sites) > 1:
        raise MixedSites(f"the pages are of {len(sites)} sites ({', '.join(sites[:4])}): a map for each; {left}")


def _new_map(site: str) -> ExtractionMap:
    """Return a map to put entries into; a map has a template, which is without rules until some are learned."""
    now = datetime.now(UTC).replace(microsecond=0)
    return ExtractionMap(
        site=site or "unknown", learned_at=now, templates=(Template(name=load_domain(DEFAULT_DOMAIN).item.kind),)
    )
