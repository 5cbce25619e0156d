"""`sitewright demo`: generated newspapers on loopback, and a show of what the program does with them."""

import sys
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console

from sitewright.cli.statuses import INTERRUPTED
from sitewright.demo import LANGUAGES
from sitewright.errors import InputError, OutputError

_READER = "--reader"
_TIMELESS = ("--photos", "--shop")
"""Demos that let as much time pass as they need."""
_LIVE = frozenset(("--collect", "--heal", _READER, *_TIMELESS))
_OF_ONE_PAPER = frozenset(("--language", "--stories", "--serve"))


@click.command(short_help="See it work on a newspaper that is made up and served here.")
@click.option("--seed", default=1, show_default=True, help="Another seed, another newspaper.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Its language.")
@click.option(
    "--stories", type=click.IntRange(10, 5000), default=40, show_default=True, help="How many stories it has."
)
@click.option(
    "-o", "--output", default="demo-output", show_default=True, metavar="DIR", help="Folder for what is made."
)
@click.option(
    "--collect",
    is_flag=True,
    help="Instead: three papers that live on a fast clock, learned on first sight and watched by the collector.",
)
@click.option(
    "--heal",
    is_flag=True,
    help="Instead: one paper on a fast clock that is redesigned twice, and a collector that repairs its map.",
)
@click.option(
    "--reader",
    is_flag=True,
    help="Instead: papers in several languages, collected; and the reader and console over them in a browser.",
)
@click.option(
    "--shop",
    is_flag=True,
    help="Instead: shops of several kinds, languages and currencies, collected now and when their prices have changed.",
)
@click.option(
    "--photos",
    is_flag=True,
    help="Instead: papers of galleries (a picture a page, all in a script, turned by a script) that share stories.",
)
@click.option(
    "--hours",
    type=click.FloatRange(0.1),
    help="With --collect or --heal: how long, in the papers' time; default: 2, with --heal 6.",
)
@click.option("--serve", "keep", is_flag=True, help="Keep serving the newspaper, to look at it in a browser.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port of 127.0.0.1 to serve on; default: a free one.",
)
@click.pass_context
def demo(context: click.Context, /, **options: Any) -> None:
    """Make up a newspaper, serve it on 127.0.0.1, learn its map from its address alone, and check what the map reads.

    Every field is compared with what the paper meant. Nothing leaves this machine. The map, the pages, the records and
    a report to look at are left in DIR.

    \b
    Examples:
      sitewright demo
      sitewright demo --collect
      sitewright demo --heal
      sitewright demo --reader
      sitewright demo --shop
      sitewright demo --photos
    """
    _check_given(context)
    try:
        _show(Console(), **options)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(INTERRUPTED)
    except OSError as error:
        raise OutputError(f"the demo cannot run: {error.strerror or error}") from error


def _show(console: Console, *, collect: bool, heal: bool, reader: bool, hours: float | None, **options: Any) -> None:
    """Show one of the demos; only who asks for one pays for what it needs."""
    folder, seed, shop, photos = Path(options["output"]), options["seed"], options.pop("shop"), options.pop("photos")
    if shop:
        from sitewright.cli.demo import shops as demo_shops  # noqa: PLC0415

        demo_shops.run(console, folder, demo_shops.Plan(seed=seed))
    elif photos:
        from sitewright.cli.demo import photos as demo_photos  # noqa: PLC0415

        demo_photos.run(console, folder, demo_photos.Plan(seed=seed))
    elif collect:
        from sitewright.cli.demo import collect as demo_collect  # noqa: PLC0415

        demo_collect.run(console, folder, demo_collect.Plan(seed=seed, hours=hours or demo_collect.HOURS))
    elif reader:
        from sitewright.cli.demo import reader as demo_reader  # noqa: PLC0415

        demo_reader.run(console, folder, demo_reader.Plan(seed=seed, port=options["port"]))
    elif heal:
        from sitewright.cli.demo import heal as demo_heal  # noqa: PLC0415

        demo_heal.run(console, folder, demo_heal.Plan(seed=seed, hours=hours or demo_heal.HOURS))
    else:
        from sitewright.cli.demo import paper  # noqa: PLC0415

        paper.run(console, paper.PaperOptions(**options))


def _check_given(context: click.Context) -> None:
    """Refuse options that do not go together, or that would do nothing."""
    given = {
        option.opts[-1]
        for option in context.command.params
        if context.get_parameter_source(str(option.name)) is not ParameterSource.DEFAULT
    }
    chosen = sorted(given & _LIVE)
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} do not go together; give one of them")
    if not chosen and "--hours" in given:
        raise InputError(f"--hours goes with {' or '.join(sorted(_LIVE - {_READER, *_TIMELESS}))}")
    if "--hours" in given and chosen and chosen[0] in _TIMELESS:
        raise InputError(f"--hours does not go with {chosen[0]}, which lets as much time pass as it needs")
    if "--hours" in given and _READER in given:
        raise InputError("--hours does not go with --reader, which goes on until it is ended")
    if "--port" in given and chosen and _READER not in given:
        raise InputError(f"--port does not go with {chosen[0]}")
    if chosen and given & _OF_ONE_PAPER:
        raise InputError(f"{min(given & _OF_ONE_PAPER)} does not go with {chosen[0]}")
