"""The value of a field with pictures in, pictures out, in whatever form records hold them."""

from collections.abc import Mapping

from sitewright.types import Photo


def photos_of(value: object) -> list[Photo]:
    """Return pictures from a list of them, of objects, or of addresses; what has no address of the web is left out.

    >>> photos_of([{"url": "https://example.com/a.jpg", "caption": "A"}, "javascript:x", "https://example.com/b.jpg"])[0].caption
    'A'
    """
    several = value if isinstance(value, (list, tuple)) else []
    photos = (one if isinstance(one, Photo) else _photo(one) for one in several)
    return [photo for photo in photos if photo.url.startswith(("http://", "https://"))]


def _photo(value: object) -> Photo:
    known = value if isinstance(value, Mapping) else {"url": value}
    url, caption, credit = (str(known.get(key) or "") for key in ("url", "caption", "credit"))
    return Photo(url=url, caption=caption, credit=credit)
