"""The pictures of sites in the database: how many stories show each, and what is known of its bytes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select, update

from sitewright.domains import kinds, load_domain
from sitewright.parse import signature_of_clean
from sitewright.store.schema import pictures
from sitewright.store.statements import one_of, site_id, upsert
from sitewright.types import Photo
from sitewright.values.images import picture_key

_KEYS = ("site_id", "signature")
_NEW: Mapping[str, Any] = {
    "due": None, "tries": 0, "checked_at": None, "media_type": "", "width": 0, "height": 0, "code": "", "file": "",
    "is_told": False,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPicture:
    """A picture of a site: how many stories show it, and what its bytes say, where they were asked for."""

    url: str
    stories: int = 0
    due: datetime | None = None
    """When its bytes are asked for; None: nobody wants them."""
    tries: int = 0
    checked_at: datetime | None = None
    media_type: str = ""
    width: int = 0
    height: int = 0
    code: str = ""
    """Why it is none of a story's, or cannot be had; empty: nothing speaks against it."""
    file: str = ""
    """Where it was downloaded to, within the folder of downloads."""
    is_told: bool = False
    """Whether photo sets know that it is of the site."""


Shown = Mapping[str, str]
"""The pictures that a record shows: key to address."""


def shown_by(domain: str, fields: Mapping[str, Any]) -> dict[str, str]:
    """Return the pictures in the stored fields of a record.

    >>> shown_by("news", {"images": [{"url": "https://example.com/harbour-7_640x480.jpg"}], "title": "Bees"})
    {'harbour-7': 'https://example.com/harbour-7_640x480.jpg'}
    """
    named = load_domain(domain).fields_of_kind(kinds.IMAGES)
    photos = [photo for name in named for photo in fields.get(name) or () if isinstance(photo, Photo | dict)]
    urls = [photo.url if isinstance(photo, Photo) else photo.get("url") for photo in photos]
    return {picture_key(url): url for url in reversed(urls) if isinstance(url, str)}


def count(connection: Connection, site: int, before: Sequence[Shown], now: Sequence[Shown]) -> None:
    """Count the stories that show pictures, after some records were replaced by others."""
    more = Counter(key for shown in now for key in shown)
    more.subtract(key for shown in before for key in shown)
    urls = {key: url for shown in (*before, *now) for key, url in shown.items()}
    rows = [
        {"site_id": site, "signature": signature_of_key(key), "url": urls[key], "stories": number, **_NEW}
        for key, number in sorted(more.items())
        if number
    ]
    upsert(connection, pictures, _KEYS, rows, (), ("stories",))


def known(connection: Connection, site: str, keys: Iterable[str]) -> dict[str, StoredPicture]:
    """Return what is known of pictures, by their keys."""
    by_signature = {signature_of_key(key): key for key in keys}
    own = (pictures.c.site_id == site_id(connection, site), one_of(connection, by_signature)(pictures.c.signature))
    rows = connection.execute(select(pictures).where(*own)).mappings()
    return {by_signature[row["signature"]]: _picture(row) for row in rows}


def want(connection: Connection, site: str, keys: Iterable[str], now: datetime) -> None:
    """Have the true sizes of pictures asked for that are not known."""
    is_meant = one_of(connection, map(signature_of_key, keys))(pictures.c.signature)
    own = (pictures.c.site_id == site_id(connection, site), is_meant, pictures.c.due.is_(None))
    is_open = (pictures.c.checked_at.is_(None), pictures.c.tries == 0)
    connection.execute(update(pictures).where(*own, *is_open).values(due=now))


def want_files(connection: Connection, site: str, most: int, now: datetime) -> None:
    """Have the files asked for of all pictures that few stories show, and that were not kept."""
    own = (pictures.c.site_id == site_id(connection, site), pictures.c.due.is_(None), pictures.c.code == "")
    is_meant = (pictures.c.stories.between(1, most), pictures.c.file == "", pictures.c.tries == 0)
    connection.execute(update(pictures).where(*own, *is_meant).values(due=now))


def due(connection: Connection, site: str, now: datetime, limit: int) -> list[StoredPicture]:
    """Return the pictures of a site whose bytes are to be asked for, the longest due first."""
    own = (pictures.c.site_id == site_id(connection, site), pictures.c.due <= now)
    query = select(pictures).where(*own).order_by(pictures.c.due, pictures.c.signature).limit(limit)
    return [_picture(row) for row in connection.execute(query).mappings()]


def note(connection: Connection, site: str, picture: StoredPicture) -> None:
    """Write down what the bytes of a picture say, or that they cannot be had."""
    number = site_id(connection, site)
    names = ("due", "tries", "checked_at", "media_type", "width", "height", "code", "file")
    own = (pictures.c.site_id == number, pictures.c.signature == signature_of_key(picture_key(picture.url)))
    connection.execute(update(pictures).where(*own).values({name: getattr(picture, name) for name in names}))


def mark_told(connection: Connection, site: str, keys: Iterable[str]) -> None:
    """Remember that photo sets know of pictures that they are of the site."""
    is_meant = one_of(connection, map(signature_of_key, keys))(pictures.c.signature)
    own = pictures.c.site_id == site_id(connection, site)
    connection.execute(update(pictures).where(own, is_meant).values(is_told=True))


def signature_of_key(key: str) -> int:
    """Return the number under which the picture of a key is known."""
    return int.from_bytes(bytes.fromhex(signature_of_clean(key)), signed=True)


def _picture(row: Mapping[Any, Any]) -> StoredPicture:
    return StoredPicture(**{name: row[name] for name in ("url", "stories", *_NEW)})
