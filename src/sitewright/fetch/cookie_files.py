"""The text of a file of cookies in (`cookies.txt`, or JSON of browsers and of Playwright), its cookies out.

No error says what a cookie holds.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from sitewright.errors import SettingsError
from sitewright.types import Cookie

_HTTP_ONLY = "#HttpOnly_"
_COLUMNS = 7
_FORMS = "expected a cookies.txt (seven columns with tabs between them) or the JSON of Playwright's storage_state"
_Storage = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class LogIn:
    """What a browser kept of having logged in."""

    cookies: tuple[Cookie, ...] = ()
    storage: _Storage = field(default_factory=dict, repr=False)
    """`localStorage` by origin; only Playwright's files have it."""


def read_log_in(text: str, name: str) -> LogIn:
    r"""Read a file of cookies; `SettingsError` says which lines are none.

    >>> read_log_in("example.com\tFALSE\t/\tTRUE\t0\tsession\tsecret", "cookies.txt").cookies[0]
    Cookie(name='session', domain='example.com', host_only=True, path='/', secure=True, http_only=False, expires=None)
    """
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] not in ("{", "["):
        return LogIn(_netscape(text, name))
    try:
        held = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise SettingsError(f"{name}:{error.lineno}: is not JSON; {_FORMS}") from None
    listed = held.get("cookies", []) if isinstance(held, dict) else held
    origins = held.get("origins", []) if isinstance(held, dict) else []
    try:
        return LogIn(tuple(map(_cookie, listed)), dict(map(_origin, origins)))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise SettingsError(f"{name}: its cookies have no name, value and domain; {_FORMS}") from None


def _netscape(text: str, name: str) -> tuple[Cookie, ...]:
    bad: list[int] = []
    found = []
    for number, columns in _rows(text):
        try:
            found.append(_of_columns(columns))
        except ValueError:
            bad.append(number)
    if bad:
        raise SettingsError(f"{name}: no cookie in line {', '.join(map(str, bad))}; {_FORMS}")
    return tuple(found)


def _rows(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    for number, line in enumerate(text.split("\n"), 1):
        row = line.rstrip("\r")
        if row.strip() and (row.startswith(_HTTP_ONLY) or not row.startswith("#")):
            yield number, row.split("\t")


def _of_columns(columns: Sequence[str]) -> Cookie:
    if len(columns) != _COLUMNS:
        raise ValueError(columns)
    domain, below, path, secure, expires, name, value = columns
    return Cookie(
        name=name,
        value=_line(value),
        domain=_host(domain.removeprefix(_HTTP_ONLY)),
        host_only=below.upper() != "TRUE",
        path=path or "/",
        secure=secure.upper() == "TRUE",
        http_only=domain.startswith(_HTTP_ONLY),
        expires=_moment(float(expires or 0)),
    )


def _cookie(held: Mapping[str, Any]) -> Cookie:
    domain = str(held["domain"])
    ends = held.get("expires", held.get("expirationDate"))
    return Cookie(
        name=str(held["name"]),
        value=_line(str(held["value"])),
        domain=_host(domain),
        host_only=bool(held.get("hostOnly", not domain.startswith("."))),
        path=str(held.get("path") or "/"),
        secure=bool(held.get("secure", False)),
        http_only=bool(held.get("httpOnly", False)),
        expires=None if ends is None else _moment(float(ends)),
    )


def _origin(held: Mapping[str, Any]) -> tuple[str, Mapping[str, str]]:
    return str(held["origin"]), {str(item["name"]): str(item["value"]) for item in held.get("localStorage", ())}


def _host(domain: str) -> str:
    host = domain.strip().lstrip(".").lower()
    if not host:
        raise ValueError(domain)
    return host


def _line(value: str) -> str:
    """Refuse what would end the header it is sent in."""
    if not value.isprintable():
        raise ValueError
    return value


def _moment(seconds: float) -> float | None:
    return seconds if seconds > 0 and math.isfinite(seconds) else None
