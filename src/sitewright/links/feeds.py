"""The body of a feed or sitemap in, its entries out: RSS, Atom, JSON Feed, sitemaps of all kinds."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from xml.etree.ElementTree import Element

import orjson

from sitewright.errors import NotFeed, PageTooLarge
from sitewright.links.feed_parts import WEB_ADDRESS, Names, Part, absolute, flat_texts, plain_line, read_moment
from sitewright.links.tolerant_xml import decode_xml, parse_xml
from sitewright.parse import host_of
from sitewright.parse.compression import GZIP_MAGIC, unpack_gzip

FeedKind = Literal["rss", "atom", "json", "sitemap", "index", "text"]

MOST_BYTES = 52_428_800
"""The size the sitemap protocol allows, unpacked."""
_HEAD = 10_000
"""Characters in which the first element is looked for; some files begin with a long comment or a server's complaint."""
_ROOTS: dict[str, FeedKind] = {
    "rss": "rss",
    "rdf": "rss",
    "feed": "atom",
    "urlset": "sitemap",
    "sitemapindex": "index",
}
_ROOT = re.compile(
    r"<!--.*?-->|<\?.*?\?>|<!doctype\s+(?P<html>html\b)?[^>\[]*(?:\[.*?\]\s*)?>"
    r"|<(?:[\w.-]+:)?(?P<root>rss|rdf|feed|urlset|sitemapindex)(?=[\s/>])|<(?P<page>html|head|body|script)\b",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """A page that a feed or sitemap names."""

    url: str
    title: str = ""
    published: datetime | None = None
    modified: datetime | None = None


@dataclass(frozen=True, slots=True)
class SitemapLink:
    """A sitemap that an index names, and when it last changed."""

    url: str
    modified: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """What a feed or sitemap holds; no address twice. Times have a zone: UTC where the feed names none."""

    kind: FeedKind
    title: str = ""
    entries: tuple[FeedEntry, ...] = ()
    feeds: tuple[SitemapLink, ...] = ()
    """The sitemaps of an index."""
    next: str = ""
    """Where older entries are, in feeds that come in several pages."""


def is_feed(body: bytes | str) -> bool:
    """Tell whether a body begins like a feed or sitemap.

    >>> is_feed(b'<?xml version="1.0"?><rss version="2.0">'), is_feed("<!doctype html><title>News</title>")
    (True, False)
    """
    try:
        return _recognise(_text(body, MOST_BYTES)) is not None
    except (NotFeed, PageTooLarge):
        return False


def read_feed(body: bytes | str, url: str, *, most_bytes: int = MOST_BYTES) -> Feed:
    """Read a feed or sitemap that was found at `url`; `NotFeed` where it is none.

    >>> feed = read_feed("<rss><channel><title>Bees</title><item><link>/1</link></item></channel></rss>", "https://a.example/rss")
    >>> feed.kind, feed.title, feed.entries[0].url
    ('rss', 'Bees', 'https://a.example/1')
    """
    text = _text(body, most_bytes)
    found = _recognise(text)
    if found is None:
        raise NotFeed(f"neither a feed nor a sitemap: it begins with {text[:60].strip()!r}")
    kind, start = found
    return _READERS[kind](text[start:], url)


def _text(body: bytes | str, most_bytes: int) -> str:
    if isinstance(body, bytes) and body.startswith(GZIP_MAGIC):
        try:
            body = unpack_gzip(body, most_bytes)
        except ValueError as error:
            raise NotFeed(f"the file is compressed, but {error}") from error
    if len(body) > most_bytes:
        raise PageTooLarge(f"{len(body):,} bytes; at most {most_bytes:,} of a feed are read")
    return decode_xml(body) if isinstance(body, bytes) else body.removeprefix("\ufeff")


def _recognise(text: str) -> tuple[FeedKind, int] | None:
    """Return the kind of a feed and where it starts."""
    head = text[:_HEAD]
    begin = len(head) - len(head.lstrip())
    if head.startswith("{", begin):
        return ("json", begin) if "jsonfeed.org" in text else None
    if WEB_ADDRESS.match(head, begin):
        return ("text", begin) if _are_addresses(head[begin:].splitlines()[:10]) else None
    for found in _ROOT.finditer(head):
        if found["root"]:
            return _ROOTS[found["root"].lower()], found.start()
        if found["html"] or found["page"]:
            return None
    return None


def _are_addresses(lines: Sequence[str]) -> bool:
    return all(WEB_ADDRESS.fullmatch(line.strip()) for line in lines if line.strip())


def _distinct(entries: Iterable[FeedEntry]) -> tuple[FeedEntry, ...]:
    """Return the entries that have an address, each address once."""
    first: dict[str, FeedEntry] = {}
    for entry in entries:
        if entry.url:
            first.setdefault(entry.url, entry)
    return tuple(first.values())


def _root(text: str) -> tuple[Element, Names]:
    root = parse_xml(text)
    if root is None:
        raise NotFeed("neither a feed nor a sitemap: there is no element in it")
    return root, Names(root)


def _read_rss(text: str, url: str) -> Feed:
    root = Part(*_root(text), url)
    channels = list(root.parts("channel"))
    holders = [root, *channels]  # in RSS 0.9 and 1.0 items stand beside the channel
    for channel in channels:
        channel.base = _site_base(channel, url)
    if len(channels) == 1:
        root.base = channels[0].base
    return Feed(
        kind="rss",
        title=next((title for holder in channels if (title := holder.title("title"))), ""),
        entries=_distinct(_rss_entry(item) for holder in holders for item in holder.parts("item")),
        next=next(
            (link for holder in channels if (link := holder.first_address(holder.linked("atom:link", "next")))), ""
        ),
    )


def _site_base(channel: Part, url: str) -> str:
    """Return what links are relative to: the site, where a service publishes the feed for it."""
    if channel.base != url:
        return channel.base
    site = channel.first_address(channel.texts("link"))
    return site if site and host_of(site) != host_of(url) else url


def _rss_entry(item: Part) -> FeedEntry:
    return FeedEntry(
        url=item.first_address(_rss_addresses(item)),
        title=item.title("title", "dc:title", "atom:title"),
        published=item.moment(
            "pubdate", "dc:date", "atom:published", "published", "dcterms:issued", "dcterms:created", "date"
        ),
        modified=item.moment("atom:updated", "dcterms:modified", "updated", "lastmod"),
    )


def _rss_addresses(item: Part) -> Iterator[str]:
    yield from item.texts("feedburner:origlink", "link")
    yield from item.linked("link", "alternate")
    yield from item.linked("atom:link", "alternate")
    for guid in item.elements("guid"):
        permanent = {key.lower(): value for key, value in guid.items()}.get("ispermalink", "true")
        text = (guid.text or "").strip()
        if permanent.strip().lower() != "false" and WEB_ADDRESS.fullmatch(text):
            yield text
    yield from (value for key, value in item.element.items() if key.endswith("}about"))


def _read_atom(text: str, url: str) -> Feed:
    root = Part(*_root(text), url)
    return Feed(
        kind="atom",
        title=root.title("title"),
        entries=_distinct(map(_atom_entry, root.parts("entry"))),
        next=root.first_address(root.linked("link", "next")),
    )


def _atom_entry(entry: Part) -> FeedEntry:
    return FeedEntry(
        url=entry.first_address(_atom_addresses(entry)),
        title=entry.title("title"),
        published=entry.moment("published", "issued", "created", "dc:date"),
        modified=entry.moment("updated", "modified"),
    )


def _atom_addresses(entry: Part) -> Iterator[str]:
    yield from entry.texts("feedburner:origlink")
    yield from entry.linked("link", "alternate")
    yield from (content.get("src", "") for content in entry.elements("content"))
    yield from (text for text in entry.texts("id") if WEB_ADDRESS.fullmatch(text))


def _read_sitemap(text: str, url: str) -> Feed:
    return Feed(kind="sitemap", entries=_distinct(_sitemap_entry(texts, url) for texts in _texts_of(text, "url")))


def _sitemap_entry(texts: Mapping[str, str], url: str) -> FeedEntry:
    return FeedEntry(
        url=absolute(texts.get("loc", ""), url),
        title=plain_line(texts.get("news:title", "")),
        published=read_moment(texts.get("news:publication_date", "")),
        modified=read_moment(texts.get("lastmod", "")),
    )


def _read_index(text: str, url: str) -> Feed:
    links: dict[str, SitemapLink] = {}
    for texts in _texts_of(text, "sitemap"):
        if address := absolute(texts.get("loc", ""), url):
            links.setdefault(address, SitemapLink(address, read_moment(texts.get("lastmod", ""))))
    return Feed(kind="index", feeds=tuple(links.values()))


def _texts_of(text: str, name: str) -> Iterator[dict[str, str]]:
    """Yield the texts of each child of the root that has this name."""
    root, names = _root(text)
    return (flat_texts(child, names) for child in root if names[child.tag] == name)


def _read_lines(text: str, url: str) -> Feed:
    lines = (line.strip() for line in text.splitlines())
    return Feed(
        kind="text",
        entries=_distinct(FeedEntry(url=absolute(line, url)) for line in lines if WEB_ADDRESS.fullmatch(line)),
    )


def _read_json(text: str, url: str) -> Feed:
    content = _json_object(text)
    items = content.get("items")
    return Feed(
        kind="json",
        title=plain_line(_string(content, "title")),
        entries=_distinct(_json_entry(item, url) for item in items if isinstance(item, dict))
        if isinstance(items, list)
        else (),
        next=absolute(_string(content, "next_url"), url),
    )


def _json_object(text: str) -> dict[str, Any]:
    try:
        content = orjson.loads(text)
    except (orjson.JSONDecodeError, TypeError):
        try:
            content = json.loads(text, strict=False)  # line breaks inside of strings, half surrogates
        except (ValueError, RecursionError) as error:
            raise NotFeed(f"not a feed: it begins like JSON, but {error}") from error
    return content if isinstance(content, dict) else {}


def _json_entry(item: dict[str, Any], url: str) -> FeedEntry:
    identity = _string(item, "id")
    addresses = (
        _string(item, "url"),
        _string(item, "external_url"),
        identity if WEB_ADDRESS.fullmatch(identity) else "",
    )
    return FeedEntry(
        url=next((address for text in addresses if (address := absolute(text, url))), ""),
        title=plain_line(_string(item, "title")),
        published=read_moment(_string(item, "date_published")),
        modified=read_moment(_string(item, "date_modified")),
    )


def _string(table: dict[str, Any], key: str) -> str:
    value = table.get(key)
    return value if isinstance(value, str) else ""


_READERS: dict[FeedKind, Callable[[str, str], Feed]] = {
    "rss": _read_rss,
    "atom": _read_atom,
    "json": _read_json,
    "sitemap": _read_sitemap,
    "index": _read_index,
    "text": _read_lines,
}
