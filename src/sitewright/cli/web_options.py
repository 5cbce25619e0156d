"""Sources as a person names them in, what reads them out: the options of all commands that fetch pages."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import click

from sitewright.cli.lists import addresses_of_list
from sitewright.errors import InputError
from sitewright.fetch import WebFetcher
from sitewright.maps.rendering import render_of_item
from sitewright.types import ExtractionMap, FetchSettings, Limits, Render

Command = TypeVar("Command", bound=Callable[..., Any])

_FROM = click.option(
    "--from",
    "lists",
    multiple=True,
    metavar="LIST",
    help="Also the addresses in this file: one a line, or OPML; - for standard input.",
)
_RENDER = click.option("--render", is_flag=True, help="Have a browser show the pages that are fetched.")
_CACHE = click.option(
    "--cache", metavar="DIR", help="Keep fetched pages in this folder, and fetch none again within an hour."
)


def web_options(command: Command) -> Command:
    """Add what commands have in common that read stored pages as well as addresses."""
    for option in (_CACHE, _RENDER, _FROM):
        command = option(command)
    return command


def all_sources(named: Sequence[str], lists: Sequence[str]) -> tuple[str, ...]:
    """Return the sources of a call: those on the command line, then those of its lists."""
    sources = [*named]
    for file in lists:
        listed = [entry.address for entry in addresses_of_list(file)]
        if not listed:
            raise InputError(f"{file} lists no address; write one a line")
        sources += listed
    if not sources:
        raise InputError("there is nothing to read: name files of pages or addresses, or a list of them with --from")
    return tuple(sources)


def fetch_settings(settings: FetchSettings, cache: str | None) -> FetchSettings:
    """Return how pages are fetched in this call."""
    return replace(settings, cache=cache) if cache else settings


def open_fetcher(
    settings: FetchSettings, limits: Limits, *, render: bool, extraction_map: ExtractionMap | None = None
) -> WebFetcher:
    """Return what fetches pages: in a browser where that is asked for or the map says so."""

    def render_of(url: str) -> Render:
        if render:
            return "browser"
        return render_of_item(extraction_map, url) if extraction_map is not None else "static"

    return WebFetcher(settings, limits, render_of=render_of, cached=bool(settings.cache))
