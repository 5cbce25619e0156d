"""What baselines say of pages: what is wrong with one, and when that began or ended for a field."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, NamedTuple

from sitewright.store.entries import IncidentKind


class Occurrence(NamedTuple):
    """A page, when it was fetched, and the beginning of a field's value on it (empty: none)."""

    at: float
    url: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """Something begins to be wrong, is wrong on one more page, or is well again."""

    what: Literal["opened", "affected", "closed"]
    kind: IncidentKind
    template: str = ""
    field: str = ""
    """Empty where it is about whole pages."""
    at: float = 0.0
    pages: tuple[Occurrence, ...] = ()
    """The affected ones: all so far when it opens, afterwards one more."""
    old: tuple[Occurrence, ...] = ()
    """Pages from before, with their values; when it opens."""


class PageFacts(NamedTuple):
    """What is wrong with one page, as diagnosis looks at it."""

    url: str
    at: float
    template: str = ""
    handed: bool = False
    """Whether the map read next to nothing of it."""
    fingerprint: int = 0
    heading: int = 0
    """A number that pages with the same title share; 0: it has none."""
    code: str = ""
    broken: Mapping[str, IncidentKind] = MappingProxyType({})
    """The fields that are not as they usually are, and in what way."""
    poor: bool = False
    """Whether less than half of what is usual was read of it, whoever else covers for that."""
