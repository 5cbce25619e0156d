"""Methods judged on a made-up log: each has lists, of what the reader had not opened, and taste is found."""

from pathlib import Path

from tests.recommend.made_up import HOUR, START, two_tastes, written

from sitewright.engines.duck import DuckEngine
from sitewright.recommend.clicklog import load_clicks
from sitewright.recommend.judging import OURS, lists_of_all, trial_at

MOMENT = START + 18 * HOUR


def test_all_methods_have_lists_of_what_was_not_read(engine: DuckEngine, tmp_path: Path) -> None:
    load_clicks(engine, [written(tmp_path / "clicks.csv", two_tastes())])
    trial = trial_at(engine, MOMENT)
    read = set(engine.rows("select reader, item from reads"))
    found = dict(lists_of_all(engine, trial))
    without_implicit = {OURS, "most opened in three hours", "the paper's", "nearest items", "nearest sessions"}
    assert found.keys() - {"ALS", "BPR"} == without_implicit
    for lists in found.values():
        assert lists.keys() == trial.clicked.keys()
        assert not read & {(reader, item) for reader, items in lists.items() for item in items}


def test_what_is_foretold_lies_after_the_moment_and_is_new(engine: DuckEngine, tmp_path: Path) -> None:
    clicks = two_tastes()
    load_clicks(engine, [written(tmp_path / "clicks.csv", clicks)])
    trial = trial_at(engine, MOMENT)
    before = {(click["user"], click["item"]) for click in clicks if click["time"] < MOMENT}
    known = {user for user, _ in before}, {item for _, item in before}
    end = MOMENT + int(HOUR * trial.log.pace)
    after = {(click["user"], click["item"]) for click in clicks if MOMENT <= click["time"] < end} - before
    expected = {(user, item) for user, item in after if user in known[0] and item in known[1]}
    assert sum(map(len, trial.clicked.values())) == len(expected) > 0


def test_those_who_look_at_neighbours_find_taste(engine: DuckEngine, tmp_path: Path) -> None:
    load_clicks(engine, [written(tmp_path / "clicks.csv", two_tastes())])
    trial = trial_at(engine, MOMENT)
    names = dict(engine.rows("select item, name from item_names"))
    readers = dict(engine.rows("select reader, name from reader_names"))
    for method in ("nearest items", "nearest sessions", "the paper's"):
        lists = dict(lists_of_all(engine, trial))[method]
        own = [
            names[items[0]].startswith("sport" if int(readers[reader].split("-")[1]) % 2 else "film")
            for reader, items in lists.items()
        ]
        assert sum(own) / len(own) > 0.8, method
