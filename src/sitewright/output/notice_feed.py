"""Things that were told in, an Atom feed of them out: what strangers wrote is text."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from xml.etree import ElementTree as ET  # only written with, never read

from sitewright.output.feed import clean
from sitewright.output.feed_head import FeedHead
from sitewright.output.letter import LetterLine

_ATOM = "http://www.w3.org/2005/Atom"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line, what it is called for ever, and when it was told."""

    name: str
    at: datetime
    line: LetterLine


def atom_of(head: FeedHead, entries: Iterable[Entry]) -> bytes:
    """Return a feed of what was told; give the newest first."""
    told = list(entries)
    root = ET.Element("feed", {"xmlns": _ATOM})
    _add(root, "id", head.url)
    _add(root, "title", head.title)
    _add(root, "updated", max([head.updated, *(one.at for one in told)]).isoformat())
    _add(root, "link", rel="alternate", href=head.url)
    _add(root, "link", rel="self", type="application/atom+xml", href=head.feed_url)
    _add(ET.SubElement(root, "author"), "name", "Sitewright")
    for one in told:
        entry = ET.SubElement(root, "entry")
        _add(entry, "id", f"urn:sitewright:{one.name}")
        _add(entry, "title", one.line.heading)
        _add(entry, "updated", one.at.isoformat())
        if one.line.url:
            _add(entry, "link", rel="alternate", href=one.line.url)
        if one.line.detail:
            _add(entry, "summary", one.line.detail)
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True))


def _add(parent: ET.Element, called: str, text: str = "", **attributes: str) -> None:
    ET.SubElement(parent, called, {key: clean(value) for key, value in attributes.items()}).text = clean(text) or None
