"""Moments as records hold them, and how nearly two of them are the same."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from sitewright.heal.moments import as_stored_moment, sameness

MORNING = datetime(2024, 5, 6, 10, 30)


@pytest.mark.parametrize(
    ("stored", "moment"),
    [
        ("2024-05-06", date(2024, 5, 6)),
        ("2024-05-06T10:30:00Z", datetime(2024, 5, 6, 10, 30, tzinfo=UTC)),
        (date(2024, 5, 6), date(2024, 5, 6)),
        ("soon", None),
        ("", None),
    ],
)
def test_stored_moments_are_read(stored: object, moment: date | None) -> None:
    assert as_stored_moment(stored) == moment


@pytest.mark.parametrize(
    ("known", "moment", "same"),
    [
        (MORNING, MORNING + timedelta(seconds=59), 1.0),
        (MORNING, date(2024, 5, 6), 0.85),
        (date(2024, 5, 6), MORNING, 1.0),
        (MORNING, MORNING + timedelta(hours=2), 0.8),
        (MORNING.replace(tzinfo=UTC), MORNING.replace(tzinfo=timezone(timedelta(hours=2))), 0.8),
        (MORNING.replace(tzinfo=UTC), (MORNING + timedelta(hours=2)).replace(tzinfo=timezone(timedelta(hours=2))), 1.0),
        (MORNING, MORNING + timedelta(minutes=7), 0.3),
        (MORNING, date(2024, 5, 7), 0.0),
        (MORNING, None, 0.0),
        (None, MORNING, 0.0),
    ],
)
def test_how_nearly_moments_are_the_same(known: object, moment: object, same: float) -> None:
    assert sameness(known, moment) == same
