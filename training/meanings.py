"""Pages of shops in, the trees of the meaning tagger out.

    python -m training.meanings --data ../shared/data --out build/meanings [--folds 1 2] [--into FILE]

Learns from pages of folds other than 0: as they are, with what they state for programs hidden, and with values cut out,
so that the absence of a field is an answer, too. Sites count alike, whatever the number of their pages.
"""

import argparse
import json
import lzma
import pickle
import random
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from sitewright.domains import Domain, load_domain
from sitewright.parse import Document, fold_words, parse
from sitewright.tag.meanings.by_words import field_table
from sitewright.tag.meanings.columns import COLUMNS, Looker, Seen
from sitewright.tag.meanings.page_signs import PAGE_SIGNS, page_signs
from sitewright.tag.meanings.tagger import MeaningTagger
from sitewright.tag.meanings.weights import KIND, MeaningWeights
from sitewright.tag.units import Unit, read_units
from sitewright.types import Page
from sitewright.values import PARSERS, page_context
from training.judge import trees_as_arrays

DOMAIN = "shop"
SOURCES = ("swde_shop", "mirror_shops", "more_shops", "hand_shops")
PER_SITE = 10
"""Pages of a site that are learned from, of each kind: more of them say the same."""
UNKNOWN = -1.0
FIELDS = ("name", "price", "old_price", "brand", "sku", "categories", "description")
"""The fields that trees are grown for: of the others too few pages are labelled, and word lists tell them."""
_BY_WORDS = frozenset({"old_price"})
"""Of these so few are labelled that trees only learn that there is none."""
SAY = {"brand": 0.75}
"""The say of the word lists where few sites are labelled: of brands five."""
_KINDS = {"detail": "product", "list": "list", "category": "category"}
_NOTHINGS = 0.25
"""The share of the units that are nothing that trees learn from, each for as many."""
_TREES = {"name": 80, "price": 80, "description": 60, "categories": 60}
_SETTINGS = {
    "objective": "binary", "learning_rate": 0.06, "num_leaves": 12, "min_data_in_leaf": 25, "feature_fraction": 0.3,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 10.0, "verbose": -1, "deterministic": True, "max_depth": 7,
}  # fmt: skip
_OF_PAGES = {**_SETTINGS, "min_data_in_leaf": 8, "lambda_l2": 1.0, "feature_fraction": 0.5, "num_leaves": 8}


@dataclass(frozen=True)
class Example:
    """A page as trees see it: for each field the rows that may be it, with their targets."""

    site: str
    fold: int
    kind: str
    url: str
    seen: Seen
    targets: Mapping[str, np.ndarray]
    hidden: bool


def hidden_html(html: str) -> str:
    """Return a page without what it states for programs alone."""
    html = re.sub(r"(?is)<script[^>]*ld\+json[^>]*>.*?</script>", "", html)
    html = re.sub(r"(?is)<meta[^>]*(?:og:|product:|twitter:|itemprop)[^>]*>", "", html)
    return re.sub(r"(?i)\sitem(?:prop|type|scope)(?:=(?:\"[^\"]*\"|'[^']*'|[^\s>]+))?", "", html)


