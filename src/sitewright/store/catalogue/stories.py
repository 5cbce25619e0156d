"""Cards that were compared in, the story of each out; kept with the keys by which like ones are found."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, func, insert, select, update

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


def put(
    connection: Connection, number: int, shown_at: datetime, keys: Collection[int], same: Sequence[SameCard]
) -> None:
    """Put a card into the story of those that tell the same, which become one; alone it begins a story."""
    chosen = one_of(connection, [one.number for one in same])
    known = select(card_stories.c.story).where(chosen(card_stories.c.number))
    stories = sorted(set(connection.execute(known).scalars()))
    story = stories[0] if stories else number
    best = max(same, key=lambda one: one.score, default=None)
    row = {
        "number": number,
        "story": story,
        "kind": best.kind if best is not None else "",
        "score": best.score if best is not None else 0.0,
    }
    upsert(connection, card_stories, ("number",), [row])
    if len(stories) > 1:
        merged = card_stories.c.story.in_(stories[1:])
        connection.execute(update(card_stories).where(merged).values(story=story))
    connection.execute(delete(story_keys).where(story_keys.c.number == number))
    rows = [{"key": key, "number": number, "shown_at": shown_at} for key in set(keys)]
    if rows:
        connection.execute(insert(story_keys), rows)


def others(connection: Connection, numbers: Collection[int]) -> Mapping[int, list[int]]:
    """Return for each card the others of its story, where there are any."""
    own = select(card_stories.c.number, card_stories.c.story).where(one_of(connection, numbers)(card_stories.c.number))
    story_of = {row.number: row.story for row in connection.execute(own)}
    members = select(card_stories.c.number, card_stories.c.story).where(
        one_of(connection, set(story_of.values()))(card_stories.c.story)
    )
    together: dict[int, list[int]] = {}
    for row in connection.execute(members.order_by(card_stories.c.number)):
        together.setdefault(row.story, []).append(row.number)
    found = {number: [one for one in together[story] if one != number] for number, story in story_of.items()}
    return {number: own for number, own in found.items() if own}


def forget_keys(connection: Connection, before: datetime) -> None:
    """Drop the keys of cards that are too old for anything to be the same; their stories stay."""
    connection.execute(delete(story_keys).where(story_keys.c.shown_at < before))
