"""Every example of README and docs is run: what a reader types works, and prints what the page shows.

- ```python blocks run in order, all of a page in one namespace; those that begin with `>>>` are doctests.
- ```console blocks hold `$ sitewright …` commands; what stands below a command is what it prints. `…` stands for the
  rest of a line, a line with only `…` for any lines. `exit=1` after the word console: the status to expect.
- a block with `file=NAME` is written to that file, as the reader is told to.
"""

import ast
import doctest
import re
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.program import Program

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
WILDCARD = "…"


@dataclass(frozen=True)
class Block:
    language: str
    options: dict[str, str]
    body: str
    line: int


@dataclass(frozen=True)
class Command:
    words: list[str]
    shown: list[str]


def blocks_of(text: str) -> list[Block]:
    blocks = []
    for found in FENCE.finditer(text):
        language, *rest = found["info"].split() or [""]
        options = dict(option.partition("=")[::2] for option in rest)
        blocks.append(Block(language, options, found["body"], text.count("\n", 0, found.start()) + 1))
    return blocks


def commands_of(block: Block) -> list[Command]:
    commands: list[Command] = []
    for line in block.body.replace("\\\n", " ").splitlines():
        if line.startswith("$ "):
            words = shlex.split(line[2:])
            assert words[0] == "sitewright", f"line {block.line}: only sitewright is run in console blocks, not {line}"
            commands.append(Command(words[1:], []))
        else:
            assert commands, f"line {block.line}: a console block begins with a command"
            commands[-1].shown.append(line.rstrip())
    return commands


def matches(shown: list[str], printed: list[str]) -> bool:
    pattern = "".join(
        r"(?:[^\n]*\n)*" if line == WILDCARD else re.escape(line).replace(WILDCARD, r"[^\n]*") + r"\n" for line in shown
    )
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None


def run_console(block: Block, page: str, call: Callable[..., subprocess.CompletedProcess[bytes]]) -> None:
    for command in commands_of(block):
        done = call(*command.words)
        printed = done.stdout.decode("utf-8")
        told = f"{page}:{block.line}: sitewright {shlex.join(command.words)}\nexit {done.returncode}\n{printed}"
        assert done.returncode == int(block.options.get("exit", "0")), told
        if any(command.shown):
            shown = "\n".join(command.shown)
            assert matches(command.shown, printed.splitlines()), f"{told}\nbut the page shows\n{shown}"


def run_python(block: Block, names: dict[str, Any], page: str) -> None:
    if block.body.startswith(">>>"):
        example = doctest.DocTestParser().get_doctest(block.body, names, page, page, block.line)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        told: list[str] = []
        runner.run(example, out=told.append, clear_globs=False)
        assert not runner.summarize(verbose=False).failed, "".join(told)
        names.update(example.globs)
    else:
        tree = ast.parse(block.body, filename=page)
        ast.increment_lineno(tree, block.line)
        exec(compile(tree, page, "exec"), names)  # noqa: S102 -- our own pages


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of_a_page_run(page: Path, workplace: Path, environment: dict[str, str], program: Program) -> None:
    call = partial(program.call, folder=workplace, environment=environment, together=True)
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks_of(page.read_text("utf-8")):
        if "file" in block.options:
            (workplace / block.options["file"]).write_text(block.body, "utf-8")
        elif block.language == "console":
            run_console(block, page.name, call)
        elif block.language == "python":
            run_python(block, names, page.name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_are_of_a_known_kind(page: Path) -> None:
    known = {"python", "console", "sh", "text", "yaml", "json", "jsonl", "toml", "csv", "html", "markdown", "walk"}
    known |= {"ini", "dockerfile"}
    unknown = [f"line {block.line}: {block.language!r}" for block in blocks_of(page.read_text("utf-8"))]
    assert not [entry for entry in unknown if entry.partition(": ")[2].strip("'") not in known]


@pytest.mark.parametrize(
    ("shown", "printed", "fits"),
    [
        (["a"], ["a"], True),
        (["a"], ["b"], False),
        (["a …"], ["a b c"], True),
        (["a … c"], ["a b c"], True),
        (["…", "c"], ["a", "b", "c"], True),
        (["…"], [], True),
        (["a", "…"], ["a"], True),
        (["a"], ["a", "b"], False),
        (["a.c"], ["abc"], False),
    ],
)
def test_wildcards(shown: list[str], printed: list[str], fits: bool) -> None:
    assert matches(shown, printed) is fits
