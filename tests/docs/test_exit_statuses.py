"""The table of exit statuses in docs/errors.md, held against what the modules of the commands end with."""

import ast
import inspect
import re
from pathlib import Path

import click
import pytest

from sitewright.cli.main import cli
from sitewright.cli.reference import PROGRAM, commands

TEXT = (Path(__file__).parents[2] / "docs" / "errors.md").read_text("utf-8")
ROWS = {name: cells for name, *cells in re.findall(r"^\| `([a-z][a-z -]+)` \| (.+?) \| (.+?) \|$", TEXT, re.MULTILINE)}
NAMES = [name.removeprefix(f"{PROGRAM} ") for name in commands()]
COLUMNS = ("SOME_FAILED", "INTERRUPTED")


def module_of(name: str) -> ast.Module:
    command: click.Command | None = cli
    for word in name.split():
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), word)
    assert command is not None
    assert command.callback is not None
    return ast.parse(Path(inspect.getfile(inspect.unwrap(command.callback))).read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_a_command_ends_as_the_table_says(name: str) -> None:
    used = {node.id for node in ast.walk(module_of(name)) if isinstance(node, ast.Name)}
    assert [cell != "–" for cell in ROWS[name]] == [status in used for status in COLUMNS]


def test_the_table_has_no_other_commands() -> None:
    assert [name for name in ROWS if name in NAMES] == sorted(NAMES)
    assert set(ROWS) == set(NAMES)
