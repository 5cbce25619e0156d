"""Every library that the package imports is one that it declares."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "sitewright"


def imported(source: str) -> Iterator[str]:
    """Yield the top-level names of the modules that a source imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


@cache
def libraries() -> list[str]:
    names = {name for path in SOURCES.rglob("*.py") for name in imported(path.read_text("utf-8"))}
    return sorted(names - sys.stdlib_module_names - {"sitewright"})


def spelled(name: str) -> str:
    """Return the name of a distribution in the one spelling that counts."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    requirements = [*project["dependencies"], *(one for extra in extras for one in extra)]
    return {spelled(re.split(r"[\s\[<>=!~;]", requirement)[0]) for requirement in requirements}


def test_libraries_that_are_imported_are_declared() -> None:
    known, installed = declared(), packages_distributions()
    # an extra that is not installed is named as imported
    names = {library: set(map(spelled, installed.get(library, [library]))) for library in libraries()}
    assert [library for library, spellings in names.items() if not known & spellings] == []


def test_libraries_are_found_however_they_are_imported() -> None:
    source = "import a.b\nfrom c.d import e\nfrom . import f\ndef g():\n    import h as i, j\n"
    assert sorted(imported(source)) == ["a", "c", "h", "j"]
    assert {"scrapy", "playwright", "click"} <= set(libraries())
