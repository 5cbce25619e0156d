"""A store in, the catalogue that people read by out; kept up in the background as long as wanted."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from sitewright.actions.background import Background
from sitewright.actions.same_stories import forget_old, place_cards
from sitewright.actions.telling import Tell, nobody
from sitewright.store.catalogue.catalogue import Catalogue
from sitewright.store.database import Store
from sitewright.types import Limits

_EVERY_SECONDS = 2.0
_COMPARED = 20
"""Cards that are placed among stories at a time, which takes some .2 s."""
_REST = 4
"""So many times as long as that took nothing is placed: collectors have the machine meanwhile, and 70,000 cards an hour
are more than come."""
_PRUNE_EVERY = 900
"""Rounds: half an hour."""
_AT_ONCE = 2_000
"""Records that are taken in before there is a moment to stop."""


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


class CatalogueUpkeep(Background):
    """Keeps a catalogue up with its store; who reads waits for nothing."""

    def __init__(self, catalogue: Catalogue, tell: Tell = nobody) -> None:
        super().__init__("catalogue", tell, every=_EVERY_SECONDS)
        self._catalogue = catalogue
        self._rounds = 0

    def once(self) -> float:
        """Take in what is new, at once again where there is more; or place some of it among stories, and rest."""
        if self._rounds % _PRUNE_EVERY == 0:
            self._catalogue.prune()
            forget_old(self._catalogue, datetime.now(UTC))
        if self._catalogue.catch_up(_AT_ONCE) >= _AT_ONCE:
            return 0.0
        begun = monotonic()
        if place_cards(self._catalogue, datetime.now(UTC), _COMPARED):
            return _REST * (monotonic() - begun)
        self._rounds += 1
        return _EVERY_SECONDS
