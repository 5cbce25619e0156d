"""What counts for a story makes it stand higher, and nothing else does."""

from datetime import timedelta

import pytest

from sitewright.assemble import Standing, rank, reasons

HOUR = timedelta(hours=1)
USUAL = Standing(age=6 * HOUR, pictures=3, longest=800, weight=5, followed=(2 * HOUR,))


def changed(**other: object) -> Standing:
    held = {name: getattr(USUAL, name) for name in ("age", "pictures", "longest", "weight", "followed")}
    return Standing(**(held | other))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "better",
    [
        changed(age=HOUR),
        changed(pictures=12),
        changed(longest=1600),
        changed(weight=10),
        changed(followed=(2 * HOUR, 2 * HOUR)),
        changed(followed=(HOUR,)),
    ],
)
def test_what_counts_for_a_story(better: Standing) -> None:
    assert rank(better).score > rank(USUAL).score


def test_parts_are_bounded() -> None:
    most = rank(Standing(age=timedelta(0), pictures=5000, longest=9000, weight=1_000_000))
    assert (most.fresh, most.pictures, most.source, most.sites) == (1, 1, 1, 0)
    least = rank(Standing(age=timedelta(days=400)))
    assert 0 <= least.score < 1e-9
    assert rank(Standing(age=-HOUR)).fresh == 1


@pytest.mark.parametrize(
    ("standing", "why"),
    [
        (Standing(age=timedelta(0)), "fresh"),
        (Standing(age=HOUR, pictures=20), "pictures"),
        (Standing(age=HOUR, weight=10), "source"),
        (Standing(age=HOUR, weight=10, followed=[HOUR] * 5), "sites"),
    ],
)
def test_what_speaks_for_it_most(standing: Standing, why: str) -> None:
    assert rank(standing).why == why


def test_reasons_are_told_in_words() -> None:
    assert reasons(Standing(age=timedelta(minutes=5))) == ["new"]
    assert reasons(Standing(age=HOUR, pictures=1, longest=800, followed=[HOUR, 2 * HOUR, 30 * HOUR])) == [
        "1 hour old", "4 sites carry it, 2 of them within six hours of the first", "1 picture, 800 pixels long",
    ]  # fmt: skip
