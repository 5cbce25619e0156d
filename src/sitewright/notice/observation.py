"""A page that was read in, what baselines count of it out: small enough to travel, made where the page was read."""

import marshal
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from math import log1p
from typing import NamedTuple
from urllib.parse import urlsplit
from zlib import crc32

from turbohtml import Element

from sitewright.domains import load_domain
from sitewright.notice.shapes import glance_of, shape_of, size_of
from sitewright.parse import Document
from sitewright.types import Failure, Record

EXAMPLE = 120
"""Characters of a value that are kept for people to look at."""
_DIGESTED = 200
_STABLE_NAME = re.compile(r"[A-Za-z][A-Za-z_-]{2,24}")
"""Class names without digits: those with some are often counted or generated."""
_DIGITS = re.compile("[0-9]+")
_SHORT_FOLDER = 3
_TAGGER = "tagger/"
_STATED_HEADING, _STATED_MOMENT = 'meta[property="og:title"]', 'meta[property="article:published_time"]'
"""Where metadata states what an item is called and when it came out, and is cheaply asked."""
_TYPE, _HEADLINE, _OWN_ADDRESS = 'meta[property="og:type"]', "h1", 'link[rel="canonical"][href]'
"""What pages of one build share is told by their type and the place of the headline."""
_UNASKED: Mapping[str, bool] = {}


class Seen(NamedTuple):
    """What is counted of a value."""

    length: float
    """On a logarithmic scale."""
    shape: str
    digest: int
    example: str
    agrees: bool | None = None
    """Whether the page's metadata says the same; None: it says nothing, or nobody asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What is counted of one page."""

    url: str
    at: float
    """When it was fetched, in seconds since 1970."""
    template: str = ""
    """The template whose rules read it; empty where none knows it."""
    handed: bool = False
    """Whether the whole page was handed to the tagger."""
    found: Mapping[str, Seen] = field(default_factory=dict)
    """The fields that the map's rules read."""
    rescued: Mapping[str, Seen] = field(default_factory=dict)
    """The fields that the map did not read and the tagger did."""
    section: str = ""
    """The folder of the site that it lies in."""
    fingerprint: int = 0
    """Of the page's structure; 0: unknown."""
    code: str = ""
    """Why there is no record; empty where there is one."""
    map_version: int | None = None
    address: str = ""
    """The address that the page gives as its own; empty: that where it was found."""
    heading: int = 0
    """A number that pages with the same title share, whoever read it; 0: it has none."""
    is_again: bool = False
    """Whether the page was read before: then it is no wonder that it says the same."""


def pack_observation(page: Observation) -> bytes:
    """Write an observation for another process of this program: five times as fast as to pickle it."""
    found, rescued = ([(name, *seen) for name, seen in own.items()] for own in (page.found, page.rescued))
    plain = (page.url, page.at, page.template, page.handed, page.section, page.fingerprint, page.code)
    return marshal.dumps((plain, found, rescued, page.map_version, page.address, page.heading))


def unpack_observation(packed: bytes) -> Observation:
    """Read what `pack_observation` wrote."""
    plain, found, rescued, map_version, address, heading = marshal.loads(packed)  # noqa: S302 -- from our own children
    url, at, template, handed, section, fingerprint, code = plain
    make_seen = Seen._make
    return Observation(
        url=url,
        at=at,
        template=template,
        handed=handed,
        found={row[0]: make_seen(row[1:]) for row in found},
        rescued={row[0]: make_seen(row[1:]) for row in rescued},
        section=section,
        fingerprint=fingerprint,
        code=code,
        map_version=map_version,
        address=address,
        heading=heading,
    )


def observe(
    record: Record,
    at: float,
    *,
    by_map: Record | None = None,
    fingerprint: int = 0,
    agreements: Mapping[str, bool] | None = None,
    address: str = "",
) -> Observation:
    """Observe a record; `by_map` is what the map alone read, before anything was handed to the tagger.

    Without it, a page that was handed over as a whole does not tell which of its fields the map would have read.
    """
    found: dict[str, Seen] = {}
    rescued: dict[str, Seen] = {}
    agrees = agreements or _UNASKED
    is_known = by_map is not None or record.via != "tagger"
    for name, value in (by_map.fields if by_map is not None else record.fields).items():
        if value.value or value.value == 0:
            own = is_known and not value.rule.startswith(_TAGGER)
            (found if own else rescued)[name] = _seen(value.value, agrees.get(name))
    if by_map is not None and record is not by_map:
        others = ((name, value.value) for name, value in record.fields.items() if name not in found)
        rescued = {name: _seen(value, None) for name, value in others if value or value == 0}
    return Observation(
        url=record.urls[0],
        at=at,
        template=by_map.template if by_map is not None else record.template,
        handed=record.via == "tagger",
        found=found,
        rescued=rescued,
        section=section_of(record.urls[0]),
        fingerprint=fingerprint,
        map_version=record.map_version,
        address=address,
        heading=_heading(record),
    )


