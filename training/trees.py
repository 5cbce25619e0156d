"""Examples in, gradient-boosted trees out, and trees into the ONNX file beside the networks.

Trees see of each unit what the networks see, and the same of the units before and behind it and of its list. They learn
from fewer pages, those of which people labelled many fields; networks and trees err differently, so their mean counts.
"""

import multiprocessing
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from sitewright.tag.features import NAME_BUCKETS
from training.columns import COLUMN, FIELDS
from training.corpus import HAND, RICH, source_number
from training.network import list_mean
from training.prepare import Example

GROWN = ("title", "subtitle", "published", "text", "authors", "categories", "tags")
"""The fields that trees have a say in."""
SHARE, SHARES = 0.5, {"subtitle": 0.25}
"""How much of the say is theirs in the fields that they know, out of fold: of subtitles they are too sure."""
VARIANTS = frozenset({0, 1, 4})
"""Pages as they are, without metadata, and with fields cut out."""
_NAMES = 200
_TREES = 120
_OFTEN = 3.0
"""How much units of pages that were labelled by hand count against others."""
_NOTHINGS = 0.12
"""The share of the units that are nothing of which trees learn, each for as many."""
_SETTINGS = {
    "objective": "binary", "learning_rate": 0.09, "num_leaves": 31, "min_data_in_leaf": 40, "feature_fraction": 0.3,
    "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0, "verbose": -1, "deterministic": True,
}  # fmt: skip


class Surroundings(nn.Module):
    """What trees see: the unit, the commonest names, its list, the units before and behind."""

    def __init__(self, names: Sequence[int]) -> None:
        """Choose the names that are looked for."""
        super().__init__()
        self.count = len(names)
        places = torch.full((NAME_BUCKETS,), self.count, dtype=torch.long)
        places[list(names)] = torch.arange(self.count)
        self.register_buffer("places", places)
        """Where each name has its column; what is not looked for shares the last, which is left out."""

    def forward(self, dense: Tensor, names: Tensor, tags: Tensor, groups: Tensor) -> Tensor:
        """Return a row a unit."""
        found = torch.ones_like(names, dtype=dense.dtype)
        named = torch.zeros(names.shape[0], self.count + 1, dtype=dense.dtype)
        named = named.scatter(1, self.places[names.long()], found)[:, : self.count]
        mask = torch.ones_like(groups, dtype=torch.bool)[None]
        listed = list_mean(dense[None], groups[None].long(), mask)[0]
        before = torch.cat([dense[:1], dense[:-1]])
        behind = torch.cat([dense[1:], dense[-1:]])
        return torch.cat([dense, tags.to(dense.dtype), named, listed, before, behind], dim=1)


@dataclass(frozen=True, slots=True)
class Grove:
    """The trees of the fields, as LightGBM writes them, and the names that they look for."""

    names: tuple[int, ...]
    trees: Mapping[str, Sequence[Mapping[str, Any]]]


def chosen_examples(examples: Sequence[Example]) -> list[Example]:
    """Return the examples that trees learn from."""
    rich = {source_number(source) for source in RICH}
    return [e for e in examples if e.source in rich and e.variant in VARIANTS]


@dataclass(frozen=True, slots=True)
class _Ground:
    """What the trees of all fields grow on: the units once, as LightGBM keeps them, and what is to be told of them."""

    data: Any
    targets: np.ndarray
    hand: np.ndarray
    chance: np.ndarray
    settings: Mapping[str, Any]
    prepared: ClassVar[list["_Ground"]] = []
    """The one that forks of this process share."""

    def grow(self, field: str) -> list[Mapping[str, Any]]:
        """Grow the trees of a field; none where nobody knows anything of it."""
        import lightgbm

        column = self.targets[:, COLUMN[field]]
        known = np.flatnonzero((column >= 0) & ((column > 0) | (self.chance < _NOTHINGS)))
        if not len(known):
            return []
        own = self.data.subset(known.tolist()).construct()
        own.set_label(column[known] >= 0.5)
        own.set_weight(np.where(self.hand[known], _OFTEN, 1.0) * np.where(column[known] > 0, 1.0, 1 / _NOTHINGS))
        model = lightgbm.train(dict(self.settings), own, _TREES)
        return [tree["tree_structure"] for tree in model.dump_model()["tree_info"]]


