"""A library in, its alerts looked after and told in the background; of several processes one does it at a time."""

import asyncio
import secrets
from datetime import UTC, datetime
from threading import Event, Thread

from sitewright.actions.catalogues import Library
from sitewright.actions.deliver import Senders, deliver
from sitewright.actions.look_out import Lookout
from sitewright.actions.telling import Tell, nobody
from sitewright.errors import StoreError

_EVERY_SECONDS = 5.0
_TURN_SECONDS = 600.0
_PARTING_SECONDS = 3.0


class Messenger:
    """Looks what is to be told, and tells it, in a thread of its own."""

    def __init__(self, library: Library, senders: Senders, tell: Tell = nobody) -> None:
        self._library = library
        self._senders = senders
        self._tell = tell
        self._lookout = Lookout(library)
        self._owner = secrets.token_hex(8)
        self._stopping = Event()
        self._thread = Thread(target=self._go_on, name="sitewright-alerts", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End; what is being told has a moment, and is told again by the next process where that is not enough."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(_PARTING_SECONDS)

    def turn(self) -> int:
        """Look and tell once; return how many notices were taken. Nothing where another process does it."""
        alerts = self._library.store.alerts
        if not alerts.every() or not alerts.take_turn(self._owner, seconds=_TURN_SECONDS):
            return 0
        try:
            self._lookout.look(datetime.now(UTC))
            return asyncio.run(deliver(self._library, self._senders))
        finally:
            alerts.finish_turn(self._owner)

    def _go_on(self) -> None:
        while not self._stopping.wait(_EVERY_SECONDS):
            try:
                self.turn()
            except StoreError as error:
                self._tell(str(error))
