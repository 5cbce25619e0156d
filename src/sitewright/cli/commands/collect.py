"""`sitewright collect`: addresses of sites in, their pages read and stored, for as long as wanted."""

import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import click

from sitewright.actions.add_sites import SiteOptions, add_site, front_pages
from sitewright.cli.collecting import Voice, collect_sites, collector_options
from sitewright.cli.domain_option import domain_option
from sitewright.cli.options import PagesOption, StoreOption
from sitewright.cli.settings import load_settings
from sitewright.cli.show.collected import show_sites
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED, NOTHING_DONE, SOME_FAILED
from sitewright.errors import BadUrl
from sitewright.store.database import open_store

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

    @property
    def site_options(self) -> SiteOptions:
        """What is wanted of each site."""
        return SiteOptions(domain=self.domain, seed=self.seed, banned=self.banned, since=self.since)


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
    sys.exit(run(Request(since=since.replace(tzinfo=UTC) if since else None, **options)))


def run(request: Request) -> int:
    """Carry out one call of `collect` and return its exit status."""
    options = collector_options(load_settings(), request.store, request.pages)
    voice = Voice(quiet=request.quiet)
    refused: list[BadUrl] = []
    fronts = front_pages(request.urls, lambda error: _refuse(refused, error))
    with open_store(options.store) as store:
        names = [add_site(store, url, request.site_options) for url in fronts.values()]
    passed = collect_sites(options, voice, lambda collector: collector.run(names, once=True, patience=_PATIENCE))
    unlearned = show_sites(options.store, names, quiet=request.quiet)
    if not passed:
        return INTERRUPTED
    if len(unlearned) < len(names) and not request.once:
        voice.say("", "watching; Ctrl-C ends it")
        collect_sites(options, voice, lambda collector: collector.run(names))
        show_sites(options.store, names, quiet=request.quiet)
    return ALL_WELL if not refused and not unlearned else NOTHING_DONE if len(unlearned) == len(names) else SOME_FAILED


def _refuse(refused: list[BadUrl], error: BadUrl) -> None:
    refused.append(error)
    sys.stderr.write(f"error[{error.code}]: {error}\n")
