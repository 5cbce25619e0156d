"""A turn of work in, taken again and again in a thread of its own until it is stopped."""

from abc import ABC, abstractmethod
from threading import Event, Thread

from sitewright.actions.telling import Tell, nobody
from sitewright.errors import SitewrightError


class Background(ABC):
    """Takes its turns beside whoever reads; what goes wrong in one is told, and the next one comes all the same."""

    def __init__(self, name: str, tell: Tell = nobody, *, every: float, first: float = 0.0) -> None:
        """Wait so many seconds before the first turn, and after one that went wrong."""
        self._tell = tell
        self._every, self._first = every, first
        self._stopping = Event()
        self._thread = Thread(target=self._go_on, name=f"sitewright-{name}", daemon=True)

    @abstractmethod
    def once(self) -> float:
        """Take a turn; return after how many seconds the next one is."""

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, seconds: float | None = None) -> None:
        """End; the turn that goes on is waited for, if need be for so many seconds only."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _go_on(self) -> None:
        pause = self._first
        while not self._stopping.wait(pause):
            try:
                pause = self.once()
            except SitewrightError as error:
                self._tell(str(error))
                pause = self._every
