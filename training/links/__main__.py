"""Make the model of links that the package ships, from the corpora, with one command: `python -m training.links`."""

import argparse
import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from sitewright.links.bags import Floats
from sitewright.links.evidence import COLUMNS
from sitewright.links.judge import ARTICLE, excluded
from sitewright.links.model import TIME_COLUMNS, TREES_FILE, WEIGHTS_FILE, LinkModel, model_of
from sitewright.links.page import Networks
from training.links.fit import AS_IS, WAYS, Case, cases_of, crossed, grow, trees_to_onnx, weigh_time
from training.links.networks import train_networks
from training.links.pages import PARTS, LabelledLinks, front_pages, headlines, news_pages, news_rows, plain_pages

PACKAGE = Path("src/sitewright/links")
Kept = TypeVar("Kept")


class Prepared(NamedTuple):
    """What the trees and the weights of time are fitted on."""

    fronts: Sequence[LabelledLinks]
    cases: Sequence[Case]
    networks: Networks
    """Those that have seen all sites."""


def main() -> None:
    """Prepare, train, fit, measure on sites that were left out, and write the model into the package."""
    args = _arguments()
    start = time.time()
    fronts, cases, networks = prepare(args.data, args.out)
    print(len(fronts), "front pages,", len(cases), "cases,", round(time.time() - start), "s", flush=True)
    said = crossed(cases)
    weights, bias = weigh_time(cases, said)
    trees = trees_to_onnx(grow(cases), len(COLUMNS))
    arrays = {**_arrays(networks), "time.weights": weights, "time.bias": np.array([bias], dtype=np.float32)}
    print("time", dict(zip(TIME_COLUMNS, weights.round(2).tolist(), strict=True)), round(bias, 2))
    print(table_of(cases, said, model_of(arrays, trees)))
    np.savez_compressed(PACKAGE / WEIGHTS_FILE, **arrays)
    (PACKAGE / TREES_FILE).write_bytes(trees)
    print(f"{(PACKAGE / WEIGHTS_FILE).stat().st_size:,} + {len(trees):,} bytes, {time.time() - start:.0f} s")


def prepare(data: Path, out: Path) -> Prepared:
    """Read the corpora and train the networks; made once and kept."""
    out.mkdir(parents=True, exist_ok=True)
    pages, trained = _kept(out / "pages.pickle", lambda: _read_and_trained(data))
    cases = _kept(out / "cases.pickle", lambda: _cases(pages, trained))
    return Prepared([page for page in pages if page.kind in ("hand", "front")], cases, trained[None])


def _read_and_trained(data: Path) -> tuple[list[LabelledLinks], dict[int | None, Networks]]:
    """Return the labelled pages, and networks that have seen all of them but one part, and all."""
    fronts = front_pages(data)
    news = news_rows(data)
    articles, indexes = news_pages(news)
    labelled = [*fronts, *indexes, *articles]
    pages = [*labelled, *plain_pages(news, labelled)]
    print(len(pages), "pages are read", flush=True)
    trained = train_networks(pages, list(headlines(news)), [*range(PARTS), None])
    return [page for page in pages if page.kind != "article"], trained


def _cases(pages: Sequence[LabelledLinks], trained: Mapping[int | None, Networks]) -> list[Case]:
    cases = cases_of(pages, trained)
    for case in cases:
        case.links.table  # noqa: B018 -- made once, before it is kept
    return cases


def _kept(file: Path, make: Callable[[], Kept]) -> Kept:
    """Return what was kept in a file; make and keep it where there is none."""
    if file.exists():
        found: Kept = pickle.loads(file.read_bytes())  # written below
        return found
    made = make()
    file.write_bytes(pickle.dumps(made, protocol=5))
    return made


def table_of(cases: Sequence[Case], said: Sequence[Floats], model: LinkModel) -> str:
    """Return precision and recall by kind of case and by how addresses are, of sites that the trees have not seen."""
    lines = []
    for kind, way in [(kind, way) for kind, ways in WAYS.items() for way in ways[:2]]:
        chosen = [(case, own) for case, own in zip(cases, said, strict=True) if (case.kind, case.way) == (kind, way)]
        left = [(case, np.where(excluded(case.links), np.float32(0), own)) for case, own in chosen]
        alone = np.mean([scores_of(case, own) for case, own in left], axis=0)
        timed = np.mean([scores_of(case, model.with_time(case.links, own)) for case, own in left], axis=0)
        named = f"{kind} {'as is' if way == AS_IS else 'rewritten'}"
        lines.append(f"{named:19} {len(left):4} alone {alone.round(3).tolist()} with time {timed.round(3).tolist()}")
    return "\n".join(lines)


def scores_of(case: Case, said: Floats) -> tuple[float, float]:
    """Return precision and recall of a case."""
    known = case.labels >= 0
    right, taken = case.labels[known] == 1, said[known] >= ARTICLE
    both = int((right & taken).sum())
    return both / max(int(taken.sum()), 1), both / max(int(right.sum()), 1)


def _arrays(networks: Networks) -> dict[str, np.ndarray]:
    return networks.text.arrays("text") | networks.names.arrays("names") | networks.address.arrays("address")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of the corpora")
    parser.add_argument("--out", type=Path, default=Path("build/links"), help="the folder to work in")
    return parser.parse_args()


if __name__ == "__main__":
    main()
