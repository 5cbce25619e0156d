"""Records of pages that were fetched again and again, and what their items cost from when until when."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitewright.engines import DuckEngine
from sitewright.errors import InputError
from sitewright.processes.price_histories import histories, make_histories

SPADE, RAKE = "https://shop.example/spade", "https://shop.example/rake"


@pytest.fixture
def engine() -> Iterator[DuckEngine]:
    made = DuckEngine(threads=1)
    yield made
    made.close()


def seen(day: int, amount: float | None, url: str = SPADE, **more: Any) -> dict[str, Any]:
    price = {"price": {"amount": amount, "currency": "EUR"}} if amount is not None else {}
    return {"url": url, "name": url[-5:], **price, "fetched_at": f"2026-03-{day:02}T06:00:00+00:00"} | more


def written(path: Path, rows: list[Any]) -> str:
    text = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return str(path)


def told(engine: DuckEngine, *places: str) -> list[tuple[str, float | None, str, str]]:
    make_histories(engine, places, "shop")
    return [
        (row["url"], row["amount"], f"{row['since']:%d}", f"{row['until']:%d}") for row in histories(engine)
    ]  # fmt: skip


def test_sightings_that_say_the_same_are_one_price(engine: DuckEngine, tmp_path: Path) -> None:
    one = written(tmp_path / "one.jsonl", [seen(16, 20), seen(19, 18.0), seen(17, 20.0), seen(16, 7, RAKE)])
    other = written(tmp_path / "two.jsonl.gz", [seen(21, 20, f"{SPADE}?utm_source=mail"), seen(18, 18), seen(17, 20)])
    found = told(engine, one, other)
    newest = f"{SPADE}?utm_source=mail"
    assert found == [
        (RAKE, 7.0, "16", "16"),
        (newest, 20.0, "16", "17"),
        (newest, 18.0, "18", "19"),
        (newest, 20.0, "21", "21"),
    ]


def test_other_stock_and_former_price_are_another_price_and_so_is_none(engine: DuckEngine, tmp_path: Path) -> None:
    rows = [
        seen(1, 20, availability="InStock"),
        seen(2, 20, availability="OutOfStock"),
        seen(3, 20, availability="OutOfStock", old_price={"amount": 25, "currency": "EUR"}),
        seen(4, None),
        seen(5, 0),
    ]
    make_histories(engine, [written(tmp_path / "a.jsonl", rows)], "shop")
    found = [(row["amount"], row["currency"], row["old_amount"], row["stock"]) for row in histories(engine)]
    assert found == [
        (20.0, "EUR", None, "InStock"),
        (20.0, "EUR", None, "OutOfStock"),
        (20.0, "EUR", 25.0, "OutOfStock"),
        (None, None, None, None),
        (0.0, "EUR", None, None),
    ]


def test_a_history_takes_later_days_and_days_between(engine: DuckEngine, tmp_path: Path) -> None:
    month = [seen(day, 20 if day < 10 else 18) for day in range(1, 20)]
    make_histories(engine, [written(tmp_path / "month.jsonl", month)], "shop")
    rows = [json.dumps(row, default=str) for row in histories(engine)]
    before = written(tmp_path / "history.jsonl", rows)
    more = written(tmp_path / "more.jsonl", [seen(20, 18), seen(21, 15), seen(4, 20), seen(14, 99)])
    assert [line[1:] for line in told(engine, before, more)] == [
        (20.0, "01", "09"),
        (18.0, "10", "10"),
        (99.0, "14", "14"),
        (18.0, "19", "20"),
        (15.0, "21", "21"),
    ]


def test_what_says_no_price_is_counted(engine: DuckEngine, tmp_path: Path) -> None:
    rows: list[Any] = [
        seen(1, 20),
        "{torn",
        "[]",
        {"url": SPADE, "error": {"code": "not_html"}},
        {"url": SPADE, "name": "Spade"},
        seen(1, 20, fetched_at="yesterday"),
        seen(1, 20, page_kind="list"),
        {"url": SPADE, "fetched_at": "2026-03-01"},
    ]
    assert make_histories(engine, [written(tmp_path / "a.jsonl", rows)], "shop") == {
        "that are not JSON": 1,
        "without an address": 1,
        "of pages that could not be read": 1,
        "that do not say when their page was fetched": 2,
        "of pages that are not of a product": 2,
    }
    assert len(list(histories(engine))) == 1


def test_parquet_says_what_lines_say(engine: DuckEngine, tmp_path: Path) -> None:
    lines = written(tmp_path / "a.jsonl", [seen(1, 20.5), seen(2, 20.5), seen(3, None)])
    table = str(tmp_path / "a.parquet")
    duckdb.read_json(lines).write_parquet(table)
    assert told(engine, table) == told(engine, lines) == [(SPADE, 20.5, "01", "02"), (SPADE, None, "03", "03")]


def test_files_that_are_no_such_files_are_named(engine: DuckEngine, tmp_path: Path) -> None:
    for name in ("none.jsonl", "none.parquet"):
        with pytest.raises(InputError, match=f"cannot read .*{name}"):
            make_histories(engine, [str(tmp_path / name)], "shop")
    (tmp_path / "torn.jsonl.gz").write_bytes(b"\x1f\x8b torn")
    with pytest.raises(InputError, match="cannot read"):
        make_histories(engine, [str(tmp_path / "torn.jsonl.gz")], "shop")
