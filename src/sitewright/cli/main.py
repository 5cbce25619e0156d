"""The `sitewright` command."""

import os
import signal
import sys
from importlib.metadata import version
from typing import Any

import click

from sitewright.cli.lazy_group import LazyGroup
from sitewright.cli.show.lines import echo
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED, NOTHING_DONE
from sitewright.errors import SitewrightError

COMMANDS = {
    "account": "sitewright.cli.commands.account:account",
    "clicks": "sitewright.cli.commands.clicks:clicks",
    "collect": "sitewright.cli.commands.collect:collect",
    "dedupe": "sitewright.cli.commands.dedupe:dedupe",
    "demo": "sitewright.cli.commands.demo:demo",
    "digest": "sitewright.cli.commands.digest:digest",
    "explain": "sitewright.cli.commands.explain:explain",
    "export": "sitewright.cli.commands.export:export",
    "extract": "sitewright.cli.commands.extract:extract",
    "forget": "sitewright.cli.commands.forget:forget",
    "heal": "sitewright.cli.commands.heal:heal",
    "incidents": "sitewright.cli.commands.incidents:incidents",
    "links": "sitewright.cli.commands.links:links",
    "lists": "sitewright.cli.commands.lists:lists",
    "map": "sitewright.cli.commands.maps:map_group",
    "mcp": "sitewright.cli.commands.mcp:mcp",
    "price-histories": "sitewright.cli.commands.price_histories:price_histories",
    "prices": "sitewright.cli.commands.prices:prices",
    "re-extract": "sitewright.cli.commands.reextract:reextract",
    "recommend": "sitewright.cli.commands.recommend:recommend",
    "rollback": "sitewright.cli.commands.rollback:rollback",
    "serve": "sitewright.cli.commands.serve:serve",
    "sites": "sitewright.cli.commands.sites:sites",
    "status": "sitewright.cli.commands.status:status",
    "top": "sitewright.cli.commands.top:top",
    "store": "sitewright.cli.commands.store:store_group",
    "watch": "sitewright.cli.commands.watch:watch",
}


class _Program(LazyGroup):
    """All commands; whichever is interrupted, and has nothing to say about it, ends with the status for that."""

    def invoke(self, ctx: click.Context) -> Any:
        """Load a command, and run it."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


@click.group(
    cls=_Program, lazy=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.version_option(version("sitewright"), prog_name="sitewright")
def cli() -> None:
    """URL in, editable site map out, then a collector that runs itself.

    Exit status: 0 all went well, 1 some pages failed (their lines say why) or a check found something, 2 the command
    could not be carried out, 130 interrupted.
    """


def _interrupt(_signal: int, _frame: object) -> None:
    """Let a request to end be what Ctrl-C is: files are closed, complete lines stay."""
    raise KeyboardInterrupt


def main() -> None:
    """Run the command line; an error raised on purpose is one line and exit status 2."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        cli(standalone_mode=True)
    except SitewrightError as error:
        echo(f"error[{error.code}]: {error}", err=True)
        sys.exit(NOTHING_DONE)
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or closing it would fail once more
        sys.exit(ALL_WELL)


if __name__ == "__main__":
    main()