def _grow(field: str) -> list[Mapping[str, Any]]:
    return _Ground.prepared[0].grow(field)


def grow(examples: Sequence[Example], seed: int = 7, workers: int = 2) -> Grove:
    """Grow the trees of all fields, some side by side: in forks, because threads do not outlive a fork."""
    names = _commonest_names(examples)
    _Ground.prepared[:] = [_ground(examples, Surroundings(names), seed)]
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("fork")) as pool:
        grown = dict(zip(GROWN, pool.map(_grow, GROWN), strict=True))
    _Ground.prepared.clear()
    return Grove(names, {field: trees for field, trees in grown.items() if trees})


def _ground(examples: Sequence[Example], look: Surroundings, seed: int) -> _Ground:
    import lightgbm

    chance, looked_at = _drawn(examples, seed)
    seen = np.concatenate([_rows(look, e)[rows] for e, rows in zip(examples, looked_at, strict=True)])
    targets = np.concatenate([e.targets[rows] for e, rows in zip(examples, looked_at, strict=True)])
    hand = np.repeat([e.source == source_number(HAND) for e in examples], [len(rows) for rows in looked_at])
    settings = {**_SETTINGS, "seed": seed, "num_threads": 1}
    data = lightgbm.Dataset(seen, np.zeros(len(seen)), params=settings).construct()
    return _Ground(data, targets, hand, chance, settings)


