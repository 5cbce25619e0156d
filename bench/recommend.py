"""A log and moments in, figures of our lists and of rivals' out: `python -m bench.recommend`.

Moments should be of days that the ranker was not grown on: globo's from the thirteenth on, deskdrop's last third.
"""

import sys
from collections import defaultdict

from sitewright.engines.duck import DuckEngine
from sitewright.recommend.clicklog import load_clicks
from sitewright.recommend.figures import Figures
from sitewright.recommend.judging import lists_of_all, trial_at


def main() -> None:
    """Print the mean of each method over all moments, each reader counting the same."""
    log, *moments = sys.argv[1:]
    engine = DuckEngine(threads=2)
    load_clicks(engine, [log])
    found: dict[str, list[tuple[int, Figures]]] = defaultdict(list)
    for moment in map(int, moments):
        trial = trial_at(engine, moment)
        for method, lists in lists_of_all(engine, trial):
            found[method].append((len(trial.clicked), trial.figures(lists)))
            print(moment, method, trial.figures(lists), file=sys.stderr, flush=True)
    for method, figures in found.items():
        print(method, *(f"{name} {_mean(figures, name):.4f}" for name in Figures.__slots__))


def _mean(figures: list[tuple[int, Figures]], name: str) -> float:
    return sum(count * getattr(one, name) for count, one in figures) / sum(count for count, _ in figures)


if __name__ == "__main__":
    main()
