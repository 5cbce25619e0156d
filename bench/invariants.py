"""Tasks and the lines that came out for them in, every broken promise out."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import orjson

from sitewright import errors
from sitewright.parse import normalise_url
from sitewright.processes.extract import Line

SAME_PARAGRAPH = 40
"""As docs promise: no line of at least so many characters stands twice in a text."""
AHEAD_WITH_ZONE = timedelta(minutes=10)
AHEAD_WITHOUT_ZONE = timedelta(hours=14)
"""What a clock or an unknown time zone may add before a date counts as in the future."""
_ADDRESS = re.compile(r"""(?:href|src|content)\s*=\s*["']?([^"'\s>]{1,3000})""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Broken:
    """One broken promise: which, at which task, and what was seen."""

    kind: str
    task: int
    detail: str


@dataclass(frozen=True, slots=True)
class Expected:
    """What is known beforehand about one line."""

    url: str | None
    """None where the page file itself was damaged."""
    now: datetime
    """What no date may be later than."""


def known_codes(root: type[errors.SitewrightError] = errors.SitewrightError) -> frozenset[str]:
    """Return the codes of all errors that are raised on purpose."""
    return frozenset({root.code}).union(*(known_codes(kind) for kind in root.__subclasses__()))


def check_lines(expected: Sequence[Expected], lines: Sequence[Line]) -> Iterator[Broken]:
    """Check what must hold for every page: its line is there, in order, readable, and says nothing impossible."""
    if len(lines) != len(expected):
        yield Broken("line_count", 0, f"{len(expected)} pages gave {len(lines)} lines")
    for number, (known, line) in enumerate(zip(expected, lines, strict=False)):
        for kind, detail in _check_line(known, line):
            yield Broken(kind, number, detail)


def check_twins(lines: Sequence[Line], twins: Sequence[Line]) -> Iterator[Broken]:
    """Check that the same pages gave the same lines; one that was too slow or crashed once may differ."""
    for number, (line, twin) in enumerate(zip(lines, twins, strict=False)):
        if line != twin and not {line.failure, twin.failure} & {"page_timeout", "page_crashed"}:
            yield Broken("not_deterministic", number, _difference(line.content, twin.content))


def check_urls(urls: Iterable[str]) -> Iterator[str]:
    """Yield the URLs whose normal form has another normal form."""
    for url in urls:
        once = normalise_url(url)
        if normalise_url(once) != once:
            yield url


def addresses_in(markup: str, most: int = 40) -> list[str]:
    """Return some of the addresses that a page mentions."""
    found: list[str] = []
    for match in _ADDRESS.finditer(markup):
        found.append(match[1])
        if len(found) == most:
            break
    return found


def _check_line(known: Expected, line: Line) -> Iterator[tuple[str, str]]:
    try:
        row = orjson.loads(line.content)
    except orjson.JSONDecodeError as error:
        yield "not_json", str(error)
        return
    if b"\n" in line.content:
        yield "not_one_line", "a line break inside a line"
    saved = known.url is not None and known.url.startswith("file:")  # known by the address that it states itself
    if known.url is not None and not saved and _number(row.get("url")) != _number(known.url):
        yield "order", f"expected the line of {known.url!r}, found that of {row.get('url')!r}"
    if "error" in row:
        yield from _check_failure(row["error"], line.failure)
    elif line.failure:
        yield "failure_not_told", f"the line of a {line.failure} tells no error"
    else:
        yield from _check_record(row, known.now)


def _check_failure(error: dict[str, str], code: str) -> Iterator[tuple[str, str]]:
    if error.get("code") == "internal_error":
        yield "internal_error", f"{error.get('stage')}: {error.get('detail')}"
    elif error.get("code") not in known_codes() or error.get("code") != code:
        yield "unknown_code", f"{error!r}, the line's own code is {code!r}"


def _check_record(row: dict[str, Any], now: datetime) -> Iterator[tuple[str, str]]:
    for field in ("text", "body", "source"):
        text = row.get(field)
        lines = Counter(text.split("\n")) if isinstance(text, str) and row["confidence"].get(field) else Counter()
        if twice := next((line for line, count in lines.items() if count > 1 and len(line) >= SAME_PARAGRAPH), None):
            yield "paragraph_twice", f"{field}: {lines[twice]} times {twice[:120]!r}"
    for field in ("published", "modified"):
        stated = row.get(field)
        if isinstance(stated, str) and is_future(stated, now):
            yield "future_date", f"{field}: {stated} is after {now.isoformat()}"


def is_future(stated: str, now: datetime) -> bool:
    """Tell whether an ISO date or moment is later than `now` can explain; what is no date is not.

    >>> noon = datetime(2024, 1, 1, 12, tzinfo=UTC)
    >>> is_future("2024-01-02", noon), is_future("2024-01-03", noon), is_future("2024-01-01T12:11:00+00:00", noon)
    (False, True, True)
    """
    try:
        if len(stated) == 10:
            return date.fromisoformat(stated) > _later(now, AHEAD_WITHOUT_ZONE).date()
        moment = datetime.fromisoformat(stated)
    except ValueError:
        return False
    if moment.tzinfo is None:
        return moment.replace(tzinfo=UTC) > _later(now, AHEAD_WITHOUT_ZONE)
    return moment > _later(now, AHEAD_WITH_ZONE)


def _later(now: datetime, delta: timedelta) -> datetime:
    try:
        return now + delta
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def _number(url: object) -> str:
    """Return what tells a mutant's URL from others; half surrogates before it come out replaced."""
    return str(url).rpartition("mutant=")[2]


def _difference(one: bytes, other: bytes) -> str:
    place = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    start = max(0, place - 60)
    return f"at byte {place}: {one[start : place + 60]!r} and {other[start : place + 60]!r}"
