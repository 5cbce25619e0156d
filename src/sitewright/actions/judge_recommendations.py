"""Files of clicks in, figures of the recommendations and of other methods at some moments out; and charts of them."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from sitewright.actions.recommend import RecommendOptions
from sitewright.engines import Engine, open_engine
from sitewright.errors import InputError
from sitewright.recommend.chart import line_chart
from sitewright.recommend.clicklog import load_clicks
from sitewright.recommend.figures import Figures
from sitewright.recommend.judging import lists_of_all, trial_at

_SHARES = (0.7, 0.8, 0.9)
"""Moments that are judged unless others are asked for: when so much of all clicks had come."""


@dataclass(frozen=True, slots=True)
class Judged:
    """How one method did at one moment."""

    at: int
    method: str
    readers: int
    figures: Figures

    def row(self) -> dict[str, object]:
        """Return it as a line of output."""
        figures = {name: round(value, 4) for name, value in asdict(self.figures).items()}
        return {"at": self.at, "method": self.method, "readers": self.readers, **figures}


def judge(places: Sequence[str], options: RecommendOptions, charts: Path | None = None) -> Iterator[Judged]:
    """Yield how each method does, moment by moment; in the end draw clicks by day and precision by moment."""
    with closing(open_engine(options.engine, options.master)) as engine:
        load_clicks(engine, places)
        moments = [options.at] if options.at is not None else _moments(engine)
        judged: list[Judged] = []
        for at in moments:
            trial = trial_at(engine, at, options.length)
            if not trial.clicked:
                raise InputError(f"nobody with a past clicked anything new in the hour after {at}; give another --at")
            for method, lists in lists_of_all(engine, trial):
                judged.append(Judged(at, method, len(trial.clicked), trial.figures(lists)))
                yield judged[-1]
        if charts is not None:
            charts.mkdir(parents=True, exist_ok=True)
            (charts / "clicks.svg").write_text(_clicks_by_day(engine), "utf-8")
            (charts / "precision.svg").write_text(_precision(judged), "utf-8")


def _moments(engine: Engine) -> list[int]:
    shares = ", ".join(f"percentile_cont({share}) within group (order by time)" for share in _SHARES)
    return sorted({int(moment) for moment in engine.rows(f"select {shares} from clicks")[0]})  # noqa: S608 -- numbers


def _clicks_by_day(engine: Engine) -> str:
    days = engine.rows("select floor(time / 86400e0) as day, count(*) from typed where time >= 0 group by 1 order by 1")
    labels = [f"{datetime.fromtimestamp(day * 86_400, UTC):%d.%m.}" for day, _ in days]
    shown = [label if number % max(1, len(labels) // 8) == 0 else "" for number, label in enumerate(labels)]
    return line_chart("Clicks by day", shown, {"clicks": [count for _, count in days]})


def _precision(judged: Sequence[Judged]) -> str:
    moments = sorted({one.at for one in judged})
    methods = list(dict.fromkeys(one.method for one in judged))
    lines = {method: [one.figures.precision for one in judged if one.method == method] for method in methods}
    return line_chart(
        "Precision by moment", [f"{datetime.fromtimestamp(at, UTC):%d.%m. %H:%M}" for at in moments], lines
    )
