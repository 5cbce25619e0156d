"""Files of clicks, good and bad: what counts, and how much of the rest there was."""

from pathlib import Path

import pytest
from tests.recommend.made_up import START, two_tastes, written

from sitewright.engines.duck import DuckEngine
from sitewright.errors import InputError
from sitewright.recommend.clicklog import Faults, load_clicks


def count(engine: DuckEngine, table: str) -> int:
    return int(engine.rows(f"select count(*) from {table}")[0][0])


def test_all_that_is_wrong_is_counted(engine: DuckEngine, tmp_path: Path) -> None:
    good = [{"user": "a", "item": f"i{n}", "time": START + 60 * n} for n in range(10)]
    bad = [
        {"user": "", "item": "i1", "time": START},
        {"user": "a", "item": "i1", "time": "yesterday"},
        {"user": "a", "item": "i1", "time": -5},
        {"user": "a", "item": "i1", "time": START + 90},  # a second time
        {"user": "b", "item": "i1", "time": START + 10_000},  # later than asked for
    ]
    robot = [{"user": "robot", "item": f"r{n}", "time": START + n} for n in range(300)]
    keen = [{"user": "keen", "item": f"k{n}", "time": START - 1000 * n} for n in range(600)]
    log = load_clicks(engine, [written(tmp_path / "c.csv", good + bad + robot + keen)], START + 5000)
    assert log.faults == Faults(rows=915, incomplete=3, later=1, repeated=1, by_robots=300, beyond_bounds=100)
    assert count(engine, "visits") == 510


def test_a_reader_with_a_hundred_thousand_clicks_is_bounded(engine: DuckEngine, tmp_path: Path) -> None:
    clicks = [{"user": "keen", "item": f"i{n}", "time": START + 60 * n} for n in range(100_000)]
    log = load_clicks(engine, [written(tmp_path / "c.csv", clicks)])
    assert count(engine, "visits") == 500
    assert log.faults.beyond_bounds == 99_500


def test_the_order_of_rows_does_not_matter(engine: DuckEngine, tmp_path: Path) -> None:
    clicks = two_tastes()
    tables = []
    for order in (clicks, clicks[::-1]):
        load_clicks(engine, [written(tmp_path / "c.csv", order)])
        tables.append(sorted(engine.rows("select * from visits")))
    assert tables[0] == tables[1]


def test_one_clock_that_is_ahead_does_not_move_the_moment(engine: DuckEngine, tmp_path: Path) -> None:
    clicks = two_tastes(readers=200)
    ahead = [*clicks, {"user": "x", "item": "y", "time": 2_500_000_000}]
    log = load_clicks(engine, [written(tmp_path / "c.csv", ahead)])
    assert log.at <= clicks[-1]["time"] + 86_401
    assert log.faults.later == 1


@pytest.mark.parametrize("time", ["1700000000", "1700000000000", "2023-11-14 22:13:20", "1700000000.0"])
def test_moments_are_read_as_they_are_written(engine: DuckEngine, tmp_path: Path, time: str) -> None:
    load_clicks(engine, [written(tmp_path / "c.csv", [{"user": "a", "item": "b", "time": time}])])
    assert engine.rows("select time from clicks") == [(START,)]


def test_parquet_and_several_files(engine: DuckEngine, tmp_path: Path) -> None:
    csv = written(tmp_path / "c.csv", two_tastes())
    engine.rows(f"copy (select * from read_csv('{csv}')) to '{tmp_path}/c.parquet' (format parquet)")
    assert load_clicks(engine, [csv, csv]).faults.repeated >= load_clicks(engine, [csv]).faults.rows
    assert load_clicks(engine, [f"{tmp_path}/c.parquet"]) == load_clicks(engine, [csv])


def test_slow_logs_have_longer_half_lives(engine: DuckEngine, tmp_path: Path) -> None:
    slow = [{"user": f"r{n % 7}", "item": f"i{n}", "time": START + 864 * n} for n in range(200)]
    assert load_clicks(engine, [written(tmp_path / "c.csv", slow)]).pace == pytest.approx(200, rel=0.01)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("reader,page,time\na,b,3\n", "no column item"),
        ("user,item,time\n", "no click with a time"),
        ("user,item,time\na,b,whenever\n", "no click with a time"),
    ],
)
def test_files_without_clicks_are_refused(engine: DuckEngine, tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "c.csv").write_text(text)
    with pytest.raises(InputError, match=said):
        load_clicks(engine, [str(tmp_path / "c.csv")])
