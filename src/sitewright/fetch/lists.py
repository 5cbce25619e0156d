"""The text of a list of addresses (one a line, or OPML as feed readers have it) in, the addresses out; OPML back."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from sitewright.errors import BadList, BadUrl
from sitewright.fetch.target import read_target
from sitewright.parse.sites import front_page

Kind = Literal["feed", "site"]

_COMMENT = re.compile(r"(?:^|\s)#.*")
"""Behind a space only: a `#` inside an address is part of it."""
_BARE_HOST = re.compile(r"[^/?#]+[.:][^/?#]+")
_MARKUP = re.compile(r"\s*<(?:\?xml|!--|!DOCTYPE|opml)", re.IGNORECASE)
_LOOSE_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)")
"""Feed readers are known to write addresses as they are, `?a=1&b=2`."""
_SHOWN = 100
"""Characters of a bad line that are shown."""


@dataclass(frozen=True, slots=True)
class ListedAddress:
    """An address of a list, what it is called there, and whether it is a feed."""

    address: str
    title: str = ""
    kind: Kind = "site"
    front: str = ""
    """Of a feed: the front page of its site, where the list names it."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What stands in a list, not checked yet."""

    line: int
    address: str
    title: str = ""
    kind: Kind = "site"
    front: str = ""


@dataclass(frozen=True, slots=True)
class Survey:
    """What a list has: its addresses, each once, and what is none, with its line."""

    addresses: list[ListedAddress]
    bad: list[str]


def survey_addresses(text: str, name: str) -> Survey:
    """Read a list of addresses as far as it can be read; `BadList` where it is not even a list."""
    text = text.removeprefix("\ufeff")
    found: dict[str, ListedAddress] = {}
    bad = []
    for entry in _outlines(text, name) if _MARKUP.match(text) else _lines(text):
        try:
            listed = _listed(entry)
            found.setdefault(listed.address, listed)
        except BadUrl as error:
            bad.append(f"{name}:{entry.line}: {error}")
    return Survey([*found.values()], bad)


def read_addresses(text: str, name: str) -> list[ListedAddress]:
    """Read a list of addresses, each once; `name` is what the list is called in errors.

    A list is OPML, or has one address a line; `#` begins a comment, and a bare host becomes https. `BadList` names
    every line that is no address.

    >>> [listed.address for listed in read_addresses("example.com\\nhttp://example.org/news  # old", "sites.txt")]
    ['https://example.com/', 'http://example.org/news']
    """
    survey = survey_addresses(text, name)
    if survey.bad:
        raise BadList("\n".join(survey.bad))
    return survey.addresses


def _lines(text: str) -> Iterator[_Entry]:
    for number, line in enumerate(text.splitlines(), 1):
        address = _COMMENT.sub("", line).strip()
        if address:
            yield _Entry(number, address)


def _listed(entry: _Entry) -> ListedAddress:
    front = ""
    if entry.front:
        try:
            front = _address(entry.front)
        except BadUrl:  # the feed counts; readers write all sorts of things beside it
            front = ""
    return ListedAddress(_address(entry.address), entry.title, entry.kind, front)


def _address(text: str) -> str:
    """Return an address in its one spelling; a word that is neither an address nor a host is refused."""
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    if "://" not in text and not _BARE_HOST.match(text):
        raise BadUrl(f"{shown!r} is not an address; write it like https://example.com/")
    return read_target(front_page(text)).url


def _outlines(text: str, name: str) -> list[_Entry]:
    """Return the outlines of an OPML file that have an address, however deep they are nested."""
    entries: list[_Entry] = []
    parser = expat.ParserCreate("utf-8")

    def begin(tag: str, attributes: dict[str, str]) -> None:
        if tag.lower() == "outline":
            entry = _outline(parser.CurrentLineNumber, {key.lower(): value for key, value in attributes.items()})
            if entry is not None:
                entries.append(entry)

    def refuse(*_: object) -> None:
        raise BadList(f"{name}:{parser.CurrentLineNumber}: declares entities, which a list of feeds has no need of")

    parser.StartElementHandler = begin
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(_LOOSE_AMPERSAND.sub("&amp;", text).encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise BadList(f"{name}:{error.lineno}: is not OPML: {expat.ErrorString(error.code)}") from error
    return entries


def _outline(line: int, attributes: dict[str, str]) -> _Entry | None:
    """Return what an outline lists; None of one that is only a folder."""
    title = " ".join((attributes.get("title") or attributes.get("text") or "").split())
    feed, front = attributes.get("xmlurl", "").strip(), attributes.get("htmlurl", "").strip()
    if feed:
        return _Entry(line, feed, title, "feed", front)
    address = front or attributes.get("url", "").strip()
    return _Entry(line, address, title) if address else None


def write_opml(addresses: Iterable[ListedAddress], title: str) -> str:
    """Write addresses as OPML 2.0, which `read_addresses` reads back as they are.

    >>> print(write_opml([ListedAddress("https://example.com/feed?a=1&b=2", "Bees", "feed")], "mine"), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <opml version="2.0">
      <head><title>mine</title></head>
      <body>
        <outline text="Bees" title="Bees" type="rss" xmlUrl="https://example.com/feed?a=1&amp;b=2"/>
      </body>
    </opml>
    """
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<opml version="2.0">',
            f"  <head><title>{escape(title)}</title></head>",
            "  <body>",
            *(f"    <outline {_attributes(listed)}/>" for listed in addresses),
            "  </body>",
            "</opml>\n",
        ]
    )


def _attributes(listed: ListedAddress) -> str:
    title = listed.title or listed.address
    shown = {"text": title, "title": title}
    if listed.kind == "feed":
        shown |= {"type": "rss", "xmlUrl": listed.address} | ({"htmlUrl": listed.front} if listed.front else {})
    else:
        shown |= {"type": "link", "url": listed.address, "htmlUrl": listed.address}
    return " ".join(f"{name}={quoteattr(value)}" for name, value in shown.items())
