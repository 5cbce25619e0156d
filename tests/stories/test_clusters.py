"""Groups of pairs that were judged."""

from sitewright.stories.clusters import Link, stories_of


def link(one: int, other: int, score: float = 0.9) -> Link:
    return Link(one, other, "same event", score)


def test_pairs_that_hang_together_are_one_story() -> None:
    assert stories_of([link(3, 1), link(1, 7), link(4, 5)]) == [[1, 3, 7], [4, 5]]


def test_one_odd_report_does_not_join_two_stories() -> None:
    two = [link(1, 2, 0.99), link(3, 4, 0.98), link(2, 3, 0.6)]
    assert stories_of(two) == [[1, 2, 3, 4]]
    assert stories_of(two, [(1, 3), (1, 4)]) == [[1, 2], [3, 4]]


def test_the_order_in_which_pairs_come_makes_no_difference() -> None:
    pairs = [link(1, 2, 0.7), link(2, 3, 0.8), link(5, 6, 0.6)]
    assert stories_of(pairs) == stories_of(pairs[::-1])


def test_nothing_is_no_story() -> None:
    assert stories_of([]) == []
