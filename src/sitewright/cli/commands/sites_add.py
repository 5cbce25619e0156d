"""`sitewright sites add`: addresses and lists of sites in, the sites in the store out, for `watch` to collect."""

import sys
from typing import Any

import click

from sitewright.actions.add_sites import SiteOptions, add_site
from sitewright.actions.site_lists import address_of
from sitewright.cli.domain_option import domain_option
from sitewright.cli.options import StoreOption, store_address, tell
from sitewright.cli.site_options import (
    BanOption,
    CategoryOption,
    FromOption,
    MaxAgeOption,
    SeedOption,
    listed_addresses,
)
from sitewright.cli.statuses import ALL_WELL, SOME_FAILED
from sitewright.errors import BadUrl
from sitewright.store.database import open_store
from sitewright.values.words import counted


@click.command(short_help="Add sites to the store, also from OPML.")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@FromOption
@domain_option()
@SeedOption
@BanOption
@CategoryOption
@MaxAgeOption
@StoreOption
@click.pass_context
def add(context: click.Context, /, **options: Any) -> None:
    """Add sites to the store without collecting them yet; `sitewright watch` learns and collects them.

    A list is OPML, as feed readers export it, or has one address a line, with comments behind `#`. Of several feeds of
    one site the first counts; where the list names the front page of a feed's site, the site is learned from that.

    \b
    Examples:
      sitewright sites add example.com
      sitewright sites add --from feeds.opml
    """
    refused: list[BadUrl] = []
    found = listed_addresses(options["urls"], options["lists"], refused)
    wanted = SiteOptions(**{name: options[name] for name in ("domain", "seed", "banned", "category", "max_age")})
    with open_store(store_address(options["store"] or context.obj)) as opened:
        known = {site.name for site in opened.sites()}
        names = [add_site(opened, address_of(entry), wanted, title=entry.title, tell=tell) for entry in found.values()]
    new = [name for name in names if name not in known]
    tell(f"{counted(len(new), 'site')} added, {len(names) - len(new)} there already; collect with: sitewright watch")
    sys.exit(SOME_FAILED if refused else ALL_WELL)
