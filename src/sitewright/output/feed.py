"""Dated records in, an RSS 2.0 or Atom 1.0 feed of them out."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from typing import Literal, Protocol
from urllib.parse import quote
from xml.etree import ElementTree as ET  # only written with, never read

from sitewright.domains import Domain, kinds, load_domain
from sitewright.types import Record
from sitewright.values.words import short_at_word

FeedFormat = Literal["rss", "atom"]
_ATOM = "http://www.w3.org/2005/Atom"
_CREATOR = "http://purl.org/dc/elements/1.1/"
_MEDIA = "http://search.yahoo.com/mrss/"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SUMMARY = 500
"""Characters of the text where there is no subtitle; readers of feeds show two or three lines."""


class DatedRecord(Protocol):
    """A record that is known to have appeared, as a store gives them back."""

    @property
    def record(self) -> Record:
        """What was read."""

    @property
    def shown_at(self) -> datetime:
        """When it appeared."""

    @property
    def stored_at(self) -> datetime:
        """When it was read last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedHead:
    """What a feed says about itself."""

    title: str
    url: str
    """The page that it is about, and its name for ever."""
    updated: datetime
    """With a zone; where there are records, the newest of them counts if it is later."""
    description: str = ""
    feed_url: str = ""
    """Where the feed itself is published; empty: not known."""


def feed_of(kind: FeedFormat, head: FeedHead, records: Iterable[DatedRecord]) -> bytes:
    """Return a feed as XML in UTF-8; give the newest records first."""
    makers: dict[FeedFormat, Callable[[FeedHead, Sequence[DatedRecord]], ET.Element]] = {"rss": _rss, "atom": _atom}
    root = makers[kind](head, list(records))
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def _rss(head: FeedHead, records: Sequence[DatedRecord]) -> ET.Element:
    root = ET.Element("rss", {"version": "2.0", "xmlns:atom": _ATOM, "xmlns:dc": _CREATOR, "xmlns:media": _MEDIA})
    channel = ET.SubElement(root, "channel")
    _add(channel, "title", head.title)
    _add(channel, "link", head.url)
    _add(channel, "description", head.description or head.title)
    _add(channel, "lastBuildDate", format_datetime(_updated(head, records)))
    if head.feed_url:
        _add(channel, "atom:link", attributes={"rel": "self", "type": "application/rss+xml", "href": head.feed_url})
    for dated in records:
        _add_rss_item(channel, dated)
    return root


def _add_rss_item(channel: ET.Element, dated: DatedRecord) -> None:
    item = ET.SubElement(channel, "item")
    url = _address(dated.record.urls[0])
    _add(item, "title", _title(dated))
    _add(item, "link", url)
    _add(item, "guid", url, {"isPermaLink": "true"})
    _add(item, "pubDate", format_datetime(dated.shown_at))
    if summary := _summary(dated):
        _add(item, "description", _escaped(summary))
    for author in _texts(dated, kinds.NAMES):
        _add(item, "dc:creator", author)
    for name in _categories(dated):
        _add(item, "category", name)
    for picture in _pictures(dated):
        _add(item, "media:content", attributes={"url": picture, "medium": "image"})


def _atom(head: FeedHead, records: Sequence[DatedRecord]) -> ET.Element:
    root = ET.Element("feed", {"xmlns": _ATOM})
    _add(root, "id", head.url)
    _add(root, "title", head.title)
    _add(root, "updated", _updated(head, records).isoformat())
    _add(root, "link", attributes={"rel": "alternate", "href": head.url})
    if head.description:
        _add(root, "subtitle", head.description)
    if head.feed_url:
        _add(root, "link", attributes={"rel": "self", "type": "application/atom+xml", "href": head.feed_url})
    for dated in records:
        _add_atom_entry(root, dated)
    return root


def _add_atom_entry(root: ET.Element, dated: DatedRecord) -> None:
    entry = ET.SubElement(root, "entry")
    url = _address(dated.record.urls[0])
    _add(entry, "id", url)
    _add(entry, "title", _title(dated))
    _add(entry, "published", dated.shown_at.isoformat())
    _add(entry, "updated", max(dated.shown_at, dated.stored_at).isoformat())
    _add(entry, "link", attributes={"rel": "alternate", "href": url})
    for author in _texts(dated, kinds.NAMES) or [dated.record.site]:  # Atom wants one
        _add(ET.SubElement(entry, "author"), "name", author)
    for name in _categories(dated):
        _add(entry, "category", attributes={"term": name})
    if summary := _summary(dated):
        _add(entry, "summary", summary, {"type": "text"})
    for picture in _pictures(dated):
        _add(entry, "link", attributes={"rel": "enclosure", "href": picture})


def _add(parent: ET.Element, name: str, text: str = "", attributes: Mapping[str, str] | None = None) -> None:
    clean = {key: _clean(value) for key, value in (attributes or {}).items()}
    ET.SubElement(parent, name, clean).text = _clean(text) or None


def _clean(text: str) -> str:
    """Leave out what XML cannot hold, even escaped."""
    return _NOT_XML.sub("", text)


def _escaped(text: str) -> str:
    """Escape text where readers expect HTML: RSS descriptions are unpacked twice."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _updated(head: FeedHead, records: Sequence[DatedRecord]) -> datetime:
    return max([head.updated, *(dated.stored_at for dated in records)])


def _value(dated: DatedRecord, field: str) -> object:
    found = dated.record.fields.get(field)
    return found.value if found else None


def _domain(dated: DatedRecord) -> Domain:
    return load_domain(dated.record.domain)


def _title(dated: DatedRecord) -> str:
    """Return what it is called; the address where there is neither, because readers show nothing else."""
    return str(_value(dated, _domain(dated).heading) or dated.record.urls[0])


def _summary(dated: DatedRecord) -> str:
    if summary := _value(dated, _domain(dated).summary):
        return str(summary)
    text = str(_value(dated, _domain(dated).main_text) or "")
    return short_at_word(text, _SUMMARY)


def _texts(dated: DatedRecord, kind: str) -> list[str]:
    """Return the entries of all fields of a kind."""
    values = (_value(dated, field) for field in _domain(dated).fields_of_kind(kind))
    several = (one for value in values for one in (value if isinstance(value, list) else [value]))
    return [str(one) for one in several if one]


def _categories(dated: DatedRecord) -> list[str]:
    return list(dict.fromkeys(_texts(dated, kinds.LIST)))


def _pictures(dated: DatedRecord) -> list[str]:
    values = (_value(dated, field) for field in _domain(dated).fields_of_kind(kinds.IMAGES))
    several = [one for value in values if isinstance(value, list) for one in value]
    found = [one.get("url") if isinstance(one, Mapping) else one for one in several]
    return [_address(str(one)) for one in found if str(one).startswith(("http://", "https://"))]


def _address(url: str) -> str:
    """Write an address in the characters that addresses have."""
    return quote(url, safe="!#$%&'()*+,/:;=?@[]~", errors="replace")
