"""A store in, its catalogue out: kept up with the records, and asked for cards by time, topic and words."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any, Self

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    column,
    delete,
    func,
    insert,
    select,
    text,
    tuple_,
    update,
)

from sitewright.store.catalogue import stories
from sitewright.store.catalogue.card import Card, Words, card_of, keys_of, topic_key, words_of
from sitewright.store.catalogue.stories import SameCard
from sitewright.store.catalogue.tables import card_stories, card_topics, cards, cards_state, prepare, story_keys
from sitewright.store.catalogue.words import fts5_heading, fts5_query, sought, ts_heading, ts_query
from sitewright.store.database import Store
from sitewright.store.engine import at_one_moment, is_sqlite, make_engine, reading, sqlite_file, writing
from sitewright.store.entries import StoredRecord
from sitewright.store.statements import one_of, upsert

_CHUNK = 500
_OVERLAP = timedelta(minutes=1)
"""By so much later a transaction of PostgreSQL may end than it said it began; SQLite has one at a time."""
_COUNTED = 1_000
"""Beyond so many, how many there are is not counted."""
_FACETED = 300
"""Facets are those of so many of the newest that are found."""
_RANKED = 1_000
"""So many of the newest that are found are ranked by how well the words fit: ranking all takes the longer, the more.

The databases' own ranks are not asked: `bm25` counts each word in all cards first (107 ms of a processor for two
frequent ones of a million cards), and takes words that half of the cards have for nothing.
"""
_LISTED = [column for column in cards.c if column.name != "words"]
Place = tuple[datetime, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardQuery:
    """Which cards are wanted; what is left empty does not matter."""

    words: str = ""
    sites: tuple[str, ...] = ()
    without_sites: tuple[str, ...] = ()
    language: str = ""
    topic: str = ""
    since: datetime | None = None
    until: datetime | None = None
    stored_since: datetime | None = None
    with_pictures: int = 0
    """At least so many."""
    best_first: bool = False
    """By how well the words fit; else the newest first."""


@dataclass(frozen=True, slots=True)
class Facets:
    """How many of what was found are of which site, language and topic."""

    sites: Sequence[tuple[str, int]] = ()
    languages: Sequence[tuple[str, int]] = ()
    topics: Sequence[tuple[str, int]] = ()


@dataclass(frozen=True, slots=True)
class CardPage:
    """Some cards, and where the next ones begin (None: there are no more)."""

    cards: list[Card] = field(default_factory=list)
    next: Place | None = None


class Catalogue:
    """The cards of a store; it may be asked from many threads, one of which keeps it up."""

    def __init__(self, store: Store, address: str, *, wait_seconds: float = 30.0) -> None:
        self._store = store
        self._engine = make_engine(catalogue_address(address), wait_seconds)
        prepare(self._engine)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    # Keeping up

    def catch_up(self, most: int = 10_000) -> int:
        """Take in records that were stored since, at most so many; return how many."""
        done = 0
        while done < most:
            with reading(self._engine) as connection:
                after = _reached(connection)
            found = self._store.records_after(after, _CHUNK)
            if found:
                self._take_in(found)
                done += len(found)
            if len(found) < _CHUNK:
                break
        return done

    def prune(self) -> int:
        """Drop the cards of records that are gone; return how many."""
        dropped, last = 0, -1
        while True:
            with reading(self._engine) as connection:
                query = select(cards.c.number).where(cards.c.number > last).order_by(cards.c.number).limit(10_000)
                numbers = list(connection.execute(query).scalars())
            if not numbers:
                return dropped
            gone = set(numbers) - self._store.there(numbers)
            with writing(self._engine) as connection:
                for table in (card_topics, card_stories, story_keys, cards):
                    connection.execute(delete(table).where(one_of(connection, gone)(table.c.number)))
            dropped, last = dropped + len(gone), numbers[-1]

    def _take_in(self, found: Sequence[StoredRecord]) -> None:
        with writing(self._engine) as connection:
            chosen = one_of(connection, [one.number for one in found])
            query = select(cards.c.number, cards.c.stored_at).where(chosen(cards.c.number))
            known = {row.number: row.stored_at for row in connection.execute(query)}
            fresh = [one for one in found if known.get(one.number) != one.stored_at]
            first = 1 + int(connection.execute(select(func.max(cards.c.words))).scalar() or 0)
            made = [card_of(one) for one in fresh]
            if made:
                _write_cards(connection, made, first)
                _write_words(connection, [words_of(*pair) for pair in zip(made, fresh, strict=True)], first)
            last = found[-1]
            connection.execute(update(cards_state).values(stored_at=last.stored_at, number=last.number))

    # Stories

    def unplaced(self, since: datetime, most: int) -> list[StoredRecord]:
        """Return the records of cards since a moment that were not compared with others yet, the oldest first."""
        with reading(self._engine) as connection:
            numbers = stories.unplaced(connection, since, most)
        return self._store.numbered(numbers)

    def like(self, keys: Collection[int], around: datetime, window: timedelta, most: int) -> list[StoredRecord]:
        """Return the records of cards of about the time that share keys, those first that share the most."""
        with reading(self._engine) as connection:
            numbers = stories.like(connection, keys, around, window, most)
        return self._store.numbered(numbers)

    def put_in_story(self, stored: StoredRecord, keys: Collection[int], same: SameCard | None) -> None:
        """Put a card into the story of one that tells the same, or into one of its own."""
        with writing(self._engine) as connection:
            stories.put(connection, stored.number, stored.shown_at, keys, same)

    def stories(self, numbers: Collection[int]) -> Mapping[int, int]:
        """Return the story of each card that was compared."""
        with reading(self._engine) as connection:
            return stories.stories(connection, numbers)

    def same_story(self, numbers: Collection[int]) -> Mapping[int, list[int]]:
        """Return for each card the others of its story, where there are any."""
        with reading(self._engine) as connection:
            return stories.others(connection, numbers)

    def placed(self, numbers: Collection[int]) -> set[int]:
        """Return those of the cards that were compared with others."""
        with reading(self._engine) as connection:
            query = select(card_stories.c.number).where(one_of(connection, numbers)(card_stories.c.number))
            return set(connection.execute(query).scalars())

    def forget_story_keys(self, before: datetime) -> None:
        """Drop what cards are found by that are older; their stories stay."""
        with writing(self._engine) as connection:
            stories.forget_keys(connection, before)

    # Asking

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Have all that this thread reads within `with` be of one moment, which is also asked faster."""
        return at_one_moment(self._engine)

    def page(self, query: CardQuery, size: int, after: Place | None = None) -> CardPage:
        """Return cards in the order of the query; of words, in the order in which they were stored."""
        with reading(self._engine) as connection:
            if match := _match(connection, query):
                found_by = self._best if query.best_first else self._found
                return found_by(connection, query, match, size, after)
            place = (card_topics if query.topic else cards).c  # a topic has a list of its own, in the same order
            wanted = _filtered(query).order_by(place.shown_at.desc(), place.number.desc()).limit(size + 1)
            if after is not None:
                wanted = wanted.where(tuple_(place.shown_at, place.number) < tuple_(*after))
            found = [_card(row) for row in connection.execute(wanted).mappings()]
        last = found[size - 1] if len(found) > size else None
        return CardPage(found[:size], (last.shown_at, last.number) if last is not None else None)

    def _found(self, connection: Connection, query: CardQuery, match: str, size: int, after: Place | None) -> CardPage:
        from_words = _searching(connection, match)
        wanted = (
            _filtered(query, by_words=True)
            .add_columns(cards.c.words)
            .join_from(cards, from_words, from_words.c.rowid == cards.c.words)
        )
        if after is not None:
            wanted = wanted.where(from_words.c.rowid < after[1])
        wanted = wanted.order_by(from_words.c.rowid.desc())
        rows = list(connection.execute(wanted.limit(size + 1)).mappings())
        found = [_card({name: value for name, value in row.items() if name != "words"}) for row in rows]
        if len(rows) <= size:
            return CardPage(found)
        last = rows[size - 1]
        return CardPage(found[:size], (last["shown_at"], last["words"]))

    def _best(self, connection: Connection, query: CardQuery, match: str, size: int, after: Place | None) -> CardPage:
        """Return cards by how well the words fit; a place is how many were shown before."""
        start = after[1] if after is not None else 0
        ranked = _ranked(connection, query, match)
        chosen = {row: place for place, row in enumerate(ranked[start : start + size])}
        wanted = select(*_LISTED, cards.c.words).where(one_of(connection, chosen)(cards.c.words))
        rows = sorted(connection.execute(wanted).mappings(), key=lambda row: chosen[row["words"]])
        found = [_card({name: value for name, value in row.items() if name != "words"}) for row in rows]
        return CardPage(found, (found[-1].shown_at, start + size) if len(ranked) > start + size else None)

    def last_number(self) -> int:
        """Return the highest number of a card; 0: there is none."""
        with reading(self._engine) as connection:
            return int(connection.execute(select(func.coalesce(func.max(cards.c.number), 0))).scalar_one())

    def behind(self, number: int, query: CardQuery, most: int) -> list[Card]:
        """Return cards of a query with higher numbers than that, the lowest first."""
        with reading(self._engine) as connection:
            later = cards.c.number > number
            match = _match(connection, query)
            wanted = _filtered(query, by_words=bool(match)).where(later)
            if match:
                first = connection.execute(select(func.min(cards.c.words)).where(later)).scalar() or 0
                words = _searching(connection, match)
                wanted = wanted.join_from(cards, words, words.c.rowid == cards.c.words).where(words.c.rowid >= first)
            rows = connection.execute(wanted.order_by(cards.c.number).limit(most)).mappings()
            return [_card(row) for row in rows]

    def count(self, query: CardQuery) -> int:
        """Return how many cards there are, counted up to a thousand and one."""
        with reading(self._engine) as connection:
            match = _match(connection, query)
            wanted = _filtered(query, by_words=bool(match)).with_only_columns(cards.c.number)
            if match:
                found = _searching(connection, match)
                wanted = wanted.join_from(cards, found, found.c.rowid == cards.c.words)
            few = wanted.limit(_COUNTED + 1).subquery()
            return int(connection.execute(select(func.count()).select_from(few)).scalar_one())

    def count_by_site(self, since: datetime, until: datetime) -> list[tuple[str, int]]:
        """Return how many cards of a span of time each site has, the most first."""
        in_it = (cards.c.shown_at >= since, cards.c.shown_at < until)
        query = select(cards.c.site, func.count()).where(*in_it).group_by(cards.c.site)
        with reading(self._engine) as connection:
            rows = connection.execute(query.order_by(func.count().desc(), cards.c.site))
            return [(site, int(count)) for site, count in rows]

    def facets(self, query: CardQuery) -> Facets:
        """Count sites, languages and topics of the newest that are found."""
        found = self.page(replace(query, best_first=False), _FACETED).cards
        topics = Counter(topic_key(topic) for card in found for topic in card.topics)
        spelled = {topic_key(topic): topic for card in reversed(found) for topic in card.topics}
        return Facets(
            Counter(card.site for card in found).most_common(),
            Counter(card.language for card in found if card.language).most_common(),
            [(spelled[key], count) for key, count in topics.most_common(30)],
        )

    def cards(self, numbers: Iterable[int]) -> dict[int, Card]:
        """Return cards by their numbers."""
        with reading(self._engine) as connection:
            wanted = one_of(connection, numbers)(cards.c.number)
            rows = connection.execute(select(*_LISTED).where(wanted)).mappings()
            return {row["number"]: _card(row) for row in rows}

    def card(self, site: str, name: str) -> Card | None:
        """Return the card of a record by its site and id."""
        found = self._store.find_records_by_id(name, [site])
        return card_of(found[0]) if found else None

    def stored_since(self, site: str, since: datetime) -> list[datetime]:
        """Return when records of a site were stored, of those since a moment."""
        own = (cards.c.site == site, cards.c.stored_at >= since)
        with reading(self._engine) as connection:
            return list(connection.execute(select(cards.c.stored_at).where(*own).limit(20_000)).scalars())

    def newest(self) -> Place | None:
        """Return the place of the newest record that is in it, by when it was stored."""
        with reading(self._engine) as connection:
            return _reached(connection)

    def count_since(self, number: int, without_sites: Collection[str] = ()) -> int:
        """Return how many cards have a higher number than that, counted up to a thousand and one."""
        wanted = select(cards.c.number).where(cards.c.number > number).limit(_COUNTED + 1)
        if without_sites:
            wanted = wanted.where(cards.c.site.not_in(without_sites))
        with reading(self._engine) as connection:
            return int(connection.execute(select(func.count()).select_from(wanted.subquery())).scalar_one())


