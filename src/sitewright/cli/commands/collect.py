"""`sitewright collect` and `sitewright watch`: sites in, their pages read and stored, for as long as wanted."""

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import click
from rich.console import Console

from sitewright.actions.sites import known_sites
from sitewright.cli.commands.extract import ALL_WELL, INTERRUPTED, SOME_FAILED
from sitewright.cli.domain_option import domain_option
from sitewright.cli.options import PagesOption, StoreOption, open_known_store
from sitewright.cli.settings import Settings, load_settings
from sitewright.cli.show.collected import show_site
from sitewright.errors import BadUrl
from sitewright.parse.sites import front_page, site_name
from sitewright.store.database import Store, open_store
from sitewright.store.entries import WatchedPage
from sitewright.store.states import SiteState
from sitewright.watch.collector import Collector, CollectorOptions, open_collector
from sitewright.watch.links import LinkRules
from sitewright.watch.past import begin
from sitewright.watch.timing.periods import Timing

NOTHING_DONE = 2
_PATIENCE = 60.0
"""Seconds for which a single pass waits for a store that is out of order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call of `collect`."""

    urls: tuple[str, ...]
    once: bool
    since: datetime | None
    domain: str
    seed: tuple[str, ...]
    banned: tuple[str, ...]
    store: str | None
    pages: str | None
    quiet: bool


@click.command(short_help="Learn a site from its address, and go on collecting it.")
@click.argument("urls", nargs=-1, required=True, metavar="URL...")
@click.option("--once", is_flag=True, help="Stop when all that is listed now is collected.")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="Also fill in the past since this day: by sitemaps, and by turning the pages of lists.",
)
@domain_option()
@click.option(
    "--seed", multiple=True, metavar="PART", help="Follow only links with this part; re:… is a regular expression."
)
@click.option("--ban", "banned", multiple=True, metavar="PART", help="Do not follow links with this part.")
@StoreOption
@PagesOption
@click.option("-q", "--quiet", is_flag=True, help="No progress, no table.")
def collect(**options: Any) -> None:
    """Learn a site from the address of its front page (or feed), collect what it lists, and go on watching it.

    On first sight feeds, sitemaps and sections are found, articles sampled, the map learned and stored; it is told
    whether pages need a browser. A site that is known uses its stored map at once. Everything is kept in the store:
    what was interrupted goes on from there, `sitewright watch` goes on with all sites, `sitewright export` writes the
    records. Ctrl-C ends it, and shows what was collected.
    """
    since = options.pop("since")
    sys.exit(run_collect(Request(since=since.replace(tzinfo=UTC) if since else None, **options)))


@click.command(short_help="Watch all sites of the store, around the clock.")
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option("--once", is_flag=True, help="Stop when nothing is due.")
@StoreOption
@PagesOption
@click.option("-q", "--quiet", is_flag=True, help="No progress, no table.")
def watch(sites: tuple[str, ...], once: bool, store: str | None, pages: str | None, quiet: bool) -> None:
    """Look at the index pages, feeds and sitemaps of all sites (or those named) when they are due, and collect news.

    Sites are added with `sitewright collect`. Any number of these processes, on any number of machines, share the work
    if they share a store on PostgreSQL; the work of one that dies is taken over by the others within a minute.
    """
    options = collector_options(load_settings(), store, pages)
    with open_known_store(store) as opened:
        names = [site.name for site in known_sites(opened, sites)]
    ended = _run(options, Voice(quiet=quiet), lambda collector: collector.run(sites, once=once))
    _show(options.store, names, quiet=quiet)
    sys.exit(ALL_WELL if ended or not once else INTERRUPTED)


def run_collect(request: Request) -> int:
    """Carry out one call of `collect` and return its exit status."""
    options = collector_options(load_settings(), request.store, request.pages)
    voice = Voice(quiet=request.quiet)
    fronts, refused = _fronts(request.urls)
    with open_store(options.store) as store:
        for name, url in fronts.items():
            _add(store, name, url, request)
    names = list(fronts)
    passed = _run(options, voice, lambda collector: collector.run(names, once=True, patience=_PATIENCE))
    unlearned = _show(options.store, names, quiet=request.quiet)
    if not passed:
        return INTERRUPTED
    if len(unlearned) < len(names) and not request.once:
        voice.say("", "watching; Ctrl-C ends it")
        _run(options, voice, lambda collector: collector.run(names))
        _show(options.store, names, quiet=request.quiet)
    bad = refused + len(unlearned)
    return ALL_WELL if not bad else NOTHING_DONE if len(unlearned) == len(names) else SOME_FAILED


