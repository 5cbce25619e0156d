"""A catalogue and who reads in; the cards to show out: without what is hidden, with their marks, a card a story."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from sitewright.actions.catalogues import Library
from sitewright.actions.same_stories import stories_of
from sitewright.actions.top_stories import RECENT, Member, standing_of, weights_of
from sitewright.assemble import rank
from sitewright.store.catalogue.card import Card, topic_key
from sitewright.store.catalogue.catalogue import CardQuery, Place
from sitewright.store.database import Store
from sitewright.store.entries import Mark

PAGE = 30
"""Cards of a page."""
_CHUNK = 60
_RANKED = 300
"""So many of the newest cards are ranked: which of more stand highest, `sitewright top` tells."""
_MOST_CHUNKS = 20
"""So far a page looks for cards that are left by what is hidden and read: beyond, the reader asks for more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which cards somebody wants to see."""

    query: CardQuery = field(default_factory=CardQuery)
    unread_only: bool = False
    starred_only: bool = False
    top: bool = False
    """Those first that are worth reading first, of the last three days."""
    as_of: datetime | None = None
    """The moment that they are ranked as of; None: now."""
    fold: bool = True
    """Whether one story is one card, with the other sites that carry it folded in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCard:
    """A card as a reader sees it."""

    card: Card
    mark: Mark
    others: Sequence[Card] = ()
    """The same story on other sites."""
    reason: str = ""
    """Why it is here; empty: it is new."""
    why: str = ""
    """What speaks for it most, where the highest stand first: `fresh`, `sites`, `pictures`, `source`."""

    @property
    def tellers(self) -> int:
        """How many sites tell the story."""
        return len({self.card.site, *(one.site for one in self.others)})

    @property
    def is_read(self) -> bool:
        """Whether it is marked as read."""
        return self.mark.read_at is not None

    @property
    def is_starred(self) -> bool:
        """Whether it has a star."""
        return self.mark.starred_at is not None


@dataclass(frozen=True, slots=True)
class ShownPage:
    """The cards of a page, and where the next one begins (None: there is none)."""

    cards: list[ShownCard]
    next: Place | None = None


def show_cards(
    library: Library, account: str, view: View, *, size: int = PAGE, after: Place | None = None
) -> ShownPage:
    """Return a page of what an account wants to see."""
    if view.starred_only:
        return _starred(library, account, size, after)
    hidden = library.store.people.hidden(account)
    topics = {topic_key(what) for kind, what in hidden if kind == "topic"}
    sites = tuple(what for kind, what in hidden if kind == "site" and what not in view.query.sites)
    query = replace(view.query, without_sites=sites)
    if view.top:
        return _top(library, account, replace(view, query=query), topics, size, after)
    shown: list[ShownCard] = []
    told: set[int] = set()
    place = after
    for _ in range(_MOST_CHUNKS):
        found = library.catalogue.page(query, min(_CHUNK, size), place)
        kept = [card for card in found.cards if not topics.intersection(map(topic_key, card.topics))]
        stories = folded(library, account, kept, told) if view.fold else [(card, ()) for card in kept]
        fresh = _with_marks(library.store, account, stories)
        shown += [one for one in fresh if not (view.unread_only and one.is_read)]
        place = found.next
        if place is None or len(shown) >= size:
            break
    return ShownPage(shown, place)


def mark_cards(
    store: Store,
    account: str,
    numbers: Sequence[int],
    *,
    read: bool | None = None,
    starred: bool | None = None,
    apart: bool | None = None,
) -> list[Mark]:
    """Mark records as read or not, with a star or without, in their story or apart; return what they were before."""
    now, known = datetime.now(UTC), store.people.marks(account, numbers)
    wanted = []
    for number in dict.fromkeys(numbers):
        mark = known.get(number) or Mark(record=number)
        wanted.append(
            replace(
                mark,
                read_at=_since(mark.read_at, read, now),
                starred_at=_since(mark.starred_at, starred, now),
                apart_at=_since(mark.apart_at, apart, now),
            )
        )
    return store.people.mark(account, wanted)


