"""What `collect` and `sites add` are told of sites in (addresses, lists, which stories), what is wanted of them out."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import click

from sitewright.actions.add_sites import front_pages, other_address
from sitewright.actions.site_lists import sites_of_list
from sitewright.cli.files import shown_name
from sitewright.cli.lists import addresses_of_list
from sitewright.cli.show.lines import echo
from sitewright.errors import BadUrl, SettingsError
from sitewright.fetch.lists import ListedAddress
from sitewright.parse import signature
from sitewright.parse.sites import front_page, site_name
from sitewright.watch.ages import read_age

Decorate = Callable[[Callable[..., Any]], Callable[..., Any]]


class Age(click.ParamType[timedelta]):
    """An age such as `30d`."""

    name = "age"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> timedelta:
        try:
            return value if isinstance(value, timedelta) else read_age(str(value))
        except SettingsError as error:
            self.fail(str(error), param, ctx)


FromOption = click.option(
    "--from",
    "lists",
    multiple=True,
    metavar="FILE",
    help="Also the sites of a list: OPML, or one address a line; -: stdin.",
)
SeedOption = click.option(
    "--seed", multiple=True, metavar="PART", help="Follow only links with this part; re:… is a regular expression."
)
BanOption = click.option("--ban", "banned", multiple=True, metavar="PART", help="Do not follow links with this part.")
CategoryOption = click.option(
    "--category",
    default="",
    metavar="NAME",
    help="A category of all stories of the site; kept for the site.",
)
MaxAgeOption = click.option(
    "--max-age",
    type=Age(),
    metavar="AGE",
    help="Leave out stories older than this: 30d, 12h, 2w, 6m, 1y; kept for the site, 0 takes it back.",
)


def listed_addresses(
    urls: Sequence[str], lists: Sequence[str], refused: list[BadUrl], items: list[str] | None = None
) -> dict[str, ListedAddress]:
    """Return the sites of a call by name: those of its arguments, then those of its lists.

    An argument that is no address is told, and the others go on; a list with lines that are none is refused. What lists
    name beside front pages is put into `items`, if these are wanted.
    """
    if not urls and not lists:
        raise click.UsageError("name the address of a site, or a list of them with --from")
    listed = [entry for name in lists for entry in addresses_of_list(name)]

    def refuse(error: BadUrl) -> None:
        refused.append(error)
        echo(f"error[{error.code}]: {error}", err=True)

    if items is not None:
        items += [entry.address for entry in listed if entry.kind == "site" and not _is_front(entry.address)]
        listed = [entry for entry in listed if entry.address not in items]
    named = front_pages(urls, refuse) if urls else {}
    _tell_others(urls, named)
    found = {name: ListedAddress(url) for name, url in named.items()}
    for name, entry in sites_of_list(listed).items():
        found.setdefault(name, entry)
    if not (found or items):
        raise BadUrl(f"there is no address in {', '.join(map(shown_name, lists))}")
    return found


def _is_front(address: str) -> bool:
    parts = urlsplit(address)
    return parts.path.strip("/") == "" and not parts.query


def _tell_others(urls: Sequence[str], named: Mapping[str, str]) -> None:
    """Say which addresses are of a site that an earlier one names already."""
    for text in urls:
        with suppress(BadUrl):
            url = front_page(text)
            if signature(url) != signature(named[site_name(url)]):
                echo(other_address(site_name(url), named[site_name(url)], url), err=True)