def catalogue_address(address: str) -> str:
    """Return where the catalogue of a store is.

    >>> catalogue_address("sqlite:///a/b.db"), catalogue_address("postgresql://me@/news")
    ('sqlite:///a/b.db.cards', 'postgresql://me@/news')
    """
    return f"sqlite:///{file}.cards" if (file := sqlite_file(address)) is not None else address


def _reached(connection: Connection) -> Place | None:
    row = connection.execute(select(cards_state.c.stored_at, cards_state.c.number)).one()
    if row.stored_at is None:
        return None
    return (row.stored_at, row.number) if is_sqlite(connection) else (row.stored_at - _OVERLAP, 0)


def _card(row: Any) -> Card:
    return Card(**row)


def _write_cards(connection: Connection, made: Sequence[Card], first: int) -> None:
    names = [one.name for one in fields(Card)]
    rows = [
        {name: getattr(card, name) for name in names}
        | {"byline": list(card.byline), "topics": list(card.topics), "words": first + place}
        for place, card in enumerate(made)
    ]
    chosen = one_of(connection, [card.number for card in made])
    connection.execute(delete(card_topics).where(chosen(card_topics.c.number)))
    upsert(connection, cards, ("number",), rows)
    topics = [
        {"topic": key, "shown_at": card.shown_at, "number": card.number}
        for card in made
        for key in dict.fromkeys(map(topic_key, card.topics))
    ]
    if topics:
        connection.execute(insert(card_topics), topics)


