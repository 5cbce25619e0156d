"""Two moments in, how nearly they are the same out; days count as moments."""

from datetime import date, datetime

from sitewright.induce.beliefs import days_of

_ONLY_DAY, _ANOTHER_ZONE, _ANOTHER_TIME = 0.85, 0.8, 0.3
"""The score of the right day without a time, at a time of another zone, at another time (that of a comment)."""
_ZONE_STEP, _FARTHEST_ZONES = 15 * 60, 26 * 3600


def as_stored_moment(value: object) -> date | datetime | None:
    """Return a stored moment as records hold it.

    >>> as_stored_moment("2024-05-06"), as_stored_moment("yesterday")
    (datetime.date(2024, 5, 6), None)
    """
    if isinstance(value, date):
        return value
    text = str(value).strip()
    try:
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        return None


def sameness(known: object, moment: object) -> float:
    """Return how nearly a moment is a known one; 0 where it is not of the same day.

    >>> known = datetime(2024, 5, 6, 9, 30)
    >>> [sameness(known, other) for other in (known, date(2024, 5, 6), datetime(2024, 5, 6, 11, 17), date(2024, 5, 7))]
    [1.0, 0.85, 0.3, 0.0]
    """
    if not days_of(known) & days_of(moment):
        return 0.0
    if not isinstance(known, datetime):
        return 1.0
    if not isinstance(moment, datetime):
        return _ONLY_DAY
    both_zoned = known.tzinfo is not None and moment.tzinfo is not None
    apart = abs(
        (known - moment if both_zoned else known.replace(tzinfo=None) - moment.replace(tzinfo=None)).total_seconds()
    )
    if apart < 60:
        return 1.0
    return _ANOTHER_ZONE if apart % _ZONE_STEP < 60 and apart <= _FARTHEST_ZONES else _ANOTHER_TIME