def rows_of(folder: Path, folds: frozenset[int]) -> Iterator[dict[str, Any]]:
    """Yield some pages of each shop and kind; of those labelled by hand all."""
    for source in SOURCES:
        by: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
        with lzma.open(folder / "shops" / f"{source}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if int(row["fold"]) in folds and (source != "hand_shops" or row.get("label_kind") == "hand"):
                    by[row["site"], row["page_type"]].append({**row, "corpus": source})
        for (site, kind), rows in sorted(by.items()):
            most = PER_SITE if kind == "detail" else PER_SITE // 2
            yield from random.Random(site + kind).sample(rows, min(most, len(rows)))


def examples_of(row: Mapping[str, Any], looker: Looker, domain: Domain) -> Iterator[Example]:
    """Yield the variants of a page."""
    is_item = row["page_type"] == "detail"
    texts = [row["html"], hidden_html(row["html"])]
    for number, html in enumerate(texts):
        document = parse(Page(url=row.get("url") or "https://example.com/", body=html))
        units = read_units(document, domain)
        targets = targets_of(units, document, row, domain) if is_item else {}
        yield _example(row, looker, document, units, targets, bool(number))
        if is_item and number:
            kept = _cut(units, targets, random.Random(row["html"][:2000]))
            if kept is not None:
                numbers, rest = kept
                yield _example(row, looker, document, rest, {f: t[numbers] for f, t in targets.items()}, True)


def _cut(
    units: Sequence[Unit], targets: Mapping[str, np.ndarray], chance: random.Random
) -> tuple[list[int], list[Unit]] | None:
    """Return a page's units without those of half of its fields; runs keep their numbers by what is left."""
    gone = {
        field for field, target in targets.items() if field != "name" and (target > 0.5).any() and chance.random() < 0.6
    }
    if not gone:
        return None
    wrong = {n for field in gone for n in np.flatnonzero(targets[field] > 0.5).tolist()}
    runs = {units[n].run for n in wrong if units[n].place is not None} | {n for n in wrong if units[n].place is None}
    kept = [n for n, unit in enumerate(units) if unit.run not in runs]
    places = {old: new for new, old in enumerate(kept)}
    rest = []
    for n in kept:
        unit = units[n]
        rest.append(
            Unit(unit.text, unit.kind, places[unit.run], unit.element, unit.place, unit.chain, unit.linked, unit.source)
        )
    return kept, rest


def _example(
    row: Mapping[str, Any], looker: Looker, document: Document, units: Sequence[Unit],
    targets: Mapping[str, np.ndarray], hidden: bool,
) -> Example:  # fmt: skip
    kind = _KINDS.get(row["page_type"], "other")
    return Example(row["site"], int(row["fold"]), kind, document.url, looker.look(document, units), targets, hidden)


def targets_of(
    units: Sequence[Unit], document: Document, row: Mapping[str, Any], domain: Domain
) -> dict[str, np.ndarray]:
    """Return what units should score: 1, 0, or -1 where nobody knows."""
    labels = dict(row["labels"])
    by_hand = row.get("label_kind") == "hand"
    if not by_hand:
        labels.pop("description", None)
        if not _is_made(row):
            labels.pop("brand", None)
        if breadcrumb := labels.get("breadcrumb"):
            labels["categories"] = breadcrumb[1:]
    context = page_context(document, datetime(2024, 1, 1, tzinfo=UTC))
    found = {}
    for field in FIELDS:
        label = labels.get(field)
        if label:
            target = np.array([_is(unit, field, label, context, domain) for unit in units], dtype=np.float32)
            displayed = any(target[n] > 0.5 and unit.place is not None for n, unit in enumerate(units))
            if displayed:
                found[field] = target
        elif by_hand and field in labels:
            found[field] = np.zeros(len(units), dtype=np.float32)
    return found


def _is_made(row: Mapping[str, Any]) -> bool:
    """Tell whether a page's label of a brand is one: shops state themselves, and of books publishers are labelled."""
    return row["corpus"] == "swde_shop" and not row["site"].startswith("book")


def _is(unit: Unit, field: str, label: Any, context: Any, domain: Domain) -> float:
    text = unit.text
    match field:
        case "price" | "old_price":
            spec = domain.fields[field]
            if len(text) > 120:
                return 0.0
            own, wanted = PARSERS[spec.parse]([text], False, context), PARSERS[spec.parse]([str(label)], False, context)
            return float(own is not None and wanted is not None and _bare(own.value) == _bare(wanted.value))
        case "sku":
            own = PARSERS["code.v1"]([text], False, context)
            return float(own is not None and _folded(own.value) == _folded(label))
        case "categories":
            return float(_folded(text) in {_folded(entry) for entry in label})
        case "description":
            return float(_within(text, str(label)))
    return float(fold_words(text) == fold_words(str(label)))


def _bare(value: object) -> object:
    return value.get("amount") if isinstance(value, dict) else value


def _folded(value: object) -> str:
    return " ".join(str(value).split()).casefold()


def _within(text: str, label: str) -> bool:
    own = fold_words(text)
    return bool(own) and f" {' '.join(own)} " in f" {' '.join(fold_words(label))} "


def grow(examples: Sequence[Example], domain: Domain, seed: int = 7) -> dict[str, Any]:
    """Return the trees of all fields, then those of the kinds of pages, which see how fields score."""
    trees: dict[str, Any] = {}
    for field in FIELDS:
        if field not in _BY_WORDS:
            trees[field] = _grow_field(examples, field, domain, seed)
    return trees


def _grow_field(examples: Sequence[Example], field: str, domain: Domain, seed: int) -> dict[str, Any]:
    spec = domain.fields[field]
    chance = np.random.default_rng(seed)
    tables, wanted, weights = [], [], []
    sites: dict[str, int] = defaultdict(int)
    for example in examples:
        sites[example.site] += field in example.targets
    for example in examples:
        if field not in example.targets:
            continue
        target = example.targets[field]
        may = example.seen.may_be(spec)
        share = min(1.0, max(_NOTHINGS * (1 if may.sum() > 60 else 4), 0))
        keep = may & (target >= 0) & ((target > 0.5) | (chance.random(len(target)) < share))
        if not keep.any():
            continue
        tables.append(field_table(example.seen, spec)[keep])
        wanted.append(target[keep])
        weights.append(np.where(target[keep] > 0.5, 1.0, 1 / share) / np.sqrt(sites[example.site]))
    return _fit(np.concatenate(tables), np.concatenate(wanted), np.concatenate(weights), _TREES.get(field, 50), seed)


def _fit(
    table: np.ndarray, wanted: np.ndarray, weights: np.ndarray, count: int, seed: int,
    settings: Mapping[str, Any] = _SETTINGS,
) -> dict[str, Any]:  # fmt: skip
    import lightgbm

    weights = weights / weights.mean()
    data = lightgbm.Dataset(table, wanted >= 0.5, weight=weights)
    model = lightgbm.train({**settings, "seed": seed, "num_threads": 1}, data, count)
    return trees_as_arrays([tree["tree_structure"] for tree in model.dump_model()["tree_info"]])


def grow_kinds(examples: Sequence[Example], scorers: Mapping[int, MeaningTagger], seed: int = 7) -> dict[str, Any]:
    """Return the trees of the kinds of pages; each page is scored by trees that had not seen its fold."""
    signs = np.array([page_signs(e.seen, scorers[e.fold].field_scores(e.seen), FIELDS, e.url) for e in examples])
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for example in examples:
        counts[example.site, example.kind] += 1
    weights = np.array([1 / np.sqrt(counts[e.site, e.kind]) for e in examples])
    return {
        KIND + kind: _fit(signs, np.array([e.kind == kind for e in examples]), weights, 120, seed, _OF_PAGES)
        for kind in _KINDS.values()
    }


def written(trees: Mapping[str, Any]) -> str:
    """Return trees as their file holds them."""
    return json.dumps(
        {"columns": COLUMNS, "fields": FIELDS, "page_signs": PAGE_SIGNS, "say": SAY, "trees": trees},
        separators=(",", ":"),
    )


def prepared(args: argparse.Namespace, domain: Domain) -> list[Example]:
    """Return the examples of all folds, made once."""
    cache = args.out / "meanings.pickle"
    looker = Looker(domain)
    if not cache.exists():
        examples = [e for row in rows_of(args.data, frozenset({1, 2, 3, 4})) for e in examples_of(row, looker, domain)]
        cache.write_bytes(pickle.dumps([_plain(example) for example in examples], protocol=5))
    return [_whole(kept, domain) for kept in pickle.loads(cache.read_bytes())]  # written by the line above


def _plain(example: Example) -> tuple[Any, ...]:
    """Return an example without its trees of elements."""
    seen = example.seen
    units = [Unit(u.text[:400], u.kind, u.run, place=u.place and object(), source=u.source) for u in seen.units]  # type: ignore[arg-type]
    arrays = (
        seen.shared,
        seen.names,
        seen.labels,
        seen.sections,
        seen.stated,
        seen.as_stated,
        seen.pressed,
        seen.opens,
        seen.otherwise,
        seen.listing,
    )
    return example.site, example.fold, example.kind, example.url, example.targets, example.hidden, units, arrays


def _whole(kept: tuple[Any, ...], domain: Domain) -> Example:
    site, fold, kind, url, targets, hidden, units, arrays = kept
    return Example(site, fold, kind, url, Seen(domain, units, *arrays), targets, hidden)


def main() -> None:
    """Grow trees from the folds that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--folds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--into", type=Path)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    domain, start = load_domain(DOMAIN), time.time()
    examples = prepared(args, domain)
    print(len(examples), "examples", round(time.time() - start), "s", flush=True)
    chosen = [e for e in examples if e.fold in args.folds]
    trees = grow(chosen, domain)
    scorers = {fold: _scorer([e for e in chosen if e.fold != fold], fold, domain, args.out) for fold in args.folds}
    trees |= grow_kinds(chosen, scorers)
    (args.into or args.out / "fields.json").write_text(written(trees), "utf-8")
    print(round(time.time() - start), "s")


def _scorer(examples: Sequence[Example], fold: int, domain: Domain, folder: Path) -> MeaningTagger:
    """Return the tagger that has not seen a fold; its trees stay beside the others, to be measured on that fold."""
    file = folder / f"without{fold}.json"
    file.write_text(written(grow(examples, domain)), "utf-8")
    return MeaningTagger(domain, MeaningWeights(file))


if __name__ == "__main__":
    main()
