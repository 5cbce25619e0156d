"""A store in, the catalogue that people read by out; kept up in the background as long as wanted."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

from sitewright.actions.same_stories import forget_old, place_cards
from sitewright.actions.telling import Tell, nobody
from sitewright.errors import StoreError
from sitewright.store.catalogue.catalogue import Catalogue
from sitewright.store.database import Store
from sitewright.types import Limits

_EVERY_SECONDS = 2.0
_PRUNE_EVERY = 900
"""Rounds: half an hour."""


def open_catalogue(store: Store, address: str) -> Catalogue:
    """Open the catalogue of a store; it is made where there is none, and filled by who keeps it up."""
    return Catalogue(store, address)


@dataclass(frozen=True, slots=True)
class Library:
    """What readers read from: records, their cards, their pages."""

    store: Store
    catalogue: Catalogue
    folder: Path
    """The web archive."""
    limits: Limits = field(default_factory=Limits)

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Have all that is read within `with` be of one moment."""
        with self.store.at_one_moment(), self.catalogue.at_one_moment():
            yield


class Keeper:
    """Keeps a catalogue up with its store, in a thread of its own; who reads waits for nothing."""

    def __init__(self, catalogue: Catalogue, tell: Tell = nobody) -> None:
        self._catalogue = catalogue
        self._tell = tell
        self._stopping = Event()
        self._thread = Thread(target=self._keep_up, name="sitewright-catalogue", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, and wait for what is being written."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _keep_up(self) -> None:
        rounds = 0
        while not self._stopping.is_set():
            try:
                if rounds % _PRUNE_EVERY == 0:
                    self._catalogue.prune()
                    forget_old(self._catalogue, datetime.now(UTC))
                if self._catalogue.catch_up(2_000) >= 2_000:  # there is more, and a moment to stop in between
                    continue
                if place_cards(self._catalogue, datetime.now(UTC)):
                    continue
            except StoreError as error:
                self._tell(str(error))
            rounds += 1
            self._stopping.wait(_EVERY_SECONDS)
