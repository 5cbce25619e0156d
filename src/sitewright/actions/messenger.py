"""A library in, its alerts looked after and told in the background; of several processes one does it at a time."""

import asyncio
import secrets
from datetime import UTC, datetime

from sitewright.actions.background import Background
from sitewright.actions.catalogues import Library
from sitewright.actions.deliver import Senders, deliver
from sitewright.actions.look_out import Lookout
from sitewright.actions.telling import Tell, nobody

_EVERY_SECONDS = 5.0
_TURN_SECONDS = 600.0
_PARTING_SECONDS = 3.0


class Messenger(Background):
    """Looks what is to be told, and tells it."""

    def __init__(self, library: Library, senders: Senders, tell: Tell = nobody) -> None:
        super().__init__("alerts", tell, every=_EVERY_SECONDS, first=_EVERY_SECONDS)
        self._library = library
        self._senders = senders
        self._lookout = Lookout(library)
        self._owner = secrets.token_hex(8)

    def once(self) -> float:
        """Take a turn, if it is ours."""
        self.turn()
        return _EVERY_SECONDS

    def stop(self, seconds: float | None = _PARTING_SECONDS) -> None:
        """End; what is being told has a moment, and is told again by the next process where that is not enough."""
        super().stop(seconds)

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
