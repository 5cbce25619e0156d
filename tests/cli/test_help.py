"""Every command and every option says what it is for."""

import shlex
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from sitewright.cli.main import cli


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, (*path, name))


ALL = list(commands(cli))


def test_all_commands_are_there() -> None:
    names = {" ".join(path) for path, _ in ALL}
    assert {"extract", "demo", "map", "map check", "map show", "map diff", "map convert"} <= names


@pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) or "sitewright" for path, _ in ALL])
class TestEveryCommand:
    def test_has_help(self, path: tuple[str, ...], command: click.Command) -> None:  # noqa: ARG002
        assert (command.help or "").strip()
        assert command.get_short_help_str().strip()

    def test_has_help_for_every_option(self, path: tuple[str, ...], command: click.Command) -> None:  # noqa: ARG002
        silent = [entry.opts for entry in command.params if isinstance(entry, click.Option) and not entry.help]
        assert silent == []

    def test_shows_its_help(self, path: tuple[str, ...], command: click.Command) -> None:  # noqa: ARG002
        for flag in ("-h", "--help"):
            done = CliRunner().invoke(cli, [*path, flag])
            assert done.exit_code == 0
            assert "Usage:" in done.output

    def test_refuses_an_unknown_option(self, path: tuple[str, ...], command: click.Command) -> None:  # noqa: ARG002
        assert CliRunner().invoke(cli, [*path, "--no-such-option"]).exit_code == 2


def examples() -> list[str]:
    lines = (line.strip() for _, command in ALL for line in (command.help or "").splitlines())
    return [line for line in lines if line.startswith("sitewright ")]


def test_every_command_has_an_example() -> None:
    alone = [" ".join(path) for path, command in ALL if not isinstance(command, click.Group)]
    shown = [line.removeprefix("sitewright ") for line in examples()]
    short = {"map learn": "map example.com"}
    assert [name for name in alone if not any(line.startswith(short.get(name, name)) for line in shown)] == []


@pytest.mark.parametrize("line", examples())
def test_an_example_can_be_typed(line: str) -> None:
    command: click.Command = cli
    words, context = shlex.split(line)[1:], click.Context(cli)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name, found, words = command.resolve_command(context, words)
        assert found is not None
        command, context = found, click.Context(found, info_name=name, parent=context)
    command.parse_args(context, list(words))


def test_version() -> None:
    done = CliRunner().invoke(cli, ["--version"])
    assert done.output.startswith("sitewright, version ")
