"""Features in, how likely each item is to be clicked next out: trees, judged on other days than they grew on."""

from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sitewright.engines.engine import Columns
from sitewright.errors import ModelError
from sitewright.recommend.candidates import FEATURES

MODEL_FILE = "ranker.onnx"


@lru_cache(maxsize=1)
def _session(threads: int) -> Any:
    import onnxruntime  # noqa: PLC0415 -- only who recommends pays for it

    onnxruntime.disable_telemetry_events()  # nothing is told to anybody
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # threads that wait take no processor
    try:
        model = files("sitewright.recommend").joinpath(MODEL_FILE).read_bytes()
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except (OSError, RuntimeError, ValueError) as error:
        raise ModelError(f"the ranker of recommendations cannot be loaded: {error}") from error


def table_of(features: Columns) -> NDArray[np.float32]:
    """Return features as the ranker takes them; no more digits than two engines agree on."""
    columns = [np.asarray(features[name], dtype=np.float64).round(4).astype(np.float32) for name in FEATURES]
    return np.column_stack(columns) if columns else np.empty((0, 0), np.float32)


def score(features: Columns, threads: int = 0) -> NDArray[np.float32]:
    """Return the chance of each row to be clicked within an hour or so; 0 threads are as many as there are cores."""
    table = table_of(features)
    if not len(table):
        return np.empty(0, np.float32)
    [odds] = _session(threads).run(None, {"evidence": table})
    return np.asarray(1 / (1 + np.exp(-odds[:, 0])), dtype=np.float32)
