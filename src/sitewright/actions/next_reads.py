"""A catalogue and a reader in, what they should see next out: their list, with what they clicked since, and why."""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice
from threading import Lock
from typing import NamedTuple

from sitewright.actions.catalogues import Library
from sitewright.actions.same_stories import stories_of
from sitewright.recommend.merging import Expected, chance_of, merged, odds_of
from sitewright.store.catalogue.card import Card, topic_key
from sitewright.store.catalogue.catalogue import CardQuery
from sitewright.store.clicks import ReaderSource
from sitewright.store.entries import Mark
from sitewright.store.next_reads import EVERYBODY, KnownReader, MadeList

_STALE = timedelta(minutes=30)
"""By so much a reader's list may be older than that of everybody; of older ones only the clicks count. By judgement:
what is read now changes within an hour."""
_CHECKED_SECONDS = 1.0
_KEPT_SECONDS = 60.0
"""Cards that lists show are read again after so long: some are corrected, removed, or found to be one story."""
_AT_ONCE, _PAUSE_SECONDS = 20, 0.001
"""Cards that are read together: in the pauses between, others have their turn of Python."""
_NEWEST = 200
"""So many of the newest cards follow what is recommended, so that lists go on and new stories have their readers."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A card that a reader should see next: how likely it is to be clicked, and which card speaks for it."""

    card: Card
    chance: float | None
    """None: nobody has clicked it yet."""
    because: Card | None = None
    is_new: bool = False
    others: Sequence[Card] = ()
    """The same story on other sites."""


@dataclass(frozen=True, slots=True)
class _Common:
    """What is the same for all readers, as of a moment."""

    made_at: datetime | None = None
    everybody: Sequence[Expected] = ()
    follow_ups: Mapping[int, Mapping[int, float]] = field(default_factory=dict)
    cards: Mapping[int, Card] = field(default_factory=dict)
    same: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """The other reports of each card's story."""
    newest: Sequence[int] = ()
    reached: object = None
    """How far the catalogue was."""
    looked_at: float = float("-inf")


class _Unknown(NamedTuple):
    """A card that nobody has clicked yet."""

    item: int


