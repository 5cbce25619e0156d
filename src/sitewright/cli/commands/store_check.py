"""`sitewright store check`: a database and its archive in, what is wrong with them out, and put right if wanted."""

import sys
from dataclasses import asdict
from pathlib import Path

import click
import orjson

from sitewright.cli.options import PagesOption, StoreOption, store_address, tell
from sitewright.cli.settings import load_settings
from sitewright.cli.show.lines import echo
from sitewright.cli.show.steps import Steps
from sitewright.cli.statuses import ALL_WELL, SOME_FAILED
from sitewright.values.words import counted, one_line

_MOST_SHOWN = 50


@click.command(short_help="Verify database and archive, and repair what can be repaired.")
@click.option("--repair", is_flag=True, help="Put right what can be; no process may be collecting meanwhile.")
@click.option(
    "--forget-missing",
    is_flag=True,
    help="With --repair: fetch pages again whose files are not there (and not on another machine either).",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object with all that was found.")
@StoreOption
@PagesOption
@click.option("-q", "--quiet", is_flag=True, help="No progress; only what is wrong.")
def check(repair: bool, forget_missing: bool, as_json: bool, store: str | None, pages: str | None, quiet: bool) -> None:
    """Read every row of the database and every page of the web archive, and compare what one says of the other.

    Exit status: 0 all is whole, or all that was wrong is repaired; 1 something is wrong; 2 it could not be checked.

    With --repair: damaged pages are mended where that is possible, and otherwise fetched again by the next `watch`
    (their records stay); tables and indexes that are missing are made; a damaged SQLite file is written anew from
    all that can still be read and from the archive, and kept beside it.

    \b
    Examples:
      sitewright store check
      sitewright store check --repair
    """
    from sitewright.actions.check_store import Repair, check_store  # noqa: PLC0415 -- help does not pay for SQLAlchemy

    folder = Path(pages or load_settings().store.pages)
    steps = Steps(quiet=quiet or as_json)
    wanted = Repair(wanted=repair, forget_missing=forget_missing)
    found = check_store(store_address(store), folder, wanted, steps.tell)
    steps.end()
    if as_json:
        echo(orjson.dumps(asdict(found) | {"well": found.is_well}).decode("utf-8"))
        sys.exit(ALL_WELL if found.is_well else SOME_FAILED)
    for finding in found.findings[:_MOST_SHOWN]:
        echo(f"{finding.state}: {finding.kind}: {finding.where}: {one_line(finding.detail)}")
    if len(found.findings) > _MOST_SHOWN:
        echo(f"and {counted(len(found.findings) - _MOST_SHOWN, 'more finding')}; --json lists them all")
    if not quiet:
        spare = f", {found.spare:,} besides that no record needs" if found.spare else ""
        read = f"{counted(found.pages, 'page')} in {counted(found.files, 'file')} ({found.bytes:,} bytes){spare}"
        echo(f"{counted(found.sites, 'site')}, {counted(found.records, 'record')}; {read}")
    open_ones = sum(finding.state == "found" for finding in found.findings)
    if open_ones:
        hint = "it cannot be repaired" if repair else "sitewright store check --repair puts right what can be"
        tell(f"{counted(open_ones, 'thing')} wrong; {hint}")
    elif not quiet:
        repaired = sum(finding.state == "repaired" for finding in found.findings)
        echo(f"all is whole; {counted(repaired, 'thing')} repaired" if repaired else "all is whole")
    sys.exit(SOME_FAILED if open_ones else ALL_WELL)
