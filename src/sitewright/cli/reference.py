"""The click commands in, docs/cli.md out: `python -m sitewright.cli.reference docs/cli.md`."""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from sitewright.cli.main import cli

PROGRAM = "sitewright"
_KEPT = "\b\n"
"""What click wants in front of lines that are not to be filled."""
_HEAD = """# Command line

This page is generated from the program: `make docs` writes it anew. `sitewright COMMAND --help` says the same.
What an exit status or an error code means stands in [errors.md](errors.md); what can be set once for all runs, in
[settings.md](settings.md).
"""


def reference() -> str:
    """Return the text of the reference: every command, its arguments, its options."""
    return "\n".join([_HEAD, *_sections(cli, PROGRAM, None)])


def commands(group: click.Group = cli, name: str = PROGRAM) -> Iterator[str]:
    """Yield the full names of all commands that do something, such as `sitewright map check`."""
    context = click.Context(group, info_name=name)
    for child, command in _children(group, context):
        full_name = f"{name} {child}"
        if not isinstance(command, click.Group) or command.invoke_without_command:
            yield full_name
        if isinstance(command, click.Group):
            yield from commands(command, full_name)


def _sections(command: click.Command, name: str, parent: click.Context | None) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent, **command.context_settings)
    yield _section(command, context)
    if isinstance(command, click.Group):
        for child_name, child in _children(command, context):
            yield from _sections(child, child_name, context)


def _children(group: click.Group, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None and not command.hidden:
            yield name, command


def _section(command: click.Command, context: click.Context) -> str:
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    paragraphs = [_paragraph(part) for part in inspect.cleandoc(command.help or "").split("\n\n")]
    options = [_option(entry) for entry in command.get_params(context) if isinstance(entry, click.Option)]
    parts = [f"## {context.command_path}", f"```text\n{usage}\n```", *paragraphs, "\n".join(options)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _paragraph(text: str) -> str:
    """Return a paragraph of a help text; lines that click leaves as they are, such as examples, stay so here."""
    if not text.startswith(_KEPT):
        return " ".join(text.split())
    head, *rest = inspect.cleandoc(text.removeprefix(_KEPT)).splitlines()
    return "\n".join([head, "", "```sh", *map(str.strip, rest), "```"])


def _option(option: click.Option) -> str:
    names = ", ".join([*option.opts, *option.secondary_opts])
    value = "" if option.is_flag or option.count or option.is_eager else f" {_value(option)}"
    notes = " ".join(filter(None, [option.help, *_notes(option)]))
    return f"- `{names}{value}`: {notes}"


def _value(option: click.Option) -> str:
    if option.metavar:
        return option.metavar
    if isinstance(option.type, click.Choice):
        return "|".join(map(str, option.type.choices))
    return option.type.name.split()[0].upper()


def _notes(option: click.Option) -> Iterator[str]:
    """Yield what else is to be said of an option; written here, because click's own wording differs by version."""
    if option.required:
        yield "Required."
    if isinstance(option.type, click.IntRange):
        low, high = option.type.min, option.type.max
        yield f"From {low} up." if high is None else f"From {low} to {high}."
    if option.show_default:
        yield f"Default: `{option.default}`."


def main(arguments: list[str]) -> None:
    """Write the reference to the file that is named, or to standard output."""
    if arguments:
        Path(arguments[0]).write_text(reference(), encoding="utf-8")
    else:
        sys.stdout.write(reference())


if __name__ == "__main__":
    main(sys.argv[1:])
