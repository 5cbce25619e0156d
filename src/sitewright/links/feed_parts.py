"""An element of a feed in, what it says out: titles as plain text, times with a zone, absolute addresses."""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from xml.etree.ElementTree import Element

from sitewright.links.tolerant_xml import XML_NAMESPACE, decode_entities
from sitewright.parse import absolute_url, clean_line

_XML_BASE = f"{{{XML_NAMESPACE}}}base"
WEB_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_PLAIN_ADDRESS = re.compile(r"https?://[\w.:\[\]-]+(?:[/?][!-~]*)?", re.ASCII)
_TAGS = re.compile(
    r"</?(?:a|abbr|b|big|br|cite|code|del|div|em|font|h[1-6]|i|img|ins|mark|p|q|s|small|span|strike|strong|sub|sup|tt|u|wbr)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_SPACED_ZONE = re.compile(r"(?<=\d)\s+(?=[+-]\d\d:?\d\d$|Z$)")
_FIRST_YEAR, _LAST_YEAR = 1990, 2100
"""What claims to be from outside of these years is an empty field written as a date (0001-01-01, 1970-01-01)."""


class Names(dict[str, str]):
    """Short names of elements: those of the file's own vocabulary bare (`loc`), others with a prefix (`news:title`)."""

    def __init__(self, root: Element) -> None:
        """Learn the file's own vocabulary from its root."""
        super().__init__()
        self._own = _namespace(root.tag)

    def __missing__(self, tag: str) -> str:
        """Return the short name of a tag that was not met before."""
        namespace, name = _namespace(tag), tag.rpartition("}")[2].lower()
        prefix = "" if namespace in {"", self._own} else _prefix(namespace.lower())
        self[tag] = short = f"{prefix}:{name}" if prefix else name
        return short


def _namespace(tag: str) -> str:
    return tag[1:].partition("}")[0] if tag.startswith("{") else ""


def _prefix(namespace: str) -> str:
    return next((prefix for part, prefix in _VOCABULARIES if part in namespace), "other")


_VOCABULARIES = (
    ("/modules/", "other"),
    ("purl.org/rss/", ""),
    ("my.netscape.com/rdf", ""),
    ("userland.com/rss", ""),
    ("harvard.edu/tech/rss", ""),
    ("news", "news"),
    ("purl.org/dc/terms", "dcterms"),
    ("purl.org/dc/elements", "dc"),
    ("w3.org/2005/atom", "atom"),
    ("purl.org/atom", "atom"),
    ("feedburner", "feedburner"),
)
"""What is in the name of a vocabulary, and how we call it; all are spelled in many ways, so a part must do."""


class Part:
    """An element, its children by short name, and the address that its links are relative to."""

    __slots__ = ("_children", "_names", "base", "element")

    def __init__(self, element: Element, names: Names, base: str) -> None:
        """Sort the children of an element that stands where links are relative to `base`."""
        self.element = element
        self._names = names
        self.base = _base(element, base)
        self._children: dict[str, list[Element]] = {}
        for child in element:
            self._children.setdefault(names[child.tag], []).append(child)

    def parts(self, name: str) -> Iterator["Part"]:
        """Yield the children of a name."""
        for child in self._children.get(name, ()):
            yield Part(child, self._names, self.base)

    def elements(self, *names: str) -> Iterator[Element]:
        """Yield the children of these names, in the order of the names."""
        for name in names:
            yield from self._children.get(name, ())

    def texts(self, *names: str) -> Iterator[str]:
        """Yield the text of such children, where they have any."""
        for element in self.elements(*names):
            if text := "".join(element.itertext()).strip():
                yield text

    def moment(self, *names: str) -> datetime | None:
        """Return the first of such children that is a time."""
        return next((moment for text in self.texts(*names) if (moment := read_moment(text))), None)

    def title(self, *names: str) -> str:
        """Return the first of such children as a line of plain text."""
        return next((line for text in self.texts(*names) if (line := plain_line(text))), "")

    def linked(self, name: str, relation: str) -> Iterator[str]:
        """Yield the absolute addresses of Atom's links of a relation, those to web pages first."""
        links = [link for link in self.elements(name) if _relation(link) == relation]
        for link in sorted(links, key=lambda link: "html" not in link.get("type", "html")):
            yield absolute(link.get("href", ""), _base(link, self.base))

    def first_address(self, candidates: Iterable[str]) -> str:
        """Return the first candidate that is an address, made absolute."""
        return next((url for text in candidates if (url := absolute(text, self.base))), "")


def flat_texts(element: Element, names: Names) -> dict[str, str]:
    """Return the texts of an entry of a sitemap by short name; a fifth of the time of a Part, and there are 50,000."""
    found: dict[str, str] = {}
    for child in element:
        name = names[child.tag]
        if name == "news:news":
            found.update(flat_texts(child, names))
        elif name not in found and (text := (child.text or "").strip()):
            found[name] = text
    return found


def _base(element: Element, outer: str) -> str:
    stated = element.get(_XML_BASE)
    return (absolute_url(stated, outer) or outer) if stated else outer


def _relation(link: Element) -> str:
    return link.get("rel", "alternate").strip().lower().rpartition("/")[2]


def absolute(text: str, base: str) -> str:
    """Return the absolute address that a feed writes; empty where it is none.

    >>> absolute(" /bees?a=1&amp;b=2 ", "https://example.com/feed"), absolute("tag:example.com,2024:1", "https://example.com/")
    ('https://example.com/bees?a=1&b=2', '')
    """
    text = text.strip().replace("&amp;", "&")
    if _PLAIN_ADDRESS.fullmatch(text):  # nearly all, and ten times as fast
        return text
    return absolute_url(text, base) if text else ""


def plain_line(text: str) -> str:
    """Return text without the markup and the entities that some feeds put into titles.

    >>> plain_line("<b>AT&amp;T</b>\\n buys 5 < 6")
    'AT&T buys 5 < 6'
    """
    return clean_line(decode_entities(_TAGS.sub("", text) if "<" in text else text))


def read_moment(text: str) -> datetime | None:
    """Read a time as feeds write it: ISO 8601 or RFC 822; UTC where it names no zone.

    >>> read_moment("2024-05-06").isoformat(), read_moment("Mon, 06 May 2024 08:30:00 EST").isoformat()
    ('2024-05-06T00:00:00+00:00', '2024-05-06T08:30:00-05:00')
    >>> read_moment("yesterday"), read_moment("0001-01-01T00:00:00Z")
    (None, None)
    """
    for read in _TIME_READERS if text else ():
        try:
            moment = read(text)
        except (ValueError, TypeError, OverflowError):
            continue
        if not _FIRST_YEAR <= moment.year < _LAST_YEAR:
            return None
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    return None


_TIME_READERS: tuple[Callable[[str], datetime], ...] = (
    datetime.fromisoformat,
    lambda text: datetime.fromisoformat(_SPACED_ZONE.sub("", text.strip())),
    parsedate_to_datetime,
    lambda text: datetime.strptime(text.strip(), "%Y-%m").replace(tzinfo=UTC),
)
