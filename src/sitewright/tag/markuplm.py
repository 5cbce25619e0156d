"""Units in, scores out, by a fine-tuned MarkupLM checkpoint; needs the extra `markuplm`.

Runs of text are the nodes that the model reads, so that its answers fall on units one to one. Training encodes pages
through the same `PageEncoder`.
"""

import importlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element, Node

from sitewright.domains import DEFAULT_DOMAIN, Domain, domain_of, kinds
from sitewright.errors import MissingExtra, ModelError
from sitewright.parse import Document
from sitewright.tag.scores import Columns, Scores
from sitewright.tag.stated_tagger import scores_of
from sitewright.tag.units import Unit, UnitKind

CAPTION = "caption"
"""A label beside the domain's fields: what stands below pictures is told from the text by it."""
NONE_LABELS = frozenset({"none", "O"})
"""What a model calls that which is no field."""
WINDOW = 512
"""Tokens that the model reads at once, its two special ones among them."""
_OVERLAP = 1 / 3
_BATCH = 8
"""Windows that the model gets at once: with 8, a model of the base size peaks at 1.2 GB."""
_RUN_CHARACTERS = 4_000
"""What is read of a run: 9,999 of 10,000 runs of the training folds are shorter than 3,200 characters."""
_PAGE_TOKENS = 32_768
"""What is read of a page: 99 of 100 pages of the training folds have less than 60 kB of text, some 15,000 tokens of
English and twice as many of other scripts. Units behind it score 0."""


class Window(NamedTuple):
    """Some consecutive tokens of a page."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class PageTokens:
    """The tokens of a page, run after run."""

    ids: NDArray[np.int64]
    paths: NDArray[np.int64]
    """The row of `tags` and `subscripts` that says where a token stands."""
    tags: NDArray[np.int64]
    subscripts: NDArray[np.int64]
    spans: NDArray[np.int64]
    """A row a unit: its first token, and the one behind its last; the same where it has none."""


class PageEncoder:
    """Makes tokens of units, and inputs for the model of windows of tokens."""

    def __init__(self, tokenizer: Any, config: Any) -> None:
        """Take a checkpoint's tokenizer and configuration."""
        if tokenizer.max_depth != config.max_depth:
            raise ModelError(f"tokenizer and model differ in max_depth: {tokenizer.max_depth}, {config.max_depth}")
        self._tokenizer = tokenizer
        self._backend = tokenizer.backend_tokenizer
        self._backend.no_truncation()  # a saved tokenizer may carry both
        self._backend.no_padding()
        positions = config.max_position_embeddings - config.pad_token_id - 1  # RoBERTa counts from behind the padding
        self._room = min(WINDOW, positions) - 2

    def encode(self, units: Sequence[Unit]) -> PageTokens:
        """Return the tokens of a page's units."""
        wholes = [
            number for number, unit in enumerate(units) if unit.run == number and unit.kind is not UnitKind.STATED
        ]
        texts = [units[number].text[:_RUN_CHARACTERS] for number in wholes]
        paths = _PathTable(self._tokenizer)
        inner = _inner_units(units)
        spans = np.zeros((len(units), 2), dtype=np.int64)
        ids: list[int] = []
        rows: list[NDArray[np.int64]] = []
        for number, encoding in zip(wholes, self._backend.encode_batch(texts, add_special_tokens=False), strict=True):
            start = len(ids)
            if start + len(encoding.ids) > _PAGE_TOKENS:
                break
            ids += encoding.ids
            spans[[number, *inner.get(number, ())]] = start, len(ids)
            own = np.full(len(encoding.ids), paths.row(units[number].element))
            for part, (first, last) in _part_spans(units, number, inner.get(number, ()), encoding.offsets):
                spans[part] = start + first, start + last
                if units[part].kind is UnitKind.PART:
                    own[first:last] = paths.row(units[part].element)
            rows.append(own)
        where = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int64)
        return PageTokens(np.array(ids, dtype=np.int64), where, *paths.arrays(), spans)

    def windows(self, page: PageTokens) -> list[Window]:
        """Return the windows over a page, each sharing a third with the next."""
        return list(_windows(len(page.ids), self._room))

    def inputs(self, windows: Sequence[tuple[PageTokens, Window]]) -> dict[str, NDArray[np.int64]]:
        """Return windows, also of several pages, as a batch; token i of a window stands at i + 1."""
        tokenizer = self._tokenizer
        shape = len(windows), 2 + max(window.stop - window.start for _, window in windows)
        ids = np.full(shape, tokenizer.pad_token_id, dtype=np.int64)
        mask = np.zeros(shape, dtype=np.int64)
        tags = np.tile(np.array(tokenizer.pad_xpath_tags_seq, dtype=np.int64), (*shape, 1))
        subscripts = np.tile(np.array(tokenizer.pad_xpath_subs_seq, dtype=np.int64), (*shape, 1))
        for row, (page, (start, stop)) in enumerate(windows):
            end = 1 + stop - start
            ids[row, : end + 1] = [tokenizer.cls_token_id, *page.ids[start:stop], tokenizer.sep_token_id]
            mask[row, : end + 1] = 1
            tags[row, 1:end] = page.tags[page.paths[start:stop]]
            subscripts[row, 1:end] = page.subscripts[page.paths[start:stop]]
        return {"input_ids": ids, "attention_mask": mask, "xpath_tags_seq": tags, "xpath_subs_seq": subscripts}


