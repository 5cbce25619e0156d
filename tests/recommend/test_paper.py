"""The formulas of the paper: computed by the statements, and by hand beside them."""

from collections import defaultdict
from math import sqrt
from pathlib import Path
from statistics import mean, median

import numpy as np
import pytest
from tests.recommend.made_up import HOUR, START, ended, two_tastes, viewed_sets, written

from sitewright.engines.duck import DuckEngine
from sitewright.recommend import paper
from sitewright.recommend.candidates import ask_for
from sitewright.recommend.clicklog import load_clicks
from sitewright.recommend.paper import (
    FIRST_ALPHA,
    clicks_by_age,
    decay,
    decay_table,
    fit_alpha,
    fit_decay,
    predict,
)


def predicted_by_hand(clicks: list[dict], at: int, alpha: float, rate: float) -> dict[tuple[str, str], float]:
    ratings: dict[str, dict[str, float]] = defaultdict(dict)
    for click in clicks:
        ratings[click["user"]][click["item"]] = click["viewed"] / click["total"] - alpha
    weight = {
        click["item"]: decay((at - click["published"]) // HOUR, rate) if (at - click["published"]) // HOUR < 168 else 0
        for click in clicks
    }
    length = {reader: sqrt(sum(r * r for r in own.values())) for reader, own in ratings.items()}
    found = {}
    for reader, own in ratings.items():
        likeness = {}
        for other, theirs in ratings.items():
            if other != reader and own.keys() & theirs.keys():
                product = sum(own[item] * theirs[item] for item in own.keys() & theirs.keys())
                likeness[other] = product / (length[reader] * length[other])
        k = 1 / sum(map(abs, likeness.values()))
        for item in weight.keys() - own.keys():
            near = [other for other in likeness if item in ratings[other]]
            if near:
                total = sum(likeness[o] * (ratings[o][item] - mean(ratings[o].values())) * weight[item] for o in near)
                found[reader, item] = mean(own.values()) + k * total
    return found


def test_predictions_are_those_of_the_formula(engine: DuckEngine, tmp_path: Path) -> None:
    clicks = viewed_sets()
    log = load_clicks(engine, [written(tmp_path / "clicks.csv", clicks)])
    ask_for(engine, None)
    predict(engine, log, alpha=0.5, rate=5.6)
    names = "join reader_names r on r.reader = p.reader join item_names i on i.item = p.item"
    found = {
        (user, item): score
        for user, item, score in engine.rows(f"select r.name, i.name, p.score from paper_scored p {names}")
    }
    expected = predicted_by_hand(clicks, ended(clicks), 0.5, 5.6)
    assert found.keys() == expected.keys()
    assert [found[key] for key in expected] == pytest.approx(list(expected.values()))


def test_alpha_is_the_median_share_that_is_viewed(engine: DuckEngine, tmp_path: Path) -> None:
    clicks = viewed_sets()
    load_clicks(engine, [written(tmp_path / "clicks.csv", clicks)])
    assert fit_alpha(engine) == pytest.approx(median(click["viewed"] / click["total"] for click in clicks))


def test_alpha_is_that_of_the_paper_where_no_views_are_known(engine: DuckEngine, tmp_path: Path) -> None:
    load_clicks(engine, [written(tmp_path / "clicks.csv", two_tastes())])
    assert fit_alpha(engine) == FIRST_ALPHA


@pytest.mark.parametrize("rate", [1.5, 5.6, 12.0])
def test_lambda_is_found_from_the_ages_of_clicks(engine: DuckEngine, tmp_path: Path, rate: float) -> None:
    ages = np.random.default_rng(3).poisson(rate, 4000)
    clicks = [
        {"user": f"r{n}", "item": f"set-{n % 50}", "time": START + int(age) * HOUR + 60, "published": START}
        for n, age in enumerate(ages)
    ]
    load_clicks(engine, [written(tmp_path / "clicks.csv", clicks)])
    assert fit_decay(clicks_by_age(engine)) == pytest.approx(rate, rel=0.05)


def test_the_table_is_the_curve_at_whole_hours() -> None:
    assert decay_table(5.6)[:48].sum() == pytest.approx(1.0)
    assert decay_table(5.6)[7] == decay(7, 5.6)


def test_clicks_alone_are_ratings_as_well(engine: DuckEngine, tmp_path: Path) -> None:
    clicks = two_tastes()
    log = load_clicks(engine, [written(tmp_path / "clicks.csv", clicks)])
    ask_for(engine, None)
    predict(engine, log)
    rows = engine.rows(
        "select r.name, i.name from (select *, row_number() over (partition by reader order by score desc) as place"
        " from paper_scored) p join reader_names r on r.reader = p.reader join item_names i on i.item = p.item"
        " where place = 1"
    )
    own = [("sport" if int(reader.split("-")[1]) % 2 else "film") == item.split("-")[0] for reader, item in rows]
    assert mean(own) > 0.95


def test_readers_are_predicted_for_in_parts(
    engine: DuckEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = load_clicks(engine, [written(tmp_path / "sets.csv", viewed_sets())])
    ask_for(engine, None)
    predict(engine, log)
    whole = sorted(engine.rows("select reader, item, round(score, 9) from paper_scored"))
    monkeypatch.setattr(paper, "_AT_ONCE", 7)
    predict(engine, log)
    assert sorted(engine.rows("select reader, item, round(score, 9) from paper_scored")) == whole
