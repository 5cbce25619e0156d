"""The fields of a record in, what feeds of all formats say of it out."""

import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlsplit

from sitewright.body import Body, html_of, plain_body
from sitewright.domains import Domain, kinds
from sitewright.output.photos import photos_of
from sitewright.values.words import short_at_word

_SUMMARY = 500
"""Characters of the text where there is no subtitle; readers of feeds show two or three lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """An item of a feed."""

    url: str
    title: str
    summary: str = ""
    text: str = ""
    html: str = ""
    """The whole text with its structure and pictures."""
    authors: Sequence[str] = ()
    categories: Sequence[str] = ()
    pictures: Sequence[str] = ()
    shown_at: datetime | None = None
    changed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """When an item appeared, and when it was changed last."""

    shown_at: datetime | None = None
    changed_at: datetime | None = None


def entry_of(
    url: str, values: Mapping[str, object], domain: Domain, dates: Dates, body: Body | None = None
) -> FeedEntry:
    """Return the entry of a record; without a body its text is paragraphs."""
    text = str(values.get(domain.main_text) or "")
    photos = [photo for name in domain.fields_of_kind(kinds.IMAGES) for photo in photos_of(values.get(name))]
    tree = body.tree if body is not None else plain_body(text, photos)
    return FeedEntry(
        url=address(url),
        title=str(values.get(domain.heading) or url),  # readers show nothing else
        summary=str(values.get(domain.summary) or short_at_word(text, _SUMMARY)),
        text=text,
        html=html_of(tree),
        authors=_texts(values, domain, kinds.NAMES),
        categories=list(dict.fromkeys(_texts(values, domain, kinds.LIST))),
        pictures=[address(photo.url) for photo in photos],
        shown_at=dates.shown_at,
        changed_at=dates.changed_at,
    )


def address(url: str) -> str:
    """Write an address in the characters that addresses have."""
    return quote(url, safe="!#$%&'()*+,/:;=?@[]~", errors="replace")


def picture_type(url: str) -> str:
    """Return the media type of a picture by its address; most are JPEG.

    >>> picture_type("https://example.com/a.PNG?w=3"), picture_type("https://example.com/image/7")
    ('image/png', 'image/jpeg')
    """
    try:
        guessed = mimetypes.guess_type(urlsplit(url).path.lower())[0] or ""
    except ValueError:
        guessed = ""
    return guessed if guessed.startswith("image/") else "image/jpeg"


def _texts(values: Mapping[str, object], domain: Domain, kind: str) -> list[str]:
    """Return the entries of all fields of a kind."""
    found = (values.get(field) for field in domain.fields_of_kind(kind))
    several = (one for value in found for one in (value if isinstance(value, list) else [value]))
    return [str(one) for one in several if one]
