"""Labelled pages and networks in, the trees that judge a page's links and the weights of time out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from sitewright.links.bags import Floats
from sitewright.links.evidence import COLUMNS, SiteLinks
from sitewright.links.model import time_table
from sitewright.links.page import Networks, PageLinks, links_of
from training.links.pages import PARTS, LabelledLinks, by_site
from training.links.rewritten import rewritten

Kind = Literal["hand", "single", "series", "snapshot", "short", "index", "plain"]
"""One front page of a site, labelled by reading or by rules; all snapshots of a site; one of them; some in a row; a
page labelled by the shapes of addresses; one that was made up."""
WEIGHT: Mapping[Kind, float] = {
    "hand": 2.0, "single": 1.0, "series": 1.0, "snapshot": 0.6, "short": 0.6, "index": 0.2, "plain": 0.03,
}  # fmt: skip
AS_IS = -1
WAYS: Mapping[Kind, Sequence[int]] = {
    "hand": (AS_IS, 0, 1, 2, 3), "single": (AS_IS, 0, 1, 2, 3), "series": (AS_IS, 1), "snapshot": (AS_IS, 0, 1),
    "short": (AS_IS, 0), "index": (AS_IS, 0, 1), "plain": (AS_IS, 1),
}  # fmt: skip
"""In which ways the addresses of a case are rewritten, beside being left as they are."""
_TOLD = 0.6
"""The share of the weight that pages with their own addresses have: with more of it, trees lean on them again (at 1,
recall of pages whose addresses say nothing is .38); with less, they learn too little of what addresses add."""
TREES = 160
SETTINGS = {
    "objective": "binary", "learning_rate": 0.08, "num_leaves": 31, "min_data_in_leaf": 20, "feature_fraction": 0.4,
    "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0, "verbose": -1, "use_missing": False,
    "deterministic": True, "num_threads": 1, "seed": 1,
}  # fmt: skip
_SHORT, _NO_HEADLINE, _MENU = 4, 0.3, 4
"""The entry of a menu has fewer words than this, less of a headline, and so many links beside it, or more."""
_HEADLINE = 0.5
"""Links to other sites with more of a headline may lead to stories of sister papers, which rules for addresses miss."""
_SNAPSHOTS, _RUNS, _RUN = 12, 2, 8
"""Of a series so many snapshots are cases by themselves, and of each index page so many runs of so many."""
_PENALTY = 100.0
"""The groups of a link say much the same: without it one of them gets all the weight."""


@dataclass(frozen=True, slots=True)
class Case:
    """The links of one or several pages of a site, and whether they lead to articles."""

    site: str
    kind: Kind
    part: int
    links: SiteLinks
    labels: NDArray[np.int8]
    way: int = AS_IS

    @property
    def has_time(self) -> bool:
        """Whether lifetimes are known."""
        return self.kind in ("series", "short")


def cases_of(pages: Sequence[LabelledLinks], networks: Mapping[int | None, Networks]) -> list[Case]:
    """Make cases; every page is read by networks that have not seen its site."""
    sites = by_site(page for page in pages if page.kind != "article")
    return [case for own in sites for case in _site_cases(own, networks)]


def _site_cases(own: list[LabelledLinks], networks: Mapping[int | None, Networks]) -> Iterator[Case]:
    """Yield the cases of a site, each with its addresses as they are and rewritten."""
    ways = sorted({way for kind, _ in _parts(own) for way in WAYS[kind]})
    for way in ways:
        pages = own if way == AS_IS else rewritten(own, way)
        read = [(page, links_of(page.observed, networks[page.part], page.url, time=page.time)) for page in pages]
        for kind, rows in _parts(own):
            if way in WAYS[kind]:
                yield _relabelled(_case(kind, way, [read[row] for row in rows]))


def _parts(own: Sequence[LabelledLinks]) -> list[tuple[Kind, list[int]]]:
    """Return which pages of a site make a case together."""
    kind = own[0].kind
    if kind in ("index", "plain"):
        return [(kind, [row]) for row in range(len(own))]
    if len(own) == 1:
        return [("hand" if kind == "hand" else "single", [0])]
    random = Random(own[0].site)
    rows = list(range(len(own)))
    parts: list[tuple[Kind, list[int]]] = [("series", rows)]
    parts += [("snapshot", [row]) for row in random.sample(rows, min(_SNAPSHOTS, len(rows)))]
    for url in sorted({page.url for page in own}):
        series = sorted((row for row in rows if own[row].url == url), key=lambda row: str(own[row].time))
        starts = range(max(1, len(series) - _RUN))
        parts += [("short", series[start : start + _RUN]) for start in random.sample(starts, min(_RUNS, len(starts)))]
    return parts


def _case(kind: Kind, way: int, pairs: Sequence[tuple[LabelledLinks, PageLinks]]) -> Case:
    site = SiteLinks([links for _, links in pairs])
    known: dict[str, int] = {}
    for page, _ in pairs:
        for link, label in zip(page.observed.pages, page.labels.tolist(), strict=True):
            known[link] = max(known.get(link, -1), label)
    labels = np.array([known[fact.page] for fact in site.facts], dtype=np.int8)
    first = pairs[0][0]
    return Case(first.site, kind, first.part, site, labels, way)


def _relabelled(case: Case) -> Case:
    """Correct what labels by addresses are known to have wrong."""
    if case.kind in ("hand", "plain"):
        return case
    labels = _labels_of_index(case) if case.kind == "index" else case.labels
    elsewhere = (case.links.column("own site") < 0.5) & (case.links.headlines > _HEADLINE)
    return replace(case, labels=np.where((labels == 0) & elsewhere, np.int8(-1), labels))


def _labels_of_index(case: Case) -> NDArray[np.int8]:
    """Label as no articles what has the address of one but stands in a menu, with the text of a menu's entry.

    Labels that addresses give would teach that addresses are always right; sections of many papers have such ones.
    """
    words, beside = case.links.column("words"), case.links.column("texts of place")
    short = (words > 0) & (np.expm1(words) < _SHORT) & (case.links.headlines < _NO_HEADLINE)
    many = np.expm1(case.links.column("links of place")) >= _MENU
    menu = (beside >= 0) & (beside < _NO_HEADLINE) & many
    return np.where((case.labels == 1) & short & menu, np.int8(0), case.labels)


def weights_of(cases: Sequence[Case]) -> Floats:
    """Return what each link weighs: all cases of one kind and site together the same, parted by how addresses are."""
    counts = Counter(map(_alike, cases))
    return np.concatenate(
        [np.full(len(case.labels), _weight(case) / counts[_alike(case)] / max(len(case.labels), 1)) for case in cases]
    ).astype(np.float32)


def _alike(case: Case) -> tuple[str, Kind, bool]:
    return case.site, case.kind, case.way == AS_IS


def _weight(case: Case) -> float:
    return 1000 * WEIGHT[case.kind] * (_TOLD if case.way == AS_IS else 1 - _TOLD)


def grow(cases: Sequence[Case], columns: Sequence[str] = COLUMNS, trees: int = TREES) -> Any:
    """Grow trees (a LightGBM model) that look at some of the columns."""
    import lightgbm

    look = [COLUMNS.index(name) for name in columns]
    seen = np.concatenate([case.links.table[:, look] for case in cases])
    labels = np.concatenate([case.labels for case in cases])
    weights = weights_of(cases)
    known = labels >= 0
    data = lightgbm.Dataset(seen[known], labels[known], weight=weights[known])
    return lightgbm.train(SETTINGS, data, trees)


def said_by(trees: Any, case: Case, columns: Sequence[str] = COLUMNS) -> Floats:
    """Return the probabilities that trees give."""
    look = [COLUMNS.index(name) for name in columns]
    return np.asarray(trees.predict(case.links.table[:, look]), dtype=np.float32)


def crossed(cases: Sequence[Case], columns: Sequence[str] = COLUMNS) -> list[Floats]:
    """Return the probabilities of each case, by trees that have not seen its site."""
    grown = {part: grow([case for case in cases if case.part != part], columns) for part in range(PARTS)}
    return [said_by(grown[case.part], case, columns) for case in cases]


def weigh_time(cases: Sequence[Case], said: Sequence[Floats]) -> tuple[Floats, float]:
    """Return weights and bias of the columns of time, given what trees say of cases that they have not seen."""
    timed = [(case, alone) for case, alone in zip(cases, said, strict=True) if case.has_time]
    seen = np.concatenate([time_table(case.links, alone) for case, alone in timed]).astype(np.float64)
    labels = np.concatenate([case.labels for case, _ in timed])
    weights = weights_of([case for case, _ in timed]).astype(np.float64)
    known = labels >= 0
    return _logistic(seen[known], labels[known].astype(np.float64), weights[known])


def _logistic(
    seen: NDArray[np.float64], labels: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[Floats, float]:
    """Fit a logistic regression by Newton's method, on columns of the same scale."""
    middle, scale = seen.mean(0), seen.std(0) + 1e-9
    table = np.column_stack([(seen - middle) / scale, np.ones(len(seen))])
    weights = weights / weights.mean()
    penalty = np.diag([*[_PENALTY] * (table.shape[1] - 1), 1e-6])
    beta = np.zeros(table.shape[1])
    for _ in range(30):
        said = 1 / (1 + np.exp(-np.clip(table @ beta, -30, 30)))
        slope = table.T @ (weights * (said - labels)) + penalty @ beta
        bend = (table * (weights * said * (1 - said))[:, None]).T @ table + penalty
        beta -= np.linalg.solve(bend, slope)
    own = beta[:-1] / scale
    return own.astype(np.float32), float(beta[-1] - own @ middle)


def trees_to_onnx(trees: Any, inputs: int) -> bytes:
    """Return trees as the bytes of an ONNX file that gives log-odds."""
    from onnx import TensorProto, checker, helper

    from training.trees import tree_attributes

    grown = [tree["tree_structure"] for tree in trees.dump_model()["tree_info"]]
    node = helper.make_node(
        "TreeEnsembleRegressor", ["evidence"], ["log_odds"], domain="ai.onnx.ml", n_targets=1,
        **tree_attributes([(0, tree) for tree in grown]),
    )  # fmt: skip
    graph = helper.make_graph(
        [node], "links",
        [helper.make_tensor_value_info("evidence", TensorProto.FLOAT, ["links", inputs])],
        [helper.make_tensor_value_info("log_odds", TensorProto.FLOAT, ["links", 1])],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 3)])
    model.ir_version = 8
    checker.check_model(model)
    return bytes(model.SerializeToString())
