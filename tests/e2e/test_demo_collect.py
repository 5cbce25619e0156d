"""`sitewright demo --collect`: papers are learned and watched; what is told of them is what the store holds."""

import re
import sys
from pathlib import Path

import pytest
from rich.console import Console

from sitewright.cli.demo.collect import Plan, run
from sitewright.cli.demo.score import FIELDS, VERDICTS
from sitewright.store.database import open_store
from sitewright.store.entries import RecordQuery

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="papers need 127.0.0.2")
SITE = "127.0.0.2"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Collect one paper for a quarter of an hour of its time; return where the store and what was printed are."""
    folder = tmp_path_factory.mktemp("demo")
    with (folder / "printed.txt").open("w", encoding="utf-8") as file:
        run(Console(file=file, width=80), folder, Plan(seed=1, hours=0.25, speed=300.0, kinds=("static",)))
    return folder


def lines_of(folder: Path) -> list[str]:
    return (folder / "printed.txt").read_text("utf-8").splitlines()


def test_what_was_collected_is_what_the_store_holds(folder: Path) -> None:
    row = next(line for line in lines_of(folder) if re.match(r"The Daily Lantern +static ", line))
    _, _, published, collected, missed, others, share = re.split(r"  +", row.strip())
    with open_store(f"sqlite:///{folder}/collected.db") as store:
        records = list(store.records(RecordQuery(site=SITE)))
        assert [version.made_by for version in store.map_versions(SITE)] == ["learned"]
    assert int(collected) == len(records) > 0
    assert int(missed) <= int(published)
    assert int(others) == 0
    assert re.fullmatch(r"\d+%", share)


def test_all_fields_are_scored_on_all_records(folder: Path) -> None:
    lines = lines_of(folder)
    start = next(number for number, line in enumerate(lines) if line.startswith("field "))
    assert lines[start].split() == ["field", *VERDICTS]
    rows = {
        row[0]: [0 if cell == "·" else int(cell) for cell in row[1:]] for row in map(str.split, lines[start + 1 :][:10])
    }
    assert list(rows) == [*FIELDS, "all"]
    assert rows["all"] == [sum(column) for column in zip(*(rows[field] for field in FIELDS), strict=True)]
    with open_store(f"sqlite:///{folder}/collected.db") as store:
        records = list(store.records(RecordQuery(site=SITE)))
    titles = rows["title"]
    assert sum(titles[:3]) == len(records)
    assert titles[0] > 0.9 * len(records)


def test_it_says_what_to_do_next(folder: Path) -> None:
    printed = "\n".join(lines_of(folder))
    assert f"status --store sqlite:///{folder}/collected.db" in printed
    assert "answered with 304" in printed
