"""The simulation of `bench/watching.py`, small: adapting pays."""

from statistics import fmean

from bench import watching


def test_adapting_sees_news_as_early_with_fewer_fetches() -> None:
    papers = [watching.make_paper(number, 3, 4) for number in range(4)]
    end = 4 * watching.DAY
    timing = watching.Timing()
    weights = watching.by_periods("weights", papers, watching.initial_periods(watching.WEIGHTS, timing), end)
    adaptive = watching.by_schedule("adaptive", papers, timing, end)
    assert adaptive.fetches < 0.75 * weights.fetches
    assert fmean(adaptive.waits) < 1.1 * fmean(weights.waits)
    assert adaptive.missed <= weights.missed + 2
