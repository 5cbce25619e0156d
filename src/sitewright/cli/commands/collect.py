"""`sitewright collect`: addresses of sites in, their pages read and stored, for as long as wanted."""

import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from sitewright.actions.add_sites import SiteOptions, add_items, add_site
from sitewright.actions.site_lists import address_of
from sitewright.cli.collecting import PATIENCE, Voice, collect_sites, collector_options
from sitewright.cli.domain_option import domain_option
from sitewright.cli.options import PagesOption, StoreOption, tell
from sitewright.cli.run_options import RunOptions, run_options
from sitewright.cli.settings import load_settings
from sitewright.cli.show.collected import show_sites
from sitewright.cli.site_options import (
    BanOption,
    CategoryOption,
    FromOption,
    MaxAgeOption,
    SeedOption,
    listed_addresses,
)
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED, NOTHING_DONE, SOME_FAILED
from sitewright.domains import load_domain
from sitewright.errors import BadUrl
from sitewright.store.database import open_store


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call of `collect`."""

    urls: tuple[str, ...]
    lists: tuple[str, ...]
    once: bool
    since: datetime | None
    domain: str
    seed: tuple[str, ...]
    banned: tuple[str, ...]
    category: str
    within: tuple[str, ...]
    max_age: timedelta | None
    store: str | None
    pages: str | None
    quiet: bool
    run: RunOptions

    @property
    def site_options(self) -> SiteOptions:
        """What is wanted of each site."""
        return SiteOptions(
            domain=self.domain,
            seed=self.seed,
            banned=self.banned,
            category=self.category,
            within=self.within,
            since=self.since,
            max_age=self.max_age,
        )


@click.command(short_help="Learn a site from its address, and go on collecting it.")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@FromOption
@click.option("--once", is_flag=True, help="Stop when all that is listed now is collected.")
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="Also fill in the past since this day: by sitemaps, and by turning the pages of lists.",
)
@domain_option()
@SeedOption
@BanOption
@CategoryOption
@click.option(
    "--within",
    "within",
    multiple=True,
    metavar="NAME",
    help="Of shops: only products of this category and those below.",
)
@MaxAgeOption
@StoreOption
@PagesOption
@run_options
@click.option("-q", "--quiet", is_flag=True, help="No progress, no table.")
def collect(**options: Any) -> None:
    """Learn a site from the address of its front page (or feed), collect what it lists, and go on watching it.

    On first sight feeds, sitemaps and sections are found, articles sampled, the map learned and stored; it is told
    whether pages need a browser. A site that is known uses its stored map at once. Everything is kept in the store:
    what was interrupted goes on from there, `sitewright watch` goes on with all sites, `sitewright export` writes the
    records. Ctrl-C ends it, and shows what was collected.

    \b
    Examples:
      sitewright collect https://example.com/
      sitewright collect example.com --once --summary run.json
      sitewright collect https://shop.example/ --domain shop
      sitewright collect --from products.txt --domain shop
      sitewright collect --from sites.txt --store postgresql://me@/news
    """
    since = options.pop("since")
    if since is not None and options["max_age"]:
        raise click.UsageError("--since asks for the past, which --max-age leaves out; name one of them")
    own = RunOptions(
        command="collect", **{name: options.pop(name) for name in ("max_pages", "summary", "on_event", "download")}
    )
    sys.exit(run(Request(since=since.replace(tzinfo=UTC) if since else None, run=own, **options)))


def run(request: Request) -> int:
    """Carry out one call of `collect` and return its exit status."""
    options = collector_options(
        load_settings(), request.store, request.pages, on_event=request.run.on_event, downloads=request.run.download
    )
    voice = Voice(quiet=request.quiet)
    refused: list[BadUrl] = []
    items: list[str] | None = [] if load_domain(request.domain).is_walked else None
    found = listed_addresses(request.urls, request.lists, refused, items)
    with open_store(options.store) as store:
        names = [
            add_site(store, address_of(entry), request.site_options, title=entry.title, tell=tell)
            for entry in found.values()
        ]
        names += [name for name in add_items(store, items or (), request.site_options) if name not in names]
    tally, quiet = request.run.tally, request.quiet or request.run.is_alone_on_output
    passed = collect_sites(options, voice, lambda collector: collector.run(names, once=True, patience=PATIENCE), tally)
    unlearned = show_sites(options.store, names, quiet=quiet)
    if not passed:
        return request.run.end(names, unlearned, INTERRUPTED)
    if len(unlearned) < len(names) and not request.once and any(tally.room(name) != 0 for name in names):
        voice.say("", "watching; Ctrl-C ends it")
        collect_sites(options, voice, lambda collector: collector.run(names), tally)
        unlearned = show_sites(options.store, names, quiet=quiet)
    return request.run.end(names, unlearned, _status(len(names), len(unlearned), len(refused)))


def _status(sites: int, unlearned: int, refused: int) -> int:
    if unlearned == sites:
        return NOTHING_DONE
    return SOME_FAILED if unlearned or refused else ALL_WELL
