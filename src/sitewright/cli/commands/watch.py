"""`sitewright watch`: the sites of a store in, their news read and stored, for as long as wanted."""

import sys

import click

from sitewright.actions.sites import known_sites
from sitewright.cli.collecting import Voice, collect_sites, collector_options
from sitewright.cli.options import PagesOption, StoreOption, open_known_store
from sitewright.cli.settings import load_settings
from sitewright.cli.show.collected import show_sites
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED


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
    ended = collect_sites(options, Voice(quiet=quiet), lambda collector: collector.run(sites, once=once))
    show_sites(options.store, names, quiet=quiet)
    sys.exit(ALL_WELL if ended or not once else INTERRUPTED)
