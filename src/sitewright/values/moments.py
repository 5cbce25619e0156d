"""Values of fields in, moments with a zone out."""

from datetime import UTC, date, datetime


def moment_of(value: object) -> datetime | None:
    """Read a date or a moment as records hold it; without a zone it is taken to be in UTC.

    >>> [str(moment_of(text)) for text in ("2024-05-06", "2024-05-06T10:30:00+01:00")]
    ['2024-05-06 00:00:00+00:00', '2024-05-06 09:30:00+00:00']
    >>> moment_of("yesterday") is None
    True
    """
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
