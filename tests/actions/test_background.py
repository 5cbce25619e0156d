"""Turns in a thread of their own: as often as asked, through failures, until stopped."""

from threading import Event

from sitewright.actions.background import Background
from sitewright.errors import StoreError


class Counting(Background):
    """Fails in its second turn; the fifth is the last that anybody waits for."""

    def __init__(self, told: list[str]) -> None:
        super().__init__("counting", told.append, every=0.001)
        self.turns = 0
        self.reached = Event()

    def once(self) -> float:
        self.turns += 1
        if self.turns == 2:
            raise StoreError("the store is away")
        if self.turns == 5:
            self.reached.set()
        return 0.0 if self.turns < 5 else 3600.0


def test_turns_go_on_after_a_failure_that_is_told() -> None:
    told: list[str] = []
    counting = Counting(told)
    counting.start()
    assert counting.reached.wait(60)
    counting.stop()
    assert (counting.turns, told) == (5, ["the store is away"])


def test_what_was_never_started_can_be_stopped() -> None:
    counting = Counting([])
    counting.stop()
    assert counting.turns == 0
