"""Features of a page in, scores out: the trained network, run by onnxruntime."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import DEFAULT_DOMAIN
from sitewright.errors import ModelError
from sitewright.parse import Document
from sitewright.tag.features import Features, features_of
from sitewright.tag.models import TAGGER, model_file
from sitewright.tag.scores import Columns, Scores
from sitewright.tag.units import Unit
from sitewright.types import OTHER

WINDOW, OVERLAP = 1000, 250
"""Longer pages are read in windows that overlap, since attention costs the square of their length. One page in a
hundred of the training folds is longer."""
MOST_STATED = 300
"""So many of the values that metadata states are repeated at the head of each window."""


FIELDS_ENTRY, KINDS_ENTRY = "sitewright.fields", "sitewright.kinds"
"""The entries of a model's metadata that name its columns, parted by blanks."""


class NetworkTagger:
    """A trained network; the one that the package ships for news where no other is given."""

    def __init__(self, model: Path | Traversable | None = None) -> None:
        """Remember where the model is; it is loaded with the first page."""
        self._model = model if model is not None else model_file(DEFAULT_DOMAIN, TAGGER)

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # noqa: PLC0415 -- a fifth of a second that no other command should pay

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        onnxruntime.disable_telemetry_events()  # nothing is told to anybody
        return onnxruntime.InferenceSession(self._model.read_bytes(), options, providers=["CPUExecutionProvider"])

    @cached_property
    def columns(self) -> Columns:
        """What the scores are about, as the model itself states it."""
        stated = self._session.get_modelmeta().custom_metadata_map
        if missing := [entry for entry in (FIELDS_ENTRY, KINDS_ENTRY) if entry not in stated]:
            raise ModelError(f"{self._model} does not state what its scores are about: no {', '.join(missing)}")
        return Columns(tuple(stated[FIELDS_ENTRY].split()), tuple(stated[KINDS_ENTRY].split()))

    def score(self, document: Document, units: Sequence[Unit]) -> Scores:
        """Return the scores of a page's units."""
        if not units:
            return _nothing(self.columns)
        features = features_of(document, units)
        if len(units) <= WINDOW:
            return _scores(*self._run(features), self.columns, features.dense)
        stated = next((number for number, unit in enumerate(units) if unit.place is not None), len(units))
        return self._in_windows(features, min(stated, MOST_STATED))

    def _in_windows(self, features: Features, stated: int) -> Scores:
        """Score a long page window by window; where two overlap, the one counts more in whose middle a unit stands."""
        count, known = len(features.dense), len(self.columns.fields)
        fields = np.zeros((count, known), dtype=np.float32)
        weights = np.full((count, 1), 1e-6, dtype=np.float32)
        pages = []
        for rows in _windows(count, stated):
            said, page = self._run(_rows_of(features, rows))
            weight = np.minimum(np.arange(len(rows)) + 1, len(rows) - np.arange(len(rows))).astype(np.float32)[:, None]
            fields[rows] += said * weight
            weights[rows] += weight
            pages.append(page)
        shown = np.max([page[:known] for page in pages], axis=0)
        kinds = np.mean([page[known:] for page in pages], axis=0)
        return _scores(fields / weights, np.concatenate([shown, kinds]), self.columns, features.dense)

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


def _scores(
    fields: NDArray[np.float32], page: NDArray[np.float32], columns: Columns, seen: NDArray[np.float32]
) -> Scores:
    known = len(columns.fields)
    return Scores(_sigmoid(fields), _sigmoid(page[:known]), _softmax(page[known:]), columns, seen)


def _nothing(columns: Columns) -> Scores:
    """Return what there is to say about a page without any text."""
    known = len(columns.fields)
    kinds = np.array([kind == OTHER for kind in columns.kinds], dtype=np.float32)
    return Scores(np.zeros((0, known), dtype=np.float32), np.zeros(known, dtype=np.float32), kinds, columns)


def _sigmoid(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))), dtype=np.float32)


def _softmax(values: NDArray[np.float32]) -> NDArray[np.float32]:
    exponents = np.exp(values - values.max())
    return np.asarray(exponents / exponents.sum(), dtype=np.float32)
