"""Many records, and their stories."""

from datetime import UTC, datetime, timedelta

from sitewright.stories.grouping import Told, group

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
FIRE = "A fire destroyed the roof of the old town hall in Bremen on Tuesday night, said the mayor, Ulrike Vogel."
STORM = "Trains stood still and trees fell all over Lisbon when a storm came in from the Atlantic on Friday morning."
VOTE = "Parliament in Helsinki voted for the budget of Sanna Virtanen by a narrow majority after a long debate."


def groups(*records: Told, window: timedelta | None = timedelta(days=3)) -> list[list[int]]:
    return group(records, records.__getitem__, window).groups


def test_copies_are_grouped_and_others_are_not() -> None:
    records = [Told("Fire", FIRE), Told("Storm", STORM), Told("Town hall burns", FIRE), Told("Vote", VOTE)]
    assert groups(*records) == [[0, 2]]


def test_what_appeared_long_after_is_a_story_of_its_own() -> None:
    records = [Told("Fire", FIRE, NOON), Told("Fire", FIRE, NOON + timedelta(days=9))]
    assert groups(*records) == []
    assert groups(*records, window=None) == [[0, 1]]
    assert groups(records[0], Told("Fire", FIRE)) == [[0, 1]]


def test_nothing_and_empty_records_are_no_stories() -> None:
    assert groups() == []
    assert groups(Told("", ""), Told("", "")) == []
