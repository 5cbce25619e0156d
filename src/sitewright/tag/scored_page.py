"""Units and their scores in, what candidates are made of out: the page with what is computed once for all fields."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import Domain, names_host
from sitewright.parse import host_of
from sitewright.tag.features import group_units, names_site
from sitewright.tag.scores import Scores
from sitewright.tag.units import Unit, UnitKind
from sitewright.values import Context

_PARAGRAPH = 80

Key = Hashable


@dataclass(slots=True)
class Candidate:
    """A value that some units of the page speak for."""

    key: Key
    value: object
    units: list[int] = field(default_factory=list)
    signs: tuple[float, ...] = ()


@dataclass(frozen=True)
class ScoredPage:
    """A page's units and their scores, with what is computed once for all fields."""

    units: Sequence[Unit]
    scores: Scores
    context: Context
    domain: Domain
    groups: NDArray[np.int32]

    def column(self, name: str) -> NDArray[np.float32]:
        """Return the scores of a field."""
        return self.scores.of_field(name)

    @cached_property
    def stated(self) -> Sequence[int]:
        """The units that metadata and the address state."""
        return [number for number, unit in enumerate(self.units) if unit.place is None]

    @cached_property
    def site_names(self) -> frozenset[str]:
        """What the page calls its site."""
        units = (self.units[number] for number in self.stated)
        return frozenset(unit.text.casefold() for unit in units if names_site(unit.source))

    def names_site(self, value: str) -> bool:
        """Tell whether a value is what the site is called, by its metadata or by its host."""
        return value.casefold() in self.site_names or names_host(value, host_of(self.context.document.url))

    @cached_property
    def prose(self) -> str:
        """The paragraphs, folded."""
        runs = (unit.text for unit in self.units if unit.kind is UnitKind.RUN and len(unit.text) >= _PARAGRAPH)
        return "\n".join(runs).casefold()


def scored_page(units: Sequence[Unit], scores: Scores, context: Context, domain: Domain) -> ScoredPage:
    """Put together what candidates are made of."""
    return ScoredPage(units, scores, context, domain, group_units(units))


def is_within(inner: Key, outer: Key) -> bool:
    """Tell whether a value is a part of a longer one, word by word."""
    if isinstance(inner, tuple) and isinstance(outer, tuple):
        return len(inner) < len(outer) and f" {' '.join(inner)} " in f" {' '.join(outer)} "
    if isinstance(inner, str) and isinstance(outer, str):
        return len(inner) < len(outer) and f" {inner} " in f" {outer} "
    return False


def logit(probability: float) -> float:
    """Return the log-odds, within bounds."""
    clipped = min(max(probability, 1e-3), 1 - 1e-3)
    return math.log(clipped / (1 - clipped))
