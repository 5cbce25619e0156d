"""`sitewright map`: the group of the commands on maps, each of which is a file of its own."""

from pathlib import Path

import click

from sitewright.cli.lazy_group import LazyGroup
from sitewright.values.words import did_you_mean

_LEARN = "learn"
_COMMANDS = {
    "check": "sitewright.cli.commands.map_check:check",
    "convert": "sitewright.cli.commands.map_convert:convert",
    "diff": "sitewright.cli.commands.map_diff:diff",
    "get": "sitewright.cli.commands.map_get:get",
    _LEARN: "sitewright.cli.commands.map_learn:learn",
    "put": "sitewright.cli.commands.map_put:put",
    "show": "sitewright.cli.commands.map_show:show",
    "versions": "sitewright.cli.commands.map_versions:versions",
}


class _LearnByDefault(LazyGroup):
    """A group whose first argument may be a page file: then the map is learned from it."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of that name, or the one that learns."""
        first = args[0]
        is_command = first in self.list_commands(ctx)
        is_typo = bool(did_you_mean(first, self.list_commands(ctx))) and not Path(first).exists()
        return super().resolve_command(ctx, args if is_command or is_typo else [_LEARN, *args])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Leave options in front of the pages to the command that learns."""
        is_option = args and args[0].startswith("-") and args[0] not in {"-h", "--help"}
        return super().parse_args(ctx, ["--", *args] if is_option else args)


@click.group(
    "map", cls=_LearnByDefault, lazy=_COMMANDS, short_help="Learn maps; check, show, compare, convert and store them."
)
def map_group() -> None:
    """Learn a map from pages, or check, show, compare and convert maps, or get them from a store and put them back.

    `sitewright map PAGES` is short for `sitewright map learn PAGES`.
    """
