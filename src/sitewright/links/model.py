"""The shipped model in, probabilities that links lead to articles out."""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any
from zipfile import BadZipFile

import numpy as np

from sitewright.errors import ModelError
from sitewright.links.bags import BagNetwork, Floats, probability
from sitewright.links.evidence import LinkFacts, SiteLinks, mean_of_others
from sitewright.links.lifetimes import Lifetime
from sitewright.links.page import Networks

WEIGHTS_FILE, TREES_FILE = "links.npz", "links.onnx"
TIME_GROUPS = ("place", "host")
"""Whose other links speak for a link over time: those in its place of the page, and those of its host."""
TIME_COLUMNS = (
    "page alone", *(f"others of {group}" for group in TIME_GROUPS),
    "hours seen", "over a week", "over six weeks", "rescued", "ephemeral", "gone", "came",
)  # fmt: skip
"""What is weighed where there are several snapshots."""
WEEK = 24 * 7
_LONGEST_HOURS = 8000.0
"""Some eleven months; for how much longer a link stood depends on how far the snapshots go back."""
_CERTAIN = 0.005
"""Nothing is surer than this, or more unlikely: the trees may be wrong, and time must be able to say so."""
LEAST_TEXT = 0.2
"""The paper's: an ephemeral link whose text is less of a headline than this is not rescued."""
_UNIQUE = np.log1p(1) + 0.01
"""Above this the logarithm is that of more than one link."""


@dataclass(frozen=True, slots=True)
class LinkModel:
    """What reads links: networks for words, trees for the page as a whole, weights for time."""

    networks: Networks
    trees: Any
    time_weights: Floats
    time_bias: float

    def from_page(self, site: SiteLinks) -> Floats:
        """Return the probabilities as text, markup, structure and addresses tell them."""
        if not len(site.facts):
            return np.zeros(0, dtype=np.float32)
        log_odds = self.trees.run(None, {"evidence": site.table})[0][:, 0]
        return probability(log_odds)

    def with_time(self, site: SiteLinks, alone: Floats) -> Floats:
        """Return the probabilities with what lifetimes tell; those of links without one stay."""
        if not site.lifetimes:
            return alone
        known = np.array([fact.lifetime is not None for fact in site.facts])
        timed = probability(time_table(site, alone) @ self.time_weights + np.float32(self.time_bias))
        return np.where(known, timed, alone).astype(np.float32)


def time_table(site: SiteLinks, alone: Floats) -> Floats:
    """Return what is weighed of each link where there are several snapshots; the columns are `TIME_COLUMNS`."""
    certain = np.clip(alone, _CERTAIN, 1 - _CERTAIN)
    groups = [mean_of_others(certain, site.groups[group]) for group in TIME_GROUPS]
    others = [np.where(column < 0, certain, column) for column in groups]
    begins = site.column("begins others") > 0
    alike = site.column("like others but for numbers") > _UNIQUE
    may_be_rescued = ~begins & ~alike & (site.headlines > LEAST_TEXT)
    rows = [_life(fact, bool(rescue)) for fact, rescue in zip(site.facts, may_be_rescued, strict=True)]
    lives = np.array(rows, dtype=np.float32).reshape(len(rows), len(TIME_COLUMNS) - 1 - len(TIME_GROUPS))
    return np.column_stack([np.log(certain / (1 - certain)), *others, lives]).astype(np.float32)


def _life(fact: LinkFacts, may_be_rescued: bool) -> tuple[float, ...]:
    life = fact.lifetime or Lifetime(0.0, came=False, gone=False, snapshots=1)
    hours = min(life.seen_hours, _LONGEST_HOURS)
    passing = life.is_ephemeral and hours < WEEK
    return (
        np.log1p(hours),
        hours > WEEK,
        hours > 6 * WEEK,
        passing and may_be_rescued,
        passing,
        life.gone,
        life.came,
    )


@lru_cache(maxsize=1)
def load_model() -> LinkModel:
    """Load the shipped model."""
    folder = files("sitewright.links")
    try:
        with folder.joinpath(WEIGHTS_FILE).open("rb") as file, np.load(file) as arrays:
            return model_of(dict(arrays), folder.joinpath(TREES_FILE).read_bytes())
    except (OSError, EOFError, KeyError, ValueError, BadZipFile) as error:
        raise ModelError(f"the model of links cannot be loaded: {error}") from error


def model_of(arrays: dict[str, Any], trees: bytes) -> LinkModel:
    """Put a model together from its weights and the bytes of its trees."""
    import onnxruntime  # noqa: PLC0415 -- only who uses it pays for it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    onnxruntime.disable_telemetry_events()  # nothing is told to anybody
    session = onnxruntime.InferenceSession(trees, options, providers=["CPUExecutionProvider"])
    networks = Networks(*(BagNetwork.from_arrays(arrays, name) for name in ("text", "names", "address")))
    return LinkModel(networks, session, arrays["time.weights"], float(arrays["time.bias"][0]))
