"""A test, the pages that it suspects and its alarm: from the first suspicion until all is well again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from math import log, nan
from typing import Any, get_args

from sitewright.notice.evidence import Gap, Share
from sitewright.notice.signals import Occurrence
from sitewright.store.entries import IncidentKind

_MOST_SUSPECTS = 20
MOST_PENDING = 60
_LARGEST = 6e10
"""No site has so many pages, and no moment is so late: it would be in the year 3871."""
_WELL, _WELL_PAGES = 7.0, 10
"""An alarm ends when it is a thousand times likelier that all is well, and after ten good pages at least."""


@dataclass(slots=True)
class Alarm:
    """Something is wrong: since when, how often so far, and the evidence that it is well again."""

    kind: IncidentKind
    rate: float = 0.01
    """How often a page was so before, when all was well."""
    pages: int = 0
    bad: int = 0
    well: float = 0.0
    good: int = 0

    def judge(self, *, is_bad: bool) -> bool:
        """Count a page; True where the alarm is over.

        >>> alarm = Alarm("lost", pages=4, bad=4)
        >>> [alarm.judge(is_bad=False) for _ in range(10)].index(True)
        9
        """
        affected = min(max((self.bad + 1) / (self.pages + 2), 0.1), 0.95)
        before = min(self.rate, affected / 2)
        self.pages += 1
        self.bad += is_bad
        if is_bad:
            self.well = max(self.well - log(affected / before), 0.0)
            self.good = self.good if self.well else 0
            return False
        self.well += log((1 - before) / (1 - affected))
        self.good += 1
        return self.well >= _WELL and self.good >= _WELL_PAGES


@dataclass(slots=True)
class Stream:
    """A test over whole pages."""

    kind: IncidentKind
    test: Share | Gap
    suspects: list[Occurrence] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    """The kinds of the suspects."""
    alarm: Alarm | None = None

    def hit(self, page: Occurrence, rate: float, kind_of_page: str) -> bool:
        """Count a page on which it happens; True where that raises the alarm.

        `rate` is how often it happens on pages of its kind.
        """
        self.test.hit(rate)
        remember(self.suspects, page)
        if len(self.pending) < MOST_PENDING:
            self.pending.append(kind_of_page)
        if not self.test.is_alarm:
            return False
        affected = len(self.suspects)
        self.alarm = Alarm(self.kind, max(self.test.rate, 0.01), max(affected, int(self.test.watched)), affected)
        self.test.clear()
        self.pending.clear()
        return True

    def miss(self) -> list[str]:
        """Count a page on which it does not happen; return the kinds of pages that are no longer suspects."""
        if not self.test.miss():
            return []
        self.suspects.clear()
        innocent, self.pending = self.pending, []
        return innocent

    def judge(self, *, is_bad: bool) -> bool:
        """Count a page while the alarm is on; True where it is over."""
        if self.alarm is None or not self.alarm.judge(is_bad=is_bad):
            return False
        self.close()
        return True

    def close(self) -> None:
        """End the alarm, or the suspicion."""
        self.alarm = None
        self.test.clear()
        self.suspects.clear()
        self.pending.clear()

    def to_state(self) -> list[Any]:
        """Return it as JSON."""
        alarm = list(astuple(self.alarm)) if self.alarm is not None else None
        return [list(astuple(self.test)), [list(one) for one in self.suspects], self.pending, alarm]

    def restore(self, state: Sequence[Any]) -> None:
        """Take on what `to_state` returned."""
        numbers, suspects, pending, alarm = state
        self.test = type(self.test)(*finite(numbers))
        self.suspects = [occurrence_of(one) for one in suspects]
        self.pending = list(map(str, pending))
        self.alarm = alarm_of(alarm)


def remember(suspects: list[Occurrence], page: Occurrence) -> None:
    """Keep the first suspects, which tell since when, and the last ones."""
    if len(suspects) >= _MOST_SUSPECTS:
        del suspects[_MOST_SUSPECTS // 2]
    suspects.append(page)


def finite(values: Iterable[object]) -> list[float]:
    """Return numbers that were kept; `ValueError` where one is none, is negative, or out of all bounds."""
    numbers = [value if isinstance(value, int | float) else nan for value in values]
    if not all(0 <= number < _LARGEST for number in numbers):
        raise ValueError("not a number")
    return numbers


def counts_of(state: Mapping[str, Any]) -> dict[str, float]:
    """Return counts by name that were kept."""
    return dict(zip(map(str, state), finite(state.values()), strict=True))


def occurrence_of(row: Sequence[Any]) -> Occurrence:
    """Return an example that was kept."""
    at, url, value = row
    return Occurrence(finite([at])[0], str(url), str(value))


def alarm_of(row: Sequence[Any] | None) -> Alarm | None:
    """Return an alarm that was kept."""
    if row is None:
        return None
    kind, *numbers = row
    rate, pages, bad, well, good = finite(numbers)
    if not rate:
        raise ValueError("what never happens is no alarm")
    return Alarm(kind_of(kind), rate, int(pages), int(bad), well, int(good))


def kind_of(name: object) -> IncidentKind:
    """Return a kind of incident that was kept."""
    found: IncidentKind | None = next((kind for kind in get_args(IncidentKind) if kind == name), None)
    if found is None:
        raise ValueError(f"{name} is no kind of incident")
    return found
