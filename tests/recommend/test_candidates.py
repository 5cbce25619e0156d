"""Features of readers and items: those that the ranker wants, and nothing that was read."""

from pathlib import Path

import numpy as np
from tests.recommend.made_up import two_tastes, written

from sitewright.engines.duck import DuckEngine
from sitewright.recommend.candidates import FEATURES, SOMEBODY_NEW, ask_for, look_at_readers, weigh_items
from sitewright.recommend.clicklog import load_clicks
from sitewright.recommend.statements import statement


def prepared(engine: DuckEngine, tmp_path: Path) -> None:
    weigh_items(engine, load_clicks(engine, [written(tmp_path / "c.csv", two_tastes())]))


def test_all_features_are_there_and_are_numbers(engine: DuckEngine, tmp_path: Path) -> None:
    prepared(engine, tmp_path)
    look_at_readers(engine, 0, ask_for(engine, None))
    rows = engine.rows(f"select {', '.join(FEATURES)} from ({statement('features')})")
    assert np.isfinite(np.array(rows, dtype=float)).all()


def test_what_was_read_is_no_candidate(engine: DuckEngine, tmp_path: Path) -> None:
    prepared(engine, tmp_path)
    look_at_readers(engine, 0, ask_for(engine, None))
    assert engine.rows("select * from candidates c join reads r on r.reader = c.reader and r.item = c.item") == []


def test_only_those_who_are_asked_for_are_looked_at(engine: DuckEngine, tmp_path: Path) -> None:
    prepared(engine, tmp_path)
    assert ask_for(engine, np.array([3, 7])) == 8
    look_at_readers(engine, 0, 8)
    assert sorted(engine.rows("select reader from habits")) == [(SOMEBODY_NEW,), (3,), (7,)]


def test_likeness_is_found_in_what_readers_share(engine: DuckEngine, tmp_path: Path) -> None:
    prepared(engine, tmp_path)
    [(same, other)] = engine.rows(
        "select avg(case when left(k.name, 1) = left(i.name, 1) then lift end),"
        " avg(case when left(k.name, 1) <> left(i.name, 1) then lift end) from lifts l"
        " join item_names k on k.item = l.known join item_names i on i.item = l.item"
    )
    assert same > (other or 0.0)


def test_readers_of_much_have_as_much_left_to_choose_from(engine: DuckEngine, tmp_path: Path) -> None:
    prepared(engine, tmp_path)
    look_at_readers(engine, 0, ask_for(engine, None), common_items=10)
    rows = engine.rows("select h.reads, count(*) from candidates c join habits h on h.reader = c.reader group by all")
    assert len(rows) > 5
    assert min(count for _, count in rows) >= 10
