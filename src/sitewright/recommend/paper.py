"""The method of the photo-set paper, as written: views of sets in, what each reader will make of the others out."""

from math import exp, lgamma, log

import numpy as np
from numpy.typing import NDArray

from sitewright.engines.engine import Engine
from sitewright.recommend.clicklog import ClickLog
from sitewright.recommend.statements import statement

FIRST_ALPHA, FIRST_LAMBDA = 0.532, 5.6
"""What the paper found: the median share of a set that is viewed, and the hours to the middle of its life."""

HOURS = 168
"""The table of decay ends after a week; there, W is below 1e-100 for all that can be fitted."""

_AT_ONCE = 100
"""Readers whose neighbours are held together: a reader of globo has some 35,000."""
_LAMBDAS = np.linspace(0.2, 48, 1196)


def decay(hours: float, rate: float) -> float:
    """Return W(t) = λ^t e^(−λ) / Γ(t+1).

    >>> round(decay(5, 5.6), 4), round(decay(48, 5.6), 4)
    (0.1697, 0.0)
    """
    return exp(hours * log(rate) - rate - lgamma(hours + 1))


def decay_table(rate: float) -> NDArray[np.float64]:
    """Return W of each hour."""
    return np.array([decay(hours, rate) for hours in range(HOURS)])


def fit_decay(clicks: NDArray[np.float64]) -> float:
    """Return the λ whose curve is nearest to that of clicks by hour of a set's age.

    >>> round(fit_decay(1000 * decay_table(3.0)), 2)
    3.0
    """
    if not clicks.sum():
        return FIRST_LAMBDA
    share = clicks[:HOURS] / clicks[:HOURS].sum()
    errors = [float(((decay_table(rate)[: len(share)] - share) ** 2).sum()) for rate in _LAMBDAS]
    return float(_LAMBDAS[int(np.argmin(errors))])


def fit_alpha(engine: Engine) -> float:
    """Return the median share of a set that is viewed; the paper's where no views are known."""
    [(median,)] = engine.rows(
        "select percentile_cont(0.5) within group (order by least(viewed / total, 1.0)) from clicks where total > 0"
    )
    return FIRST_ALPHA if median is None else float(median)


def clicks_by_age(engine: Engine) -> NDArray[np.float64]:
    """Return how many clicks came in each hour of a set's age, over all sets."""
    found = engine.rows(f"""
        select floor((c.time - b.born) / 3600.0), count(*) from clicks c
        join (select item, coalesce(min(case when published <= time then published end), min(time)) as born
              from clicks group by item) b on b.item = c.item
        where c.time - b.born < {HOURS * 3600} group by 1""")
    counts = np.zeros(HOURS)
    for hours, count in found:
        counts[int(hours)] = count
    return counts


def predict(engine: Engine, click_log: ClickLog, alpha: float | None = None, rate: float | None = None) -> None:
    """Make the table `paper_scored`: reader, item, score, for the readers in `asked`."""
    known = engine.rows("select count(*) from clicks where total > 0")[0][0] > 0
    share = fit_alpha(engine) if alpha is None else alpha
    weights = decay_table(fit_decay(clicks_by_age(engine)) if rate is None else rate)
    engine.put("paper_decay", {"hours": np.arange(HOURS, dtype=np.float64), "weight": weights})
    engine.make("rated", statement("rated", alpha=share))
    engine.make("paper_means", statement("paper_means", views_known=int(known)))
    engine.make("paper_ages", statement("paper_ages", at=click_log.at))
    readers = sorted(int(reader) for (reader,) in engine.rows("select reader from asked"))
    for first in range(0, len(readers), _AT_ONCE):
        part = readers[first : first + _AT_ONCE]
        engine.make("paper_neighbours", statement("paper_neighbours", first=part[0], beyond=part[-1] + 1))
        scored = statement("paper_scored")
        engine.make("paper_scored", f"select * from paper_scored union all {scored}" if first else scored)
