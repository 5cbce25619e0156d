"""Trees of kinds learn what tells items from lists, and the address alone decides nothing."""

import lzma
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from tests import needs

pytest.importorskip("lightgbm", reason=needs.NO_TRAINING)

from training.corpus import KIND_ARTICLE, KIND_LIST
from training.kinds import FOLDS, Example, chosen_rows, crossed, signs_of, table_of, weights_of

from sitewright.tag.kind_signs import KIND_SIGNS


def example(number: int, kind: int) -> Example:
    row = np.full(len(KIND_SIGNS), number % 3, dtype=np.float32)
    row[list(KIND_SIGNS).index("entries")] = 4.0 if kind == KIND_LIST else 1.0
    return Example("hand", kind, 1 + number % 4, f"{number}.example", np.stack([row, row]))


def test_folds_are_judged_by_trees_that_have_not_seen_them() -> None:
    examples = [example(number, KIND_LIST if number % 5 == 0 else KIND_ARTICLE) for number in range(400)]
    said = crossed(examples)
    assert ((said[:, 0] > 0.5) == [e.is_item for e in examples]).all()
    assert "hand item      320 from .3 [1.0, 1.0]" in table_of(examples, said)


def test_items_weigh_more_than_all_others_together() -> None:
    examples = [example(number, KIND_LIST if number % 5 == 0 else KIND_ARTICLE) for number in range(100)]
    weights, items = weights_of(examples), np.array([e.is_item for e in examples])
    assert weights[items].sum() == pytest.approx(4 * weights[~items].sum())


def test_validation_is_left_out_and_no_site_gives_more_than_some(tmp_path: Path) -> None:
    (tmp_path / "frontpages").mkdir()
    page: dict[str, Any] = {"html": "<p>Bees", "labels": {}, "page_type": "article", "lang": "en", "links": []}
    rows = [
        {**page, "site": "a.example", "fold": number % 5, "url": f"https://a.example/{number}"} for number in range(50)
    ]
    for name in ("hand", "hand_sites", "news", "hand_links", "frontpages/series"):
        with lzma.open(tmp_path / f"{name}.jsonl.xz", "wb") as file:
            file.writelines(orjson.dumps(row) + b"\n" for row in rows)
    chosen = list(chosen_rows(tmp_path))
    assert {row["fold"] for row in chosen} <= set(FOLDS)
    assert sum(row["pool"] == "front" for row in chosen) == 12
    assert sum(row["pool"] == "news" for row in chosen) == 1


def test_a_page_that_cannot_be_told_by_its_address_has_other_signs_alike() -> None:
    own, hidden = signs_of("<h1>Bees</h1><p>They hum.", "https://a.example/2024/bees-hum").tolist()
    assert own != hidden
    assert own[4:] == hidden[4:]
