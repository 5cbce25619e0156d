"""Lists of ALS and BPR, which stand beside ours where `implicit` is installed."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.recommend.made_up import HOUR, START, two_tastes, written

from sitewright.engines import DuckEngine
from sitewright.recommend import factors
from sitewright.recommend.clicklog import load_clicks
from sitewright.recommend.factors import lists_by_factors
from sitewright.recommend.judging import trial_at

NO_IMPLICIT = "implicit is not installed (the extra `judging`)"


@pytest.mark.skipif(find_spec("implicit") is None, reason=NO_IMPLICIT)
def test_factors_find_taste_among_what_was_not_read(engine: DuckEngine, tmp_path: Path) -> None:
    load_clicks(engine, [written(tmp_path / "clicks.csv", two_tastes())])
    trial = trial_at(engine, START + 18 * HOUR)
    names = dict(engine.rows("select item, name from item_names"))
    readers = dict(engine.rows("select reader, name from reader_names"))
    read = set(engine.rows("select reader, item from reads"))
    found = dict(lists_by_factors(engine, [*sorted(trial.clicked), 10_000], 10))
    assert found.keys() == {"ALS", "BPR"}
    for lists in found.values():
        assert lists.keys() == trial.clicked.keys()
        assert not read & {(reader, item) for reader, items in lists.items() for item in items}
    own = [
        names[items[0]].startswith("sport" if int(readers[reader].split("-")[1]) % 2 else "film")
        for reader, items in found["ALS"].items()
    ]
    assert sum(own) / len(own) > 0.8


def test_without_the_library_there_are_none(engine: DuckEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factors, "find_spec", lambda _: None)
    assert list(lists_by_factors(engine, [1], 10)) == []
