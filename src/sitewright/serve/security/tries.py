"""Who tries to log in in, out whether they may try now: guessing is slow."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic

_FREE = 5
"""So many wrong tries are free, then each costs a pause twice as long as the one before."""
_LONGEST_SECONDS = 900.0
_REMEMBERED = 10_000


class Tries:
    """Counts wrong tries by name and by address."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._lock = Lock()

    def wait_seconds(self, *names: str) -> float:
        """Return how long these have to wait; 0: they may try."""
        with self._lock:
            known = [self._wrong[name] for name in names if name in self._wrong]
        return max((until - self._clock() for _, until in known), default=0.0) if known else 0.0

    def failed(self, *names: str) -> None:
        """Note a wrong try."""
        with self._lock:
            for name in names:
                times = self._wrong.pop(name, (0, 0.0))[0] + 1
                pause = min(_LONGEST_SECONDS, 2.0 ** (times - _FREE)) if times >= _FREE else 0.0
                self._wrong[name] = (times, self._clock() + pause)
            while len(self._wrong) > _REMEMBERED:
                self._wrong.popitem(last=False)

    def succeeded(self, *names: str) -> None:
        """Forget the wrong tries of who got in."""
        with self._lock:
            for name in names:
                self._wrong.pop(name, None)