def _drawn(examples: Sequence[Example], seed: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Draw a number for each unit that trees may learn from: something, or one of some that are nothing."""
    draw = np.random.default_rng(seed)
    chances, looked_at = [], []
    for example in examples:
        chance = draw.random(len(example.targets))
        rows = np.flatnonzero((example.targets > 0).any(axis=1) | (chance < _NOTHINGS))
        chances.append(chance[rows])
        looked_at.append(rows)
    return np.concatenate(chances), looked_at


def _commonest_names(examples: Sequence[Example]) -> tuple[int, ...]:
    """Return the numbers of the names that most pages have."""
    counts: Counter[int] = Counter()
    for example in examples:
        counts.update(np.unique(example.features.names).tolist())
    del counts[0]
    return tuple(name for name, _ in counts.most_common(_NAMES))


def _rows(look: Surroundings, example: Example) -> np.ndarray:
    features = example.features
    parts = (features.dense, features.names.astype(np.int32), features.tags, features.groups)
    return look(*map(torch.from_numpy, parts)).numpy().astype(np.float32)


def plant(grove: Grove, path: Path) -> None:
    """Add the trees to an ONNX file of networks: they share the say in the fields that they know."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    networks = onnx.load(str(path))
    look = _look_as_onnx(grove, path.with_suffix(".look.onnx"))
    graph = networks.graph
    _rename_output(graph, "fields", "fields_of_networks")
    shared = {value.name for value in graph.input}
    for value in look.graph.input:
        if value.name not in shared:
            graph.input.append(value)
    graph.node.extend(look.graph.node)
    graph.initializer.extend(look.graph.initializer)
    share = np.array([SHARES.get(field, SHARE) if field in grove.trees else 0.0 for field in FIELDS], dtype=np.float32)
    graph.initializer.extend(
        [numpy_helper.from_array(share, "share_of_trees"), numpy_helper.from_array(1 - share, "share_of_networks")]
    )
    numbered = [(COLUMN[field], tree) for field, trees in grove.trees.items() for tree in trees]
    attributes = {"n_targets": len(FIELDS), **tree_attributes(numbered)}
    graph.node.append(
        helper.make_node("TreeEnsembleRegressor", ["look/seen"], ["fields_of_trees"], domain="ai.onnx.ml", **attributes)
    )
    graph.node.append(helper.make_node("Mul", ["fields_of_trees", "share_of_trees"], ["said_by_trees"]))
    graph.node.append(helper.make_node("Mul", ["fields_of_networks", "share_of_networks"], ["said_by_networks"]))
    graph.node.append(helper.make_node("Add", ["said_by_trees", "said_by_networks"], ["fields"]))
    outputs = [value for value in graph.output if value.name != "fields_of_networks"]
    del graph.output[:]
    graph.output.extend([helper.make_tensor_value_info("fields", TensorProto.FLOAT, ["units", len(FIELDS)]), *outputs])
    opsets = [opset for opset in networks.opset_import if opset.domain != "ai.onnx.ml"]
    del networks.opset_import[:]
    networks.opset_import.extend([*opsets, helper.make_opsetid("ai.onnx.ml", 3)])
    onnx.checker.check_model(networks)
    onnx.save(networks, str(path))


def _look_as_onnx(grove: Grove, path: Path) -> Any:
    """Return the graph that puts together what trees see; all its names begin with `look/`, but those of its inputs."""
    import onnx
    from onnx.compose import add_prefix

    from training.export import sample_page

    dense, _, names, tags, groups = sample_page()
    inputs = ["dense", "names", "tags", "groups"]
    axes = {name: {0: "units"} for name in (*inputs, "seen")}
    torch.onnx.export(
        Surroundings(grove.names).eval(), (dense, names, tags, groups), str(path), input_names=inputs,
        output_names=["seen"], dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    model = add_prefix(onnx.load(str(path)), "look/", rename_inputs=False)
    path.unlink()
    return model


def _rename_output(graph: Any, old: str, new: str) -> None:
    for node in graph.node:
        for names in (node.output, node.input):
            for place, name in enumerate(names):
                if name == old:
                    names[place] = new
    for value in graph.output:
        if value.name == old:
            value.name = new


def tree_attributes(trees: Sequence[tuple[int, Mapping[str, Any]]]) -> dict[str, list[Any]]:
    """Return trees, each with the column that it is about, as ONNX wants them: lists of nodes and of leaves."""
    table: dict[str, list[Any]] = {
        name: []
        for name in (
            "nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_values", "nodes_modes",
            "nodes_truenodeids", "nodes_falsenodeids", "nodes_missing_value_tracks_true",
            "target_treeids", "target_nodeids", "target_ids", "target_weights",
        )
    }  # fmt: skip
    for number, (column, tree) in enumerate(trees):
        for node in nodes_of(tree):
            _add_node(table, number, column, node)
    return table


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a tree that LightGBM grew, and the numbers of those below it."""

    number: int
    split: Mapping[str, Any]
    left: int
    right: int


def nodes_of(tree: Mapping[str, Any]) -> Iterator[TreeNode]:
    """Yield the nodes of a tree, numbered from the root on."""
    waiting: list[tuple[int, Mapping[str, Any]]] = [(0, tree)]
    count = 1
    while waiting:
        number, split = waiting.pop(0)
        if "leaf_value" in split:
            yield TreeNode(number, split, 0, 0)
            continue
        left, right = count, count + 1
        count += 2
        waiting += [(left, split["left_child"]), (right, split["right_child"])]
        yield TreeNode(number, split, left, right)


def _add_node(table: dict[str, list[Any]], tree: int, column: int, node: TreeNode) -> None:
    leaf = "leaf_value" in node.split
    row = {
        "nodes_treeids": tree,
        "nodes_nodeids": node.number,
        "nodes_featureids": 0 if leaf else node.split["split_feature"],
        "nodes_values": 0.0 if leaf else node.split["threshold"],
        "nodes_modes": "LEAF" if leaf else "BRANCH_LEQ",
        "nodes_truenodeids": node.left,
        "nodes_falsenodeids": node.right,
        "nodes_missing_value_tracks_true": 0,
    }
    for name, value in row.items():
        table[name].append(value)
    if leaf:
        leaves = ("target_treeids", tree), ("target_nodeids", node.number), ("target_ids", column)
        for name, value in (*leaves, ("target_weights", node.split["leaf_value"])):
            table[name].append(value)
