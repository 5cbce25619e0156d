"""Readers are forgotten by name and by pseudonym; `test_clicks.py` looks for them in files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.commands.test_clicks import read

from sitewright.store.database import Store

Call = Callable[..., Any]


@pytest.mark.parametrize("by", ["name", "pseudonym"])
def test_all_that_a_reader_did_goes(folder: Path, call: Call, store: Store, by: str) -> None:
    del folder
    ann = read(store, "ann", "clicked")
    read(store, "ben", "clicked")
    assert call("forget", "ann" if by == "name" else ann).err == "13 events removed\n"
    assert store.clicks.newest(ann, limit=1) == []
    assert [day.count for day in store.clicks.days()] == [13]
    done = call("forget", "nobody")
    assert (done.status, "nothing is known of a reader nobody" in done.err) == (2, True)


def test_nothing_goes_where_a_folder_is_missing(folder: Path, call: Call, store: Store) -> None:
    read(store, "ann", "clicked")
    done = call("forget", "ann", "--clicks", str(folder / "elsewhere"))
    assert (done.status, "no such folder of clicks" in done.err) == (2, True)
    assert [day.count for day in store.clicks.days()] == [13]
