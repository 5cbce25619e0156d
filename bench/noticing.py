"""How soon a change of a site is noticed, and how often one is noticed where there is none.

    python -m bench.noticing [--only calm real changed] [--papers N] [--folds 1 2 3 4] [--workers 2]

"calm": pages of generated papers, none of which changes. "real": pages of real sites (of the corpora beside the
repository), visited over and over. "changed": generated papers that are redesigned, and real ones (bench.mutate). Maps
are learned as a collector does, and each page goes through all that a collector does with it: read with the map, by the
tagger where the map fails, observed, compared with the baselines. Tables are printed, figures go to bench/results/.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from bench.labelled import spread
from bench.markdown import markdown
from bench.mutate import STRENGTHS, Strength, redesign
from bench.reading import page_url
from bench.samples import has_shared
from bench.sites import MAP_SECONDS, VALIDATION, site_rows
from sitewright.demo import CLASSIC, REBUILT, RENAMED, LivingPaper
from sitewright.errors import PageError, SitewrightError
from sitewright.fetch import PagePlace
from sitewright.notice.baselines import SiteBaseline
from sitewright.notice.incidents import IncidentLog
from sitewright.notice.observation import unpack_observation
from sitewright.processes.pool import BATCH_BYTES, Pool
from sitewright.processes.tasks import pack_map, read_item
from sitewright.reading.learn import Tagged, learn, tag
from sitewright.reading.mapped import Doubt
from sitewright.types import ExtractionMap, Limits, Page

LEARNED_FROM = 24
USED_TO = 200
"""Visits before a paper changes."""
AFTER = 60
ROUNDS = 5
"""So often the pages of a real site are visited."""
LEAST_PAGES = 8
START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
LANGUAGES = ("en", "de", "fr", "ru", "zh", "ar", "el", "hi", "ja")
WHOLE, REQUIRED, OPTIONAL = "whole pages", "required field", "optional field"
RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True, slots=True)
class Change:
    """What a site became: its pages then."""

    name: str
    pages: Sequence[Page]


@dataclass(frozen=True, slots=True)
class Site:
    """Pages to learn from, pages to visit that are as before, and what the site may become."""

    name: str
    samples: Sequence[Page]
    visits: Sequence[Page]
    changes: Sequence[Change] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What was noticed: incidents without a reason, and after a change when what was noticed first."""

    name: str
    visits: int = 0
    alarms: Sequence[str] = ()
    noticed: Sequence[tuple[str, str, int | None]] = ()
    """By change: what broke for good, and after how many affected pages it was noticed (None: never)."""
    failed: str = ""


@dataclass(slots=True)
class Watcher:
    """A site's map and baselines, page by page."""

    extraction_map: ExtractionMap
    baseline: SiteBaseline = field(default_factory=SiteBaseline)
    log: IncidentLog = field(default_factory=lambda: IncidentLog("site"))
    doubts: frozenset[Doubt] = frozenset()
    told: list[str] = field(default_factory=list)
    """All incidents so far."""

    def visit(self, page: Page, *, only_learn: bool = False) -> set[str]:
        """Take in a page; return which of its fields the map alone reads."""
        observed = unpack_observation(read_item(Limits(), page, pack_map(self.extraction_map, self.doubts)).observation)
        noted = self.log.note(self.baseline.observe(observed, only_learn=only_learn), self.baseline)
        self.told += [f"{one.template}/{one.field or WHOLE} {one.kind}" for one in noted if one.is_open]
        self.doubts = frozenset(Doubt(one.template, one.field) for one in self.log.open if one.field)
        return set(observed.found)


def watch(make: Callable[[], Site]) -> Seen:
    """Learn a site, visit it, and change it."""
    site = make()
    try:
        tagged = [Tagged(PagePlace(page), tag(Limits(), page, "news")) for page in site.samples]
        extraction_map = learn(Limits(), tagged, "news").extraction_map
    except SitewrightError as error:
        return Seen(site.name, failed=error.code)
    noticed: list[tuple[str, str, int | None]] = []
    watcher = settled(extraction_map, site)
    calm = list(watcher.told)
    for change in site.changes:
        changed = settled(extraction_map, site) if noticed else watcher
        noticed += [(change.name, about, pages) for about, pages in until_noticed(changed, site, change)]
    return Seen(site.name, len(site.visits), calm, noticed)


