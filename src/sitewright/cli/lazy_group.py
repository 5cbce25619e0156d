"""Names of commands and where they are in, a group out that imports each when it is asked for."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from sitewright.values.words import did_you_mean


class LazyGroup(click.Group):
    """A group whose commands (`module:function` by name) are imported when used: no command pays for another's."""

    def __init__(self, *arguments: Any, lazy: Mapping[str, str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 -- the interface's
        """Return the names of the commands."""
        return sorted(self._lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 -- the interface's
        """Import a command."""
        if cmd_name not in self._lazy:
            return None
        module, _, name = self._lazy[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of that name; a name that is none is told with the one that is most like it."""
        name = args[0]
        if name not in self._lazy and not name.startswith("-"):
            known = f"; there are {', '.join(self._lazy)}"
            ctx.fail(f"there is no command {name!r}{did_you_mean(name, self._lazy) or known}")
        return super().resolve_command(ctx, args)
