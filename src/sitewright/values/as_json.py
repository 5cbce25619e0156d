"""A value in, JSON out, or what JSON would give back: moments in ISO 8601, pictures as objects."""

import math
from collections.abc import Mapping
from datetime import date
from typing import Any

import orjson

from sitewright.types import Photo


def json_of(row: Mapping[str, Any]) -> bytes:
    """Write a row as JSON: dates in ISO 8601, pictures as objects, half surrogates (which JSON has not) replaced.

    >>> json_of({"images": [Photo(url="https://example.com/a.jpg", caption="A")]})
    b'{"images":[{"url":"https://example.com/a.jpg","caption":"A","credit":""}]}'
    """
    try:
        return orjson.dumps(row, default=_plain, option=orjson.OPT_PASSTHROUGH_DATACLASS)
    except orjson.JSONEncodeError:
        return orjson.dumps(_replace_surrogates(row), default=_plain, option=orjson.OPT_PASSTHROUGH_DATACLASS)


def plain_of(value: Any) -> Any:
    """Return a value as it would come back from JSON, without writing any; half surrogates stay.

    >>> plain_of({"published": date(2024, 5, 6), "images": (Photo(url="https://example.com/a.jpg"),)})
    {'published': '2024-05-06', 'images': [{'url': 'https://example.com/a.jpg', 'caption': '', 'credit': ''}]}
    """
    if value is None or isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, date):  # which moments are, too
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: plain_of(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_of(inner) for inner in value]
    return _plain(value)


def _plain(value: object) -> dict[str, Any]:
    if not isinstance(value, Photo):
        raise TypeError(f"{type(value).__name__} is not a value that records hold")
    photo: dict[str, Any] = {"url": value.url, "caption": value.caption, "credit": value.credit}
    sizes = {"width": value.width, "height": value.height}
    return photo | {name: size for name, size in sizes.items() if size is not None}


def _replace_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_replace_surrogates(item) for item in value]
    return _replace_surrogates(_plain(value)) if isinstance(value, Photo) else value