def _heading(record: Record) -> int:
    heading = record.fields.get(load_domain(record.domain).heading)
    return crc32(glance_of(heading.value, _DIGESTED).encode("utf-8", "replace")) if heading is not None else 0


def observe_failure(failure: Failure, at: float, fingerprint: int = 0) -> Observation:
    """Observe a page that has no record."""
    section = section_of(failure.url)
    return Observation(url=failure.url, at=at, code=failure.code, section=section, fingerprint=fingerprint)


def fingerprint_of(document: Document) -> int:
    """Return a number that pages of one build share: their type and where the headline stands (some 10 µs).

    On 39 sites of the corpora 80 % of a site's pages have its most frequent place of the headline, 90 % its type.
    """
    stated = document.tree.select_one(_TYPE)
    heading = document.tree.select_one(_HEADLINE)
    parts = [(stated.attr("content") or "") if stated is not None else ""]
    if heading is not None:
        around = [heading, *heading.ancestors]
        parts += [one.tag for one in around if isinstance(one, Element)]
        parts += [name for one in around[:2] if isinstance(one, Element) for name in stable_names(one)]
    return crc32(" ".join(parts).encode("utf-8", "replace")) or 1


def agreements_of(document: Document, record: Record) -> dict[str, bool]:
    """Tell of some fields whether the page's metadata says the same, where it is cheaply asked (some 5 µs)."""
    domain = load_domain(record.domain)
    asked = ((domain.heading, _STATED_HEADING, _same_words), (domain.published, _STATED_MOMENT, _same_day))
    found: dict[str, bool] = {}
    for name, selector, agree in asked:
        value = record.fields.get(name)
        stated = document.tree.select_one(selector) if value is not None else None
        if value is not None and stated is not None and (said := stated.attr("content")):
            found[name] = agree(str(value.value), said)
    return found


def _same_words(value: str, stated: str) -> bool:
    """Tell whether a title is the stated one, which may name the site, too.

    >>> _same_words("Bees are  out", "Bees are out | The Daily Bee"), _same_words("Most read", "Bees are out")
    (True, False)
    """
    one, other = "".join(value.lower().split()), "".join(stated.lower().split())
    return bool(one) and (one in other or other in one)


def _same_day(value: str, stated: str) -> bool:
    """Tell whether two moments are of one day, give or take a time zone.

    >>> _same_day("2024-05-06T23:30:00-05:00", "2024-05-07T04:30:00Z"), _same_day("2024-05-06", "2024-06-06")
    (True, False)
    """
    if value[:10] == stated[:10]:
        return True
    try:
        days = date.fromisoformat(value[:10]) - date.fromisoformat(stated[:10])
    except ValueError:
        return True  # not told in a way that is cheaply read
    return abs(days.days) <= 1


def address_of(document: Document) -> str:
    """Return the address that a page gives as its own; empty where it gives none."""
    stated = document.tree.select_one(_OWN_ADDRESS)
    return (stated.attr("href") or "") if stated is not None else ""


def stable_names(element: Element) -> list[str]:
    """Return the class names of an element that look as if people had given them."""
    return sorted(filter(_STABLE_NAME.fullmatch, (element.attr("class") or "").split()))


def section_of(url: str) -> str:
    """Return the folder of the site that a page lies in; empty where it lies in none.

    >>> section_of("https://example.com/sport/bees-win-again"), section_of("https://example.com/bees-win-again")
    ('/sport', '')
    >>> section_of("https://example.com/en/video/123/bees"), section_of("https://example.com/2024/05/06/bees")
    ('/en/video', '/0')
    """
    try:
        folders = [name for name in urlsplit(url).path.split("/")[:-1] if name]
    except ValueError:
        return ""
    kept = folders[:2] if folders and len(folders[0]) < _SHORT_FOLDER else folders[:1]
    return "".join([f"/{_DIGITS.sub('0', name[:40])}" for name in kept])


def _seen(value: object, agrees: bool | None) -> Seen:
    text = value[:_DIGESTED] if isinstance(value, str) else glance_of(value, _DIGESTED)
    digest = crc32(text.encode("utf-8", "replace"))
    size = len(value) if isinstance(value, str) else size_of(value)
    return Seen(log1p(size), shape_of(value), digest, text[:EXAMPLE], agrees)
