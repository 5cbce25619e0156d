"""`sitewright store move`: a database in, the same in another one out."""

import click

from sitewright.cli.options import StoreOption, open_known_store, store_address
from sitewright.cli.show.lines import echo
from sitewright.cli.show.steps import Steps
from sitewright.values.words import counted


@click.command(short_help="Copy the database to another one: SQLite to PostgreSQL, or back.")
@click.argument("target", metavar="URL")
@click.option("--dry-run", is_flag=True, help="Only say what would be copied.")
@StoreOption
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def move(target: str, dry_run: bool, store: str | None, quiet: bool) -> None:
    """Copy all rows of the store to an empty database, with nothing changed, and compare them. Sites are held
    meanwhile, so nobody collects into the old one; it stays as it is. The web archive stays where it is, too.

    It is one transaction: interrupted, it has written nothing.

    \b
    Examples:
      sitewright store move postgresql://me@/news
      sitewright store move sqlite:///news.db --store postgresql://me@/news
    """
    from sitewright.actions.move_store import move_store  # noqa: PLC0415 -- help does not pay for SQLAlchemy

    open_known_store(store).close()
    steps = Steps(quiet=quiet)
    rows = move_store(store_address(store), target, dry_run=dry_run, tell=steps.tell)
    steps.end()
    told = ", ".join(f"{name} {number:,}" for name, number in rows.items() if number) or "none"
    done = "would be copied" if dry_run else "copied and compared"
    echo(f"{counted(sum(rows.values()), 'row')} {done}: {told}")
    if not dry_run:
        echo("the old database stays as it is; from now on name the new one: store.url in sitewright.toml, or --store")
