"""A map in, out what a person made of it in an editor: checked, and never lost."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from sitewright.cli.show.lines import echo
from sitewright.errors import InputError, MapError, SitewrightError
from sitewright.maps.file import read_text


class EditorFailed(Exception):
    """The editor did not end as it should, or there is none."""


@contextmanager
def draft(text: str, site: str) -> Iterator[Path]:
    """Write a text to a file of its own, and remove it in the end; after an error it is kept, and told where."""
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", prefix=f"{_file_name(site)}-", suffix=".map.yaml", delete=False
    ) as made:
        made.write(text)
    path = Path(made.name)
    try:
        yield path
    except BaseException:
        if path.read_bytes() != text.encode("utf-8"):
            echo(f"what you wrote is kept in {path}", err=True)
        else:
            path.unlink()
        raise
    path.unlink()


def _file_name(site: str) -> str:
    return "".join(char if char.isalnum() or char in ".-" else "_" for char in site)


def edited(path: Path, text: str, prepare: Callable[[str], str]) -> str | None:
    """Open an editor until what was written can be used (`prepare` raises, or returns it); None: nothing was changed.

    Whoever cannot be asked, or does not want to edit again, is told with the error.
    """
    while True:
        try:
            click.edit(filename=str(path))
        except click.ClickException as error:
            raise EditorFailed(error.message) from error
        try:
            written = read_text(path)
            return prepare(written) if written != text else None
        except (MapError, InputError) as error:
            if not _again(error):
                raise


def _again(error: SitewrightError) -> bool:
    """Ask whether to edit once more, where there is someone to ask."""
    if not sys.stdin.isatty():
        return False
    echo(f"error[{error.code}]: {error}", err=True)
    return click.confirm("Edit it again?", default=True, err=True)
