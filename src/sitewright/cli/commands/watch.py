"""`sitewright watch`: the sites of a store in, their news read and stored, for as long as wanted."""

import sys
from typing import Any

import click

from sitewright.actions.sites import known_sites
from sitewright.cli.collecting import PATIENCE, Voice, collect_sites, collector_options
from sitewright.cli.options import PagesOption, StoreOption, open_known_store
from sitewright.cli.run_options import RunOptions, run_options
from sitewright.cli.settings import load_settings
from sitewright.cli.show.collected import show_sites
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED


@click.command(short_help="Watch all sites of the store, around the clock.")
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option("--once", is_flag=True, help="Stop when nothing is due.")
@StoreOption
@PagesOption
@run_options
@click.option("-q", "--quiet", is_flag=True, help="No progress, no table.")
def watch(sites: tuple[str, ...], once: bool, store: str | None, pages: str | None, **options: Any) -> None:
    """Look at the index pages, feeds and sitemaps of all sites (or those named) when they are due, and collect news.

    Sites are added with `sitewright collect` or `sitewright sites add`. Any number of these processes, on any number
    of machines, share the work if they share a store on PostgreSQL; the work of one that dies is taken over by the
    others within a minute.

    \b
    Examples:
      sitewright watch
      sitewright watch --once --summary -
    """
    quiet: bool = options.pop("quiet")
    run = RunOptions(command="watch", **options)
    collector = collector_options(load_settings(), store, pages, on_event=run.on_event, downloads=run.download)
    with open_known_store(store) as opened:
        names = [site.name for site in known_sites(opened, sites)]
    only = names if run.max_pages is not None else sites
    patience = PATIENCE if once else None
    voice = Voice(quiet=quiet)
    ended = collect_sites(collector, voice, lambda one: one.run(only, once=once, patience=patience), run.tally)
    unlearned = show_sites(collector.store, names, quiet=quiet or run.is_alone_on_output)
    sys.exit(run.end(names, unlearned, ALL_WELL if ended or not once else INTERRUPTED))
