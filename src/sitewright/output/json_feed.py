"""Entries in, a JSON Feed 1.1 of them out: as a whole, or row by row."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sitewright.body import Body
from sitewright.domains import load_domain
from sitewright.output.feed_entry import Dates, FeedEntry, entry_of, picture_type
from sitewright.output.feed_head import FeedHead, common_name
from sitewright.output.rows import Row
from sitewright.output.stream import OutputStream
from sitewright.parse import clean_line, host_of
from sitewright.values.as_json import json_of, plain_of
from sitewright.values.moments import moment_of

VERSION = "https://jsonfeed.org/version/1.1"


def json_item(entry: FeedEntry, language: str = "") -> bytes:
    """Return an entry as an object of a JSON Feed."""
    item: dict[str, Any] = {"id": entry.url, "url": entry.url, "title": entry.title}
    item |= {"content_html": entry.html} if entry.html else {"content_text": entry.text or entry.summary}
    optional: dict[str, Any] = {
        "summary": entry.summary,
        "image": entry.pictures[0] if entry.pictures else "",
        "date_published": entry.shown_at.isoformat() if entry.shown_at else "",
        "date_modified": entry.changed_at.isoformat() if entry.changed_at else "",
        "authors": [{"name": name} for name in entry.authors],
        "tags": list(entry.categories),
        "language": language,
        "attachments": [{"url": url, "mime_type": picture_type(url)} for url in entry.pictures],
    }
    return json_of(item | {name: value for name, value in optional.items() if value})


def json_feed(head: FeedHead, items: Iterable[bytes]) -> bytes:
    """Return a feed of items that are written already."""
    return b"%s%s\n]}\n" % (_opening(head), b",".join(b"\n" + item for item in items))


def _opening(head: FeedHead) -> bytes:
    about = {"version": VERSION, "title": head.title, "home_page_url": head.url}
    about |= {"feed_url": head.feed_url} if head.feed_url else {}
    about |= {"description": head.description} if head.description else {}
    return json_of(about)[:-1] + b',"items":['


@dataclass(frozen=True, slots=True)
class JsonFeedRow:
    """Makes of a row the name of its site, and below it the item; of a failure nothing."""

    domain: str

    def __call__(self, row: Row, body: Body | None = None, /) -> bytes:
        if "error" in row:
            return b""
        plain, domain = plain_of(row), load_domain(self.domain)
        shown, changed = (moment_of(plain.get(name) or "") for name in (domain.published, domain.modified))
        entry = entry_of(plain["url"], plain, domain, Dates(shown_at=shown, changed_at=changed), body)
        name = (body.site_name if body is not None else "") or host_of(plain["url"])
        return clean_line(name).encode("utf-8", "replace") + b"\n" + json_item(entry, str(plain.get("language") or ""))


class JsonFeedStream:
    """A feed that is written item by item; what it is called is known, and written, at the end."""

    def __init__(self, target: str) -> None:
        """Open the file, or standard output for `-`."""
        self._stream = OutputStream(target)
        self._names: Counter[str] = Counter()
        self._stream.file.write(b'{"version":"%s","items":[' % VERSION.encode())

    def write(self, encoded: bytes) -> None:
        """Write an item."""
        name, _, item = encoded.partition(b"\n")
        if item:
            self._stream.file.write((b",\n" if self._names else b"\n") + item)
            self._names[name.decode("utf-8")] += 1

    def close(self) -> None:
        """Name the feed, and close."""
        self._stream.file.write(b"\n]," + json_of({"title": common_name(self._names)})[1:] + b"\n")
        self._stream.close()
