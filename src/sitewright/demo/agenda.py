"""How many stories and from when on in, the moment out when each is published and, of a few, when it is withdrawn."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

WITHDRAWN_EVERY = 15
SHOWN_MINUTES = (6 * 60, 15 * 60)
"""How long a story that is withdrawn was to be seen: at least, and at most."""

_BUSY = (2, 1, 1, 1, 1, 3, 10, 20, 24, 16, 10, 8, 8, 8, 8, 8, 10, 10, 8, 6, 5, 4, 3, 2)
"""How likely a story is in each hour of the day: few at night, a rush in the morning."""


@dataclass(frozen=True, slots=True)
class Run:
    """When one story is to be seen."""

    published: datetime
    withdrawn: datetime | None

    def is_shown(self, now: datetime) -> bool:
        """Tell whether the story is to be seen now."""
        return self.published <= now and (self.withdrawn is None or now < self.withdrawn)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """What an editor plans."""

    start: datetime
    hours: int
    stories: int
    before: int
    """How many of the stories were published before the start, about one an hour."""
    zone: ZoneInfo

    def runs(self, dice: Random) -> list[Run]:
        """Return the runs of all stories, the newest first; no two are published in one minute."""
        earlier = range(-60 * self.before, 0)
        later = range(1, 60 * self.hours + 1)
        minutes = [*self._choose(dice, earlier, self.before), *self._choose(dice, later, self.stories - self.before)]
        runs = [self._run(dice, number, minute) for number, minute in enumerate(sorted(minutes), start=1)]
        return runs[::-1]

    def _choose(self, dice: Random, minutes: Iterable[int], count: int) -> list[int]:
        """Draw this many minutes, those of busy hours more often (Efraimidis and Spirakis, 2006)."""
        keys = {minute: dice.random() ** (1 / _BUSY[self._at(minute).hour]) for minute in minutes}
        return sorted(keys, key=keys.__getitem__, reverse=True)[:count]

    def _run(self, dice: Random, number: int, minute: int) -> Run:
        """Withdraw some stories, and those from before the start not before they could be seen."""
        shown = dice.randrange(*SHOWN_MINUTES)
        is_withdrawn = number % WITHDRAWN_EVERY == 0
        return Run(self._at(minute), self._at(max(minute, 0) + shown) if is_withdrawn else None)

    def _at(self, minute: int) -> datetime:
        whole = self.start.astimezone(UTC).replace(second=0, microsecond=0)
        return (whole + timedelta(minutes=minute)).astimezone(self.zone)
