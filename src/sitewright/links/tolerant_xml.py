"""The bytes of an XML file in, its tree out, also where it is not quite XML.

Well-formed files are read by expat, and so are those where only characters are wrong, once these are mended. Others are
taken apart tag by tag, as they come. None of it sees a document type declaration, so there are no entities to expand
and nothing outside of the file to load.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from html import escape, unescape
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from turbohtml.detect import detect

from sitewright.errors import PageTooLarge

XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"
MOST_TAGS = 3_000_000
"""A sitemap of 50,000 news articles, the most there may be, has 1.2 million; this many take some 300 MB."""

_BYTE_ORDER_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16le"), (b"\xfe\xff", "utf-16be"))
_WIDE_STARTS = ((b"<\0", "utf-16le"), (b"\0<", "utf-16be"))
_DECLARED = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{1,40})[\"']", re.IGNORECASE)
_WIDE = re.compile(r"utf-?16|ucs|unicode", re.IGNORECASE)
_NARROW = re.compile(r"iso-?8859|iso88|latin|l\d|windows-|cp\d|x-cp|us-ascii|ascii|koi8?", re.IGNORECASE)
"""Labels under which any bytes can be read, right or wrong."""

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)(?:#?\w{1,31};)?")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_FIRST_TAG = re.compile("<[A-Za-z_]")
_QUOTED = r"\"[^\"<]*+\"|'[^'<]*+'"
_TAG = re.compile(rf"<(/?)([A-Za-z_][\w.:-]*+)((?>[^<>\"']*+(?:(?:{_QUOTED})[^<>\"']*+)*+(?=>)|[^<>]*+))>")
"""A tag; if need be, one with a quote too many."""
_LONGEST_TAG = 10_000
"""So far the end of a tag is looked for: a file full of beginnings must not take the square of its length."""
_ATTRIBUTE = re.compile(r"(?<![\w.:-])([A-Za-z_][\w.:-]*+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_SIBLINGS = frozenset("item entry url sitemap".split())
"""Elements that never stand inside one of their own kind: the next one ends the last."""
_MOST_PREFIXES = 200
"""Beyond these, declarations are ignored: each copies all that are known, and a hostile file has thousands."""
_USUAL_PREFIXES = {
    "atom": "http://www.w3.org/2005/Atom",
    "atom10": "http://www.w3.org/2005/Atom",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "feedburner": "http://rssnamespace.org/feedburner/ext/1.0",
    "news": "http://www.google.com/schemas/sitemap-news/0.9",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "xml": XML_NAMESPACE,
}
"""What these prefixes mean where a file forgets to say so."""


def decode_xml(body: bytes) -> str:
    """Decode a file: by its byte order mark, then as UTF-8 if it is that, then as it says, then by its look.

    >>> decode_xml('<?xml version="1.0" encoding="koi8-r"?><title>Пчёлы</title>'.encode("koi8-r"))[-20:]
    '<title>Пчёлы</title>'
    """
    for start, label in (*_BYTE_ORDER_MARKS, *_WIDE_STARTS):
        if body.startswith(start):
            return _decode(body, label).removeprefix("\ufeff")
    readings = [_decode(body, label) for label in _labels(body)]
    for is_right in (_all_right, _mostly_right):
        for reading in readings:
            if is_right(reading):
                return reading
    return _decode(body, detect(body).encoding or "windows-1252")


def _decode(body: bytes, label: str) -> str:
    """Decode as browsers do, by any name that encodings have on the web; empty where there is none of this name."""
    try:
        return body.decode(f"whatwg-{label}")
    except LookupError:
        return ""


def _labels(body: bytes) -> tuple[str, ...]:
    """Return the encodings to try, those first under which wrong bytes would show."""
    declared = _DECLARED.match(body[:400])
    label = declared[1].decode("ascii") if declared else ""
    if not label or _WIDE.match(label):  # a name that is two bytes a letter cannot be read byte by byte
        return ("utf-8",)
    return ("utf-8", label) if _NARROW.match(label) else (label, "utf-8")


def _all_right(text: str) -> bool:
    return bool(text) and "\ufffd" not in text


def _mostly_right(text: str) -> bool:
    """Tell a few broken characters from another encoding."""
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return text.count("\ufffd") * 10 < beyond_ascii


def parse_xml(text: str) -> Element | None:
    """Parse XML from its first tag on; None where there is no tag at all.

    >>> parse_xml("<rss><title>Bees & friends&nbsp;</rss>").find("title").text
    'Bees & friends\\xa0'
    """
    if text.count("<") > MOST_TAGS:
        raise PageTooLarge(f"more than {MOST_TAGS:,} tags")
    first = _FIRST_TAG.search(text)
    if first is None:
        return None
    content = text[first.start() :]
    for mend in (str, _mended):
        try:
            return _parse_well_formed(mend(content))
        except (ParseError, UnicodeEncodeError):
            continue
    return _TagByTag().read(content)


def _parse_well_formed(text: str) -> Element:
    parser = XMLParser()  # noqa: S314 - the text begins with a tag, behind which no entity can be declared
    parser.feed(text)
    root: Element = parser.close()
    return root


def decode_entities(text: str) -> str:
    """Decode character references, but only whole ones: `?a=1&copy=2` is an address.

    >>> decode_entities("&eacute;t&#233; &amp; ?a=1&copy=2 &nosuch;")
    'été & ?a=1&copy=2 &nosuch;'
    """
    return _ENTITY.sub(lambda found: unescape(found[0]), text) if "&" in text else text


def _mended(text: str) -> str:
    """Return the text with the characters that XML knows, and no others.

    >>> _mended("Bees & fleas&nbsp;&lt; <![CDATA[a & b]]> c\\x00&bull")
    'Bees &amp; fleas\\xa0&lt; <![CDATA[a & b]]> c&amp;bull'
    """
    outside, *sections = text.split("<![CDATA[")
    mended = [_with_entities(outside)]
    for section in sections:
        inside, end, outside = section.partition("]]>")
        mended += ("<![CDATA[", inside, end, _with_entities(outside))
    return _ILLEGAL.sub("", "".join(mended))


def _with_entities(text: str) -> str:
    return _AMPERSAND.sub(lambda found: escape(decode_entities(found[0]), quote=False), text) if "&" in text else text


class _Scope(dict[str, str]):
    """The full names of elements, by the names as written, where certain prefixes are known."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        super().__init__()
        self.prefixes = prefixes

    def __missing__(self, name: str) -> str:
        self[name] = full = self.full_name(name, self.prefixes.get("", ""))
        return full

    def full_name(self, name: str, default: str = "") -> str:
        """Return a name with its namespace, in the way of ElementTree."""
        prefix, colon, local = name.partition(":")
        namespace = self.prefixes.get(prefix, prefix) if colon else default
        return f"{{{namespace}}}{local if colon else name}" if namespace else name


