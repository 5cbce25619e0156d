"""The pages of stories in the database: which there are, what each says, and which are still awaited."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from sqlalchemy import Connection, RowMapping, select

from sitewright.parse import url_id
from sitewright.store import frontier, photo_sets, records
from sitewright.store.schema import story_parts
from sitewright.store.statements import signature_of, site_id, upsert
from sitewright.types import Record, Value

PartState = Literal["awaited", "here", "repeat", "missing", "none"]
"""Not yet fetched; its record is here; it says nothing that other pages do not; it cannot be had, or not now; there is
no such page."""
PART_OF, GUESSED_OF = "part of ", "part of? "
"""How the source of links begins that a page of a story named, and of those that only a pattern of addresses names."""
_KEYS = ("site_id", "signature")
_CARRIED = ("site", "urls", "domain", "language", "kind", "template", "via", "map_version")


class FoundPart(NamedTuple):
    """A page of a story that another one links, or that a pattern of addresses names, and its number."""

    url: str
    number: int
    guessed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryPart:
    """A page of a story."""

    url: str
    story: str
    """The address of the story's first page."""
    number: int
    state: PartState
    record: Record | None = None
    """What the page alone says; its values are those of JSON."""


def put(connection: Connection, site: str, story: str, found: FoundPart, record: Record, now: datetime) -> None:
    """Store what a page of a story says; it has no record of its own any more."""
    number = site_id(connection, site, lock=True)
    row = _row(number, story, found, now) | {"state": "here", "content": _content(record)}
    upsert(connection, story_parts, _KEYS, [row], ("story", "number", "state", "content", "changed_at"))
    if url_id(found.url) != url_id(story):
        records.forget_pages(connection, number, [found.url])
        photo_sets.forget(connection, number, found.url)


def expect(connection: Connection, site: str, story: str, found: Sequence[FoundPart], now: datetime) -> None:
    """Await pages of a story that are not known, and have those wait as links that were not seen."""
    number = site_id(connection, site, lock=True)
    rows = {signature_of(part.url): _row(number, story, part, now) for part in found}
    own = story_parts.c.site_id == number
    known = connection.execute(select(story_parts.c.signature).where(own, story_parts.c.signature.in_(rows))).scalars()
    new = [rows[one] | {"state": "awaited", "content": None} for one in sorted(rows.keys() - set(known))]
    if new:
        connection.execute(story_parts.insert(), new)
        guessed = {part.url for part in found if part.guessed}
        for beginning, meant in ((GUESSED_OF, guessed), (PART_OF, {row["url"] for row in new} - guessed)):
            urls = [row["url"] for row in new if row["url"] in meant]
            frontier.unsettle(connection, number, urls, now, beginning + story)


def rename(connection: Connection, site: str, story: str, first: str) -> None:
    """Have a story be known by another page; what was stored under the former one goes."""
    number = site_id(connection, site, lock=True)
    own = (story_parts.c.site_id == number, story_parts.c.story == story)
    connection.execute(story_parts.update().where(*own).values(story=first))
    records.forget_pages(connection, number, [story])
    photo_sets.forget(connection, number, story)


def mark(connection: Connection, site: str, url: str, state: PartState, now: datetime) -> None:
    """Say what became of a page."""
    own = (story_parts.c.site_id == site_id(connection, site), story_parts.c.signature == signature_of(url))
    connection.execute(story_parts.update().where(*own).values(state=state, changed_at=now))


def of_page(connection: Connection, site: str, url: str) -> StoryPart | None:
    """Return what is known of a page as one of a story; None where it is none."""
    own = (story_parts.c.site_id == site_id(connection, site), story_parts.c.signature == signature_of(url))
    row = connection.execute(select(story_parts).where(*own)).mappings().first()
    return _part(row) if row is not None else None


def of_story(connection: Connection, site: str, story: str) -> list[StoryPart]:
    """Return the pages of a story, in their order."""
    own = (story_parts.c.site_id == site_id(connection, site), story_parts.c.story == story)
    rows = connection.execute(select(story_parts).where(*own).order_by(story_parts.c.number, story_parts.c.signature))
    return [_part(row) for row in rows.mappings()]


def _row(site: int, story: str, found: FoundPart, now: datetime) -> dict[str, Any]:
    return {
        "site_id": site,
        "signature": signature_of(found.url),
        "url": found.url,
        "story": story,
        "number": found.number,
        "found_at": now,
        "changed_at": now,
    }


def _content(record: Record) -> dict[str, Any]:
    values = {name: asdict(value) for name, value in record.fields.items()}
    return {name: getattr(record, name) for name in _CARRIED} | {"fields": values, "extracted_at": _text(record)}


def _text(record: Record) -> str | None:
    return record.extracted_at.isoformat() if record.extracted_at is not None else None


def _part(row: RowMapping) -> StoryPart:
    record = _record(row["content"]) if row["content"] is not None else None
    return StoryPart(url=row["url"], story=row["story"], number=row["number"], state=row["state"], record=record)


def _record(content: dict[str, Any]) -> Record:
    carried = {name: content[name] for name in _CARRIED} | {"urls": tuple(content["urls"])}
    at = content["extracted_at"]
    values = {name: Value(**value) for name, value in content["fields"].items()}
    return Record(**carried, fields=values, extracted_at=datetime.fromisoformat(at) if at else None)
