"""What `bench.destroy` counts: losses are seen where there are some, and none where there are none."""

import random
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from bench.destroy import START, MoodyPaper, Row, Shelf, damaged, make_shelf, renamed, table, torn

from sitewright.store.database import open_store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return make_shelf(tmp_path_factory.mktemp("destroy") / "shelf", stories=12)


@pytest.mark.parametrize("where", ["archive", "database"])
def test_damage_loses_nothing(shelf: Shelf, tmp_path: Path, where: str) -> None:
    row = damaged(shelf, tmp_path, 5, random.Random(1), where)
    assert (row.times, row.lost, row.doubled, row.wrong) == (5, 0, 0, 0)


def test_what_is_torn_loses_nothing(shelf: Shelf, tmp_path: Path) -> None:
    row = torn(shelf, tmp_path, 3, random.Random(1))
    assert (row.times, row.lost, row.doubled, row.wrong) == (3, 0, 0, 0)


def test_losses_are_seen(shelf: Shelf, tmp_path: Path) -> None:
    one, row = shelf.copy(tmp_path / "copy"), Row("nothing")
    one.judge(row)
    assert (row.lost, row.wrong) == (0, 0)
    one.titles["https://the-daily-lantern.example/never-stored"] = "Never"
    one.titles[next(iter(one.titles))] = "Another title"
    with open_store(one.address) as store:
        assert store.count_records() == 12
    one.judge(row)
    assert (row.lost, row.wrong) == (1, 1)
    assert "| nothing | 0 | 1 | 0 | 0 | 0 | 1 |  |" in table([row])


def test_a_table_that_is_taken_away_while_others_write_is_asked_for_again(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    with (
        closing(sqlite3.connect(file, isolation_level=None)) as other,
        closing(sqlite3.connect(file, timeout=0)) as one,
    ):
        one.execute("CREATE TABLE elsewhere (name)")
        other.execute("BEGIN IMMEDIATE")
        assert not renamed(one, "elsewhere", "baselines")
        other.execute("COMMIT")
        assert renamed(one, "elsewhere", "baselines")
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            renamed(one, "elsewhere", "baselines")


def test_stories_are_shown_by_lists_that_are_served() -> None:
    paper = MoodyPaper(5, base_url="http://paper.example", start=START, before=40, hours=24)
    later = START + timedelta(hours=3)
    paper.page("/sitemap.xml", later)
    paper.page(next(iter(paper.published(later))), later)
    assert paper.shown == set()
    paper.page("/", later)
    assert set(list(paper.published(later))[:10]) <= paper.shown < paper.published(later).keys()
