"""A Record or Failure in, the flat row of an output file out."""

from typing import Any

from sitewright.parse import url_id
from sitewright.types import Failure, Link, LinkSet, Record

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