class MarkupLmTagger:
    """Scores units with a MarkupLM model for token classification that is stored in a folder."""

    def __init__(self, folder: str | Path, domain: Domain | str = DEFAULT_DOMAIN) -> None:
        """Load a checkpoint whose labels are fields of a domain; nothing is fetched."""
        folder, self._domain = Path(folder), domain_of(domain)
        self.columns = Columns((*labelled_fields(self._domain), CAPTION), self._domain.kinds)
        self._columns = _label_columns(folder, self.columns.fields)
        self._torch = _library("torch")
        tokenizer, model = _load(folder, _library("transformers"))
        self._device = "cuda" if self._torch.cuda.is_available() else "cpu"
        self._model = model.eval().to(self._device)
        self._encoder = PageEncoder(tokenizer, model.config)

    def score(self, document: Document, units: Sequence[Unit]) -> Scores:  # noqa: ARG002 - the interface's
        """Return the scores of a page's units: the mean over a unit's tokens; what the page only states has 0."""
        page = self._encoder.encode(units)
        scores = _span_means(self._token_scores(page), page.spans)
        shown = scores.max(axis=0, initial=0.0)
        text = shown[self.columns.fields.index(self._domain.main_text)] if self._domain.main_text else shown.max()
        return scores_of(scores, self.columns, text)  # an item as far as some unit is text

    def _token_scores(self, page: PageTokens) -> NDArray[np.float32]:
        """Return a row a token, a column a field; where windows overlap, the mean of both."""
        total = np.zeros((len(page.ids), len(self.columns.fields)), dtype=np.float32)
        seen = np.zeros((len(page.ids), 1), dtype=np.float32)
        windows = self._encoder.windows(page)
        for first in range(0, len(windows), _BATCH):
            batch = windows[first : first + _BATCH]
            found = self._probabilities(self._encoder.inputs([(page, window) for window in batch])) @ self._columns
            for row, (start, stop) in zip(found, batch, strict=True):
                total[start:stop] += row[1 : 1 + stop - start]
                seen[start:stop] += 1
        total /= np.maximum(seen, 1)
        return total

    def _probabilities(self, inputs: Mapping[str, NDArray[np.int64]]) -> NDArray[np.float32]:
        """Return the model's answer: window, token, label."""
        torch = self._torch
        with torch.inference_mode():
            logits = self._model(
                **{name: torch.from_numpy(given).to(self._device) for name, given in inputs.items()}
            ).logits
            found: NDArray[np.float32] = logits.float().softmax(-1).cpu().numpy()
        return found


# The checkpoint.


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise MissingExtra(f'{name} is not installed: pip install "sitewright[markuplm]"') from error


def labelled_fields(domain: Domain) -> tuple[str, ...]:
    """Return the fields that texts can be labelled with."""
    return tuple(name for name, spec in domain.fields.items() if spec.kind not in (kinds.IMAGES, kinds.ITEMS))


def _label_columns(folder: Path, fields: Sequence[str]) -> NDArray[np.float32]:
    """Return which label of a checkpoint (row) is which field (column)."""
    labels = _labels(folder)
    columns = np.zeros((len(labels), len(fields)), dtype=np.float32)
    unknown = []
    for number, label in enumerate(labels):
        field = label.removeprefix("B-").removeprefix("I-")
        if field in fields:
            columns[number, fields.index(field)] = 1.0
        elif label not in NONE_LABELS:
            unknown.append(label)
    if unknown:
        known = ", ".join([*fields, *sorted(NONE_LABELS)])
        raise ModelError(f"{folder}: labels that are no fields: {', '.join(unknown)} (known: {known})")
    if not columns.any():
        raise ModelError(f"{folder}: config.json has no label that is a field (id2label)")
    return columns


def _labels(folder: Path) -> list[str]:
    """Return the labels that a checkpoint's configuration names, in order."""
    try:
        config = json.loads((folder / "config.json").read_text("utf-8"))
    except OSError as error:
        raise ModelError(f"{folder} is no checkpoint: config.json cannot be read") from error
    except ValueError as error:
        raise ModelError(f"{folder} is no checkpoint: config.json is not JSON") from error
    kind = config.get("model_type") if isinstance(config, dict) else None
    if kind != "markuplm":
        raise ModelError(f"{folder} is no MarkupLM checkpoint: its model_type is {kind}")
    labels = config.get("id2label") or {}
    try:
        return [str(labels[str(number)]) for number in range(len(labels))]
    except (KeyError, TypeError) as error:
        raise ModelError(f"{folder}: id2label of config.json does not number its labels from 0") from error


