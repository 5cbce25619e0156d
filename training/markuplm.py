"""Labelled pages and a MarkupLM checkpoint in, a folder that `sitewright.tag.markuplm` loads out.

    python -m training.markuplm --base markuplm-base --pages pages.jsonl.xz --folds 1 2 3 4 --out news-markuplm

A line of the pages is an object with `html`, `labels`, `fold` and, where it is known, `url`.
"""

import argparse
import gzip
import json
import lzma
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from random import Random
from typing import IO, Any

import numpy as np
import torch
import transformers
from numpy.typing import NDArray

from sitewright.errors import PageError
from sitewright.parse import Document, parse
from sitewright.tag.markuplm import PageEncoder, PageTokens, Window
from sitewright.tag.units import Unit, read_units
from sitewright.types import Page
from sitewright.values import Context
from training.columns import FIELDS
from training.labels import unit_targets

LABELS = ("none", *FIELDS)
_LEAST = 0.5
"""A unit whose target is lower is none of the field."""
_WARM_UP = 0.1
"""The share of the steps over which the rate rises; it falls over the others."""
_REPORT_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Options:
    """How to train."""

    epochs: int = 3
    batch: int = 8
    """Windows a step."""
    rate: float = 3e-5
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Example:
    """A page, and which labels each of its tokens may have."""

    tokens: PageTokens
    allowed: NDArray[np.bool_]


def fine_tune(
    base: Path, rows: Iterator[Mapping[str, Any]], out: Path, options: Options, say: Callable[[str], object]
) -> list[float]:
    """Fine-tune a checkpoint on labelled pages, save it, and return the mean loss of every epoch."""
    torch.manual_seed(options.seed)  # the new layer on top is random
    tokenizer = transformers.MarkupLMTokenizerFast.from_pretrained(base, local_files_only=True)
    model = transformers.MarkupLMForTokenClassification.from_pretrained(
        base,
        local_files_only=True,
        id2label=dict(enumerate(LABELS)),
        label2id={label: number for number, label in enumerate(LABELS)},
    )
    encoder = PageEncoder(tokenizer, model.config)
    examples = list(read_examples(rows, encoder))
    say(f"{len(examples):,} pages, {sum(len(example.tokens.ids) for example in examples):,} tokens")
    losses = _train(model, encoder, examples, options, say)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return losses


# Pages.


def read_rows(path: Path, folds: frozenset[int]) -> Iterator[dict[str, Any]]:
    """Yield the labelled pages of some folds."""
    with _open(path) as lines:
        for line in lines:
            row = json.loads(line)
            if row["fold"] in folds and row.get("labels"):
                yield row


def _open(path: Path) -> IO[str]:
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8")
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def read_examples(rows: Iterator[Mapping[str, Any]], encoder: PageEncoder) -> Iterator[Example]:
    """Yield the examples of labelled pages; those that cannot be read, or show no text, are left out."""
    for row in rows:
        try:
            document = parse(Page(url=row.get("url") or "", body=row["html"]))
        except PageError:
            continue
        units = read_units(document)
        tokens = encoder.encode(units)
        if len(tokens.ids):
            yield Example(tokens, allowed_labels(tokens, page_targets(document, units, row["labels"])))


def page_targets(document: Document, units: Sequence[Unit], labels: Mapping[str, object]) -> NDArray[np.float32]:
    """Return what each unit (row) should score for each field (column): 0..1, or -1 where nobody knows."""
    context = Context(document=document, now=document.fetched_at or datetime.now(UTC))
    return unit_targets(units, labels, context).values


