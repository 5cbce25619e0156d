"""`sitewright map check`: map files in, what is wrong with them out."""

import sys

import click

from sitewright.cli.files import shown_name, text_of
from sitewright.cli.show.lines import echo
from sitewright.cli.statuses import ALL_WELL, NOTHING_DONE, SOME_FAILED
from sitewright.errors import InputError, MapInvalid, MapSyntaxError
from sitewright.maps import notes, parse_map, read_tree
from sitewright.values.words import counted


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="MAP...")
def check(files: tuple[str, ...]) -> None:
    """Say what is wrong with map files (or with - on standard input): file, line, entry, what was expected.

    Exit status 1 where anything is wrong, 2 where no file could be read.

    \b
    Example:
      sitewright map check example.com.map.yaml
    """
    unread, wrong = 0, 0
    for file in files:
        try:
            text = text_of(file)
        except InputError as error:
            echo(f"error[{error.code}]: {error}", err=True)
            unread += 1
        else:
            wrong += not _check_text(text, shown_name(file))
    sys.exit(NOTHING_DONE if unread == len(files) else SOME_FAILED if unread or wrong else ALL_WELL)


def _check_text(text: str, name: str) -> bool:
    """Tell whether this is a sound map, and say why not or what is in it."""
    try:
        extraction_map = parse_map(text, name)
    except (MapInvalid, MapSyntaxError) as error:
        echo(str(error))
        return False
    for note in notes(read_tree(text, name), name):
        echo(f"note: {note}")
    rules = len(extraction_map.rules)
    echo(f"{name}: fine ({counted(len(extraction_map.templates), 'template')}, {counted(rules, 'rule')})")
    return True