def _write_words(connection: Connection, made: Sequence[Words], first: int) -> None:
    rows = [asdict(words) | {"place": first + place} for place, words in enumerate(made)]
    connection.execute(text(_INSERT_FTS5 if is_sqlite(connection) else _INSERT_TSVECTOR), rows)


_INSERT_FTS5 = "INSERT INTO card_words (rowid, heading, rest, keys) VALUES (:place, :heading, :rest, :keys)"
_INSERT_TSVECTOR = """INSERT INTO card_words (rowid, words) VALUES (:place,
    setweight(to_tsvector('simple', :heading), 'A') || to_tsvector('simple', :rest) || to_tsvector('simple', :keys))"""


def _match(connection: Connection, query: CardQuery) -> str:
    """Return what the full-text search is asked; empty where no words are looked for."""
    parts = sought(query.words)
    if not any(not part.excluded for part in parts):
        return ""
    keys = keys_of(
        query.sites[0] if len(query.sites) == 1 else "", query.language, [query.topic] if query.topic else []
    )
    return fts5_query(parts, keys) if is_sqlite(connection) else ts_query(parts, keys)


def _searching(connection: Connection, match: str, since: int = 0) -> Any:
    """Return the rows of the words that are looked for, from one on."""
    where = "card_words MATCH :match" if is_sqlite(connection) else "words @@ to_tsquery('simple', :match)"
    statement = f"SELECT rowid FROM card_words WHERE {where} AND rowid >= :since"  # noqa: S608 -- constants
    return text(statement).bindparams(match=match, since=since).columns(column("rowid")).subquery("found")