def settled(extraction_map: ExtractionMap, site: Site) -> Watcher:
    """Return a watcher that has visited all pages of a site."""
    watcher = Watcher(extraction_map)
    for page in site.samples:
        watcher.visit(page, only_learn=True)
    for page in site.visits:
        watcher.visit(page)
    return watcher


def until_noticed(watcher: Watcher, site: Site, change: Change) -> Iterator[tuple[str, int | None]]:
    """Yield of each field that nearly all pages had, and none has after a change, when that was noticed."""
    before = [watcher_fields(watcher, page) for page in site.visits[-AFTER:]]
    after = [watcher_fields(watcher, page) for page in change.pages]
    first: dict[str, int] = {}
    for number, page in enumerate(change.pages, 1):
        known = len(watcher.told)
        watcher.visit(page)
        for about in watcher.told[known:]:
            first.setdefault(_field_of(about), number)
    counts, left = (Counter(name for names in part for name in names) for part in (before, after))
    for name, times in counts.items():
        if times >= 0.95 * len(before) and not left[name]:
            found = [first[key] for key in (name, WHOLE) if key in first]
            kind = REQUIRED if name in {"title", "text"} else OPTIONAL
            yield f"{kind} {name}", min(found, default=None)


def watcher_fields(watcher: Watcher, page: Page) -> set[str]:
    """Return the fields that the map alone reads of a page."""
    observed = unpack_observation(read_item(Limits(), page, pack_map(watcher.extraction_map)).observation)
    return set(observed.found)


def _field_of(told: str) -> str:
    field_and_kind = told.partition("/")[2]
    return WHOLE if field_and_kind.startswith(WHOLE) else field_and_kind.partition(" ")[0]


def paper(seed: int, language: str, visits: int, *, changes: bool) -> Site:
    """Make a generated paper."""
    base = f"http://paper-{seed}.example"
    hours = visits  # one story an hour
    make = partial(
        LivingPaper,
        seed,
        language=language,
        base_url=base,
        start=START,
        hours=hours,
        stories=visits + LEARNED_FROM + AFTER,
        before=LEARNED_FROM,
    )
    end = START + timedelta(hours=hours)

    def pages(design: Any) -> list[Page]:
        own = make(design=design)
        paths = list(reversed(own.published(end)))  # the oldest first
        served = ((path, own.page(path, end)) for path in paths)
        return [
            Page(url=f"{base}{path}", body=page.html, fetched_at=START + timedelta(hours=number))
            for number, (path, page) in enumerate(served)
            if page is not None
        ]

    known = pages(CLASSIC)
    new = [Change(one.name, pages(one)[-AFTER:]) for one in (RENAMED, REBUILT)] if changes else []
    return Site(f"paper {seed} ({language})", known[:LEARNED_FROM], known[LEARNED_FROM : LEARNED_FROM + visits], new)


