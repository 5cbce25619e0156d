from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.types import Failure
from sitewright.watch.retries import is_busy, next_lesson, next_try, speaks_of_host

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
codes = st.sampled_from(
    "fetch_timeout connection_failed host_not_found store_error error_page robots_forbid not_item bot_wall "
    "consent_wall login_wall page_timeout no_articles".split()
)


def failure(code: str) -> Failure:
    return Failure("https://example.com/a", "fetch", code, "")


@pytest.mark.parametrize(
    ("code", "status", "first", "last"),
    [
        ("fetch_timeout", 0, timedelta(minutes=5), None),
        ("connection_failed", 0, timedelta(minutes=5), None),
        ("page_timeout", 200, timedelta(minutes=5), None),
        ("error_page", 500, timedelta(minutes=5), None),
        ("error_page", 403, timedelta(minutes=5), None),
        ("robots_forbid", 0, timedelta(minutes=5), None),
        ("bot_wall", 403, DAY, None),
        ("consent_wall", 200, DAY, None),
        ("host_not_found", 0, timedelta(minutes=5), DAY),
        ("store_error", 0, timedelta(minutes=5), DAY),
        ("browser_missing", 0, timedelta(minutes=5), DAY),
        ("error_page", 404, None, None),
        ("error_page", 410, None, None),
        ("not_item", 200, None, None),
        ("login_wall", 200, None, None),
        ("page_too_large", 0, None, None),
        ("bad_url", 0, None, None),
    ],
)
def test_when_a_link_is_tried_again(code: str, status: int, first: timedelta | None, last: timedelta | None) -> None:
    """After its first try in vain, and after very many."""
    assert next_try(failure(code), status, 0, NOON) == (NOON + first if first else None)
    assert next_try(failure(code), status, 10_000, NOON) == (NOON + last if last else None)


def test_pauses_grow() -> None:
    moments = [next_try(failure("fetch_timeout"), 0, tries, NOON) for tries in range(6)]
    minutes = [(moment - NOON) / timedelta(minutes=1) if moment else None for moment in moments]
    assert minutes == [5, 20, 80, 320, 1280, None]


@given(codes, st.integers(0, 599), st.integers(0, 20), st.floats(0, 1e7))
def test_a_server_that_asks_for_patience_gets_it_up_to_a_day(
    code: str, status: int, tries: int, seconds: float
) -> None:
    usual = next_try(failure(code), status, tries, NOON)
    asked = next_try(failure(code), status, tries, NOON, seconds)
    if usual is None:
        assert asked is None
    else:
        assert asked == max(usual, NOON + min(timedelta(seconds=seconds), DAY))
        assert asked <= NOON + DAY


@pytest.mark.parametrize(
    ("code", "status", "of_host"),
    [
        ("connection_failed", 0, True),
        ("fetch_timeout", 0, True),
        ("bot_wall", 200, True),
        ("store_error", 0, True),
        ("error_page", 403, True),
        ("error_page", 429, True),
        ("error_page", 502, True),
        ("error_page", 404, False),
        ("not_item", 200, False),
        ("robots_forbid", 0, False),
        ("login_wall", 200, False),
    ],
)
def test_what_speaks_of_the_host(code: str, status: int, of_host: bool) -> None:
    assert speaks_of_host(failure(code), status) == of_host


@pytest.mark.parametrize(("status", "busy"), [(200, False), (304, False), (404, False), (429, True), (500, True)])
def test_who_is_busy(status: int, busy: bool) -> None:
    assert is_busy(status) == busy


@pytest.mark.parametrize(
    ("code", "tries", "wait"),
    [
        ("host_not_found", 0, timedelta(minutes=5)),
        ("error_page", 1, timedelta(minutes=20)),
        ("robots_forbid", 0, timedelta(minutes=5)),
        ("connection_failed", 6, DAY),
        ("no_articles", 0, DAY),
        ("no_links", 3, DAY),
        ("login_wall", 0, DAY),
        ("bot_wall", 0, DAY),
    ],
)
def test_when_a_site_is_learned_again(code: str, tries: int, wait: timedelta) -> None:
    assert next_lesson(failure(code), tries, NOON) == NOON + wait


@given(codes, st.integers(0, 1000), st.floats(0, 1e7))
def test_no_site_is_given_up(code: str, tries: int, seconds: float) -> None:
    moment = next_lesson(failure(code), tries, NOON, seconds)
    assert NOON + timedelta(minutes=5) <= moment <= NOON + DAY
