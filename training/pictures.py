"""The corpora in, the weights of the picture judge out.

    python -m training.pictures --data ../shared/data

The pages of the picture corpus say which pictures a story has; those of the news corpus do, or name one of them. On
pages labelled by hand a picture with a marked caption is one, one with another caption is none, and pages that are no
articles have none. A logistic regression with a penalty on large weights is fitted on folds 1 to 4; how well one does
on sites that it was not fitted on is printed before.
"""

import argparse
import json
import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sitewright.parse import fold_words, host_of, owner_of, parse
from sitewright.tag import PageReader
from sitewright.tag.images import ENOUGH
from sitewright.tag.pictures import SIGNS, Picture, pictures_of
from sitewright.types import Page
from sitewright.values.images import picture_key

OUT = Path("src/sitewright/tag/models/news/pictures.json")
_WEIGHTS = {"fundus_images": 1.0, "news": 0.1, "hand": 0.1}
"""How much a page counts: the picture corpus is labelled for this, the others stand for many more sites."""
_PENALTY = 30.0
_AS_MANY = 10
"""A page of the other corpora counts no more than one with so many pictures."""
_PARTS = 5


@dataclass(frozen=True, slots=True)
class Example:
    """A page: the signs of its pictures and which are the story's; NaN where nobody knows."""

    site: str
    corpus: str
    signs: NDArray[np.float64]
    right: NDArray[np.float64]


def main() -> None:
    """Fit, say how well, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of the corpora")
    parser.add_argument("--limit", type=int, help="pages a corpus")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    examples = list(_examples(args.data, args.limit))
    print(len(examples), "pages;", "crosswise F1", round(_crosswise(examples), 3), flush=True)
    bias, weights = fit(examples)
    named = {name: round(float(weight), 4) for name, weight in zip(SIGNS, weights, strict=True)}
    args.out.write_text(json.dumps({"bias": round(bias, 4), "weights": named}, indent=1) + "\n", "utf-8")


def _examples(data: Path, limit: int | None) -> Iterator[Example]:
    reader = PageReader()
    for corpus, path in (
        ("fundus_images", "galleries/fundus_images"), ("news", "news"), ("hand", "hand"), ("hand", "hand_sites"),
    ):  # fmt: skip
        for number, row in enumerate(_labelled(data / f"{path}.jsonl.xz")):
            if limit is not None and number >= limit:
                break
            url = row.get("url") or f"https://{row['site']}/"
            if pictures := _pictures(reader, url, row["html"]):
                right = np.array([_right(picture, row) for picture in pictures])
                yield Example(owner_of(host_of(url)), corpus, np.array([p.signs for p in pictures]), right)


def _labelled(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the pages of folds 1 to 4 that say something about pictures."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            labels = row.get("labels") or {}
            if row["fold"] and (row.get("images") or labels.get("images") or row.get("label_kind") == "hand"):
                yield row


def _pictures(reader: PageReader, url: str, html: str) -> list[Picture]:
    reading = reader.read(parse(Page(url=url, body=html)))
    return pictures_of(reading.page, reading.text_units, reading.title_unit)


def _right(picture: Picture, row: Mapping[str, Any]) -> float:
    """Return whether a picture is the story's, by what the labels of its page say."""
    labels = row.get("labels") or {}
    if named := row.get("images") or labels.get("images"):
        infos = row.get("image_info") or ()
        names = {*map(picture_key, named), *(picture_key(url) for info in infos for url in info.get("all_urls") or ())}
        hit = picture.key in names
        return 1.0 if hit else float("nan") if row.get("source") == "postlight" else 0.0
    if row.get("page_type") not in {"article", "media"}:
        return 0.0
    own, marked = _plain(picture.photo.caption), [_plain(caption) for caption in labels.get("captions") or ()]
    if own and any(own in caption or caption in own for caption in marked):
        return 1.0
    return 0.0 if own and picture.element.closest("figure") is not None else float("nan")


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", " ".join(fold_words(text)))


def fit(examples: Sequence[Example]) -> tuple[float, NDArray[np.float64]]:
    """Return bias and weights of the signs, by Newton's method on scaled signs with a penalty on large weights."""
    known = [~np.isnan(example.right) for example in examples]
    table = np.concatenate([e.signs[k] for e, k in zip(examples, known, strict=True)])
    right = np.concatenate([e.right[k] for e, k in zip(examples, known, strict=True)])
    counts = np.concatenate([np.full(int(k.sum()), _count(e, k)) for e, k in zip(examples, known, strict=True)])
    mean, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    scaled = np.column_stack([np.ones(len(table)), (table - mean) / spread])
    weights = np.zeros(scaled.shape[1])
    penalty = np.diag([0.0, *[_PENALTY] * table.shape[1]])
    for _ in range(30):
        said = 1 / (1 + np.exp(-scaled @ weights))
        slope = scaled.T @ (counts * (said - right)) + penalty @ weights
        curve = (scaled * (counts * said * (1 - said))[:, None]).T @ scaled + penalty + 1e-6 * np.eye(len(weights))
        weights -= np.linalg.solve(curve, slope)
    own = np.asarray(weights[1:] / spread)
    return float(weights[0] - own @ mean), own


def _count(example: Example, known: NDArray[np.bool_]) -> float:
    weight = _WEIGHTS[example.corpus]
    return weight if example.corpus == "fundus_images" else weight / max(1.0, float(known.sum()) / _AS_MANY)


def _crosswise(examples: Sequence[Example]) -> float:
    """Return the mean F1 on pages of the picture corpus, each judged by weights that were fitted without its site."""
    scores = []
    for part in range(_PARTS):
        bias, weights = fit([example for example in examples if crc32(example.site.encode()) % _PARTS != part])
        for example in examples:
            if example.corpus == "fundus_images" and crc32(example.site.encode()) % _PARTS == part:
                said = 1 / (1 + np.exp(-(example.signs @ weights + bias))) >= ENOUGH
                hits = float((said & (example.right == 1)).sum())
                scores.append(2 * hits / max(1.0, float(said.sum() + (example.right == 1).sum())))
    return float(np.mean(scores))


if __name__ == "__main__":
    main()
