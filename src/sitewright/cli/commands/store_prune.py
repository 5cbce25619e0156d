"""`sitewright store prune`: a store and an age in, the store without what is older out."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from sitewright.cli.options import PagesOption, StoreOption, open_known_store, tell
from sitewright.cli.settings import load_settings
from sitewright.cli.show.steps import Steps
from sitewright.cli.site_options import Age
from sitewright.values.words import counted


@click.command(short_help="Remove what is old, and give back the room.")
@click.option("--older-than", type=Age(), metavar="AGE", help="Remove what is older: 30d, 12h, 2w, 6m, 1y.")
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only of this site; may be given several times.")
@click.option("--pages-only", is_flag=True, help="Keep the records, remove only their pages from the archive.")
@click.option("--dry-run", is_flag=True, help="Only say what would be removed.")
@StoreOption
@PagesOption
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def prune(older_than: timedelta | None, sites: tuple[str, ...], pages_only: bool, dry_run: bool, **where: Any) -> None:
    """Remove records published longer ago (where that is not known: fetched) with their pages, and pages without a
    record, failures, incidents and repairs that are as old; write the files of the archive anew without them.

    Links stay known, so nothing is collected a second time. Maps, sources and baselines stay, too. It may run while
    others collect, and be interrupted: run again, it finishes what it began. Without --older-than it does only that.

    \b
    Examples:
      sitewright store prune --older-than 1y --dry-run
      sitewright store prune --older-than 30d --site example.com
      sitewright store prune --older-than 90d --pages-only
    """
    from sitewright.actions.prune_store import Retention  # noqa: PLC0415 -- help does not pay for SQLAlchemy
    from sitewright.actions.prune_store import prune as prune_store  # noqa: PLC0415 -- as above

    if older_than is None and (sites or pages_only):
        raise click.UsageError("say how old: --older-than 30d")
    if older_than is not None and older_than <= timedelta(0):
        raise click.UsageError("--older-than 0 would remove everything; sitewright sites --remove SITE removes a site")
    before = datetime.now(UTC) - older_than if older_than is not None else None
    folder, steps = Path(where["pages"] or load_settings().store.pages), Steps(quiet=where["quiet"])
    with open_known_store(where["store"]) as opened:
        wanted = Retention(before=before, sites=sites, pages_only=pages_only)
        done = prune_store(opened, folder, wanted, dry_run=dry_run, tell=steps.tell)
    told = ", ".join(f"{name} {number:,}" for name, number in done.rows.items() if number) or "nothing"
    would = "would be " if dry_run else ""
    saved = "" if dry_run else f", {done.saved:,} bytes given back"
    steps.end(f"{told} {would}removed; {counted(done.files, 'file')} of the archive {would}written anew{saved}")
    for file in done.missing:
        tell(f"{file} is not in {folder}; what it holds stays, wherever it is")
    if done.busy:
        tell(f"{counted(len(done.busy), 'file')} is being written to; run this again later to give back its room")
