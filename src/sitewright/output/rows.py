"""A Record or Failure in, the flat row of an output file out."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from sitewright.domains import load_domain
from sitewright.parse import url_id
from sitewright.types import Failure, Link, LinkSet, Record

Row = dict[str, Any]


def row_of(record: Record, *, explain: bool = False) -> Row:
    """Return a record as one flat object: URL first, then its fields, then how sure and by which map."""
    fields = record.fields
    row: Row = {"url": record.urls[0]}
    for name, value in fields.items():
        row[name] = value.value
    if len(record.urls) > 1 and not load_domain(record.domain).same:  # else they are addresses of one page
        row["parts"] = list(record.urls[1:])
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


def confident(record: Record, least: float) -> Record:
    """Return a record without the fields that are less sure than this.

    >>> from sitewright.types import Value
    >>> sure, unsure = Value("A", 0.9, ""), Value("B", 0.4, "")
    >>> list(confident(Record(site="", urls=("u",), fields={"title": sure, "subtitle": unsure}), 0.5).fields)
    ['title']
    """
    if all(value.confidence >= least for value in record.fields.values()):
        return record
    return replace(record, fields={name: value for name, value in record.fields.items() if value.confidence >= least})


def failure_row(failure: Failure) -> Row:
    """Return a failure as the row that stands where its record would."""
    return {"url": failure.url, "error": {"code": failure.code, "stage": failure.stage, "detail": failure.detail}}


def flat_row(row: Row) -> Row:
    """Spread the error of a failed page over columns of its own, as tables have them."""
    error = row.get("error")
    return {"url": row["url"], "error_code": error["code"], "error_detail": error["detail"]} if error else row


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


class ListLike(Protocol):
    """A list as a row shows it."""

    @property
    def selector(self) -> str:
        """What finds its entries."""

    @property
    def score(self) -> float:
        """How much it seems to be what the page is about."""

    @property
    def items(self) -> Sequence[Mapping[str, object]]:
        """Its entries."""


def lists_row(url: str, lists: Iterable[ListLike]) -> Row:
    """Return the lists of a page as one object."""
    shown = [{"selector": one.selector, "score": one.score, "items": list(one.items)} for one in lists]
    return {"url": url, "lists": shown}
