"""What `import sitewright` gives, and what it costs."""

import ast
import importlib
import inspect
import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

import sitewright
from sitewright import errors
from sitewright.maps import schema

ROOT = Path(__file__).parents[1]
HEAVY = "turbohtml orjson ruamel jsonschema click rich dateparser duckdb fastwarc numpy onnxruntime sqlalchemy scrapy".split()
PACKAGES = ("parse", "domains", "maps", "extract", "fetch", "links", "output", "demo")


def type_checking_imports() -> dict[str, str]:
    tree = ast.parse(inspect.getsource(sitewright))
    block = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    return {
        alias.name: (node.module or "").removeprefix("sitewright.")
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_public_names_are_sorted_and_each_stands_once() -> None:
    assert sitewright.__all__ == sorted(set(sitewright.__all__))


def test_the_three_lists_of_public_names_agree() -> None:
    assert type_checking_imports() == sitewright._HOMES
    assert sorted(sitewright._HOMES) == sitewright.__all__


@pytest.mark.parametrize("name", sitewright.__all__)
def test_a_public_name_is_the_one_of_its_home(name: str) -> None:
    home = importlib.import_module(f"sitewright.{sitewright._HOMES[name]}")
    assert getattr(sitewright, name) is getattr(home, name)


FIRST_LOOKS = """
import json, sys
same = {}
for name in sys.argv[1:]:
    for loaded in [module for module in sys.modules if module.partition(".")[0] == "sitewright"]:
        del sys.modules[loaded]
    import sitewright
    same[name] = getattr(sitewright, name) is getattr(sitewright, name)
print(json.dumps(same))
"""


@pytest.fixture(scope="module")
def looked_at_twice() -> dict[str, bool]:
    """Tell of each public name whether it is the same at the first look after the import and at the second."""
    command = [sys.executable, "-c", FIRST_LOOKS, *sitewright.__all__]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, bool] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", sitewright.__all__)
def test_a_public_name_is_the_same_at_every_look(looked_at_twice: dict[str, bool], name: str) -> None:
    assert looked_at_twice[name]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = sitewright.nothing


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_exports_what_it_lists(package: str) -> None:
    module = importlib.import_module(f"sitewright.{package}")
    assert len(set(module.__all__)) == len(module.__all__)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_import_takes_no_heavy_library() -> None:
    script = f"import sys, sitewright; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_a_folder_is_there_without_an_import_of_its_own() -> None:
    script = "import sitewright; print(sitewright.parse.__name__, 'read' in dir(sitewright))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["sitewright.parse", "True"]


def test_the_published_schema_is_the_packaged_one() -> None:
    packaged = json.loads(files("sitewright.maps").joinpath("map.schema.json").read_text("utf-8"))
    assert schema() == packaged
    published = ROOT / "docs" / "map.schema.json"
    if published.exists():
        assert json.loads(published.read_text("utf-8")) == packaged


def error_classes() -> list[type[errors.SitewrightError]]:
    return [
        found
        for _, found in inspect.getmembers(errors, inspect.isclass)
        if issubclass(found, Exception) and found.__module__ == errors.__name__
    ]


def test_error_codes_are_unique() -> None:
    codes = [found.code for found in error_classes()]
    assert len(set(codes)) == len(codes)


def drawn_tree() -> dict[str, tuple[str, str]]:
    """Read the tree in the docstring: class to (parent, code)."""
    drawn: dict[str, tuple[str, str]] = {}
    parents: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        bare = line.lstrip(" │├└─")
        words = bare.split()
        if not line.startswith("    ") or not words:
            continue
        depth = (len(line) - len(bare) - 4) // 4
        del parents[depth:]
        drawn[words[0]] = (parents[-1] if parents else "", words[1] if len(words) > 1 else "")
        parents.append(words[0])
    return drawn


def test_every_error_is_drawn_in_the_tree() -> None:
    real = {
        found.__name__: (
            found.__bases__[0].__name__ if found is not errors.SitewrightError else "",
            found.code if found is not errors.SitewrightError else "",
        )
        for found in error_classes()
    }
    assert drawn_tree() == real


def test_every_error_inherits_from_the_root() -> None:
    assert [found for found in error_classes() if not issubclass(found, errors.SitewrightError)] == []
