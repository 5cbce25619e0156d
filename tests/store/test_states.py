"""What collectors remember, as rows and back; rows that are damaged, or of a later version."""

from datetime import UTC, datetime
from typing import Any

import pytest

from sitewright.store.states import RenderCheck, RepairNote, SiteState, SourceState

THEN = datetime(2024, 5, 6, 9, tzinfo=UTC)
FULL = SiteState(
    seed=("/news/",),
    banned=("/ads/", "re:x"),
    rhythm="[[], []]",
    traps=({"pattern": "/a", "left": 1.0},),
    calls=({"url": "https://example.com/api"},),
    rendering={"item": RenderCheck(checked=THEN, doubts=1)},
    past={"since": "2024-01-01"},
    repair=RepairNote(at=THEN, keys=("article/title",), tries=2, refused=3),
    reread={"": THEN, "title": THEN},
    others={"of a later version": [1]},
)


def test_a_state_is_read_as_it_was_written() -> None:
    assert SiteState.from_row(FULL.to_row()) == FULL
    assert SiteState.from_row({}) == SiteState()
    assert SiteState().to_row() == {}


def test_rows_have_the_names_that_stores_have() -> None:
    row = FULL.to_row()
    assert row["backfill"] == {"since": "2024-01-01"}
    assert row["healing"] == {"at": "2024-05-06T09:00:00+00:00", "keys": ["article/title"], "tries": 2, "refused": 3}
    assert row["rendering"] == {"item": {"checked": "2024-05-06T09:00:00+00:00", "doubts": 1}}
    assert row["of a later version"] == [1]


@pytest.mark.parametrize("row", [None, 3, "x", [], {"seed": 3}, {"healing": []}, {"reread": "x"}, {"rendering": 1}])
def test_what_is_damaged_is_as_at_the_beginning(row: Any) -> None:
    assert SiteState.from_row(row) == SiteState()


def test_the_rest_of_a_damaged_row_is_read() -> None:
    row = {"seed": ["/a"], "reread": {"title": "never", "text": THEN.isoformat()}, "healing": {"tries": "many"}}
    assert SiteState.from_row(row) == SiteState(seed=("/a",), reread={"text": THEN})


@pytest.mark.parametrize("row", [None, [], {"listed": 3}, {"unlisted": "x"}, {"unlisted": ["x"]}])
def test_a_damaged_source_is_as_at_the_beginning(row: Any) -> None:
    assert SourceState.from_row(row) == SourceState()


def test_a_source_is_read_as_it_was_written() -> None:
    full = SourceState(listed=("a", "b"), unlisted=(1.5,), pace={"failures": 2, "links": 0.5})
    assert SourceState.from_row(full.to_row()) == full
    assert full.failures == 2
