"""Make the judge: which candidate is right, and how sure a value is, learned from pages that the taggers had not seen.

    python -m training.judge --data ../shared/data --models build/tagger --out src/sitewright/tag/models/news/judge.json

needs a tagger a fold (`oof1.onnx` … `oof4.onnx`), each trained without the pages of its fold.
"""

import argparse
import json
import lzma
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from sitewright import Page
from sitewright.errors import SitewrightError
from sitewright.parse import host_of, parse
from sitewright.tag.candidates import candidates
from sitewright.tag.decode import ITEM, as_lists, choose_entries, list_signs, text_signs, text_units
from sitewright.tag.judge import Judge
from sitewright.tag.network import NetworkTagger
from sitewright.tag.page_signs import page_signs
from sitewright.tag.scored_page import Candidate, ScoredPage, scored_page
from sitewright.tag.signs import SIGNS, signs_for
from sitewright.tag.units import read_units
from sitewright.values import page_context
from training.columns import COLUMNS, NEWS
from training.corpus import HAND, KIND_ARTICLE, KIND_LIST, KIND_UNKNOWN, LabelledPage, folded, read_corpus
from training.labels import UNKNOWN, days_of, likeness, read_moment
from training.trees import TreeNode, nodes_of

JUDGED = ("title", "subtitle", "published", "modified", "authors", "categories", "tags")
LIMITS: Mapping[str, Mapping[str, float]] = {
    "title": {"least": 0.2},
    "subtitle": {"least": 0.4},
    "published": {"least": 0.2},
    "modified": {"least": 0.3},
    "authors": {"least": 0.45, "enough": 0.3, "stated": 0.3},
    "categories": {"least": 0.6, "enough": 0.4, "stated": 0.3},
    "tags": {"least": 0.4, "enough": 0.35, "stated": 0.1},
    "text:there": {"least": 0.1},
}
"""Where F1 is best with inventions counted, on pages labelled by hand, out of fold: below `least` nothing is said, from
`enough` on an entry belongs to its list. A list that is only stated is given where the tagger scores it `stated` in the
mean: on pages of the training folds what is about the site, not the story, scores less."""
MOST_LISTS = 4
ONE_IN = 3
"""Of the pages of older corpora one in so many tells what kind it is: articles look in many ways."""
_RIGHT_TEXT = 0.9
_SOME_TEXT = 0.4
_TREES = 150
_SETTINGS = {
    "objective": "cross_entropy", "learning_rate": 0.05, "num_leaves": 15, "min_data_in_leaf": 20,
    "feature_fraction": 0.3, "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0, "verbose": -1,
    "num_threads": 1,
}  # fmt: skip
_DISPLAYED = SIGNS.index("displayed")


@dataclass(frozen=True, slots=True)
class Case:
    """The candidates of one page and field (of a text: the one there is), and how right each is."""

    field: str
    fold: int
    cut: bool
    """Whether the page does not show the field."""
    signs: np.ndarray
    right: np.ndarray
    wanted: int
    lists: tuple[int, ...] = ()
    """Which list of the page each candidate is an entry of."""


class _Taggers:
    """The taggers by fold, loaded once a process."""

    known: ClassVar[dict[tuple[str, int], NetworkTagger]] = {}

    @classmethod
    def of(cls, folder: str, fold: int) -> NetworkTagger:
        """Return the tagger that has not seen a fold."""
        return cls.known.setdefault((folder, fold), NetworkTagger(Path(folder) / f"oof{fold}.onnx"))


def cases_of(page: LabelledPage, tagger: NetworkTagger) -> list[Case]:
    """Return the cases of a page: the fields that it shows, and those that somebody looked for and did not find."""
    document = parse(Page(url=page.url, body=page.html))
    context = page_context(document, datetime.now(UTC))
    units = read_units(document)
    if len(units) < 3:
        return []
    scored = scored_page(units, tagger.score(document, units), context, NEWS)
    reader = _Reader(page, scored)
    signs = np.array([page_signs(scored)], dtype=np.float32)
    item = Case(ITEM, page.fold, False, signs, np.array([page.kind == KIND_ARTICLE], dtype=np.float32), 1)
    return [item, *(reader.case(field) for field in (*JUDGED, "text") if field in page.labels or field in page.absent)]


