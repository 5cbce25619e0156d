"""A document in, the lists of pictures that its scripts hold as JSON out: galleries that show one picture at a time."""

import re
from collections.abc import Iterator, Mapping
from html import unescape
from typing import Any

from sitewright.parse import Document, absolute_url, clean_line
from sitewright.types import Photo
from sitewright.values.images import distinct_photos
from sitewright.values.state import inner_values, script_values

FEWEST = 3
_PICTURE = re.compile(r"^(?:https?:)?/?[^\s{}<>\"]*\.(?:jpe?g|png|webp|avif)(?:$|[?#/!])", re.IGNORECASE)
_ENDING = re.compile(r"\.(?:jpe?g|png|webp|avif)\b", re.IGNORECASE)
_OF_PAGES = re.compile(r"^(?:href|link|url|permalink|canonical\w*|web_?url)$", re.IGNORECASE)
_OF_PREVIEWS = re.compile(r"thumb|small|preview|icon|tiny|placeholder|avatar", re.IGNORECASE)
_CAPTIONS = ("caption", "legend", "description", "desc", "text", "title", "alt", "headline")
_CREDITS = ("credit", "copyright", "photographer", "author", "source", "byline")
_TAG = re.compile(r"<[^>]*>")
_DEPTH = 3


def embedded_pictures(document: Document) -> list[list[Photo]]:
    """Return the lists of pictures in a page's state, each picture with what is said of it, in their order.

    >>> from sitewright.parse import parse
    >>> from sitewright.types import Page
    >>> state = '{"slides": [' + ",".join(f'{{"src": "/sea-{n}.jpg", "caption": "Day {n}"}}' for n in range(3)) + "]}"
    >>> page = Page(url="https://example.com/sea", body=f"<h1>At sea</h1><script>window.STATE = {state};</script>")
    >>> [photo.caption for photo in embedded_pictures(parse(page))[0]]
    ['Day 0', 'Day 1', 'Day 2']
    """
    found = (_photos(several, document) for value in script_values(document, _ENDING) for several in _lists(value))
    return [photos for photos in found if len(photos) >= FEWEST]


def _lists(value: Any) -> Iterator[list[Mapping[str, Any]]]:
    """Yield all lists of objects in a value."""
    for one in inner_values(value):
        if isinstance(one, list) and len(one) >= FEWEST and all(isinstance(entry, dict) for entry in one):
            yield one


def _photos(several: list[Mapping[str, Any]], document: Document) -> list[Photo]:
    """Return the pictures of a list of objects; none where some have no picture, or lead to other pages."""
    photos = []
    for entry in several:
        texts = list(_texts(entry))
        address = _address(texts)
        if not address or any(_leads_on(name, text, document) for name, text in texts):
            return []
        photos.append(
            Photo(
                url=absolute_url(address, document.base_url),
                caption=_said(texts, _CAPTIONS),
                credit=_said(texts, _CREDITS),
            )
        )
    return distinct_photos(photo for photo in photos if photo.url)


def _texts(entry: Mapping[str, Any], depth: int = 0) -> Iterator[tuple[str, str]]:
    for name, value in entry.items():
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, dict) and depth < _DEPTH:
            yield from ((f"{name}.{inner}", text) for inner, text in _texts(value, depth + 1))


def _address(texts: list[tuple[str, str]]) -> str:
    named = [(name, text) for name, text in texts if _PICTURE.match(text)]
    large = [text for name, text in named if not _OF_PREVIEWS.search(name)]
    return next(iter(large or [text for _, text in named]), "")


def _leads_on(name: str, text: str, document: Document) -> bool:
    last = name.rpartition(".")[2]
    if not _OF_PAGES.match(last) or _PICTURE.match(text) or not text.startswith(("http", "/")):
        return False
    return absolute_url(text, document.base_url).partition("#")[0].partition("?")[0] != document.url.partition("?")[0]


def _said(texts: list[tuple[str, str]], names: tuple[str, ...]) -> str:
    """Return what stands under the first of some names."""
    for wanted in names:
        for name, text in texts:
            if (
                wanted in name.rpartition(".")[2].lower()
                and not _PICTURE.match(text)
                and (said := clean_line(unescape(_TAG.sub(" ", text))))
            ):
                return said
    return ""
