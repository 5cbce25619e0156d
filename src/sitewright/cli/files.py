"""The name of a file on the command line in, its text out, and back."""

import sys
from pathlib import Path

import click

from sitewright.errors import InputError, MapExists
from sitewright.maps.file import read_text, write_atomically

_STANDARD_INPUT = "standard input"


def text_of(file: str) -> str:
    """Return the text of a file, or of standard input for `-`."""
    if file != "-":
        return read_text(Path(file))
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{_STANDARD_INPUT} is not UTF-8 text: {error.reason} at byte {error.start}") from error


def shown_name(file: str) -> str:
    """Return what a file is called in messages."""
    return _STANDARD_INPUT if file == "-" else file


def deliver(text: str, output: str, *, force: bool) -> None:
    """Write a text to a file, or to standard output for `-`; over a file that is there only with force."""
    if output == "-":
        click.echo(text, nl=False)
        return
    path = Path(output)
    if path.exists() and not force:
        raise MapExists(f"{output} exists; it is written over only with --force")
    write_atomically(path, text)
