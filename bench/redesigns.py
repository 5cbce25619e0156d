"""Sites of stored real pages, served, collected, and built anew while they are collected: what the store holds then.

    python -m bench.redesigns [--folds 1] [--sites 10] [--show] [--keep-old]

Each site is learned and collected from its first stories. Then all its pages change (bench.rebuild), the others are
published one by one, and the collector goes on as it does anywhere: on loopback, with its own processes, store and
archive; only its clock is moved. "before": what the learned map reads of the last stories had nothing changed. "after":
what the store holds of them in the end; "accepted": after the repair that waits, if any, is accepted; "again": after
`re-extract`. Only labelled values that the changed pages still display count. Also told: after how many affected pages
the change was noticed, and what is right of the stories from before. `--keep-old` leaves old stories as they were.
With `--quiet-days` nothing changes at all: whatever is noticed then is a false incident; stories come in an order drawn
by lot, as a corpus may list all stories of one kind first, and those of another would be new to the site. A line a site
is printed as soon as it is known, figures go to bench/results/ as JSON. Fold 0 is for the final score: `--show` prints
what went wrong, and refuses it.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import threading
import time
import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from click.testing import CliRunner

from bench.attributes import RIGHT_TEXT, VALUES, keep
from bench.labelled import Row, load_eval, news_rows, spread
from bench.rebuild import rebuild
from bench.samples import has_shared
from sitewright.cli.main import cli
from sitewright.domains import load_domain
from sitewright.heal.search import look_for
from sitewright.notice.words import subject
from sitewright.output.rows import row_of
from sitewright.parse import parse
from sitewright.reading.mapped import MapReader
from sitewright.reading.taggers import tagger_of
from sitewright.store import database
from sitewright.store.database import open_store
from sitewright.store.entries import RecordQuery, WatchedPage
from sitewright.types import FetchSettings, Limits, Page
from sitewright.values.as_json import json_of
from sitewright.watch.clock import Clock
from sitewright.watch.collector import CollectorOptions, open_collector
from sitewright.watch.timing.periods import Timing

START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
STEP = timedelta(minutes=30)
TIMING = Timing(minimum=300.0, maximum=1500.0, goal=300.0, longest_silence=1700.0)
"""Every source is looked at in every step."""
LEAST_PAGES, LEAST_LABELS, MOST_PAGES = 8, 3, 24
FIRST = 0.6
"""The share of a site's stories that are there before it changes."""
WAYS = ("before", "after", "accepted", "again")
Figures = dict[str, Any]
Right = dict[str, bool]


class SteppingClock(Clock):
    """Stands until it is moved, but for a moment a look: no two pages are fetched at the same time."""

    def __init__(self) -> None:
        super().__init__(start=START)
        self._at = START
        self._ticks = count(1)

    def now(self) -> datetime:
        """Return the time."""
        return self._at + timedelta(microseconds=next(self._ticks))

    def move(self, span: timedelta) -> None:
        """Let time pass."""
        self._at += span


@dataclass
class Site:
    """Stories of one site, which are published one after the other, in a design that may change."""

    name: str
    rows: Sequence[Row]
    seed: int
    published: int = 0
    is_rebuilt: bool = False
    keeps_old: bool = False
    """Whether stories from before the change stay as they were."""
    since: int = 0
    """How many stories there were when it changed."""
    made: dict[int, str] = field(default_factory=dict)

    def path(self, number: int) -> str:
        """Return where a story is."""
        parts = urlsplit(self.rows[number].get("url") or f"https://x/page/{number}")
        stem = parts.path.strip("/").replace("//", "/") or "page"
        return quote(f"/{unquote(stem)}-{number}" if parts.query or parts.path in ("", "/") else f"/{unquote(stem)}")

    def new(self, number: int) -> str:
        """Return a story after the change."""
        if number not in self.made:
            self.made[number] = rebuild(self.rows[number]["html"], self.seed)
        return self.made[number]

    def story(self, number: int) -> str:
        """Return a story as it is shown now."""
        is_new = self.is_rebuilt and not (self.keeps_old and number < self.since)
        return self.new(number) if is_new else self.rows[number]["html"]

    def front(self) -> str:
        """Return the front page: the newest story first."""
        items = "".join(
            f'<li class="teaser"><h3 class="teaser-title"><a class="teaser-link" href="{escape(self.path(number))}">'
            f"{escape(_headline(self.rows[number]))}</a></h3></li>"
            for number in reversed(range(self.published))
        )
        menu = "".join(f'<a href="/{name}">{name.title()}</a>' for name in ("about-us", "imprint", "contact"))
        html = (
            f'<html><head><title>News</title></head><body><nav class="menu">{menu}</nav><main class="front">'
            f'<ul class="teasers">{items}</ul></main><footer class="end">All rights reserved.</footer></body></html>'
        )
        return rebuild(html, self.seed) if self.is_rebuilt else html

    def answer(self, path: str) -> str | None:
        """Return what is at an address; None: nothing."""
        if path == "/":
            return self.front()
        number = next((n for n in range(self.published) if self.path(n) == path), None)
        return self.story(number) if number is not None else None


