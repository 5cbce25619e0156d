"""The walks of docs/architecture.md are true: each function is there, and names what stands below it."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sitewright"
WALK = re.compile(r"^```walk\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^(?P<indent> *)(?P<file>[a-z_/]+\.py) (?P<name>[A-Za-z_.]+)(?: |$)")


class Step(NamedTuple):
    """A function of a walk, and the one that it stands below."""

    file: str
    name: str
    above: "Step | None" = None


def steps() -> list[Step]:
    found = []
    for walk in WALK.findall((ROOT / "docs" / "architecture.md").read_text("utf-8")):
        path: list[Step] = []
        for line in filter(str.strip, walk.splitlines()):
            read = STEP.match(line)
            assert read, line
            del path[len(read["indent"]) // 4 :]
            path.append(Step(read["file"], read["name"], path[-1] if path else None))
            found.append(path[-1])
    return found


@cache
def source_of(file: str, name: str) -> str:
    """Return the source of a function, a method or a class."""
    text = (SOURCE / file).read_text("utf-8")
    body: list[ast.stmt] = ast.parse(text).body
    for part in name.split("."):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        node = next((node for node in body if isinstance(node, kinds) and node.name == part), None)
        assert node, f"{file} has no {name}"
        body = node.body
    return ast.get_source_segment(text, node) or ""


def test_there_are_three_walks() -> None:
    assert len(WALK.findall((ROOT / "docs" / "architecture.md").read_text("utf-8"))) == 3


@pytest.mark.parametrize("step", steps(), ids=lambda step: f"{step.file}:{step.name}")
def test_a_step_is_there_and_named_by_the_one_above(step: Step) -> None:
    assert source_of(step.file, step.name)
    if step.above is not None:
        called = step.name.rpartition(".")[2]
        assert re.search(rf"\b{called}\b", source_of(step.above.file, step.above.name)), f"not named by {step.above}"
