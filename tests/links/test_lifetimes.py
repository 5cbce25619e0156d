"""How long links stood on index pages."""

from datetime import UTC, datetime, timedelta, timezone
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.links.lifetimes import Lifetime, Snapshot, lifetimes

START = datetime(2025, 5, 18, 6, tzinfo=UTC)
FRONT = "https://www.example.com/"


def snapshot(hours: float | None, links: str, url: str = FRONT) -> Snapshot:
    """Return a page of some hours after the start; each letter is a link."""
    return Snapshot(url, None if hours is None else START + timedelta(hours=hours), frozenset(links))


@pytest.mark.parametrize(
    ("snapshots", "expected"),
    [
        ([(0, "a"), (6, "ab"), (12, "b")], {"a": Lifetime(6, False, True, 2), "b": Lifetime(6, True, False, 2)}),
        ([(0, "ma"), (6, "mab"), (30, "m")],
         {"m": Lifetime(30, False, False, 3), "a": Lifetime(6, False, True, 2), "b": Lifetime(0, True, True, 1)}),
        ([(0, "a"), (6, ""), (12, "a")], {"a": Lifetime(12, False, False, 2)}),
        ([(0, "a"), (0.5, "")], {"a": Lifetime(0, False, True, 1)}),
        ([(0, ""), (6, "")], {}),
        ([(0, "a")], {}),
        ([], {}),
        ([(None, "a"), (None, "b")], {}),
        ([(0, "a"), (None, "b")], {}),
        ([(0, "a"), (None, "b"), (6, "a")], {"a": Lifetime(6, False, False, 2)}),
        ([(0, "a"), (0, "b")], {}),
        ([(0, "a"), (0, "b"), (6, "b")], {"a": Lifetime(0, False, True, 1), "b": Lifetime(6, False, False, 2)}),
    ],
)  # fmt: skip
def test_lifetimes_are_read_from_snapshots(
    snapshots: list[tuple[float | None, str]], expected: dict[str, Lifetime]
) -> None:
    assert lifetimes(snapshot(hours, links) for hours, links in snapshots) == expected


series = st.lists(
    st.tuples(st.integers(0, 9), st.text("abc", max_size=3), st.sampled_from([FRONT, FRONT + "sport"])), max_size=9
)


@given(series, st.randoms(use_true_random=False))
def test_the_order_of_snapshots_does_not_matter(rows: list[tuple[int, str, str]], chance: Random) -> None:
    snapshots = [snapshot(hours, links, url) for hours, links, url in rows]
    mixed = list(snapshots)
    chance.shuffle(mixed)
    found, other = lifetimes(snapshots), lifetimes(mixed)
    assert {link: life.seen_hours for link, life in found.items()} == {
        link: life.seen_hours for link, life in other.items()
    }
    assert all(life.seen_hours >= 0 and life.snapshots >= 1 for life in found.values())


def test_of_several_pages_the_longest_life_counts() -> None:
    front = [snapshot(0, "a"), snapshot(6, "")]
    sport = [snapshot(0, "a", "/sport"), snapshot(48, "a", "/sport")]
    expected = {"a": Lifetime(48, came=False, gone=False, snapshots=2)}
    assert lifetimes([*front, *sport]) == lifetimes([*sport, *front]) == expected


def test_a_page_with_one_snapshot_does_not_tell_of_another() -> None:
    assert lifetimes([snapshot(0, "a"), snapshot(6, "b", "/sport")]) == {}


def test_time_zones_are_heeded() -> None:
    east = START.astimezone(timezone(timedelta(hours=9)))
    same = [Snapshot(FRONT, START, frozenset("a")), Snapshot(FRONT, east, frozenset("b"))]
    assert lifetimes(same) == {}
    later = Snapshot(FRONT, east + timedelta(hours=2), frozenset("a"))
    assert lifetimes([*same, later])["a"].seen_hours == pytest.approx(2)


@pytest.mark.parametrize(
    ("came", "gone", "ephemeral"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, False)],
)
def test_ephemeral_is_what_was_seen_to_come_and_to_go(came: bool, gone: bool, ephemeral: bool) -> None:
    assert Lifetime(5, came, gone, 2).is_ephemeral is ephemeral
