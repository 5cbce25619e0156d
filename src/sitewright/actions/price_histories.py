"""Files of records in, what their items cost over time out, by this process or by a Spark cluster."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sitewright.actions.telling import Tell
from sitewright.domains import load_domain
from sitewright.engines import open_engine
from sitewright.errors import InputError
from sitewright.processes.price_histories import histories, make_histories
from sitewright.processes.shared_files import is_remote, listed
from sitewright.values.words import counted

_MOMENT = "TIMESTAMP WITH TIME ZONE"
COLUMNS: Mapping[str, str] = {
    "site": "VARCHAR", "url": "VARCHAR", "name": "VARCHAR", "amount": "DOUBLE", "currency": "VARCHAR",
    "old_amount": "DOUBLE", "stock": "VARCHAR", "since": _MOMENT, "until": _MOMENT,
}  # fmt: skip
"""The columns of a history, with their SQL types."""
_ENDINGS = (".jsonl", ".jsonl.gz", ".jsonl.xz", ".parquet")


@dataclass(frozen=True, slots=True)
class Histories:
    """How many prices of how many items there are."""

    prices: int
    items: int


def price_histories(
    sources: Sequence[str],
    domain: str,
    write: Callable[[Mapping[str, Any]], None],
    tell: Tell,
    *,
    engine: str = "duckdb",
    master: str | None = None,
) -> Histories:
    """Write each price of the items of records, item by item; `tell` hears how many lines say none, and why."""
    if not load_domain(domain).price:
        raise InputError(f"items of the domain {domain} have no price; say what the records are of: --domain shop")
    places = [place for source in sources for place in _files(source)]
    opened = open_engine(engine, master)
    try:
        for why, count in sorted(make_histories(opened, places, domain).items()):
            tell(f"{counted(count, 'line')} left out: {why}")
        return _written(histories(opened), write)
    finally:
        opened.close()


def _written(rows: Iterator[Mapping[str, Any]], write: Callable[[Mapping[str, Any]], None]) -> Histories:
    prices = items = 0
    last: object = None
    for row in rows:
        write(row)
        prices += 1
        items += row["url"] != last
        last = row["url"]
    return Histories(prices, items)


def _files(source: str) -> list[str]:
    """Return the files of a folder, which may be elsewhere; of any other place itself."""
    if source == "-" or (not is_remote(source) and Path(source).is_file()):
        return [source]
    if not is_remote(source) and not Path(source).is_dir():
        raise InputError(f"cannot read {source}: there is no such file")
    found = listed(source) if is_remote(source) else sorted(map(str, Path(source).iterdir()))
    if found == [source]:
        return found
    records = [place for place in found if place.endswith(_ENDINGS) and not Path(place).name.startswith(("_", "."))]
    if not records:
        raise InputError(f"there is no file of records in {source}")
    return records
