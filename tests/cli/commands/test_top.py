"""`sitewright top`: the stories of a store, the highest first."""

import json
from collections.abc import Callable
from typing import Any

from sitewright.store.database import Store

Call = Callable[..., Any]


def test_stories_stand_in_order_with_reasons(call: Call, store: Store) -> None:
    rows = [json.loads(line) for line in call("top", "--since", "2000-01-01", "--json").out.splitlines()]
    assert len(rows) == min(20, store.count_records())
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    for row in rows:
        parts = row["parts"]
        whole = parts["fresh"] * (1 + parts["sites"] + parts["pictures"] + parts["source"])
        assert abs(whole - row["score"]) < 0.001
        assert row["reasons"][0].endswith("old") or row["reasons"][0] == "new"


def test_a_line_a_story(call: Call, store: Store) -> None:
    shown = call("top", "notes.example", "--since", "2000-01-01", "--limit", "1")
    assert shown.out.decode().splitlines()[0].startswith("  1. ")
    assert len(shown.out.decode().splitlines()) == 2


def test_a_site_that_is_not_there_is_told(call: Call, store: Store) -> None:
    done = call("top", "nowhere.example")
    assert (done.status, "there is no site nowhere.example" in done.err) == (2, True)
