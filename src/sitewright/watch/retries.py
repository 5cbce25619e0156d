"""A link that failed in, whether and when it is tried again out."""

from datetime import datetime, timedelta

from sitewright.errors import NotItem
from sitewright.types import Failure

_NEVER = frozenset(
    "bad_url address_refused too_many_redirects page_too_large page_too_deep too_many_links not_html "
    "not_item login_wall internal_error".split()
)
"""What will be the same tomorrow. A robots.txt that forbids may be out of order only, and to ask it again is cheap."""
_GONE = frozenset((400, 401, 404, 405, 406, 410, 414, 451))
_TRIES = 6
_OURS = frozenset(("store_error", "browser_missing", "host_not_found"))
"""What says nothing of the page, however often: a full disk, a machine that is not online. It is never given up for."""
_FIRST, _FACTOR, LONGEST_WAIT = timedelta(minutes=5), 4, timedelta(days=1)
_PATIENT = frozenset(("consent_wall", "bot_wall"))
"""Asked again only after the longest pause: to come back sooner is what such walls are against."""
_TROUBLE = frozenset(
    "connection_failed fetch_timeout host_not_found render_timeout browser_missing bot_wall store_error".split()
)
_REFUSED = 403
_LEARNED_SOON = _TROUBLE | {"error_page", "robots_forbid", "page_crashed", "page_timeout"}
"""Why a site cannot be learned for now; a process of ours that died says nothing of it. Of all else: once a day."""


def is_busy(status: int) -> bool:
    """Tell whether a server that answers so may answer otherwise a little later.

    >>> is_busy(429), is_busy(503), is_busy(404)
    (True, True, False)
    """
    return status == 429 or status >= 500


def speaks_of_host(failure: Failure, status: int) -> bool:
    """Tell whether a failure says something of the host, not of the page.

    >>> gone = Failure("https://example.com/a", "extract", "error_page", "")
    >>> speaks_of_host(gone, 404), speaks_of_host(gone, 503)
    (False, True)
    """
    return failure.code in _TROUBLE or status == _REFUSED or is_busy(status)


def next_try(
    failure: Failure, status: int, tries: int, now: datetime, retry_after: float = 0.0, *, in_doubt: bool = False
) -> datetime | None:
    """Return when a link is tried again; None: never.

    While it is `in_doubt` whether pages are read as they should be, no page is no article for ever.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> next_try(Failure("https://example.com/a", "fetch", "error_page", ""), 404, 0, noon) is None
    True
    >>> str(next_try(Failure("https://example.com/a", "fetch", "fetch_timeout", ""), 0, 1, noon))
    '2026-01-01 12:20:00+00:00'
    >>> other = Failure("https://example.com/a", "extract", "not_item", "")
    >>> next_try(other, 200, 0, noon), str(next_try(other, 200, 9, noon, in_doubt=True))
    (None, '2026-01-02 12:00:00+00:00')
    """
    is_doubtful = in_doubt and failure.code == NotItem.code
    if not is_doubtful and (failure.code in _NEVER or (tries + 1 >= _TRIES and failure.code not in _OURS)):
        return None
    if status in _GONE:
        return None
    pause = LONGEST_WAIT if failure.code in _PATIENT else min(_FIRST * _FACTOR ** min(tries, _TRIES), LONGEST_WAIT)
    return now + max(pause, min(timedelta(seconds=retry_after), LONGEST_WAIT))


def next_lesson(failure: Failure, tries: int, now: datetime, retry_after: float = 0.0) -> datetime:
    """Return when it is tried again to learn a site: soon where its host was in trouble, otherwise tomorrow.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    >>> str(next_lesson(Failure("https://example.com/", "learn", "host_not_found", ""), 0, noon))
    '2026-01-01 12:05:00+00:00'
    >>> str(next_lesson(Failure("https://example.com/", "learn", "page_crashed", ""), 0, noon))
    '2026-01-01 12:05:00+00:00'
    >>> str(next_lesson(Failure("https://example.com/", "learn", "no_articles", ""), 0, noon))
    '2026-01-02 12:00:00+00:00'
    """
    soon = next_try(failure, 0, tries, now, retry_after) if failure.code in _LEARNED_SOON else None
    return soon or now + LONGEST_WAIT
