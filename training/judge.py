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
from typing import ClassVar

import numpy as np

from sitewright import Page
from sitewright.errors import SitewrightError
from sitewright.parse import Document, host_of, parse
from sitewright.tag.candidates import candidates
from sitewright.tag.decode import as_lists, choose_entries, list_signs, text_signs, text_units
from sitewright.tag.judge import Judge
from sitewright.tag.network import NetworkTagger
from sitewright.tag.scored_page import Candidate, ScoredPage, scored_page
from sitewright.tag.signs import signs_for
from sitewright.tag.units import Unit, read_units
from sitewright.values import Context
from training.columns import COLUMNS, NEWS
from training.corpus import KIND_ARTICLE, KIND_LIST, RICH, LabelledPage, read_corpus
from training.labels import Targets, days_of, likeness, read_moment, unit_targets
from training.variants import cut_field

JUDGED = ("title", "subtitle", "published", "authors", "categories", "tags")
NOT_ON_LISTS = ("subtitle", "published", "authors", "tags", "categories", "text")
MOST_A_SITE = 6
LEAST = {
    "title": 0.1,
    "subtitle": 0.25,
    "published": 0.1,
    "authors": 0.08,
    "categories": 0.08,
    "tags": 0.08,
    "text:there": 0.04,
    "modified": 0.5,
}
"""Below nothing is said: where false answers weigh as much as missed ones (docs/evaluation.md)."""
ENOUGH = {"authors": 0.33, "categories": 0.3, "tags": 0.22}
"""From here on an entry belongs to its list: where the F1 of the lists is best, out of fold."""
_CUT_WHOLE = 0.1
_RIGHT_TEXT = 0.9
_SOME_TEXT = 0.4
_CUT, _ROUNDS, _MEMBERS, _HIDDEN, _BATCH = 0.5, 20, 10, 12, 512


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
    """Return the cases of a page: as it is, and with each labelled field cut out."""
    document = parse(Page(url=page.url, body=page.html))
    context = Context(document=document, now=datetime.now(UTC), language=document.metadata.language)
    units = read_units(document)
    if len(units) < 3:
        return []
    whole = _Reader(page, document, context, tagger)
    fields = [field for field in (*JUDGED, "text") if page.labels.get(field)]
    found = whole.cases(units, fields, cut=False)
    if page.kind == KIND_LIST:
        found += whole.cases(units, [field for field in NOT_ON_LISTS if field not in fields], cut=True)
    if page.kind == KIND_ARTICLE:
        targets = unit_targets(document, units, page.labels, context)
        for field in fields:
            rest = cut_field(units, Targets(targets.values), field)[0] if targets.shown(field) else []
            if len(rest) > 3:
                found += whole.cases(rest, [field], cut=True)
    return found


@dataclass(frozen=True, slots=True)
class _Reader:
    page: LabelledPage
    document: Document
    context: Context
    tagger: NetworkTagger

    def cases(self, units: Sequence[Unit], fields: Sequence[str], cut: bool) -> list[Case]:
        """Return the cases of some of a page's units."""
        if not fields:
            return []
        scored = scored_page(units, self.tagger.score(self.document, units), self.context, NEWS)
        return [self._text(scored, cut) if field == "text" else self._field(scored, field, cut) for field in fields]

    def _field(self, scored: ScoredPage, field: str, cut: bool) -> Case:
        found = candidates(scored, field)
        right = np.array([0.0 if cut else rightness(field, c, self.page.labels) for c in found], dtype=np.float32)
        signs = np.array([c.signs for c in found], dtype=np.float32).reshape(len(found), len(signs_for(COLUMNS)))
        wanted = 0 if cut else len(_folded(self.page.labels[field]))
        lists = tuple(int(scored.groups[c.units[0]]) for c in found)
        return Case(field, self.page.fold, cut, signs, right, wanted, lists)

    def _text(self, scored: ScoredPage, cut: bool) -> Case:
        numbers = text_units(scored, None)
        text = "\n".join(scored.units[number].text for number in numbers)
        right = 0.0 if cut or not numbers else likeness(text, str(self.page.labels["text"]))
        signs = np.array([text_signs(scored, numbers)] if numbers else [], dtype=np.float32)
        return Case(
            "text", self.page.fold, cut, signs, np.array([right] if numbers else [], dtype=np.float32), int(not cut)
        )


def rightness(field: str, candidate: Candidate, labels: Mapping[str, object]) -> float:
    """Return how right a candidate is, as the evaluation sees it."""
    label = labels[field]
    if field in {"title", "subtitle"}:
        return likeness(str(candidate.value), str(label))
    if field == "published":
        wanted = read_moment(str(label))
        value = candidate.value
        return float(wanted is not None and isinstance(value, date) and bool(days_of(value) & days_of(wanted)))
    return float(" ".join(str(candidate.value).split()).casefold() in _folded(label))


def _folded(label: object) -> set[str]:
    values = label if isinstance(label, list) else [label]
    return {" ".join(str(value).split()).casefold() for value in values}


