"""Cards that were compared in, the story of each out; kept with the keys by which like ones are found."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, and_, delete, func, insert, select

from sitewright.store.catalogue.tables import card_stories, cards, story_keys
from sitewright.store.statements import one_of, upsert


@dataclass(frozen=True, slots=True)
class SameCard:
    """A card that tells the same as another, in which way, and how sure that is."""

    number: int
    kind: str
    score: float


def unplaced(connection: Connection, since: datetime, most: int) -> list[int]:
    """Return cards since a moment that were not compared yet, the oldest first."""
    placed = select(card_stories.c.number)
    query = select(cards.c.number).where(cards.c.shown_at >= since, cards.c.number.not_in(placed))
    return list(connection.execute(query.order_by(cards.c.shown_at, cards.c.number).limit(most)).scalars())


def like(connection: Connection, keys: Collection[int], around: datetime, window: timedelta, most: int) -> list[int]:
    """Return cards of about the time that share keys, those first that share the most."""
    about_then = story_keys.c.shown_at.between(around - window, around + window)
    query = (
        select(story_keys.c.number)
        .where(story_keys.c.key.in_(keys), about_then)
        .group_by(story_keys.c.number)
        .order_by(func.count().desc(), story_keys.c.number.desc())
        .limit(most)
    )
    return list(connection.execute(query).scalars())


def stories(connection: Connection, numbers: Collection[int]) -> Mapping[int, int]:
    """Return the story of each card that was compared."""
    query = select(card_stories.c.number, card_stories.c.story)
    rows = connection.execute(query.where(one_of(connection, numbers)(card_stories.c.number)))
    return {row.number: row.story for row in rows}


def put(connection: Connection, number: int, shown_at: datetime, keys: Collection[int], same: SameCard | None) -> None:
    """Put a card into the story of one that tells the same; alone it begins a story."""
    row = {
        "number": number,
        "story": stories(connection, [same.number])[same.number] if same is not None else number,
        "kind": same.kind if same is not None else "",
        "score": same.score if same is not None else 0.0,
    }
    upsert(connection, card_stories, ("number",), [row])
    connection.execute(delete(story_keys).where(story_keys.c.number == number))
    rows = [{"key": key, "number": number, "shown_at": shown_at} for key in set(keys)]
    if rows:
        connection.execute(insert(story_keys), rows)


def others(connection: Connection, numbers: Collection[int]) -> Mapping[int, list[int]]:
    """Return for each card the others of its story, where there are any."""
    other = card_stories.alias("other")
    same = and_(other.c.story == card_stories.c.story, other.c.number != card_stories.c.number)
    query = (
        select(card_stories.c.number, other.c.number.label("other"))
        .join_from(card_stories, other, same)
        .where(one_of(connection, numbers)(card_stories.c.number))
        .order_by(other.c.number)
    )
    found: dict[int, list[int]] = {}
    for row in connection.execute(query):
        found.setdefault(row.number, []).append(row.other)
    return found


def forget_keys(connection: Connection, before: datetime) -> None:
    """Drop the keys of cards that are too old for anything to be the same; their stories stay."""
    connection.execute(delete(story_keys).where(story_keys.c.shown_at < before))
