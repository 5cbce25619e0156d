"""What a conversion hands back: the result, and in plain sentences all that the other side cannot express."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from sitewright.errors import ConversionError
from sitewright.parse.selectors import check_selector
from sitewright.types import ExtractionMap

T = TypeVar("T")

_ATTRIBUTE = re.compile(r"@[A-Za-z_:][\w:.-]*")


@dataclass(frozen=True, slots=True)
class Conversion(Generic[T]):
    """A converted map (reading) or text (writing), and what was lost on the way."""

    result: T
    lost: tuple[str, ...]


Reader = Callable[[str, str], Conversion[ExtractionMap]]
ForeignWriter = Callable[[ExtractionMap], Conversion[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A foreign format: what it is called, how its files end, how it is written and perhaps read."""

    title: str
    suffix: str
    write: ForeignWriter
    read: Reader | None = None


class Losses:
    """Collects what the target of a conversion cannot express, each thing once and in order."""

    def __init__(self, target: str) -> None:
        """Name the target as it stands in a sentence, such as `a Web Scraper sitemap`."""
        self.target = target
        self._found: dict[str, None] = {}

    def add(self, place: str, sentence: str) -> None:
        """Note a loss at a place such as `rule article/text`."""
        self._found[f"{place}: {sentence}"] = None

    def no_counterpart(self, place: str, what: str) -> None:
        """Note that something (`remove selectors have`) is unknown to the target."""
        self.add(place, f"{what} no counterpart in {self.target}")

    def usable(self, selector: str, place: str) -> bool:
        """Tell whether a selector compiles; note it as lost where not."""
        problem = check_selector(selector)
        if problem:
            self.add(place, f"{problem}; it is left out")
        return not problem

    def usable_take(self, take: str, place: str) -> bool:
        """Tell whether a map may take this; note an attribute of an impossible name as lost."""
        fits = not take.startswith("@") or _ATTRIBUTE.fullmatch(take) is not None
        if not fits:
            self.add(place, f"{take[1:]!r} is not the name of an attribute; it is left out")
        return fits

    def all(self) -> tuple[str, ...]:
        """Return every sentence."""
        return tuple(self._found)


def expected(place: str, problem: str, wanted: str) -> ConversionError:
    """Return the error that says where a foreign file is wrong and what was expected there."""
    return ConversionError(f"{place}: {problem}; expected {wanted}")