@dataclass(frozen=True, slots=True)
class _Reader:
    page: LabelledPage
    scored: ScoredPage

    def case(self, field: str) -> Case:
        """Return the case of a field."""
        return self._text() if field == "text" else self._field(field)

    def _field(self, field: str) -> Case:
        absent = field in self.page.absent
        found = candidates(self.scored, field)
        right = [self._of_absent(field, c) if absent else rightness(field, c, self.page.labels) for c in found]
        signs = np.array([c.signs for c in found], dtype=np.float32).reshape(len(found), len(signs_for(COLUMNS)))
        wanted = 0 if absent else len(folded(self.page.labels[field]))
        lists = tuple(int(self.scored.groups[c.units[0]]) for c in found)
        return Case(field, self.page.fold, absent, signs, np.array(right, dtype=np.float32), wanted, lists)

    def _of_absent(self, field: str, candidate: Candidate) -> float:
        """Return how right a value is where the page does not display the field; of what is stated nobody knows."""
        if any(self.scored.units[number].place is not None for number in candidate.units):
            return 0.0
        stated = field == "modified" or " ".join(str(candidate.value).split()).casefold() in self.page.stated.get(
            field, ()
        )
        return UNKNOWN if stated else 0.0

    def _text(self) -> Case:
        absent = "text" in self.page.absent
        numbers = text_units(self.scored, None)
        text = "\n".join(self.scored.units[number].text for number in numbers)
        right = 0.0 if absent or not numbers else likeness(text, str(self.page.labels["text"]))
        signs = np.array([text_signs(self.scored, numbers)] if numbers else [], dtype=np.float32)
        return Case(
            "text",
            self.page.fold,
            absent,
            signs,
            np.array([right] if numbers else [], dtype=np.float32),
            int(not absent),
        )


def rightness(field: str, candidate: Candidate, labels: Mapping[str, object]) -> float:
    """Return how right a candidate is, as the evaluation sees it."""
    label = labels[field]
    if field in {"title", "subtitle"}:
        return likeness(str(candidate.value), str(label))
    if field in {"published", "modified"}:
        wanted = read_moment(str(label))
        value = candidate.value
        return float(wanted is not None and isinstance(value, date) and bool(days_of(value) & days_of(wanted)))
    return float(" ".join(str(candidate.value).split()).casefold() in folded(label))


def chosen_pages(folder: Path) -> Iterator[LabelledPage]:
    """Yield the pages that were labelled by hand; of the others some lists of each site, and some of a known kind."""
    lists: Counter[str] = Counter()
    for number, page in enumerate(read_corpus(folder, frozenset({1, 2, 3, 4}))):
        if page.source == HAND:
            yield page
        elif page.kind not in {KIND_LIST, KIND_UNKNOWN} and number % ONE_IN == 0:
            yield replace(page, labels={}, absent=frozenset())
        elif page.kind == KIND_LIST:
            site = host_of(page.url)
            lists[site] += 1
            if lists[site] <= MOST_LISTS:
                yield replace(page, labels={}, absent=frozenset())


def _job(job: tuple[LabelledPage, str]) -> list[Case]:
    page, models = job
    try:
        return cases_of(page, _Taggers.of(models, page.fold))
    except SitewrightError:
        return []


def all_cases(pages: Sequence[LabelledPage], models: Path, workers: int) -> list[Case]:
    """Return the cases of many pages."""
    with ProcessPoolExecutor(workers) as pool:
        return [
            case for found in pool.map(_job, [(page, str(models)) for page in pages], chunksize=8) for case in found
        ]


def fit_field(cases: Sequence[Case], seed: int = 1) -> dict[str, object]:
    """Grow the trees of one field and return them as the judge walks them; what nobody knows teaches nothing."""
    import lightgbm

    usable = [(case, case.right >= 0) for case in cases if (case.right >= 0).any()]
    signs = np.concatenate([case.signs[known] for case, known in usable])
    right = np.concatenate([case.right[known] for case, known in usable])
    weight = np.concatenate([np.full(known.sum(), 1 / np.sqrt(known.sum())) for _, known in usable])
    data = lightgbm.Dataset(signs, right, weight=weight)
    grown = lightgbm.train({**_SETTINGS, "seed": seed}, data, _TREES).dump_model()["tree_info"]
    return trees_as_arrays([tree["tree_structure"] for tree in grown])


