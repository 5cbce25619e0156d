"""The examples of docs/deploying.md: nothing of them is run, but all that they name is there."""

import configparser
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from ruamel.yaml import YAML

from sitewright.cli.main import cli
from sitewright.cli.settings import PREFIX, setting_names

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "deploying.md").read_text("utf-8")
FILES = dict(re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
INLINE = re.findall(r"`sitewright ([^`]+)`", TEXT)
UNITS = [name for name in FILES if name.endswith((".service", ".timer"))]


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = YAML(typ="safe").load(FILES["compose.yaml"])
    return loaded


def called() -> list[list[str]]:
    """Return the words of all calls of the program on the page."""
    unit_lines = [
        line for name in UNITS for line in re.findall(r"^ExecStart=\S+/sitewright (.+)$", FILES[name], re.MULTILINE)
    ]
    cron = re.findall(r"/bin/sitewright (.+)$", FILES["crontab"], re.MULTILINE)
    run = re.findall(r"^docker compose run --rm collector (.+)$", TEXT, re.MULTILINE)
    image = re.search(r"^CMD \[(.+)\]$", FILES["Dockerfile"], re.MULTILINE)
    assert image is not None
    words = [word.strip().strip('"') for word in image[1].split(",")]
    return [
        *map(shlex.split, [*INLINE, *unit_lines, *cron, *run]),
        words,
        compose()["services"]["collector"]["command"],
    ]


@pytest.mark.parametrize("words", called(), ids=" ".join)
def test_every_command_is_one_of_the_program(words: list[str]) -> None:
    command: click.Command = cli
    rest, context = words, click.Context(cli)
    while True:
        context = command.make_context("sitewright", list(rest), parent=context, resilient_parsing=False)
        rest = [*context._protected_args, *context.args]
        if not isinstance(command, click.Group) or not rest:
            return
        _, found, rest = command.resolve_command(context, rest)
        assert found is not None
        command = found


def test_it_finds_the_commands() -> None:
    assert len(called()) >= 9
    assert {"sites", "watch", "export", "incidents", "status"} <= {words[0] for words in called()}


def test_units_are_units_and_name_each_other() -> None:
    assert {"sitewright.service", "sitewright-run.service", "sitewright-run.timer"} <= set(UNITS)
    for name in UNITS:
        parser = configparser.ConfigParser(strict=False, interpolation=None)
        parser.optionxform = str  # type: ignore[method-assign,assignment]
        parser.read_string(FILES[name])
        assert parser.has_section("Timer" if name.endswith(".timer") else "Service")
        if name.endswith(".timer"):
            assert parser["Timer"]["Unit"] in FILES
        else:
            assert parser["Service"]["User"] == "sitewright"


def test_the_containers_settings_are_settings() -> None:
    known = {PREFIX + name.replace(".", "_").upper() for name in setting_names()}
    assert set(compose()["services"]["collector"]["environment"]) <= known


def test_the_extras_are_extras() -> None:
    extras = re.search(r'"/src\[(.+?)\]"', FILES["Dockerfile"])
    assert extras is not None
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    for extra in extras[1].split(","):
        assert re.search(rf"^{extra} = \[", project, re.MULTILINE)
