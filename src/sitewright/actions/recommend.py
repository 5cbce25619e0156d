"""Files of clicks in, a list for each reader out."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sitewright.engines import open_engine
from sitewright.errors import InputError
from sitewright.recommend.clicklog import ClickLog, Faults, load_clicks
from sitewright.recommend.lists import ItemFacts, ListOptions, ReaderList, reader_lists
from sitewright.values.words import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendOptions:
    """For whom, of which moment, how many, and what computes it."""

    at: int | None = None
    length: int = 10
    readers: Sequence[str] | None = None
    facts: Mapping[str, ItemFacts] = field(default_factory=dict)
    engine: str = "duckdb"
    master: str | None = None
    tell: Callable[[str], None] = lambda _: None


class Recommendation:
    """The clicks of some files, read; the lists come one by one."""

    def __init__(self, places: Sequence[str], options: RecommendOptions) -> None:
        """Read the clicks; what is wrong with the files is said before any work is done."""
        for place in places:
            if "://" not in place and not Path(place).exists():
                raise InputError(f"cannot read {place}: there is no such file")
        self._options = options
        self._engine = open_engine(options.engine, options.master)
        try:
            self.log: ClickLog = load_clicks(self._engine, places, options.at)
        except BaseException:
            self._engine.close()
            raise

    def lists(self) -> Iterator[ReaderList]:
        """Yield the list of each reader that is asked for, or of all and of whoever is new."""
        options = self._options
        wanted = ListOptions(length=options.length, readers=options.readers, facts=options.facts, tell=options.tell)
        return reader_lists(self._engine, self.log, wanted)

    def close(self) -> None:
        """Let the engine go."""
        self._engine.close()


def faults_in_words(faults: Faults) -> list[str]:
    """Say what was left out, and why."""
    said = {
        "without reader, item or time": faults.incomplete,
        "at or after the moment that is asked for": faults.later,
        "of something that the reader had clicked before": faults.repeated,
        "by readers who click more than people can": faults.by_robots,
        "beyond the newest 500 of a reader": faults.beyond_bounds,
    }
    return [f"{counted(count, 'click')} left out: {why}" for why, count in said.items() if count]
