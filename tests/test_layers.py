"""Imports point one way: the rule of docs and design, checked on the syntax tree of every module."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "sitewright"

STAGES = ("stories", "fetch", "links", "tag", "induce", "extract", "assemble", "store", "output", "recommend")
LAYERS = (
    ("types",),
    ("errors",),
    ("checking",),
    ("engines",),
    ("parse",),
    ("structure",),
    ("vectors",),
    ("values",),
    ("body",),
    ("domains",),
    ("repeats",),
    ("maps",),
    STAGES,
    ("notice", "reading"),
    ("heal",),
    ("processes",),
    ("watch",),
    ("actions",),
    ("python", "serve"),
    ("mcp",),
    ("cli",),
)
HEIGHT = {part: height for height, layer in enumerate(LAYERS) for part in layer}
DEMO_MAY_USE = {"types", "errors", "maps", "parse"}
ROOT_FILES = {"__init__", "__main__"}
OUTSIDE = {"training", "bench", "tests"}
OF_A_TERMINAL = re.compile(r"(click|rich)\b|(print|input|exit|quit)$|sys\.(exit|std)")


def imported_names(tree: ast.Module, package: str) -> Iterator[tuple[int, str]]:
    """Yield line and dotted name of all that a module imports, also inside functions and `TYPE_CHECKING`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = ".".join(package.split(".")[: 1 - node.level or None]) if node.level else ""
            origin = ".".join(filter(None, [start, node.module]))
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).rpartition(".")[2] in {"import_module", "__import__"}
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            yield node.lineno, str(node.args[0].value)


def may_import(part: str, other: str) -> bool:
    if part == other:
        return True
    if other == "demo":
        return part == "cli"
    if part == "demo":
        return other in DEMO_MAY_USE
    return HEIGHT[other] < HEIGHT[part]


def violations(source: Path) -> list[str]:
    found = []
    for path in sorted(source.rglob("*.py")):
        inside = path.relative_to(source).with_suffix("").parts
        part = inside[0]
        package = ".".join(("sitewright", *inside[:-1]))
        for line, name in imported_names(ast.parse(path.read_text("utf-8")), package):
            top, _, rest = name.partition(".")
            if top in OUTSIDE:
                found.append(f"{path.relative_to(source)}:{line}: imports {name}")
            if top != "sitewright" or part in ROOT_FILES:
                continue
            other = rest.partition(".")[0]
            if other not in HEIGHT and other != "demo":
                found.append(f"{path.relative_to(source)}:{line}: {name} is in no layer")
            elif not may_import(part, other):
                found.append(f"{path.relative_to(source)}:{line}: {part} imports {other}")
    return found


def test_imports_point_one_way() -> None:
    assert violations(SOURCE) == []


def test_actions_know_no_terminal() -> None:
    """The command line and the web pages both call them: they neither print, nor read settings, nor end the program."""
    found = []
    for path in sorted((SOURCE / "actions").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        names = {name for _, name in imported_names(tree, "sitewright.actions")}
        names |= {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        found += [f"{path.name}: {name}" for name in sorted(names) if OF_A_TERMINAL.match(name)]
    assert found == []


@pytest.mark.parametrize("name", ["click.echo", "rich.table.Table", "print", "sys.exit", "sys.stdout.write", "input"])
def test_what_is_of_a_terminal_is_known(name: str) -> None:
    assert OF_A_TERMINAL.match(name)


def test_every_folder_is_in_a_layer() -> None:
    parts = {path.relative_to(SOURCE).with_suffix("").parts[0] for path in SOURCE.rglob("*.py")}
    assert parts <= HEIGHT.keys() | ROOT_FILES | {"demo"}
    assert {"parse", "maps", "extract", "reading", "cli"} <= parts


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("parse/a.py", "from sitewright.maps import load_map\n", "parse/a.py:1: parse imports maps"),
        ("parse/a.py", "import sitewright.values\n", "parse/a.py:1: parse imports values"),
        ("extract/a.py", "import os\nfrom sitewright.fetch import Place\n", "extract/a.py:2: extract imports fetch"),
        ("extract/a.py", "from sitewright import store\n", "extract/a.py:1: extract imports store"),
        ("extract/a.py", "from ..store import rows\n", "extract/a.py:1: extract imports store"),
        ("extract/values/a.py", "from ...store.rows import Row\n", "extract/values/a.py:1: extract imports store"),
        ("extract/values/a.py", "from ... import store\n", "extract/values/a.py:1: extract imports store"),
        (
            "store/a.py",
            "def f():\n    from sitewright.processes import Pool\n",
            "store/a.py:2: store imports processes",
        ),
        (
            "errors.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from sitewright.parse import Document\n",
            "errors.py:3: errors imports parse",
        ),
        ("types.py", "from sitewright.errors import Problem\n", "types.py:1: types imports errors"),
        ("domains/a.py", "from sitewright.maps import schema\n", "domains/a.py:1: domains imports maps"),
        ("processes/a.py", "from sitewright.cli.main import cli\n", "processes/a.py:1: processes imports cli"),
        ("processes/a.py", "from sitewright.watch import due\n", "processes/a.py:1: processes imports watch"),
        ("demo/a.py", "from sitewright.extract import extract\n", "demo/a.py:1: demo imports extract"),
        ("maps/a.py", "from sitewright.demo import Site\n", "maps/a.py:1: maps imports demo"),
        ("processes/a.py", "from sitewright.demo import Site\n", "processes/a.py:1: processes imports demo"),
        ("parse/a.py", "from bench.speed import run\n", "parse/a.py:1: imports bench.speed.run"),
        ("__init__.py", "import training\n", "__init__.py:1: imports training"),
        ("cli/a.py", "from tests.conftest import x\n", "cli/a.py:1: imports tests.conftest.x"),
        ("parse/a.py", "from sitewright.utils import x\n", "parse/a.py:1: sitewright.utils.x is in no layer"),
        (
            "parse/a.py",
            'import importlib\nimportlib.import_module("sitewright.cli")\n',
            "parse/a.py:2: parse imports cli",
        ),
    ],
)
def test_a_wrong_import_is_found(tmp_path: Path, file: str, text: str, complaint: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    assert violations(tmp_path) == [complaint]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("cli/a.py", "from sitewright.demo import Site\nfrom sitewright.processes import Pool\n"),
        ("processes/a.py", "from sitewright.extract import extract\nfrom sitewright.output import row_of\n"),
        ("extract/a.py", "from sitewright.values import dates\nfrom .values import lists\n"),
        ("demo/a.py", "from sitewright.maps import parse_map\nfrom sitewright.parse import parse\n"),
        ("maps/a.py", "from sitewright.domains import load_domain\nimport json\n"),
        ("__main__.py", "from sitewright.cli.main import main\n"),
    ],
)
def test_a_right_import_is_left_alone(tmp_path: Path, file: str, text: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    assert violations(tmp_path) == []
