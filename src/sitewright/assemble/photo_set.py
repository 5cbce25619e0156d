"""The record of a story in, its photo set out, where it has pictures enough to be one."""

from sitewright.assemble.joined_text import joined_text
from sitewright.assemble.story import photos_in
from sitewright.domains import kinds, load_domain
from sitewright.errors import TooManyPictures
from sitewright.types import LeftOut, PhotoSet, Record

FEWEST_PHOTOS = 3
"""Fewer pictures illustrate a text; a set is looked at for them."""
MOST_PHOTOS = 5000
"""Further pictures are left out: the largest gallery that people look through has some hundred."""


def photo_set_of(record: Record) -> PhotoSet | None:
    """Return the pictures of a record in their order; captions that stand in the text, too, stand there no more.

    >>> from sitewright.types import Photo, Value
    >>> photos = [Photo(url=f"https://example.com/port-{n}.jpg", caption=f"The harbour on day {n}.") for n in range(3)]
    >>> text = "Three days at sea.\\nThe harbour on day 1."
    >>> fields = {"text": Value(text, 0.9, ""), "images": Value(photos, 0.9, "")}
    >>> photo_set_of(Record(site="example.com", urls=("https://example.com/a",), fields=fields)).text
    'Three days at sea.'
    """
    domain = load_domain(record.domain)
    named = (name for name in domain.fields_of_kind(kinds.IMAGES) if name in record.fields)
    photos = tuple(photo for name in named for photo in photos_in(record.fields[name].value))
    if len(photos) < FEWEST_PHOTOS or domain.price:  # a product is shown from all sides, which tells no story
        return None
    text = record.fields.get(domain.main_text)
    kept = photos[:MOST_PHOTOS]
    return PhotoSet(
        site=record.site,
        urls=record.urls,
        title=_title(record),
        text=joined_text([str(text.value)], [photo.caption for photo in kept]) if text is not None else "",
        photos=kept,
        left_out=tuple(LeftOut(photo.url, TooManyPictures.code) for photo in photos[MOST_PHOTOS:][:1]),
    )


def _title(record: Record) -> str:
    title = record.fields.get(load_domain(record.domain).heading)
    return str(title.value) if title is not None else ""
