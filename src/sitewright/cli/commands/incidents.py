"""`sitewright incidents`: a store in, what is no longer as it was on its sites out."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
import orjson

from sitewright.actions.incidents import Dismissed, dismiss, find_incident, list_incidents
from sitewright.cli.options import StoreOption, open_known_store, tell
from sitewright.cli.show.incidents import COLUMNS, NUMBERS, cells, lines, row
from sitewright.cli.show.lines import echo
from sitewright.cli.show.tables import print_table
from sitewright.cli.statuses import ALL_WELL, SOME_FAILED
from sitewright.errors import InputError
from sitewright.notice.words import subject
from sitewright.store.database import Store
from sitewright.store.entries import Incident
from sitewright.values.words import counted, one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    sites: tuple[str, ...]
    every: bool
    shown: int | None
    dismissed: tuple[int, ...]
    fail: bool
    as_json: bool
    store: str | None


@click.command(short_help="List what is no longer as it was on sites; show one incident, or dismiss it.")
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option("--all", "every", is_flag=True, help="Also those that are closed.")
@click.option("--show", "shown", type=click.IntRange(min=1), metavar="N", help="Everything about incident N.")
@click.option(
    "--dismiss",
    "dismissed",
    type=click.IntRange(min=1),
    multiple=True,
    metavar="N",
    help="Close incident N: what is now is normal from now on. May be given several times.",
)
@click.option("--fail", is_flag=True, help="Exit status 1 where any is open, for scripts.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object an incident and line, with all evidence.")
@StoreOption
def incidents(**options: Any) -> None:
    """List the open incidents of all sites, or of those named: a field, or whole pages, that are not as usual.

    Collectors open an incident when enough pages show that something changed, and close it when the map is repaired or
    all is as usual again. `--show` tells what seems to have happened, what is done about it, how often the field was
    there over time, and values from before and since. The exit status is 0, incidents or not, unless there is --fail.

    \b
    Examples:
      sitewright incidents
      sitewright incidents --fail
    """
    sys.exit(run(Request(**options)))


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    others = request.shown is not None or request.every or request.fail or request.as_json
    if request.dismissed and others:
        raise InputError("--dismiss goes with no other option than --store")
    with open_known_store(request.store) as store:
        if request.dismissed:
            for done in dismiss(store, request.dismissed, request.sites, tell):
                _tell_dismissed(done)
            return ALL_WELL
        if request.shown is not None:
            found = [find_incident(store, request.shown, request.sites)]
            _show(store, found[0], as_json=request.as_json)
        else:
            found = list_incidents(store, request.sites, closed_too=request.every)
            _list(store, found, request)
    return SOME_FAILED if request.fail and any(incident.is_open for incident in found) else ALL_WELL


def _list(store: Store, found: Sequence[Incident], request: Request) -> None:
    if request.as_json:
        for incident in found:
            echo(orjson.dumps(row(incident)).decode("utf-8"))
    elif found:
        print_table(COLUMNS, map(cells, found), numbers=NUMBERS)
    elif not store.sites():
        echo("there is no site in the store yet; begin with: sitewright collect URL", err=True)
    else:
        none = "there is no incident" if request.every else "no incident is open; --all shows closed ones, too"
        echo(none, err=True)


def _show(store: Store, incident: Incident, *, as_json: bool) -> None:
    if as_json:
        echo(orjson.dumps(row(incident)).decode("utf-8"))
        return
    for line in lines(incident, proposal=bool(store.proposals(incident.site))):
        echo(line)


def _tell_dismissed(done: Dismissed) -> None:
    incident = done.incident
    about = f"incident {incident.number} ({incident.site}, {one_line(subject(incident))})"
    if done.was_open:
        pages = counted(incident.pages, "page")
        echo(f"{about} is dismissed: what {pages} showed is normal from the next visit on")
    else:
        tell(f"{about} was closed meanwhile")