def real_site(name: str, rows: Sequence[dict[str, Any]], strengths: Sequence[Strength]) -> Site:
    """Make a site of labelled pages: learned from the first half, visited over and over."""
    own = [Page(url=page_url(row, number), body=row["html"], fetched_at=START) for number, row in enumerate(rows)]
    moments = (START + timedelta(minutes=number) for number in range(10**9))
    visits = [replace(page, fetched_at=next(moments)) for _ in range(ROUNDS) for page in own]
    changes = []
    for strength in strengths:
        seed = sum(name.encode())
        new = [replace(page, body=redesign(str(page.body), strength, seed)) for page in own] * (AFTER // len(own) + 1)
        changes.append(Change(strength, [replace(page, fetched_at=next(moments)) for page in new]))
    return Site(name, own[: max(LEAST_PAGES // 2, len(own) // 2)], visits, changes)


@dataclass(frozen=True, slots=True)
class WatchJob:
    """Watches sites."""

    def start(self) -> Callable[[Callable[[], Site]], Seen]:
        """Return the function that watches one."""
        return watch

    def weigh(self, task: Callable[[], Site]) -> int:  # noqa: ARG002 -- what a job has to have
        """Return as much as fills a batch."""
        return BATCH_BYTES

    def fail(self, task: Callable[[], Site], error: PageError) -> Seen:  # noqa: ARG002 -- what a job has to have
        """Return what is known of a site that it crashed on."""
        return Seen("?", failed=error.code)


def show_calm(title: str, seen: Sequence[Seen]) -> dict[str, Any]:
    """Print how many incidents there were where nothing changed."""
    visits = sum(one.visits for one in seen)
    false = [(one.name, alarm) for one in seen for alarm in one.alarms]
    print(f"\n### {title}\n\n{visits:,} visits to {len(seen)} sites, {len(false)} incidents")
    for name, alarm in false:
        print(f"- {name}: {alarm}")
    failed = Counter(one.failed for one in seen if one.failed)
    if failed:
        print("not learned:", dict(failed))
    return {"visits": visits, "sites": len(seen), "incidents": len(false), "failed": dict(failed)}


def show_changed(title: str, seen: Sequence[Seen]) -> dict[str, Any]:
    """Print after how many affected pages changes were noticed."""
    rows, figures = [], {}
    noticed = [(change, about, pages) for one in seen for change, about, pages in one.noticed]
    for change in dict.fromkeys(change for change, _, _ in noticed):
        for kind in (REQUIRED, OPTIONAL):
            own = [pages for name, about, pages in noticed if name == change and about.startswith(kind)]
            if not own:
                continue
            known = [pages for pages in own if pages is not None]
            cells = (len(own), median(known) if known else "–", max(known, default="–"), len(own) - len(known))
            rows.append([f"{change}: {kind}s", *map(str, cells)])
            figures[f"{change}: {kind}"] = dict(zip(("lost", "median", "most", "never"), cells, strict=True))
    print(f"\n### {title}\n")
    print(markdown(["", "lost", "pages until noticed (median)", "most", "never"], rows))
    return figures


def run(parts: Sequence[str], papers: int, folds: Sequence[int], workers: int) -> dict[str, Any]:
    """Do the parts."""
    figures: dict[str, Any] = {}
    pool: Pool[Callable[[], Site], Seen] = Pool(WatchJob(), workers, MAP_SECONDS)

    def watched(makers: Iterable[Callable[[], Site]]) -> list[Seen]:
        return list(pool.run(iter(makers)))

    if "calm" in parts:
        makers = [
            partial(paper, seed, LANGUAGES[seed % len(LANGUAGES)], 1000, changes=False) for seed in range(1, papers + 1)
        ]
        figures["calm"] = show_calm("Generated papers that do not change", watched(makers))
    if "real" in parts or "changed" in parts:
        groups = site_rows(folds) if has_shared() else {}
        large = {name: rows for name, rows in groups.items() if len(rows) >= LEAST_PAGES}
        strengths = [one for one in STRENGTHS if one != "weak"] if "changed" in parts else []
        seen = watched([partial(real_site, name, large[name], strengths) for name in spread(sorted(large), 40)])
        if seen:
            figures["real"] = show_calm("Real sites that do not change", seen)
            figures["real, changed"] = show_changed("Real sites, redesigned", seen)
    if "changed" in parts:
        makers = [
            partial(paper, seed, LANGUAGES[seed % len(LANGUAGES)], USED_TO, changes=True)
            for seed in range(101, 101 + papers)
        ]
        figures["changed"] = show_changed("Generated papers, redesigned", watched(makers))
    return figures


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=["calm", "real", "changed"], choices=("calm", "real", "changed"))
    parser.add_argument("--papers", type=int, default=10)
    parser.add_argument("--folds", type=int, nargs="+", default=[VALIDATION])
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    figures = run(given.only, given.papers, given.folds, given.workers)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "noticing.json").write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
