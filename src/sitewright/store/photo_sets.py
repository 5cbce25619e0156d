"""Photo sets in the database."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from sitewright.parse import url_id
from sitewright.store.pictures import signature_of_key
from sitewright.store.schema import photo_set_pictures, photo_sets
from sitewright.store.statements import one_of, parts, site_id, upsert
from sitewright.types import LeftOut, Photo, PhotoSet
from sitewright.values.images import picture_key

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
    _put_pictures(connection, site, name, photo_set)


def _put_pictures(connection: Connection, site: int, name: str, photo_set: PhotoSet) -> None:
    own = (photo_set_pictures.c.site_id == site, photo_set_pictures.c.id == name)
    connection.execute(delete(photo_set_pictures).where(*own))
    if keys := sorted(map(signature_of_key, keys_of(photo_set))):
        rows = [{"site_id": site, "signature": key, "id": name} for key in keys]
        connection.execute(photo_set_pictures.insert(), rows)


def keys_of(photo_set: PhotoSet) -> frozenset[str]:
    """Return the keys of the pictures of a set, and of those that it leaves out."""
    urls = [*(photo.url for photo in photo_set.photos), *(one.url for one in photo_set.left_out)]
    return frozenset(map(picture_key, urls))


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


def showing(connection: Connection, site: str, keys: Iterable[str]) -> Iterator[str]:
    """Yield the addresses of the stories whose photo sets show some pictures, or leave them out."""
    number = site_id(connection, site)
    is_meant = one_of(connection, map(signature_of_key, keys))(photo_set_pictures.c.signature)
    names = select(photo_set_pictures.c.id).where(photo_set_pictures.c.site_id == number, is_meant)
    query = select(photo_sets.c.urls).where(photo_sets.c.site_id == number, photo_sets.c.id.in_(names))
    yield from (urls[0] for urls in connection.execute(query.order_by(_NUMBER)).scalars())


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