def chosen_pages(folder: Path) -> Iterator[LabelledPage]:
    """Yield the richly labelled articles, a few a site, and the lists."""
    sites: Counter[str] = Counter()
    for number, page in enumerate(read_corpus(folder, frozenset({1, 2, 3, 4}))):
        if page.source == "frontpages":
            if number % 8 == 0:
                yield page
        elif page.kind == KIND_LIST:
            yield page
        elif page.source in RICH and page.kind == KIND_ARTICLE:
            site = host_of(page.url) or page.url
            sites[site] += 1
            if sites[site] <= MOST_A_SITE:
                yield page


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


def fit_field(cases: Sequence[Case], seed: int = 0, cut: float = _CUT) -> dict[str, object]:
    """Fit the small networks of one field and return their weights."""
    import torch
    from torch import nn

    usable = [case for case in cases if len(case.right)]
    signs = torch.tensor(np.concatenate([case.signs for case in usable]))
    right = torch.tensor(np.concatenate([case.right for case in usable]))
    weights = [np.full(len(c.right), (cut if c.cut else 1.0) / np.sqrt(len(c.right)), dtype=np.float32) for c in usable]
    weight = torch.tensor(np.concatenate(weights))
    mean, spread = signs.mean(0), signs.std(0) + 1e-3
    scaled = ((signs - mean) / spread).clamp(-5, 5)
    found: dict[str, list[object]] = {"inner": [], "inner_bias": [], "outer": [], "outer_bias": []}
    for member in range(_MEMBERS):
        torch.manual_seed(seed + member)
        inner, outer = nn.Linear(signs.shape[1], _HIDDEN), nn.Linear(_HIDDEN, 1)
        network = nn.Sequential(inner, nn.Tanh(), outer)
        optimizer = torch.optim.AdamW(network.parameters(), lr=5e-3, weight_decay=3e-3)
        for _ in range(_ROUNDS):
            for numbers in torch.randperm(len(scaled)).split(_BATCH):
                said = network(scaled[numbers])[:, 0]
                loss = nn.functional.binary_cross_entropy_with_logits(said, right[numbers], weight=weight[numbers])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        found["inner"].append(inner.weight.detach().tolist())
        found["inner_bias"].append(inner.bias.detach().tolist())
        found["outer"].append(outer.weight.detach()[0].tolist())
        found["outer_bias"].append(outer.bias.detach()[0].item())
    return _rounded({"mean": mean.tolist(), "spread": spread.tolist(), **found})


def _rounded(weights: dict[str, object]) -> dict[str, object]:
    def short(value: object) -> object:
        return [short(item) for item in value] if isinstance(value, list) else round(float(str(value)), 4)

    return {name: short(value) for name, value in weights.items()}


def fit_whole(signs: np.ndarray, right: np.ndarray, weight: np.ndarray) -> dict[str, object]:
    """Fit the logistic curve that tells how sure a whole list or text is."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    line = nn.Linear(signs.shape[1], 1)
    optimizer = torch.optim.LBFGS(line.parameters(), max_iter=200)
    inputs, wanted, count = (torch.tensor(values, dtype=torch.float32) for values in (signs, right, weight))

    def closure() -> object:
        optimizer.zero_grad()
        said = line(inputs)[:, 0]
        wrong = nn.functional.binary_cross_entropy_with_logits(said, wanted, weight=count)
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
        limits = {"least": LEAST[field], **({"enough": ENOUGH[field]} if field in ENOUGH else {})}
        fields[field] = {**fit_field(own), **limits}
        if NEWS.fields[field].many:
            fields[f"{field}:whole"] = fit_whole(*_whole_lists(own, field, limits))
    texts = [case for case in cases if case.field == "text"]
    fields["text:there"] = {**fit_field(_right_from(texts, _SOME_TEXT)), "least": LEAST["text:there"]}
    fields["text"] = fit_field(_right_from(texts, _RIGHT_TEXT), cut=_CUT_WHOLE)
    fields["modified"] = {"least": LEAST["modified"]}
    return fields


def _right_from(cases: Sequence[Case], least: float) -> list[Case]:
    """Count a text as right from an F1 on."""
    return [replace(case, right=(case.right >= least).astype(np.float32)) for case in cases]


def _weight(case: Case) -> float:
    """Return how much a case counts where confidence is learned: pages that lack a field are rarer than those cut."""
    return _CUT_WHOLE if case.cut else 1.0


def _whole_lists(cases: Sequence[Case], field: str, limits: Mapping[str, float]) -> tuple[np.ndarray, ...]:
    rows, right, weight = [], [], []
    for fold in sorted({case.fold for case in cases}):
        judge = Judge.of({field: {**fit_field([case for case in cases if case.fold != fold]), **limits}})
        for case in cases:
            if case.fold != fold or not len(case.right):
                continue
            likely = judge.probabilities(field, case.signs)
            if NEWS.fields[field].whole:
                likely = as_lists(likely, case.lists)
            chosen = choose_entries(likely, judge.least(field), judge.enough(field))
            if len(chosen):
                rows.append(list_signs(likely, chosen))
                right.append(case.right[chosen].sum() == len(chosen) == case.wanted)
                weight.append(_weight(case))
    return np.array(rows, dtype=np.float32), np.array(right), np.array(weight)


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
