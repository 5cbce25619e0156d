"""A page as a whole has the same signs, whatever is on it, and the judge's say changes its kind."""

import json
import math
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from tests.tag.columns import COLUMNS, FIELDS, NEWS

from sitewright.parse import parse
from sitewright.tag.decode import ITEM, judged_kind
from sitewright.tag.judge import Judge
from sitewright.tag.kind_judge import KindJudge
from sitewright.tag.kind_signs import KIND_SIGNS
from sitewright.tag.page_signs import page_signs
from sitewright.tag.scored_page import ScoredPage, scored_page
from sitewright.tag.scores import Scores
from sitewright.tag.units import read_units
from sitewright.types import Page
from sitewright.values import page_context

NOW = datetime(2024, 6, 15, tzinfo=UTC)


def page(html: str) -> ScoredPage:
    document = parse(Page(url="https://www.example.com/a", body=html))
    units = read_units(document)
    table = np.full((len(units), len(FIELDS)), 0.3, dtype=np.float32)
    kinds = np.array([0.6, 0.3, 0.1], dtype=np.float32)
    scores = Scores(table, np.full(len(FIELDS), 0.5, dtype=np.float32), kinds, COLUMNS)
    return scored_page(units, scores, page_context(document, NOW), NEWS)


@pytest.mark.parametrize(
    "html", ["", "<p>Bees", "<h1>Bees</h1>" + "<p>They hum. " * 50, "<a href=/b>Other bees hum</a>" * 9]
)
def test_signs_are_finite_and_as_many_for_every_page(html: str) -> None:
    signs = page_signs(page(html))
    assert len(signs) == len(page_signs(page("<p>x")))
    assert all(map(math.isfinite, signs))


@pytest.mark.parametrize(("odds", "kind"), [(3.0, "article"), (-3.0, "list")])
def test_the_judge_decides_whether_a_page_is_an_item(odds: float, kind: str) -> None:
    leaf = {"sign": [[0]], "most": [[0]], "low": [[0]], "high": [[0]], "leaves": [[odds]], "depth": 0}
    judged = judged_kind(page("<p>Bees"), Judge.of({ITEM: leaf}))
    assert judged.scores.kind == kind
    assert float(judged.scores.kinds.sum()) == pytest.approx(1.0)
    assert judged_kind(page("<p>Bees"), Judge.of({})).scores.kind == "article"


def test_the_mean_of_both_judges_counts(tmp_path: Path) -> None:
    leaf = {"sign": [[0]], "most": [[0]], "low": [[0]], "high": [[0]], "depth": 0}
    file = tmp_path / "kinds.json"
    file.write_text(json.dumps({"signs": list(KIND_SIGNS), "trees": {**leaf, "leaves": [[-4.0]]}}), "utf-8")
    judge = Judge.of({ITEM: {**leaf, "leaves": [[3.0]]}})
    judged = judged_kind(page("<p>Bees"), judge, KindJudge(file))
    assert judged.scores.is_kind("article") == pytest.approx(1 / (1 + math.exp(0.5)))
