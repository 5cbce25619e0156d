"""Trees in an ONNX file say what LightGBM's own trees say, beside what the networks say."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests import needs

pytest.importorskip("lightgbm", reason=needs.NO_TRAINING)
pytest.importorskip("onnx", reason=needs.NO_TRAINING)
torch = pytest.importorskip("torch", reason=needs.NO_TRAINING)

from training.columns import COLUMN  # noqa: E402
from training.corpus import KIND_ARTICLE, LabelledPage, source_number  # noqa: E402
from training.export import export  # noqa: E402
from training.network import Network, Shape, Together  # noqa: E402
from training.prepare import Example, examples_of  # noqa: E402

from sitewright.parse import parse  # noqa: E402
from sitewright.tag.features import features_of  # noqa: E402
from sitewright.tag.network import NetworkTagger  # noqa: E402
from sitewright.tag.units import read_units  # noqa: E402
from sitewright.types import Page  # noqa: E402
from training import trees  # noqa: E402

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.*:DeprecationWarning", "ignore:.*:UserWarning")]
"""The exporter by tracing warns of its age."""
_WORDS = "bees honey river bridge market winter garden letter train harbour council music".split()


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return [example for number in range(12) for example in examples_of(_page(number), number)]


@pytest.fixture(scope="module")
def grove(examples: list[Example]) -> trees.Grove:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trees, "_TREES", 3)
        patch.setitem(trees._SETTINGS, "min_data_in_leaf", 2)
        return trees.grow(examples, workers=1)


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(1)
    small = Shape(width=16, layers=1, heads=2, text_width=4, name_width=4, tag_width=2)
    path = tmp_path_factory.mktemp("tagger") / "tagger.onnx"
    export(Together([Network(small), Network(small)], [Network(small)]), path)
    return path


def test_only_richly_labelled_pages_are_chosen(examples: list[Example]) -> None:
    poor = [example for example in examples if example.variant not in trees.VARIANTS]
    assert poor, "the pages have variants that trees do not learn from"
    chosen = trees.chosen_examples(examples)
    assert chosen
    assert all(example.variant in trees.VARIANTS for example in chosen)
    assert all(example.source == source_number("fundus") for example in chosen)


def test_trees_tell_titles(grove: trees.Grove) -> None:
    assert set(grove.trees) == {"title", "text", "authors"}, "trees grow where there are labels"
    assert any("split_feature" in tree for tree in grove.trees["title"])


def test_planted_trees_have_half_of_the_say(
    grove: trees.Grove, networks: Path, examples: list[Example], tmp_path: Path
) -> None:
    path = tmp_path / "both.onnx"
    path.write_bytes(networks.read_bytes())
    trees.plant(grove, path)
    alone, both = NetworkTagger(networks), NetworkTagger(path)
    look = trees.Surroundings(grove.names)
    for example in examples[:3]:
        before, page_before = alone._run(example.features)
        after, page_after = both._run(example.features)
        seen = trees._rows(look, example)
        for field in grove.trees:
            said = np.array([sum(_walk(tree, row) for tree in grove.trees[field]) for row in seen])
            assert after[:, COLUMN[field]] == pytest.approx((before[:, COLUMN[field]] + said) / 2, abs=1e-4)
        assert after[:, COLUMN["tags"]] == pytest.approx(before[:, COLUMN["tags"]])
        assert after[:, COLUMN["caption"]] == pytest.approx(before[:, COLUMN["caption"]])
        assert page_after == pytest.approx(page_before)


def test_a_planted_tagger_reads_a_page(grove: trees.Grove, networks: Path, tmp_path: Path) -> None:
    path = tmp_path / "both.onnx"
    path.write_bytes(networks.read_bytes())
    trees.plant(grove, path)
    document = parse(Page(url="https://paper.example/a", body=_page(3).html))
    units = read_units(document)
    scores = NetworkTagger(path).score(document, units)
    assert scores.units.shape == (len(units), len(COLUMN))
    assert len(features_of(document, units).dense) == len(units)


def _walk(tree: Mapping[str, Any], row: np.ndarray) -> float:
    while "leaf_value" not in tree:
        tree = tree["left_child"] if row[tree["split_feature"]] <= tree["threshold"] else tree["right_child"]
    return float(tree["leaf_value"])


def _page(number: int) -> LabelledPage:
    chance = random.Random(number)
    title = " ".join(chance.choices(_WORDS, k=6)).capitalize()
    paragraphs = [" ".join(chance.choices(_WORDS, k=40)).capitalize() + "." for _ in range(6)]
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    menu = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in _WORDS)
    html = (
        f"<html><head><title>{title}</title></head><body><ul>{menu}</ul><article><h1>{title}</h1>"
        f"<p class='byline'>By Ann Lee</p>{body}</article></body></html>"
    )
    labels = {"title": title, "text": "\n".join(paragraphs), "authors": ["Ann Lee"]}
    return LabelledPage("https://paper.example/a", html, 1 + number % 4, "fundus", KIND_ARTICLE, labels)