def allowed_labels(tokens: PageTokens, targets: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return which labels (columns of `LABELS`) each token may have.

    A token has the highest target of the units around it, of equal ones that of the innermost. Where none is high
    enough, it is none of the fields that are known, but may be any of those that nobody knows.
    """
    best = np.full((len(tokens.ids), len(FIELDS)), -1.0, dtype=np.float32)
    label = np.zeros(len(tokens.ids), dtype=np.int64)
    highest = np.full(len(tokens.ids), _LEAST, dtype=np.float32)
    for (first, last), values in zip(tokens.spans, targets, strict=True):  # a run stands before its parts
        best[first:last] = np.maximum(best[first:last], values)
        wins = values.max() >= highest[first:last]
        label[first:last][wins] = 1 + values.argmax()
        highest[first:last][wins] = values.max()
    allowed = np.concatenate([np.ones((len(label), 1), dtype=np.bool_), best < 0], axis=1)
    allowed[label > 0] = np.eye(len(LABELS), dtype=np.bool_)[label[label > 0]]
    return allowed


# Training.


def _train(
    model: Any, encoder: PageEncoder, examples: Sequence[Example], options: Options, say: Callable[[str], object]
) -> list[float]:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(device).train()
    windows = [(example, window) for example in examples for window in encoder.windows(example.tokens)]
    steps = -(-len(windows) // options.batch)
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.rate)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, _rate_over(steps * options.epochs))
    random = Random(options.seed)
    progress = _Progress(say, options.epochs, steps)
    means = []
    for epoch in range(options.epochs):
        random.shuffle(windows)
        losses = []
        for step in range(steps):
            batch = windows[step * options.batch : (step + 1) * options.batch]
            loss = _loss(model, encoder, batch, device)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            losses.append(loss.item())
            progress.tell(epoch, losses)
        means.append(float(np.mean(losses)) if losses else 0.0)
    return means


def _rate_over(steps: int) -> Callable[[int], float]:
    """Return the share of the rate at a step: a rise, then a fall to nothing."""
    rise = max(1, round(steps * _WARM_UP))
    return lambda step: min((step + 1) / rise, (steps - step) / max(1, steps - rise))


def _loss(model: Any, encoder: PageEncoder, batch: Sequence[tuple[Example, Window]], device: str) -> Any:
    """Return the mean over all tokens of how unlikely their allowed labels are, taken together."""
    inputs = encoder.inputs([(example.tokens, window) for example, window in batch])
    allowed = np.ones((*inputs["input_ids"].shape, len(LABELS)), dtype=np.bool_)  # special tokens cost nothing
    for row, (example, (start, stop)) in enumerate(batch):
        allowed[row, 1 : 1 + stop - start] = example.allowed[start:stop]
    logits = model(**{name: torch.from_numpy(given).to(device) for name, given in inputs.items()}).logits.float()
    forbidden = torch.from_numpy(~allowed).to(device)
    costs = logits.logsumexp(-1) - logits.masked_fill(forbidden, -torch.inf).logsumexp(-1)
    return costs.sum() / sum(stop - start for _, (start, stop) in batch)


class _Progress:
    """Says every few seconds, and at the end of an epoch, how far training is."""

    def __init__(self, say: Callable[[str], object], epochs: int, steps: int) -> None:
        self._say, self._epochs, self._steps = say, epochs, steps
        self._said = self._began = time.monotonic()

    def tell(self, epoch: int, losses: Sequence[float]) -> None:
        """Say it if it is time to."""
        now = time.monotonic()
        if now - self._said < _REPORT_SECONDS and len(losses) < self._steps:
            return
        self._said = now
        done = epoch * self._steps + len(losses)
        left = (now - self._began) / done * (self._epochs * self._steps - done)
        where = f"epoch {epoch + 1}/{self._epochs}  step {len(losses):,}/{self._steps:,}"
        self._say(f"{where}  loss {np.mean(losses[-100:]):.4f}  {left:,.0f} s left")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and train."""
    defaults = Options()
    parser = argparse.ArgumentParser(prog="training.markuplm", description=__doc__.partition("\n")[0])
    parser.add_argument("--base", type=Path, required=True, help="folder of the checkpoint to start from")
    parser.add_argument("--pages", type=Path, required=True, help="labelled pages: .jsonl, .jsonl.xz or .jsonl.gz")
    parser.add_argument("--folds", type=int, nargs="+", default=[1, 2, 3, 4], help="folds to train on")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    parser.add_argument("--epochs", type=int, default=defaults.epochs)
    parser.add_argument("--batch", type=int, default=defaults.batch, help="windows a step")
    parser.add_argument("--rate", type=float, default=defaults.rate, help="learning rate")
    parser.add_argument("--seed", type=int, default=defaults.seed)
    parser.add_argument("--limit", type=int, help="train on so many pages at most")
    given = parser.parse_args(arguments)
    rows = islice(read_rows(given.pages, frozenset(given.folds)), given.limit)
    options = Options(given.epochs, given.batch, given.rate, given.seed)
    fine_tune(given.base, rows, given.out, options, lambda line: sys.stderr.write(line + "\n"))


if __name__ == "__main__":
    main()
