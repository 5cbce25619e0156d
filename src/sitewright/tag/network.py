"""Features of a page in, scores out: the trained network, run by onnxruntime."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sitewright.parse import Document
from sitewright.tag.features import Features, features_of
from sitewright.tag.scores import FIELDS, KINDS, Scores
from sitewright.tag.units import Unit

WINDOW, OVERLAP = 1000, 250
"""Longer pages are read in windows that overlap, since attention costs the square of their length. One page in a
hundred of the training folds is longer."""
MOST_STATED = 300
"""So many of the values that metadata states are repeated at the head of each window."""


class NetworkTagger:
    """The tagger that the package ships."""

    def __init__(self, model: Path | None = None) -> None:
        """Remember where the model is; it is loaded with the first page."""
        self._model = model

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # noqa: PLC0415 -- a fifth of a second that no other command should pay

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        shipped = files("sitewright.tag").joinpath("tagger.onnx")
        model = self._model.read_bytes() if self._model is not None else shipped.read_bytes()
        onnxruntime.disable_telemetry_events()  # nothing is told to anybody
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def score(self, document: Document, units: Sequence[Unit]) -> Scores:
        """Return the scores of a page's units."""
        if not units:
            return _nothing()
        features = features_of(document, units)
        if len(units) <= WINDOW:
            return _scores(*self._run(features))
        stated = next((number for number, unit in enumerate(units) if unit.place is not None), len(units))
        return self._in_windows(features, min(stated, MOST_STATED))

    def _in_windows(self, features: Features, stated: int) -> Scores:
        """Score a long page window by window; where two overlap, the one counts more in whose middle a unit stands."""
        count = len(features.dense)
        fields = np.zeros((count, len(FIELDS)), dtype=np.float32)
        weights = np.full((count, 1), 1e-6, dtype=np.float32)
        pages = []
        for rows in _windows(count, stated):
            said, page = self._run(_rows_of(features, rows))
            weight = np.minimum(np.arange(len(rows)) + 1, len(rows) - np.arange(len(rows))).astype(np.float32)[:, None]
            fields[rows] += said * weight
            weights[rows] += weight
            pages.append(page)
        best = max(range(len(pages)), key=lambda number: float(pages[number][len(FIELDS)]))
        shown = np.max([page[: len(FIELDS)] for page in pages], axis=0)
        return _scores(fields / weights, np.concatenate([shown, pages[best][len(FIELDS) :]]))

    def _run(self, features: Features) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the log-odds of units by fields, and of the page: fields shown, then kinds."""
        inputs = {
            "dense": features.dense,
            "grams": features.grams.astype(np.int32),
            "names": features.names.astype(np.int32),
            "tags": features.tags.astype(np.int32),
            "groups": features.groups,
        }
        fields, page = self._session.run(None, inputs)
        return fields, page


def _windows(count: int, stated: int) -> Iterator[NDArray[np.int64]]:
    """Yield the rows of each window: what is stated, then a stretch of the page.

    >>> [(len(rows), int(rows[10]), int(rows[-1])) for rows in _windows(2000, 10)]
    [(1000, 10, 999), (1000, 750, 1739), (1000, 1010, 1999)]
    """
    room = WINDOW - stated
    start = stated
    while True:
        end = min(start + room, count)
        yield np.concatenate([np.arange(stated), np.arange(max(end - room, stated), end)])
        if end == count:
            return
        start = end - OVERLAP


def _rows_of(features: Features, rows: NDArray[np.int64]) -> Features:
    """Return the features of some units, their lists numbered anew."""
    groups = np.unique(features.groups[rows], return_inverse=True)[1].astype(np.int32)
    return Features(features.dense[rows], features.grams[rows], features.names[rows], features.tags[rows], groups)


def _scores(fields: NDArray[np.float32], page: NDArray[np.float32]) -> Scores:
    return Scores(_sigmoid(fields), _sigmoid(page[: len(FIELDS)]), _softmax(page[len(FIELDS) :]))


def _nothing() -> Scores:
    """Return what there is to say about a page without any text."""
    kinds = np.array([kind == "other" for kind in KINDS], dtype=np.float32)
    return Scores(np.zeros((0, len(FIELDS)), dtype=np.float32), np.zeros(len(FIELDS), dtype=np.float32), kinds)


def _sigmoid(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))), dtype=np.float32)


def _softmax(values: NDArray[np.float32]) -> NDArray[np.float32]:
    exponents = np.exp(values - values.max())
    return np.asarray(exponents / exponents.sum(), dtype=np.float32)
