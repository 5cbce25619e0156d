"""Lines in, on the terminal out: the one place where texts of strangers are shown, and lose their power over it."""

import click

from sitewright.values.words import harmless


def echo(text: str = "", *, err: bool = False, bold: bool | None = None, fg: str | None = None) -> None:
    """Print a text, whatever pages, servers or maps put into it; beside the output with `err`."""
    click.secho(harmless(text), err=err, bold=bold, fg=fg)
