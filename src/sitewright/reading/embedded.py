"""The record of a page in, the record with the pictures that the page's state holds besides those it shows out."""

from dataclasses import replace

from sitewright.domains import kinds, load_domain
from sitewright.parse import Document
from sitewright.types import Photo, Record
from sitewright.values.embedded import embedded_pictures
from sitewright.values.images import distinct_photos, picture_key, picture_keys


def with_embedded_pictures(record: Record, document: Document) -> Record:
    """Complete the pictures of a record by the list of the page's state that has one of them, and more than they are.

    A page that shows nothing of a list has nothing to do with it: states hold teasers and menus, too.
    """
    named = load_domain(record.domain).fields_of_kind(kinds.IMAGES)
    name = next((one for one in named if one in record.fields), "")
    if not name:
        return record
    known = record.fields[name]
    shown = picture_keys(known.value)
    lists = [photos for photos in embedded_pictures(document) if _completes(photos, shown)]
    if not lists:
        return record
    photos = [*max(lists, key=len), *(photo for photo in _photos(known.value))]
    return replace(record, fields={**record.fields, name: replace(known, value=distinct_photos(photos))})


def _completes(photos: list[Photo], shown: frozenset[str]) -> bool:
    keys = {picture_key(photo.url) for photo in photos}
    return len(keys) > len(shown) and bool(keys & shown)


def _photos(value: object) -> list[Photo]:
    return [one for one in value if isinstance(one, Photo)] if isinstance(value, list | tuple) else []
