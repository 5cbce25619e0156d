from datetime import UTC, datetime

import orjson
import pytest
from bench.invariants import Broken, Expected, check_lines, check_twins, check_urls, known_codes

from sitewright.processes.extract import Line

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)
URL = "https://example.com/a"
LONG = "A line of more than forty characters, which is a paragraph."


def line(failure: str = "", **entries: object) -> Line:
    return Line(orjson.dumps({"url": URL, "confidence": dict.fromkeys(entries, 0.9), **entries}), failure)


def failed(code: str, told: str = "") -> Line:
    return line(told or code, error={"code": code, "stage": "extract", "detail": "KeyError: 'x'"})


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (line(title="A", published="2024-05-01T12:05:00+00:00", text=f"{LONG}\nshort\nshort"), None),
        (line(published="2024-05-02"), None),
        (failed("page_timeout"), None),
        (failed("internal_error"), "internal_error"),
        (failed("strange"), "unknown_code"),
        (failed("page_timeout", told="page_crashed"), "unknown_code"),
        (line("page_timeout"), "failure_not_told"),
        (line(published="2024-05-01T13:00:00+00:00"), "future_date"),
        (line(modified="2024-05-03"), "future_date"),
        (line(published="2024-05-02T03:00:00"), "future_date"),
        (line(text=f"{LONG}\nother\n{LONG}"), "paragraph_twice"),
        (Line(b"{'url': 1}"), "not_json"),
        (Line(b'{"url":\n"https://example.com/a","confidence":{}}'), "not_one_line"),
        (Line(b'{"url":"https://example.com/b","confidence":{}}'), "order"),
    ],
)
def test_what_a_line_may_not_say(found: Line, kind: str | None) -> None:
    assert [broken.kind for broken in check_lines([Expected(URL, NOW)], [found])] == ([kind] if kind else [])


def test_a_missing_line_is_found() -> None:
    assert [broken.kind for broken in check_lines([Expected(URL, NOW)] * 2, [line()])] == ["line_count"]


def test_the_url_of_a_damaged_line_is_not_known() -> None:
    assert list(check_lines([Expected(None, NOW)], [line()])) == []


def test_a_half_surrogate_in_a_url_is_replaced() -> None:
    expected = Expected("https://example.com/\ud800?mutant=7", NOW)
    assert list(check_lines([expected], [Line(b'{"url":"https://example.com/???mutant=7","confidence":{}}')])) == []
    [broken] = check_lines([expected], [Line(b'{"url":"https://example.com/???mutant=8","confidence":{}}')])
    assert broken.kind == "order"


def test_twins_differ_only_where_time_was_short() -> None:
    assert list(check_twins([line(title="a")], [line(title="a")])) == []
    assert list(check_twins([line(title="a")], [failed("page_timeout")])) == []
    [broken] = check_twins([line(title="a")], [line(title="b")])
    assert isinstance(broken, Broken)
    assert broken.kind == "not_deterministic"


def test_plain_urls_are_idempotent() -> None:
    assert list(check_urls(["https://example.com/a?utm_source=x#top", "http://[broken", ""])) == []


def test_codes_are_those_of_the_error_tree() -> None:
    assert {"page_timeout", "map_invalid", "sitewright_error"} <= known_codes()
    assert "internal_error" not in known_codes()
