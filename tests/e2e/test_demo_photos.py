"""`sitewright demo --photos`: the papers are collected from their addresses, and what is told of their sets is true."""

import re
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tests import needs

from sitewright.cli.demo.photos import Plan, run
from sitewright.store.database import open_store

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="papers need 127.0.0.2")


def rows_of(told: str) -> list[list[str]]:
    _, _, table = told.partition("what the papers meant\n")
    lines = table.partition("\n\n")[0].splitlines()
    return [re.split(r" {2,}", line.strip()) for line in lines]


@pytest.mark.slow
def test_sets_and_shared_stories_are_told_as_the_store_has_them(tmp_path: Path) -> None:
    told = StringIO()
    run(Console(file=told, width=160), tmp_path, Plan(browser=False))
    head, *rows = rows_of(told.getvalue())
    assert head == "paper,galleries,sets,complete,in order,captions,foreign,left out,P,R".split(",")
    assert [row[0] for row in rows] == ["The Daily Lantern", "Northwire Photos"]
    with open_store(f"sqlite:///{tmp_path}/photos.db") as store:
        for row, site in zip(rows, ("127.0.0.2", "127.0.0.3"), strict=True):
            sets = store.photo_sets(site)
            assert row[1:7] == ["12", "12", "12", "12", "12", "0"]
            assert int(row[7]) == sum(len(one.left_out) for one in sets) > 0
            assert {left.code for one in sets for left in one.left_out} == {"picture_recurs"}
    assert re.search(r"Stories that two papers share: 4 of 4 found, \d wrong", told.getvalue())


@needs.browser
@needs.thorough
def test_pictures_that_a_script_turns(tmp_path: Path) -> None:
    told = StringIO()
    run(Console(file=told, width=160), tmp_path, Plan(shared=1))
    row = rows_of(told.getvalue())[3]
    assert row[1:7] == ["12", "12", "12", "12", "12", "0"]