def _since(known: datetime | None, wanted: bool | None, now: datetime) -> datetime | None:
    """Return since when a mark is set; None for `wanted` leaves it as it is."""
    if wanted is None:
        return known
    return (known or now) if wanted else None


def restore_marks(store: Store, account: str, before: Sequence[Mark]) -> list[Mark]:
    """Set marks to what they were, exactly; return what they are until now."""
    return store.people.mark(account, before)


def _starred(library: Library, account: str, size: int, after: Place | None) -> ShownPage:
    marks = library.store.people.starred(account, limit=size + 1, before=after[0] if after is not None else None)
    cards = library.catalogue.cards([mark.record for mark in marks])
    shown = [ShownCard(card=cards[mark.record], mark=mark) for mark in marks[:size] if mark.record in cards]
    last = marks[size - 1].starred_at if len(marks) > size else None
    return ShownPage(shown, (last, 0) if last is not None else None)


def _top(library: Library, account: str, view: View, topics: set[str], size: int, after: Place | None) -> ShownPage:
    """Return the cards of the last days that stand highest; a place is how many were shown before."""
    now, start = view.as_of or datetime.now(UTC), after[1] if after is not None else 0
    query = replace(view.query, since=max(now - RECENT, view.query.since or now - RECENT))
    found = library.catalogue.page(query, _RANKED).cards
    kept = [card for card in found if not topics.intersection(map(topic_key, card.topics))]
    stories = folded(library, account, kept, set()) if view.fold else [(card, ()) for card in kept]
    weights = weights_of(library.store, {card.site for card, _ in stories})
    ranked = [(rank(standing_of(_members(card, others), weights, now)), card, others) for card, others in stories]
    ranked.sort(key=lambda one: (-one[0].score, -one[1].number))
    why = {card.number: one.why for one, card, _ in ranked}
    fresh = _with_marks(library.store, account, [(card, others) for _, card, others in ranked])
    wanted = [replace(one, why=why[one.card.number]) for one in fresh if not (view.unread_only and one.is_read)]
    end = start + size
    return ShownPage(wanted[start:end], (now, end) if len(wanted) > end else None)


def _members(card: Card, others: Sequence[Card]) -> list[Member]:
    return [Member(site=one.site, url=one.url, shown_at=one.shown_at, pictures=one.pictures) for one in (card, *others)]


def folded(library: Library, account: str, cards: Sequence[Card], told: set[int]) -> list[tuple[Card, Sequence[Card]]]:
    """Return a card for each story that was not told yet, with those of the others that the account has in it."""
    same = _same_stories(library, account, [card.number for card in cards])
    others = library.catalogue.cards([number for own in same.values() for number in own]) if same else {}
    found: list[tuple[Card, Sequence[Card]]] = []
    for card in cards:
        if card.number not in told:
            own = [others[number] for number in same.get(card.number, ()) if number in others]
            told.update([card.number, *(one.number for one in own)])
            found.append((card, own))
    return found


def _same_stories(library: Library, account: str, numbers: Sequence[int]) -> Mapping[int, Sequence[int]]:
    """Return for each card the others of its story, without what the account has shown apart."""
    same = stories_of(library.catalogue, numbers)
    if not same:
        return same
    marks = library.store.people.marks(account, {number for own in same.values() for number in own}.union(same))
    apart = {number for number, mark in marks.items() if mark.apart_at is not None}
    return {number: [one for one in own if one not in apart] for number, own in same.items() if number not in apart}


def _with_marks(store: Store, account: str, cards: Sequence[tuple[Card, Sequence[Card]]]) -> list[ShownCard]:
    marks = store.people.marks(account, [card.number for card, _ in cards])
    return [
        ShownCard(card=card, others=others, mark=marks.get(card.number) or Mark(record=card.number))
        for card, others in cards
    ]