def _headline(row: Row) -> str:
    stated = row["labels"].get("title")
    if stated:
        return str(stated)
    title = parse(Page(url="https://example.com/", body=row["html"])).tree.select_one("title")
    return " ".join((title.text if title is not None else "").split()) or "A story of today from our own newsroom"


@contextmanager
def served(site: Site, host: str) -> Iterator[str]:
    """Serve a site on loopback; yields the address of its front page."""

    class Responder(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            html = site.answer(self.path.partition("?")[0])
            body = (html or "nothing here").encode("utf-8", "replace")
            self.send_response(200 if html is not None else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the library's signature
            pass

    server = ThreadingHTTPServer((host, 0), Responder)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class Outcome:
    """What was seen of a site."""

    name: str
    stories: int = 0
    """Published after the change."""
    right: dict[str, dict[str, list[bool]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    """By way and field."""
    old: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    """Of the stories from before, by way."""
    noticed: int | None = None
    """After how many affected pages."""
    incidents: list[str] = field(default_factory=list)
    """About what, and of which kind."""
    lost: int = 0
    """Stories without a record in the end."""
    healed: int = 0
    waits: bool = False
    seconds: float = 0.0
    failed: str = ""
    notes: list[str] = field(default_factory=list)

    def share(self, way: str) -> float:
        """Return how many of the values are right."""
        found = [one for own in self.right[way].values() for one in own]
        return sum(found) / max(len(found), 1)


class Run:
    """One site, from its first sight to the end."""

    def __init__(self, site: Site, host: str, folder: Path, *, change: bool) -> None:
        self._site, self._host, self._folder, self._change = site, host, folder, change
        self._clock = SteppingClock()
        self._said: list[str] = []
        self._store = f"sqlite:///{folder}/store.db"
        self._outcome = Outcome(site.name)

    def run(self) -> Outcome:
        """Collect the site through its change."""
        site, began = self._site, time.monotonic()
        database.open_store = self._open  # type: ignore[assignment]
        try:
            with served(site, self._host) as url:
                self._run(url)
        finally:
            database.open_store = open_store
        self._outcome.seconds = round(time.monotonic() - began, 1)
        self._outcome.notes += self._said
        return self._outcome

    def _open(self, address: str, **named: Any) -> Any:
        return open_store(address, **{"clock": self._clock.now, **named})

    def _run(self, url: str) -> None:
        site, outcome = self._site, self._outcome
        site.published = site.since = round(len(site.rows) * FIRST)
        with open_store(self._store, clock=self._clock.now) as store:
            self._name = urlsplit(url).hostname or ""
            store.add_site(self._name, url=url)
            store.put_index_pages([WatchedPage(site=self._name, url=url)])
        asyncio.run(self._collect(1))
        with open_store(self._store) as store:
            learned = store.load_map(self._name)
            if learned is None:
                outcome.failed = "not learned"
                return
            before = MapReader(learned.parsed())
        if self._change:
            site.is_rebuilt = True
        new = range(site.since, len(site.rows))
        outcome.stories = len(new)
        wanted = {number: self._displayed(url, number) for number in new}
        for number in new:
            html = site.rows[number]["html"]
            record = before.extract(parse(self._page(url, number, html)), self._clock.now())
            self._score("before", number, json.loads(json_of(row_of(record))), wanted[number])
        self._score_old("before")
        asyncio.run(self._collect(len(new) + 4, publish=True))
        self._score_all("after", new, wanted)
        with open_store(self._store) as store:
            incidents = store.incidents(self._name, open_only=False)
            outcome.incidents = [f"{subject(one)}: {one.kind}" for one in incidents]
            outcome.healed = sum(version.made_by == "healed" for version in store.map_versions(self._name))
            outcome.waits = bool(store.proposals(self._name))
            outcome.notes += [f"{one.failure.code} {one.failure.detail}" for one in store.failures(self._name)]
            articles = [one for one in incidents if one.kind != "unlisted"]
            if articles:
                first = min(articles, key=lambda one: one.opened_at)
                affected = [page.fetched_at for page in store.pages(self._name) if page.fetched_at]
                changed_at = START + STEP * 1.5
                outcome.noticed = sum(changed_at <= at <= first.opened_at for at in affected)
        if outcome.waits:
            self._command("heal", self._name, "--accept")
        self._score_all("accepted", new, wanted)
        self._command("re-extract", self._name, "-q")
        self._score_all("again", new, wanted)

    def _score_all(self, way: str, new: Sequence[int], wanted: Mapping[int, frozenset[str]]) -> None:
        records = self._records()
        for number in new:
            self._score(way, number, records.get(self._site.path(number), {}), wanted[number])
        self._outcome.lost = sum(self._site.path(number) not in records for number in new)
        if way != "after":
            self._score_old(way)

    def _score_old(self, way: str) -> None:
        records = self._records()
        for number in range(self._site.since):
            right = right_fields(self._site.rows[number], records.get(self._site.path(number), {}))
            self._outcome.old[way] += right.values()

    def _command(self, *arguments: str) -> None:
        places = ["--store", self._store, "--pages", str(self._folder / "pages")]
        done = CliRunner().invoke(cli, [*arguments, *places])
        self._said.append(f"{' '.join(arguments)}: {done.exit_code}: {done.output[-400:]}")

    def _page(self, url: str, number: int, html: str) -> Page:
        return Page(url=url.rstrip("/") + self._site.path(number), body=html, fetched_at=self._clock.now())

    def _displayed(self, url: str, number: int) -> frozenset[str]:
        """Return the labelled fields that a story still displays after the change."""
        labels = {name: value for name, value in self._site.rows[number]["labels"].items() if name in VALUES and value}
        document = parse(self._page(url, number, self._site.story(number)))
        tagged = tagger_of("news").read(document, self._clock.now()).tagged
        found = look_for(labels, document, tagged, load_domain("news"), self._clock.now()).found
        lines = {"".join(element.text.split()).casefold() for element in document.elements}
        parts = {name for name, value in labels.items() if isinstance(value, list) and not _all_in(value, lines)}
        return frozenset(found) - parts | ({"text"} & labels.keys())

    def _records(self) -> dict[str, Mapping[str, Any]]:
        with open_store(self._store) as store:
            found = store.records(RecordQuery(site=self._name))
            return {urlsplit(one.record.urls[0]).path: json.loads(json_of(row_of(one.record))) for one in found}

    def _score(self, way: str, number: int, record: Mapping[str, Any], wanted: frozenset[str]) -> None:
        for name, is_right in right_fields(self._site.rows[number], record).items():
            if name in wanted:
                self._outcome.right[way][name].append(is_right)
                if not is_right and way != "before":
                    value = str(record.get(name))[:100]
                    self._outcome.notes.append(f"{way} {number} {name}: {value!r} via {record.get('via')}")

    async def _collect(self, steps: int, *, publish: bool = False) -> None:
        """Collect step by step; with `publish` a story more comes with each step."""
        options = CollectorOptions(
            store=self._store,
            pages=str(self._folder / "pages"),
            workers=1,
            fetch=FetchSettings(allow_hosts=(self._host,), pause_seconds=0.0),
            limits=Limits(page_seconds=900.0),  # whoever else works on this machine
            timing=TIMING,
        )
        async with open_collector(options, clock=self._clock, say=self._hear) as collector:
            for _ in range(steps):
                self._clock.move(STEP)
                if publish:
                    self._site.published = min(self._site.published + 1, len(self._site.rows))
                await collector.run(once=True)

    def _hear(self, _: str, line: str) -> None:
        self._said.append(f"{self._clock.now():%H:%M} {line}")


def right_fields(row: Row, record: Mapping[str, Any]) -> Right:
    """Return whether a record is right in the fields that a page is labelled with."""
    score = load_eval("score")
    found = score.score_page(row["labels"], record)
    return {
        name: f1 >= (RIGHT_TEXT if name in score.TEXT else 1.0) for name, (_, _, f1) in found.items() if name in VALUES
    }


def _all_in(entries: Sequence[object], lines: Collection[str]) -> bool:
    """Tell whether each entry of a list is the whole text of some element."""
    return all("".join(str(entry).split()).casefold() in lines for entry in entries)


def sites_of(folds: Sequence[int], most: int) -> list[Site]:
    """Return the sites with most pages of which several fields are labelled, those with most fields first."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in news_rows(folds):
        if row["page_type"] == "article":
            groups[f"{row['source']}:{row['site']}"].append(row)
    kept = {
        name: rows
        for name, rows in groups.items()
        if len(rows) >= LEAST_PAGES and len({f for row in rows for f in row["labels"] if f in VALUES}) >= LEAST_LABELS
    }
    chosen = sorted(kept, key=lambda name: (-len(kept[name]), name))[:most]
    return [Site(name, spread(kept[name], MOST_PAGES), zlib.crc32(name.encode())) for name in chosen]


_HEAD = [
    "site", "stories", *WAYS, "old before", "old accepted", "old again", "noticed after", "lost", "incidents", "s",
]  # fmt: skip


def _row(one: Outcome) -> list[str]:
    """Return a site's line of the table."""
    old = (sum(one.old[way]) / max(len(one.old[way]), 1) for way in ("before", "accepted", "again"))
    shares = [f"{share:.3f}" for share in (*map(one.share, WAYS), *old)]
    noticed = "never" if one.noticed is None else str(one.noticed)
    told = one.failed or ", ".join(one.incidents) or "none"
    return [one.name, str(one.stories), *shares, noticed, str(one.lost), told, str(one.seconds)]


def _printed(cells: Sequence[str]) -> None:
    print(f"| {' | '.join(cells)} |", flush=True)


def _totals(outcomes: Sequence[Outcome]) -> Figures:
    totals: Figures = {}
    for way in WAYS:
        found = [one for outcome in outcomes for own in outcome.right[way].values() for one in own]
        totals[way] = {"right": sum(found), "values": len(found), "share": round(sum(found) / max(len(found), 1), 4)}
        old = [one for outcome in outcomes for one in outcome.old[way]]
        totals[f"old {way}"] = {"right": sum(old), "values": len(old)}
    return totals


def main() -> int:
    """Measure, print the tables and keep the figures."""
    options = _options(sys.argv[1:])
    outcomes = []
    _printed(_HEAD)
    _printed(["---"] * len(_HEAD))
    for number, site in enumerate(sites_of(options.folds, options.sites)):
        if options.only and not any(part in site.name for part in options.only):
            continue
        site.keeps_old = options.keep_old
        if options.quiet_days:
            site.rows = random.Random(site.seed).sample(site.rows, len(site.rows))  # noqa: S311 -- the same again
        with tempfile.TemporaryDirectory() as folder:
            outcomes.append(Run(site, f"127.0.9.{number + 1}", Path(folder), change=not options.quiet_days).run())
        _printed(_row(outcomes[-1]))
        if options.show:
            print("\n".join(outcomes[-1].notes), flush=True)
    totals = _totals(outcomes)
    print(json.dumps(totals, indent=1))
    kind = "-quiet" if options.quiet_days else "-kept" if options.keep_old else ""
    rows = [
        {"site": one.name, "noticed": one.noticed, "incidents": one.incidents, "lost": one.lost} for one in outcomes
    ]
    if not options.only:
        keep({"totals": totals, "sites": rows}, "redesigns", options.folds, f"-{options.sites}-sites{kind}")
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.redesigns", description=__doc__.split("\n")[0])
    parser.add_argument("--folds", type=int, nargs="+", default=[1])
    parser.add_argument("--sites", type=int, default=10)
    parser.add_argument("--only", nargs="+", metavar="PART", help="only sites with one of these parts in their names")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--keep-old", action="store_true")
    parser.add_argument("--quiet-days", action="store_true")
    options = parser.parse_args(arguments)
    if options.show and 0 in options.folds:
        parser.error("fold 0 is for the final score: --show would print what its labels say")
    if not has_shared():
        parser.error("the corpora are not there: ../shared/data")
    return options


if __name__ == "__main__":
    sys.exit(main())
