"""Wrong tries cost time, right ones nothing."""

from sitewright.serve.security.tries import Tries


def test_pauses_grow() -> None:
    now = 0.0
    tries = Tries(lambda: now)
    waits = []
    for _ in range(8):
        tries.failed("ann")
        waits.append(tries.wait_seconds("ann", "bo"))
    assert waits == [0, 0, 0, 0, 1, 2, 4, 8]
    now = 8.0
    assert tries.wait_seconds("ann") <= 0
    assert tries.wait_seconds("bo") == 0
    tries.failed("ann")
    tries.succeeded("ann")
    assert tries.wait_seconds("ann") == 0
