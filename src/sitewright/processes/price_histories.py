"""Records with the time their pages were fetched in, what each item cost from when until when out.

What a record says of its price is a sighting; sightings one after the other that say the same are one price, as in a
store. They are read file by file, by as many machines as there are, and put together by one statement, by any engine.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from itertools import islice
from typing import Any

import numpy as np
import orjson

from sitewright.domains import Domain, load_domain
from sitewright.domains.kinds import PRICE
from sitewright.engines.engine import Columns, Engine
from sitewright.errors import InputError
from sitewright.fetch.lines import read_lines
from sitewright.parse import url_id
from sitewright.parse.sites import site_name
from sitewright.processes.shared_files import here
from sitewright.values.moments import moment_of

Row = Mapping[str, Any]
PRICED = ("amount", "currency", "old_amount", "stock")
"""What rows of a history say of a price."""
_TEXTS = ("site", "id", "url", "name", "said", "fault")
_SCHEMA = ", ".join([*(f"{name} string" for name in _TEXTS), "moment bigint"])
_TOGETHER = 5_000
_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Fault(ValueError):
    """Why a line says no price."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What the page of an item said of its price at a moment."""

    url: str
    name: str
    at: datetime
    said: Row
    """By `PRICED`."""


@dataclass(frozen=True, slots=True)
class SightingReader:
    """Reads files of records, or of histories; it travels to the machines of a cluster."""

    domain: str

    def __call__(self, place: str) -> Iterator[Columns]:
        """Yield the sightings of a file, and the faults of its lines, some thousand at a time."""
        domain = load_domain(self.domain)
        with here(place) as path:
            lines = iter(_lines(path))
            while some := list(islice(lines, _TOGETHER)):
                yield _columns([row for line in some for row in _rows(line, domain)])


def make_histories(engine: Engine, places: Sequence[str], domain: str) -> Counter[str]:
    """Make the table of prices of the records of files; return how many lines say none, by why."""
    engine.make_of("sightings", places, SightingReader(domain), _SCHEMA)
    engine.make("prices", files("sitewright.processes").joinpath("price_histories.sql").read_text("utf-8"))
    counted = "select fault, count(*) from sightings where fault <> '' group by fault"
    return Counter({str(why): int(count) for why, count in engine.rows(counted)})


def histories(engine: Engine) -> Iterator[dict[str, Any]]:
    """Yield the prices of the table, item by item, the oldest price of each first."""
    wanted = "select site, url, name, said, since, until from prices order by site, url, since"
    for site, url, name, said, since, until in engine.stream(wanted):
        held = {"since": _moment(since), "until": _moment(until)}
        yield {"site": site, "url": url, "name": name, **orjson.loads(said), **held}


def _lines(path: str) -> Iterator[bytes]:
    if not path.endswith(".parquet"):
        yield from (line for _, line in read_lines(path))
        return
    import duckdb  # noqa: PLC0415 -- only who reads Parquet pays for it

    try:
        with duckdb.connect() as connection:
            found = connection.execute("select to_json(t) from read_parquet(?) t", [path])
            while rows := found.fetchmany(_TOGETHER):
                yield from (str(line).encode() for (line,) in rows)
    except duckdb.Error as error:
        raise InputError(f"cannot read {path}: {str(error).splitlines()[0]}") from error


def _rows(line: bytes, domain: Domain) -> Iterator[dict[str, Any]]:
    try:
        for one in sightings_of(_object(line), domain):
            about = {"site": site_name(one.url), "id": url_id(one.url), "url": one.url, "name": one.name, "fault": ""}
            said = orjson.dumps({name: _plain(one.said.get(name)) for name in PRICED}).decode()
            yield about | {"said": said, "moment": (one.at - _BEGIN) // _MICROSECOND}
    except Fault as why:
        yield dict.fromkeys(_TEXTS, "") | {"fault": str(why), "moment": 0}


def _plain(value: object) -> object:
    """Return a value as it is compared: 20 is 20.0, and no text is none."""
    return float(value) if isinstance(value, int | float) else value or None


def _object(line: bytes) -> Row:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise Fault("that are not JSON") from error
    if not isinstance(row, dict) or not isinstance(row.get("url"), str):
        raise Fault("without an address")
    return row


def sightings_of(row: Row, domain: Domain) -> list[Sighting]:
    """Return what a record says of its item's price; what a line of a history says of its first and last moment.

    >>> from sitewright.domains import load_domain
    >>> spade = {"url": "https://a.example/s", "name": "Spade", "price": {"amount": 9.5, "currency": "EUR"}}
    >>> [one] = sightings_of(spade | {"fetched_at": "2026-03-16T06:00:00+00:00"}, load_domain("shop"))
    >>> one.said
    {'amount': 9.5, 'currency': 'EUR', 'old_amount': None, 'stock': None}
    """
    if row.get("error"):
        raise Fault("of pages that could not be read")
    if "since" in row:
        moments = sorted({_asked(row, "since"), _asked(row, "until")})
        return [Sighting(row["url"], str(row.get("name") or ""), at, row) for at in moments]
    name = row.get(domain.heading)
    if not name or (row.get("page_kind") or domain.item.kind) != domain.item.kind:
        raise Fault(f"of pages that are not of {domain.item.called}")
    return [Sighting(row["url"], str(name), _asked(row, "fetched_at"), _said(row, domain))]


def _asked(row: Row, name: str) -> datetime:
    at = moment_of(row[name]) if row.get(name) else None
    if at is None:
        raise Fault("that do not say when their page was fetched")
    return at


def _said(row: Row, domain: Domain) -> Row:
    price, old = (_money(row, names) for names in (domain.fields_of_kind(PRICE)[place:][:1] for place in (0, 1)))
    return {
        "amount": price.get("amount"),
        "currency": price.get("currency"),
        "old_amount": old.get("amount"),
        "stock": row.get(domain.stock),
    }


def _money(row: Row, names: Sequence[str]) -> Row:
    value = next((row[name] for name in names if name in row), None)
    return value if isinstance(value, Mapping) and isinstance(value.get("amount"), int | float) else {}


def _columns(rows: Sequence[Row]) -> Columns:
    texts = {name: np.array([row[name] for row in rows], dtype=object) for name in _TEXTS}
    return texts | {"moment": np.array([row["moment"] for row in rows], dtype=np.int64)}


def _moment(microseconds: int) -> datetime:
    return _BEGIN + microseconds * _MICROSECOND