class _TagByTag:
    """Builds a tree from whatever tags there are; a file that ends too early loses what was not finished."""

    def __init__(self) -> None:
        self._builder = TreeBuilder()
        self._open: list[tuple[str, _Scope]] = []
        """The names of the open elements, as written, and the prefixes known inside of them."""
        self._counts: Counter[str] = Counter()
        """How many elements of each name are open."""
        self._begun = False

    def read(self, text: str) -> Element | None:
        """Return the root."""
        for start, end, tag in _tags(text):
            if self._open and start < end:
                self._data(text[start:end])
            if tag is not None:
                self._tag(*tag)
            if self._begun and not self._open:
                break
        while self._open:
            self._close()
        root: Element | None = self._builder.close() if self._begun else None
        return root

    def _data(self, text: str) -> None:
        is_section = text.startswith("<![CDATA[")
        self._builder.data(text[9:-3] if is_section else decode_entities(text))

    def _tag(self, slash: str, name: str, rest: str) -> None:
        if slash:
            self._end(name)
            return
        if name in _SIBLINGS:
            self._end(name)
        self._start(name, rest)
        if rest.endswith("/"):
            self._close()

    def _start(self, name: str, rest: str) -> None:
        scope = self._open[-1][1] if self._open else _Scope(_USUAL_PREFIXES)
        attributes: dict[str, str] = {}
        if "=" in rest:
            written = {key: decode_entities(a or b or c) for key, a, b, c in _ATTRIBUTE.findall(rest)}
            declared = {key[6:]: value for key, value in written.items() if key[:5] == "xmlns"}
            if declared and len(scope.prefixes) < _MOST_PREFIXES:
                scope = _Scope({**scope.prefixes, **declared})
            attributes = {scope.full_name(key): value for key, value in written.items() if key[:5] != "xmlns"}
        self._builder.start(scope[name], attributes)
        self._begun = True
        self._open.append((name, scope))
        self._counts[name] += 1

    def _end(self, name: str) -> None:
        """Close an element and those left open inside of it; a tag that closes nothing is ignored."""
        if self._counts[name]:
            while self._close() != name:
                pass

    def _close(self) -> str:
        name, scope = self._open.pop()
        self._counts[name] -= 1
        self._builder.end(scope[name])
        return name


def _tags(text: str) -> Iterator[tuple[int, int, tuple[str, str, str] | None]]:
    """Yield stretches of text, each with the tag behind it: slash, name, rest. Takes time in proportion to the text."""
    done = position = 0
    while (position := text.find("<", position)) >= 0:
        if tag := _TAG.match(text, position, position + _LONGEST_TAG):
            yield done, position, (tag[1], tag[2], tag[3])
            position = done = tag.end()
        elif text.startswith(("!", "?"), position + 1):
            yield done, position, None
            end = _end_of_declaration(text, position)
            if end < 0:
                return
            if text.startswith("<![CDATA[", position):
                yield position, end, None
            position = done = end
        else:
            position += 1  # a bare "<"


def _end_of_declaration(text: str, start: int) -> int:
    """Return where a comment, CDATA section, instruction or declaration ends; -1 where it does not."""
    for opening, closing in (("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")):
        if text.startswith(opening, start):
            end = text.find(closing, start)
            return end + len(closing) if end >= 0 else -1
    return -1