def _ranked(connection: Connection, query: CardQuery, match: str) -> list[int]:
    """Return the newest rows that are found, those first whose headings have words that few of them have."""
    found = _searching(connection, match)
    newest = list(connection.execute(select(found.c.rowid).order_by(found.c.rowid.desc()).limit(_RANKED)).scalars())
    fits = _filtered(query, by_words=True).with_only_columns(cards.c.words)
    kept = set(connection.execute(fits.where(one_of(connection, newest)(cards.c.words))).scalars())
    scores: Counter[int] = Counter()
    in_heading = fts5_heading if is_sqlite(connection) else ts_heading
    for part in sought(query.words) if kept else ():
        if not part.excluded:
            with_it = _searching(connection, in_heading(part), min(kept))
            rows = kept.intersection(connection.execute(select(with_it.c.rowid)).scalars())
            scores.update(dict.fromkeys(rows, 1 + len(kept) // max(len(rows), 1)))
    return sorted(kept, key=lambda row: (-scores[row], -row))


def _filtered(query: CardQuery, *, by_words: bool = False) -> Select[Any]:
    """Return the cards of a query; what its words already see to is left out."""
    wanted: list[ColumnElement[bool]] = []
    chosen = select(*_LISTED)
    if query.sites and not (by_words and len(query.sites) == 1):
        wanted.append(cards.c.site.in_(query.sites))
    if query.without_sites:
        wanted.append(cards.c.site.not_in(query.without_sites))
    if query.language and not by_words:
        wanted.append(cards.c.language == query.language)
    if query.topic and not by_words:
        own = card_topics.c.topic == topic_key(query.topic)
        chosen = chosen.join_from(
            cards, card_topics, and_(card_topics.c.number == cards.c.number, card_topics.c.shown_at == cards.c.shown_at)
        ).where(own)
    if query.since is not None:
        wanted.append(cards.c.shown_at >= query.since)
    if query.until is not None:
        wanted.append(cards.c.shown_at < query.until)
    if query.stored_since is not None:
        wanted.append(cards.c.stored_at >= query.stored_since)
    if query.with_pictures:
        wanted.append(cards.c.pictures >= query.with_pictures)
    return chosen.where(*wanted)
