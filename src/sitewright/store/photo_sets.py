"""Photo sets in the database."""

from datetime import datetime

from sqlalchemy import Connection, delete, select

from sitewright.parse import url_id
from sitewright.store.schema import photo_sets
from sitewright.store.statements import site_id, upsert
from sitewright.types import Photo, PhotoSet


def put(connection: Connection, photo_set: PhotoSet, now: datetime) -> None:
    """Store a photo set; one with the same first address is written over."""
    row = {
        "site_id": site_id(connection, photo_set.site),
        "id": url_id(photo_set.urls[0]),
        "urls": list(photo_set.urls),
        "title": photo_set.title,
        "text": photo_set.text,
        "photos": list(photo_set.photos),
        "stored_at": now,
    }
    upsert(connection, photo_sets, ("site_id", "id"), [row])


def forget(connection: Connection, site: int, url: str) -> None:
    """Remove the photo set of an address."""
    connection.execute(delete(photo_sets).where(photo_sets.c.site_id == site, photo_sets.c.id == url_id(url)))


def of_site(connection: Connection, site: str) -> list[PhotoSet]:
    """Return the photo sets of a site, in the order in which they were first stored."""
    own = photo_sets.c.site_id == site_id(connection, site)
    return [
        PhotoSet(
            site=site,
            urls=tuple(row.urls),
            title=row.title,
            text=row.text,
            photos=tuple(Photo(**photo) for photo in row.photos),
        )
        for row in connection.execute(select(photo_sets).where(own).order_by(photo_sets.c.number))
    ]
