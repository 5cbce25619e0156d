"""What training left behind in, the model card out: data, folds, sizes and figures."""

import json
import pickle
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from training.corpus import RICH

_OTHER_MODELS = "## The judge of kinds"
_CARD = """# Model card: the tagger

`tagger.onnx` ({size:,} bytes) scores the text-bearing units of a news page; `judge.json` ({judge_size:,} bytes) tells
how likely the values made of them are right. How they work is in [tag.md](tag.md), how well in
[evaluation.md](evaluation.md).

- **Made by** `python -m training.make`; {parameters:,} weights in two networks, stored in seven bits, and {trees:,}
  trees with {leaves:,} leaves.
- **Learned from** folds 1 to 4 of a corpus of news pages in more than forty languages, collected from public
  repositories (test fixtures, benchmarks, archives), and from front pages of newspapers as examples of lists. Fold 0
  was seen by neither of them. No page or label is part of the package.
- **Labels made by hand**, by reading, after the definitions of [fields.md](fields.md), weigh most, and they alone say
  that a page does not show a field.
- **Labels** of the rest are those of the corpora and, for pages without them, what the pages' own JSON-LD states, with
  that hidden. Trees learn from the {rich:,} pages of corpora that label many fields.
- **Meant for** news and blog articles; shops, forums and documentation are recognised as "other" and read as far as
  they look like articles. Pages whose text is made by scripts must be rendered first.

## What each network said about the fold it had not seen

Title, subtitle and dates: share of pages whose best unit is right. The others: F1 of the units. Kind: accuracy of
article against the others.

| network | figures |
|---|---|
{rows}

## Examples

| corpus | pages |
|---|---|
{sources}
"""


def write_card(folder: Path, package: Path, path: Path) -> None:
    """Write the card of the tagger whose parts are in a folder."""
    rows, parameters = [], 0
    for file in sorted(folder.glob("*.*.pt")):
        saved = torch.load(file, map_location="cpu", weights_only=False)
        if file.name.startswith("full"):
            parameters += sum(tensor.numel() for tensor in saved["state"].values())
        elif saved["held_out"] and file.name.count(".") == 2:
            rows.append(f"| {file.stem} | {_asked(saved['held_out'], saved['plan'].fields)} |")
    grove = pickle.loads((folder / "full.trees.pickle").read_bytes())  # written by training.make
    trees = [tree for grown in grove.trees.values() for tree in grown]
    counts: Counter[str] = Counter(json.loads((folder / "sources.json").read_text("utf-8")))
    sources = "\n".join(f"| {name} | {count} |" for name, count in counts.most_common())
    card = _CARD.format(
        size=(package / "tagger.onnx").stat().st_size,
        judge_size=(package / "judge.json").stat().st_size,
        parameters=parameters,
        trees=len(trees),
        leaves=sum(map(_leaves, trees)),
        rich=sum(count for name, count in counts.items() if name in RICH),
        rows="\n".join(rows),
        sources=sources,
    )
    path.write_text(card + _others(path), "utf-8")


def _others(path: Path) -> str:
    """Return what the card says of other models, which is written by hand."""
    _, mark, behind = (path.read_text("utf-8") if path.exists() else "").partition(_OTHER_MODELS)
    return f"\n{mark}{behind}" if mark else ""


def _asked(figures: str, fields: Sequence[str]) -> str:
    """Leave out what a network is not asked for."""
    words = figures.split()
    pairs = zip(words[::2], words[1::2], strict=True)
    return ", ".join(f"{name} {value}" for name, value in pairs if name in {*fields, "kind"})


def _leaves(tree: Mapping[str, Any]) -> int:
    return 1 if "leaf_value" in tree else _leaves(tree["left_child"]) + _leaves(tree["right_child"])
