"""`sitewright store`: the group of the commands that keep house, each of which is a file of its own."""

import click

from sitewright.cli.lazy_group import LazyGroup

_COMMANDS = {
    "backup": "sitewright.cli.commands.store_backup:backup",
    "check": "sitewright.cli.commands.store_check:check",
    "move": "sitewright.cli.commands.store_move:move",
    "prune": "sitewright.cli.commands.store_prune:prune",
}


@click.group(
    "store", cls=LazyGroup, lazy=_COMMANDS, short_help="Check the store, copy it, move it, and remove what is old."
)
def store_group() -> None:
    """Check and repair a database and its web archive, copy them, move the database, and remove what is old."""