def collector_options(settings: Settings, store: str | None, pages: str | None) -> CollectorOptions:
    """Return how a collector works, by settings and by the options of a call."""
    watched = settings.watch
    return CollectorOptions(
        store=store or settings.store.url,
        pages=pages or settings.store.pages,
        sites_at_once=watched.sites_at_once,
        workers=settings.jobs,
        sure=watched.sure,
        fetch=settings.fetch,
        limits=settings.limits,
        timing=Timing(
            minimum=watched.minimum_seconds,
            maximum=watched.maximum_seconds,
            goal=watched.goal_seconds,
            longest_silence=max(Timing().longest_silence, watched.maximum_seconds),
        ),
    )


class Voice:
    """Tells what is done, line by line, and on a terminal how much."""

    def __init__(self, *, quiet: bool) -> None:
        """Speak, or do not."""
        self._quiet = quiet

    def say(self, site: str, line: str) -> None:
        """Say a line about a site."""
        if not self._quiet:
            self.clear()
            sys.stderr.write(f"{site}: {line}\n" if site else f"{line}\n")

    def status(self, line: str) -> None:
        """Show how much is done, over what was shown before."""
        if not self._quiet and sys.stderr.isatty():
            sys.stderr.write(f"\r\033[K{line}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the status away."""
        self.status("")


def _fronts(urls: Sequence[str]) -> tuple[dict[str, str], int]:
    """Return the front page of each site, and how many are no addresses: told, they stop nothing unless all are so."""
    fronts: dict[str, str] = {}
    refused = 0
    for text in urls:
        try:
            url = front_page(text)
            fronts.setdefault(site_name(url), url)
        except BadUrl as error:
            if len(urls) == 1:
                raise
            sys.stderr.write(f"error[{error.code}]: {error}\n")
            refused += 1
    if not fronts:
        raise BadUrl("none of these is the address of a site")
    return fronts, refused


def _add(store: Store, name: str, url: str, request: Request) -> None:
    """Put a site into the store, or have one that is there looked at now."""
    LinkRules(name, seed=request.seed, banned=request.banned)  # refuses what is no expression
    store.add_site(name, url=url, domain=request.domain)
    known = store.site(name)
    state = known.state if known is not None else SiteState()
    past = begin(request.since) if request.since is not None else state.past
    seed, banned = request.seed or state.seed, request.banned or state.banned
    store.save_site_state(name, replace(state, seed=seed, banned=banned, past=past))
    if not store.index_pages(name):
        store.put_index_pages([WatchedPage(site=name, url=url)])
    store.hasten(name)


def _run(options: CollectorOptions, voice: Voice, work: Callable[[Collector], Coroutine[Any, Any, None]]) -> bool:
    """Collect; False where it was interrupted."""

    async def collecting() -> None:
        task = asyncio.current_task()
        if task is not None:
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        async with open_collector(options, say=voice.say) as collector:
            showing = asyncio.create_task(_show_progress(collector, voice))
            try:
                await work(collector)
            finally:
                showing.cancel()
                voice.clear()

    try:
        asyncio.run(collecting())
    except (asyncio.CancelledError, KeyboardInterrupt):
        return False
    return True


async def _show_progress(collector: Collector, voice: Voice) -> None:
    while True:
        kept = collector.tools.recorder
        failed = f", {kept.failures:,} failed" if kept.failures else ""
        voice.status(f"{kept.records:,} records{failed}; {collector.visits} sites at work")
        await asyncio.sleep(0.5)


def _show(address: str, names: Sequence[str], *, quiet: bool) -> list[str]:
    """Show what is known of sites; return those that have no map, and say why."""
    console = Console()
    unlearned = []
    with open_store(address) as store:
        for name in names:
            if store.load_map(name) is None:
                unlearned.append(name)
                why = next((stored.failure for stored in store.failures(name) if stored.failure.stage == "learn"), None)
                told = f"error[{why.code}]: {name}: {why.detail}" if why is not None else f"{name}: not learned yet"
                sys.stderr.write(f"{told}\n")
            elif not quiet:
                show_site(console, store, name)
    return unlearned