class NextReads:
    """What readers should see next, of a store; asked from many threads, it keeps what is the same for all."""

    def __init__(self, library: Library) -> None:
        """Keep what readers read from; nothing is read yet."""
        self._library = library
        self._common = _Common()
        self._checked = float("-inf")
        self._lock = Lock()

    def suggestions(self, source: ReaderSource, name: str, without: Collection[int] = ()) -> Iterator[Suggestion]:
        """Yield what a reader should see next, the likeliest first: one card a story, nothing that was clicked.

        `without` are records that were shown before; what nobody has clicked yet comes last, the newest first.
        """
        common = self._now()
        known = self._library.store.next_reads.known(source, name)
        told = {record for record, _ in known.clicked}.union(without)
        told.update(other for number in without for other in common.same.get(number, ()))
        for one in _candidates(common, known):
            if one.item not in told and one.item in common.cards:
                told.update([one.item, *common.same.get(one.item, ())])
                yield _suggestion(common, one)

    def shown(self, account: str, size: int, without: Collection[int] = ()) -> list[tuple[Suggestion, Mark]]:
        """Return what an account should see next: without what it hides, or has marked as read."""
        people = self._library.store.people
        hidden = people.hidden(account)
        sites = {what for kind, what in hidden if kind == "site"}
        topics = {topic_key(what) for kind, what in hidden if kind == "topic"}
        stream = (
            one
            for one in self.suggestions("account", account, without)
            if one.card.site not in sites and topics.isdisjoint(map(topic_key, one.card.topics))
        )
        found: list[tuple[Suggestion, Mark]] = []
        while len(found) < size and (some := list(islice(stream, size))):
            marks = people.marks(account, [one.card.number for one in some])
            pairs = ((one, marks.get(one.card.number) or Mark(record=one.card.number)) for one in some)
            found += [(one, mark) for one, mark in pairs if mark.read_at is None]
        return found[:size]

    def _now(self) -> _Common:
        """Return what is the same for all; looked at once a second by one, while others take what there is."""
        is_first = self._checked < 0
        if time.monotonic() - self._checked >= _CHECKED_SECONDS and self._lock.acquire(blocking=is_first):
            try:
                if time.monotonic() - self._checked >= _CHECKED_SECONDS:
                    self._common = self._looked()
                    self._checked = time.monotonic()
            finally:
                self._lock.release()
        return self._common

    def _looked(self) -> _Common:
        old = self._common
        made_at, reached = self._library.store.next_reads.made_at(), self._library.catalogue.newest()
        is_fresh = made_at == old.made_at and time.monotonic() - old.looked_at < _KEPT_SECONDS
        if is_fresh and reached == old.reached:
            return old
        if not is_fresh:
            old = self._read_anew(old, made_at)
        newest = self._library.catalogue.page(CardQuery(), _NEWEST).cards
        cards = {card.number: card for card in newest}
        same = dict(stories_of(self._library.catalogue, list(cards)))
        same |= stories_of(self._library.catalogue, list({other for others in same.values() for other in others}))
        return replace(
            old, cards={**old.cards, **cards}, same={**old.same, **same}, newest=list(cards), reached=reached
        )

    def _read_anew(self, old: _Common, made_at: datetime | None) -> _Common:
        """Return what lists may show, read with pauses: all of it takes a tenth of a second, and requests come."""
        store, catalogue = self._library.store, self._library.catalogue
        everybody, follow_ups = old.everybody, old.follow_ups
        if made_at != old.made_at:
            everybody = _of_list(store.next_reads.lists([EVERYBODY]).get(EVERYBODY))
            follow_ups = store.next_reads.follow_ups()
        wanted = {one.item for one in everybody}.union(follow_ups, *follow_ups.values())
        is_old = time.monotonic() - old.looked_at >= _KEPT_SECONDS
        cards = {} if is_old else {number: card for number, card in old.cards.items() if number in wanted}
        same = {} if is_old else {number: others for number, others in old.same.items() if number in wanted}
        missing = sorted(wanted - cards.keys())
        for first in range(0, len(missing), _AT_ONCE):
            cards |= catalogue.cards(missing[first : first + _AT_ONCE])
            same |= stories_of(catalogue, missing[first : first + _AT_ONCE])
            time.sleep(_PAUSE_SECONDS)
        looked_at = time.monotonic() if is_old else old.looked_at
        return _Common(made_at, everybody, follow_ups, cards, same, looked_at=looked_at)


def _candidates(common: _Common, known: KnownReader) -> Iterator[Expected | _Unknown]:
    """Yield what a reader is expected to click, the likeliest first, and then the newest that nobody has clicked."""
    found = merged(*_made_and_since(common, known), common.follow_ups)
    yield from found
    expected = {one.item for one in found}
    yield from (_Unknown(number) for number in common.newest if number not in expected)


def _suggestion(common: _Common, one: Expected | _Unknown) -> Suggestion:
    card = common.cards[one.item]
    others = [common.cards[other] for other in common.same.get(one.item, ()) if other in common.cards]
    if isinstance(one, _Unknown):
        return Suggestion(card, None, is_new=True, others=others)
    because = common.cards.get(one.because) if one.because is not None else None
    return Suggestion(card, chance_of(one.odds), because, one.is_new, others)


def _made_and_since(common: _Common, known: KnownReader) -> tuple[Sequence[Expected], list[int]]:
    """Return the list to begin with, and what the reader clicked since it was made, the newest first."""
    own = known.made
    if own is not None and common.made_at is not None and common.made_at - own.made_at <= _STALE:
        return _of_list(own), [record for record, at in known.clicked if at > own.made_at]
    return common.everybody, [record for record, _ in known.clicked]


def _of_list(made: MadeList | None) -> list[Expected]:
    if made is None:
        return []
    return [Expected(one.record, odds_of(one.chance), one.because, one.is_new) for one in made.items]