def trees_as_arrays(trees: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """Return trees as arrays of trees by nodes; a leaf leads to itself."""
    walked = [list(nodes_of(tree)) for tree in trees]
    size = max(map(len, walked))
    table: dict[str, list[list[float]]] = {name: [] for name in ("sign", "most", "low", "high", "leaves")}
    for nodes in walked:
        rows = [_walked(node) for node in nodes] + [(0, 0.0, 0, 0, 0.0)] * (size - len(nodes))
        for name, column in zip(table, zip(*rows, strict=True), strict=True):
            table[name].append(list(column))
    return _rounded({**table, "depth": max(map(_depth, trees))})


def _walked(node: TreeNode) -> tuple[float, ...]:
    if "leaf_value" in node.split:
        return 0, 0.0, node.number, node.number, node.split["leaf_value"]
    return node.split["split_feature"], node.split["threshold"], node.left, node.right, 0.0


def _depth(tree: Mapping[str, Any]) -> int:
    return 0 if "leaf_value" in tree else 1 + max(_depth(tree["left_child"]), _depth(tree["right_child"]))


def _rounded(weights: dict[str, object]) -> dict[str, object]:
    def short(value: object) -> object:
        return [short(item) for item in value] if isinstance(value, list) else _short(float(str(value)))

    return {name: short(value) for name, value in weights.items()}


def _short(value: float) -> float:
    return int(value) if value == int(value) else float(f"{value:.5g}")


def fit_whole(signs: np.ndarray, right: np.ndarray) -> dict[str, object]:
    """Fit the logistic curve that tells how sure a whole list or text is."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    line = nn.Linear(signs.shape[1], 1)
    optimizer = torch.optim.LBFGS(line.parameters(), max_iter=200)
    inputs, wanted = (torch.tensor(values, dtype=torch.float32) for values in (signs, right))

    def closure() -> object:
        optimizer.zero_grad()
        said = line(inputs)[:, 0]
        wrong = nn.functional.binary_cross_entropy_with_logits(said, wanted)
        loss = wrong + 1e-3 * (line.weight**2).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return _rounded({"weights": line.weight.detach()[0].tolist(), "bias": line.bias.detach()[0].item()})


def fit(cases: Sequence[Case]) -> dict[str, dict[str, object]]:
    """Fit everything; how sure lists are is learned from judges that had not seen the page's fold either."""
    fields: dict[str, dict[str, object]] = {}
    for field in JUDGED:
        own = [case for case in cases if case.field == field]
        fields[field] = {**fit_field(own), **LIMITS[field]}
        if NEWS.fields[field].many:
            fields[f"{field}:whole"] = fit_whole(*_whole_lists(own, field))
    fields[ITEM] = fit_field([case for case in cases if case.field == ITEM])
    texts = [case for case in cases if case.field == "text"]
    fields["text:there"] = {**fit_field(_right_from(texts, _SOME_TEXT)), **LIMITS["text:there"]}
    fields["text"] = fit_field(_right_from(texts, _RIGHT_TEXT))
    return fields


def _right_from(cases: Sequence[Case], least: float) -> list[Case]:
    """Count a text as right from an F1 on."""
    return [replace(case, right=(case.right >= least).astype(np.float32)) for case in cases]


def _whole_lists(cases: Sequence[Case], field: str) -> tuple[np.ndarray, np.ndarray]:
    rows, right = [], []
    for fold in sorted({case.fold for case in cases}):
        judge = Judge.of({field: {**fit_field([case for case in cases if case.fold != fold]), **LIMITS[field]}})
        for case in cases:
            if case.fold != fold or not len(case.right):
                continue
            likely = judge.probabilities(field, case.signs)
            if NEWS.fields[field].whole:
                likely = as_lists(likely, case.lists)
            likely = np.where(case.signs[:, _DISPLAYED] > 0, likely, 0)
            chosen = choose_entries(likely, judge.least(field), judge.enough(field))
            if len(chosen):
                rows.append(list_signs(likely, chosen))
                right.append(case.right[chosen].sum() == len(chosen) == case.wanted)
    return np.array(rows, dtype=np.float32), np.array(right)


def main() -> None:
    """Read the pages, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--models", type=Path, default=Path("build/tagger"))
    parser.add_argument("--out", type=Path, default=Path("src/sitewright/tag/models/news/judge.json"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cases", type=Path, help="keep the cases here, and use them when they are there")
    args = parser.parse_args()
    cases = (
        _kept(args.cases)
        if args.cases and args.cases.exists()
        else all_cases(list(chosen_pages(args.data)), args.models, args.workers)
    )
    if args.cases and not args.cases.exists():
        _keep(args.cases, cases)
    fields = fit(cases)
    args.out.write_text(
        json.dumps({"signs": signs_for(COLUMNS), "fields": fields}, separators=(",", ":")) + "\n", "utf-8"
    )
    print(f"{len(cases)} cases, {args.out.stat().st_size:,} bytes")


def _keep(path: Path, cases: Sequence[Case]) -> None:
    with lzma.open(path, "wt", preset=1) as file:
        for case in cases:
            row = [case.field, case.fold, case.cut, case.signs.tolist(), case.right.tolist(), case.wanted, case.lists]
            file.write(json.dumps(row) + "\n")


def _kept(path: Path) -> list[Case]:
    with lzma.open(path, "rt") as file:
        rows = [json.loads(line) for line in file]
    return [
        Case(field, fold, cut, _numbers(signs), _numbers(right), wanted, tuple(lists))
        for field, fold, cut, signs, right, wanted, lists in rows
    ]


def _numbers(values: Sequence[object]) -> np.ndarray:
    return np.array(values, dtype=np.float32)


if __name__ == "__main__":
    main()
