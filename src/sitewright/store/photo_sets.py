"""Photo sets in the database."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from sitewright.parse import url_id
from sitewright.store.schema import photo_sets
from sitewright.store.statements import parts, site_id, upsert
from sitewright.types import LeftOut, Photo, PhotoSet

_CONTENT = ("urls", "title", "text", "photos", "left_out")
"""What makes a new version where it changes."""


def put(connection: Connection, photo_set: PhotoSet, now: datetime) -> None:
    """Store a photo set; one with the same first address gets a new version, unless it is the same."""
    site, name = site_id(connection, photo_set.site), url_id(photo_set.urls[0])
    content: dict[str, Any] = {
        "urls": list(photo_set.urls),
        "title": photo_set.title,
        "text": photo_set.text,
        "photos": [asdict(photo) for photo in photo_set.photos],
        "left_out": [asdict(one) for one in photo_set.left_out],
    }
    own = (photo_sets.c.site_id == site, photo_sets.c.id == name)
    known = connection.execute(select(photo_sets).where(*own)).mappings().first()
    if known is not None and {entry: known[entry] for entry in _CONTENT} == content:
        return
    version = known["version"] + 1 if known is not None else 1
    row = {"site_id": site, "id": name, **content, "stored_at": now, "version": version}
    upsert(connection, photo_sets, ("site_id", "id"), [row])


def forget(connection: Connection, site: int, url: str) -> None:
    """Remove the photo set of an address."""
    connection.execute(delete(photo_sets).where(photo_sets.c.site_id == site, photo_sets.c.id == url_id(url)))


def of_site(connection: Connection, site: str) -> list[PhotoSet]:
    """Return the photo sets of a site, in the order in which they were first stored."""
    own = photo_sets.c.site_id == site_id(connection, site)
    return [_photo_set(site, row) for row in connection.execute(select(photo_sets).where(own).order_by(_NUMBER))]


def of_addresses(connection: Connection, site: str, urls: Iterable[str]) -> Iterator[PhotoSet]:
    """Yield the photo sets of a site whose stories have these addresses."""
    own = photo_sets.c.site_id == site_id(connection, site)
    for part in parts(sorted({url_id(url) for url in urls})):
        query = select(photo_sets).where(own, photo_sets.c.id.in_(part)).order_by(_NUMBER)
        yield from (_photo_set(site, row) for row in connection.execute(query))


_NUMBER = photo_sets.c.number


def _photo_set(site: str, row: Row[Any]) -> PhotoSet:
    return PhotoSet(
        site=site,
        urls=tuple(row.urls),
        title=row.title,
        text=row.text,
        photos=tuple(Photo(**photo) for photo in row.photos),
        left_out=tuple(LeftOut(**one) for one in row.left_out),
        version=row.version,
    )
