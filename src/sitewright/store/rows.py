"""A Record or Failure in, the flat row of an output file out."""

from typing import Any

import orjson

from sitewright.parse import url_id
from sitewright.types import Failure, Link, LinkSet, Photo, Record

Row = dict[str, Any]


def row_of(record: Record, *, explain: bool = False) -> Row:
    """Return a record as one flat object: URL first, then its fields, then how sure and by which map."""
    fields = record.fields
    row: Row = {"url": record.urls[0]}
    for name, value in fields.items():
        row[name] = value.value
    if record.language:
        row["language"] = record.language
    if record.kind is not None:
        row["page_kind"] = record.kind
    row["confidence"] = {name: value.confidence for name, value in fields.items()}
    if record.template:
        row["template"] = record.template
    if record.via:
        row["via"] = record.via
    if record.map_version is not None:
        row["map_version"] = record.map_version
    if explain:
        row["id"] = url_id(record.urls[0])
        row["rules"] = {name: value.rule for name, value in fields.items()}
    return row


def failure_row(failure: Failure) -> Row:
    """Return a failure as the row that stands where its record would."""
    return {"url": failure.url, "error": {"code": failure.code, "stage": failure.stage, "detail": failure.detail}}


def links_row(links: LinkSet) -> Row:
    """Return the links of an index page as one object.

    >>> links_row(LinkSet(url="https://example.com/", links=(Link(url="https://example.com/a", role="list"),)))["links"]
    [{'href': 'https://example.com/a', 'text': '', 'role': 'list', 'article': False, 'score': 0.0, 'reason': ''}]
    """
    return {"url": links.url, "time": links.time, "links": [_link_row(link) for link in links.links]}


def _link_row(link: Link) -> Row:
    row: Row = {
        "href": link.url,
        "text": link.text,
        "role": link.role,
        "article": link.is_item,
        "score": link.score,
        "reason": link.reason,
    }
    return row | ({"published": link.published} if link.published is not None else {})


def json_of(row: Row) -> bytes:
    """Write a row as JSON: dates in ISO 8601, pictures as objects, half surrogates (which JSON has not) replaced.

    >>> json_of({"images": [Photo(url="https://example.com/a.jpg", caption="A")]})
    b'{"images":[{"url":"https://example.com/a.jpg","caption":"A","credit":""}]}'
    """
    try:
        return orjson.dumps(row, default=_plain, option=orjson.OPT_PASSTHROUGH_DATACLASS)
    except orjson.JSONEncodeError:
        return orjson.dumps(_replace_surrogates(row), default=_plain, option=orjson.OPT_PASSTHROUGH_DATACLASS)


def _plain(value: object) -> Row:
    if not isinstance(value, Photo):
        raise TypeError(f"{type(value).__name__} is not a value that records hold")
    photo: Row = {"url": value.url, "caption": value.caption, "credit": value.credit}
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
