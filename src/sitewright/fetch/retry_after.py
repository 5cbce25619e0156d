"""An answer that asks to be left alone for a while in, the seconds to wait out."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from sitewright.types import Page

_BUSY = frozenset((429, 503))


def retry_after_of(page: Page) -> float:
    """Return the seconds that a busy server (429, 503) asks to be left alone; 0 where it says nothing.

    >>> retry_after_of(Page(url="https://example.com/", body=b"", status=503, headers={"retry-after": "120"}))
    120.0
    """
    named = next((value for name, value in page.headers.items() if name.lower() == "retry-after"), "")
    return seconds_named(named, page.fetched_at) or 0.0 if page.status in _BUSY else 0.0


def seconds_named(text: str, since: datetime | None = None) -> float | None:
    """Read a Retry-After header: seconds, or a date, which counts from `since` or from now; None where it is neither.

    >>> seconds_named("Wed, 21 Oct 2015 07:28:00 GMT", datetime(2015, 10, 21, 7, 27, tzinfo=UTC))
    60.0
    """
    text = text.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return max(0.0, (moment - (since or datetime.now(UTC))).total_seconds())
