"""`sitewright store backup`: a store and its archive in, a copy of both out, while collecting goes on."""

import sys
from pathlib import Path

import click

from sitewright.cli.options import PagesOption, StoreOption, open_known_store, store_address, tell
from sitewright.cli.settings import load_settings
from sitewright.cli.show.steps import Steps
from sitewright.cli.statuses import ALL_WELL, SOME_FAILED
from sitewright.values.words import counted


@click.command(short_help="Copy database and archive, while collecting goes on.")
@click.argument("target", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only say what would be copied.")
@StoreOption
@PagesOption
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def backup(target: Path, dry_run: bool, store: str | None, pages: str | None, quiet: bool) -> None:
    """Copy a store as it is at one moment to a folder: `sitewright.db` (SQLite, whatever the store is) and
    `sitewright-pages`. Run it again, and only what is new in the archive is copied; what was removed from the store
    is removed from the copy.

    It may be interrupted at any time: the copy before stays until the new one is whole.
    To go back, use the copy as a store, or `sitewright store move` it to PostgreSQL.

    \b
    Examples:
      sitewright store backup /backups/news
      sitewright store backup /backups/news --dry-run
    """
    from sitewright.actions.backup_store import back_up  # noqa: PLC0415 -- help does not pay for SQLAlchemy

    open_known_store(store).close()
    folder, steps = Path(pages or load_settings().store.pages), Steps(quiet=quiet)
    done = back_up(store_address(store), folder, target, dry_run=dry_run, tell=steps.tell)
    copied = "would be copied" if dry_run else "copied"
    files = f"{counted(len(done.files), 'file')} ({sum(done.files.values()):,} bytes) of the archive"
    there = f", {done.kept:,} there already" if done.kept else ""
    gone = f", {done.dropped:,} that the store has no more {'would be ' * dry_run}removed" if done.dropped else ""
    steps.end(f"{target}: {counted(sum(done.rows.values()), 'row')} and {files} {copied}{there}{gone}")
    for name in done.missing:
        tell(f"{folder / name} is not there, or too short; run: sitewright store check")
    sys.exit(SOME_FAILED if done.missing else ALL_WELL)
