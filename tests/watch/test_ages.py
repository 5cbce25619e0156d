"""How old a story may be."""

from datetime import UTC, datetime, timedelta

import pytest

from sitewright.errors import SettingsError
from sitewright.store.states import SiteState
from sitewright.types import Record, Value
from sitewright.watch.ages import oldest, read_age, too_old

NOW = datetime(2026, 5, 6, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "days"), [("30d", 30), ("30", 30), ("12h", 0.5), ("2 w", 14), ("6M", 180), ("1y", 365), ("0", 0)]
)
def test_ages(text: str, days: float) -> None:
    assert read_age(text) == timedelta(days=days)


@pytest.mark.parametrize("text", ["", "d", "-3d", "3 days", "1.5d"])
def test_what_is_no_age(text: str) -> None:
    with pytest.raises(SettingsError, match="30d"):
        read_age(text)


def record(published: object) -> Record:
    return Record(site="a.example", urls=("u",), fields={"published": Value(published, 1.0, "")} if published else {})


@pytest.mark.parametrize(
    ("published", "is_old"),
    [("2026-05-04T23:00:00+00:00", True), ("2026-05-05T01:00:00+00:00", False), ("yesterday", False), (None, False)],
)
def test_only_a_date_makes_a_story_too_old(published: str | None, is_old: bool) -> None:
    since = oldest(SiteState(max_age=86400), NOW)
    found = too_old(record(published), "u", since)
    assert (found is not None and found.code == "too_old") == is_old
    assert too_old(record(published), "u", oldest(SiteState(), NOW)) is None
