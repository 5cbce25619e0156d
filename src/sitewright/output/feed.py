"""Dated records in, an RSS 2.0, Atom 1.0 or JSON Feed 1.1 of them out, with the whole text of each."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from typing import Literal, Protocol, get_args
from xml.etree import ElementTree as ET  # only written with, never read

from sitewright.body import Body
from sitewright.domains import load_domain
from sitewright.output.feed_entry import Dates, FeedEntry, entry_of, picture_type
from sitewright.output.feed_head import FeedHead
from sitewright.output.json_feed import json_feed, json_item
from sitewright.types import Record

__all__ = ["FEED_FORMATS", "DatedRecord", "FeedFormat", "FeedHead", "FeedItem", "feed_from", "feed_of"]

FeedFormat = Literal["rss", "atom", "jsonfeed"]
FEED_FORMATS: tuple[FeedFormat, ...] = get_args(FeedFormat)
_ATOM = "http://www.w3.org/2005/Atom"
_CREATOR = "http://purl.org/dc/elements/1.1/"
_MEDIA = "http://search.yahoo.com/mrss/"
_CONTENT = "http://purl.org/rss/1.0/modules/content/"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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


@dataclass(frozen=True, slots=True)
class FeedItem:
    """Makes of a record its item in a feed; it travels to workers, so it must pickle."""

    kind: FeedFormat

    def __call__(self, dated: DatedRecord, body: Body | None = None, /) -> bytes:
        """Return the item; without a body the text is paragraphs."""
        record = dated.record
        values = {name: value.value for name, value in record.fields.items()}
        dates = Dates(shown_at=dated.shown_at, changed_at=max(dated.shown_at, dated.stored_at))
        entry = entry_of(record.urls[0], values, load_domain(record.domain), dates, body)
        if self.kind == "jsonfeed":
            return json_item(entry, record.language)
        item = _rss_item(entry, dated) if self.kind == "rss" else _atom_entry(entry, dated)
        ET.indent(item, level=2 if self.kind == "rss" else 1)
        return ET.tostring(item, encoding="unicode").encode()


def feed_of(kind: FeedFormat, head: FeedHead, records: Iterable[DatedRecord]) -> bytes:
    """Return a feed in UTF-8; give the newest records first. Texts are paragraphs, as only their lines are known."""
    several = list(records)
    return feed_from(kind, head, map(FeedItem(kind), several), [dated.stored_at for dated in several])


def feed_from(kind: FeedFormat, head: FeedHead, items: Iterable[bytes], stored: Iterable[datetime]) -> bytes:
    """Return a feed of items that `FeedItem` made, given when each was stored; the same for the same records."""
    if kind == "jsonfeed":
        return json_feed(head, items)
    makers: dict[str, Callable[[FeedHead, datetime], ET.Element]] = {"rss": _rss, "atom": _atom}
    root = makers[kind](head, max([head.updated, *stored]))
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode", short_empty_elements=False)
    start, end, rest = text.rpartition("\n  </channel>" if kind == "rss" else "\n</feed>")
    inset = b"\n    " if kind == "rss" else b"\n  "
    parts = [b'<?xml version="1.0" encoding="utf-8"?>\n', start.encode()]
    parts += [inset + item for item in items]
    return b"".join([*parts, end.encode(), rest.encode(), b"\n"])


def _rss(head: FeedHead, updated: datetime) -> ET.Element:
    names = {"xmlns:atom": _ATOM, "xmlns:content": _CONTENT, "xmlns:dc": _CREATOR, "xmlns:media": _MEDIA}
    root = ET.Element("rss", {"version": "2.0", **names})
    channel = ET.SubElement(root, "channel")
    _add(channel, "title", head.title)
    _add(channel, "link", head.url)
    _add(channel, "description", head.description or head.title)
    _add(channel, "lastBuildDate", format_datetime(updated))
    if head.feed_url:
        _add(channel, "atom:link", attributes={"rel": "self", "type": "application/rss+xml", "href": head.feed_url})
    return root


def _rss_item(entry: FeedEntry, dated: DatedRecord) -> ET.Element:
    item = ET.Element("item")
    _add(item, "title", entry.title)
    _add(item, "link", entry.url)
    _add(item, "guid", entry.url, {"isPermaLink": "true"})
    _add(item, "pubDate", format_datetime(dated.shown_at))
    if entry.summary:
        _add(item, "description", _escaped(entry.summary))
    if entry.html:
        _add(item, "content:encoded", entry.html)
    for author in entry.authors:
        _add(item, "dc:creator", author)
    for name in entry.categories:
        _add(item, "category", name)
    for picture in entry.pictures[:1]:  # RSS has one; its length is not known, for which 0 stands
        _add(item, "enclosure", attributes={"url": picture, "type": picture_type(picture), "length": "0"})
    for picture in entry.pictures:
        _add(item, "media:content", attributes={"url": picture, "medium": "image"})
    return item


def _atom(head: FeedHead, updated: datetime) -> ET.Element:
    root = ET.Element("feed", {"xmlns": _ATOM})
    _add(root, "id", head.url)
    _add(root, "title", head.title)
    _add(root, "updated", updated.isoformat())
    _add(root, "link", attributes={"rel": "alternate", "href": head.url})
    if head.description:
        _add(root, "subtitle", head.description)
    if head.feed_url:
        _add(root, "link", attributes={"rel": "self", "type": "application/atom+xml", "href": head.feed_url})
    return root


def _atom_entry(entry: FeedEntry, dated: DatedRecord) -> ET.Element:
    element = ET.Element("entry")
    _add(element, "id", entry.url)
    _add(element, "title", entry.title)
    _add(element, "published", dated.shown_at.isoformat())
    _add(element, "updated", max(dated.shown_at, dated.stored_at).isoformat())
    _add(element, "link", attributes={"rel": "alternate", "href": entry.url})
    for author in entry.authors or [dated.record.site]:  # Atom wants one
        _add(ET.SubElement(element, "author"), "name", author)
    for name in entry.categories:
        _add(element, "category", attributes={"term": name})
    if entry.summary:
        _add(element, "summary", entry.summary, {"type": "text"})
    if entry.html:
        _add(element, "content", entry.html, {"type": "html"})
    for picture in entry.pictures:
        _add(element, "link", attributes={"rel": "enclosure", "href": picture, "type": picture_type(picture)})
    return element


def _add(parent: ET.Element, name: str, text: str = "", attributes: Mapping[str, str] | None = None) -> None:
    cleaned = {key: clean(value) for key, value in (attributes or {}).items()}
    ET.SubElement(parent, name, cleaned).text = clean(text) or None


def clean(text: str) -> str:
    """Leave out what XML cannot hold, even escaped."""
    return _NOT_XML.sub("", text)


def _escaped(text: str) -> str:
    """Escape text where readers expect HTML: RSS descriptions are unpacked twice."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
