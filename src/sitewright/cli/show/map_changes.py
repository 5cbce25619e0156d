"""Changes of a map in, printed lines out."""

from collections.abc import Iterable

import click

from sitewright.maps.diff import Change

_MARKS = {"added": "+", "removed": "-", "changed": "~"}


def print_changes(changes: Iterable[Change]) -> None:
    """Print changes of a map one below the other, old above new."""
    for change in changes:
        click.secho(f"{_MARKS[change.kind]} {change.path}", bold=True)
        if change.before:
            click.secho(f"    - {change.before}", fg="red")
        if change.after:
            click.secho(f"    + {change.after}", fg="green")
