"""A small demo site, made once, and a fresh copy of it for every page of the documentation."""

import os
import shutil
from pathlib import Path

import pytest
from tests.program import Program

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """Return what the program sees: a plain terminal of 100 columns, and no settings of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SITEWRIGHT_")}
    return kept | {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}


@pytest.fixture(scope="session")
def demo_site(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str], program: Program) -> Path:
    """Return a folder in which `sitewright demo --stories 12` was run."""
    folder = tmp_path_factory.mktemp("docs")
    program.call("demo", "--stories", "12", folder=folder, environment=environment).check_returncode()
    return folder


@pytest.fixture
def workplace(demo_site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the demo site, and make it the current folder."""
    shutil.copytree(demo_site, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("SITEWRIGHT_")]:
        monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture(scope="session")
def docs() -> Path:
    """Return the folder of the documentation."""
    return ROOT / "docs"