def _load(folder: Path, transformers: Any) -> tuple[Any, Any]:
    """Return tokenizer and model of a folder."""
    with _without_progress(transformers):
        try:
            tokenizer = transformers.MarkupLMTokenizerFast.from_pretrained(folder, local_files_only=True)
            model, report = transformers.MarkupLMForTokenClassification.from_pretrained(
                folder, local_files_only=True, output_loading_info=True
            )
        except (OSError, ValueError, TypeError, KeyError, RuntimeError) as error:
            raise ModelError(f"{folder} is no whole checkpoint: {error}") from error
    if report["missing_keys"]:  # they would be random numbers
        raise ModelError(
            f"{folder} is not fine-tuned: it has no weights for {', '.join(sorted(report['missing_keys']))}"
        )
    return tokenizer, model


@contextmanager
def _without_progress(transformers: Any) -> Iterator[None]:
    """Keep the library's progress bars out of ours."""
    logging = transformers.utils.logging
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


# Tokens and windows.


def _windows(count: int, room: int) -> Iterator[Window]:
    """Yield windows over so many tokens.

    >>> list(_windows(8, 3))
    [Window(start=0, stop=3), Window(start=2, stop=5), Window(start=4, stop=7), Window(start=6, stop=8)]
    """
    step = room - int(room * _OVERLAP)
    start = 0
    while count and (start == 0 or start + room - step < count):
        yield Window(start, min(start + room, count))
        start += step


def _inner_units(units: Sequence[Unit]) -> dict[int, list[int]]:
    """Return the parts and pieces of each run."""
    found: dict[int, list[int]] = {}
    for number, unit in enumerate(units):
        if unit.run != number:
            found.setdefault(unit.run, []).append(number)
    return found


def _part_spans(
    units: Sequence[Unit], whole: int, parts: Sequence[int], offsets: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the tokens of each part of a run, counted from the run's first; none where it is not found."""
    if not parts:
        return
    bounds = np.array(offsets, dtype=np.int64).reshape(-1, 2)
    texts = [units[part].text for part in parts]
    for part, (begin, end) in zip(parts, _located(units[whole].text, texts), strict=True):
        first = int(np.searchsorted(bounds[:, 1], begin, "right"))
        last = int(np.searchsorted(bounds[:, 0], end, "left"))
        if first < last:
            yield part, (first, last)


def _located(whole: str, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where each text stands in a whole: behind the one before, else inside of it, else anywhere, else nowhere.

    >>> list(_located("By Ann Lee, Lee, Bo", ["Ann Lee", "Lee", "Bo", "Cy"]))
    [(3, 10), (12, 15), (17, 19), (0, 0)]
    """
    begin = end = 0
    for text in texts:
        places = (whole.find(text, end), whole.find(text, begin), whole.find(text))
        begin = next((place for place in places if place >= 0), -1)
        begin, end = (begin, begin + len(text)) if begin >= 0 else (0, 0)
        yield begin, end


class _PathTable:
    """The paths of elements as MarkupLM takes them: numbers of tags, and subscripts among siblings."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._steps: dict[Node, str] = {}
        self._rows: dict[str, int] = {}

    def row(self, element: Element | None) -> int:
        """Return the row of an element's path."""
        path = self._path(element) if element is not None else ""
        return self._rows.setdefault(path, len(self._rows))

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the rows."""
        sequences = [self._tokenizer.get_xpath_seq(path) for path in self._rows]
        both = np.array(sequences, dtype=np.int64).reshape(len(sequences), 2, self._tokenizer.max_depth)
        return both[:, 0], both[:, 1]

    def _path(self, element: Element) -> str:
        steps: list[str] = []
        below: Node = element
        while (above := below.parent) is not None:
            if below not in self._steps:
                self._name_children(above)
            steps.append(self._steps[below])
            below = above
        return "".join(f"/{step}" for step in reversed(steps))

    def _name_children(self, parent: Node) -> None:
        """Write the step to each of an element's children; only where several have one tag it has a subscript."""
        same: dict[str, list[Element]] = {}
        for child in parent:
            if isinstance(child, Element):
                same.setdefault(child.tag, []).append(child)
        for tag, children in same.items():
            for number, child in enumerate(children, 1):
                self._steps[child] = f"{tag}[{number}]" if len(children) > 1 else tag


# Scores.


def _span_means(rows: NDArray[np.float32], spans: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the mean of the rows of each span, 0 for empty ones."""
    sums = np.zeros((len(rows) + 1, rows.shape[1]), dtype=np.float64)
    np.cumsum(rows, axis=0, out=sums[1:])
    first, last = spans[:, 0], spans[:, 1]
    means: NDArray[np.float64] = (sums[last] - sums[first]) / np.maximum(last - first, 1)[:, None]
    return means.clip(0.0, 1.0).astype(np.float32)
