"""The same statements on a Spark cluster: a master and two workers on loopback give what DuckDB gives."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import needs
from tests.recommend.made_up import two_tastes, viewed_sets, written
from tests.spark import cluster

from sitewright.engines import DuckEngine, Engine
from sitewright.engines.spark import SparkEngine
from sitewright.errors import InputError
from sitewright.processes.price_histories import histories, make_histories
from sitewright.recommend import paper
from sitewright.recommend.candidates import ask_for
from sitewright.recommend.clicklog import load_clicks
from sitewright.recommend.lists import ListOptions, ReaderList, reader_lists

pytestmark = [needs.spark, needs.thorough, pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def engine() -> Iterator[DuckEngine]:
    made = DuckEngine(threads=1)
    yield made
    made.close()


@pytest.fixture(scope="module")
def on_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkEngine]:
    settings = {"spark.sql.shuffle.partitions": "2", "spark.executor.memory": "600m", "spark.driver.host": "127.0.0.1"}
    with cluster(tmp_path_factory.mktemp("spark")) as master:
        engine = SparkEngine(master, **settings)
        yield engine
        engine.close()


def lists_of(engine: Engine, places: list[str]) -> dict[str | None, ReaderList]:
    options = ListOptions(readers=["reader-1", "reader-2", "reader-30", "new"])
    return {found.reader: found for found in reader_lists(engine, load_clicks(engine, places), options)}


def test_lists_are_those_of_duckdb(engine: DuckEngine, on_cluster: SparkEngine, tmp_path: Path) -> None:
    places = [written(tmp_path / "clicks.csv", two_tastes())]
    here, there = lists_of(engine, places), lists_of(on_cluster, places)
    assert here.keys() == there.keys()
    for reader in here:
        scores = {item.item: item.score for item in here[reader].items}
        assert {item.item: item.score for item in there[reader].items} == pytest.approx(scores, abs=1e-5)
        assert [item.reason for item in there[reader].items] == [item.reason for item in here[reader].items]


def test_predictions_of_the_paper_are_those_of_duckdb(
    engine: DuckEngine, on_cluster: SparkEngine, tmp_path: Path
) -> None:
    places = [written(tmp_path / "sets.csv", viewed_sets())]
    found = []
    for one in (engine, on_cluster):
        log = load_clicks(one, places)
        ask_for(one, None)
        paper.predict(one, log)
        found.append({(reader, item): score for reader, item, score in one.rows("select * from paper_scored")})
    assert found[0]
    assert found[1] == pytest.approx(found[0])


def test_price_histories_are_those_of_duckdb(engine: DuckEngine, on_cluster: SparkEngine, tmp_path: Path) -> None:
    places = []
    for part in range(4):
        rows = [
            {
                "url": f"https://shop{item % 3}.example/{item}",
                "name": f"Item {item}",
                "price": {"amount": 10 + (day + item) // 5, "currency": "EUR"},
                "fetched_at": f"2026-03-{day:02}T06:00:00Z",
            }
            for item in range(40)
            for day in range(1 + part, 29, 4)
        ]
        place = tmp_path / f"part-{part}.jsonl"
        place.write_text("torn\n" + "".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        places.append(str(place))
    faults = [make_histories(one, places, "shop") for one in (engine, on_cluster)]
    here, there = list(histories(engine)), list(histories(on_cluster))
    assert faults[0] == faults[1] == {"that are not JSON": 4}
    assert len(here) > 200
    assert there == here
    with pytest.raises(InputError, match=r"cannot read .*none"):
        make_histories(on_cluster, [*places, str(tmp_path / "none.jsonl")], "shop")
