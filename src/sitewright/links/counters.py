"""Two addresses in, the counter in which they differ out: it tells the next page of a list from any other page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, get_args
from urllib.parse import parse_qsl, unquote, urlsplit

from sitewright.links.addresses import without_archive
from sitewright.links.paging_words import PAGE_WORDS

_PAGE_NAME = re.compile(rf"{PAGE_WORDS}|[\w-]*pag(?:e|ina|ing)\w*", re.IGNORECASE)
_OFFSET_NAME = re.compile(r"\w*(?:start|offset|skip|first|begin)\w*|from|st|o|s", re.IGNORECASE)
_NO_COUNTER = re.compile(
    r"comment|repl[iy]|size|per_?-?page|rating|stars|sort|order|year|month|week|day|date|time|limit(?!start)|"
    r"lang|width|height|sess|token|cache|view|count|article|story|carousel|slider|tab",
    re.IGNORECASE,
)
"""Numbers of these names count something else than the pages of a list."""
_CURSOR_NAME = re.compile(r"after|before|cursor|max_?id|max_?time|until|since|\w*page_?token", re.IGNORECASE)
_COUNTER = re.compile(
    rf"(?P<before>.*?)(?P<mark>[-_.,;:=+~]?(?:(?<![^\W\d_])(?P<name>{PAGE_WORDS})[-_.,;:=+~]?)?)"
    r"(?P<value>\d{1,6})",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"(?P<before>.+[-_.])(?P<letter>[a-z])")
_ID = re.compile(r"\d{4}")
"""Parameters like this name one item; a list without it is another list."""
_NUMBER = re.compile(r"(\d+)")
_WORD = re.compile(r"[^\W\d_]+")
HEADLINE_WORDS = 4
"""Names of so many words are headlines (see SLUG_WORDS in addresses)."""
_INDEX = re.compile(r"(?:index|default|home)\.\w{2,5}", re.IGNORECASE)
_EXTENSION = re.compile(r"\.(?:s?html?|php|aspx?|jsp)$", re.IGNORECASE)
YEAR = re.compile(r"(?:19|20)\d\d")
_SESSION = re.compile(r";jsessionid=[^/;]*")
_TRACKING = ("utm_", "fbclid", "gclid", "srsltid", "phpsessid", "jsessionid", "oscsid", "zenid", "session_id")

MOST_DIGITS = 6
"""Longer numbers count neither pages nor items; the offset of the 10,000th page of a list of 99 has six digits."""
# Measured on the 76 labelled pages of folds 1 and 2 and on 1,149 pages of folds 1 to 4 that are no articles.
MOST_PAGES, MOST_UNNAMED = 10_000, 100
"""Larger numbers are those of stories (`?p=72620`); the longest list has 9,464 pages. The lower bound holds where
nothing says that a number counts pages."""
NAMING = 5
"""Parts of an address this long name one page: a link that repeats one speaks of that page."""

CounterKind = Literal["page", "offset", "number", "slug"]
"""What a counter is: named as one of pages, or of items; unnamed; unnamed at the end of a slug (`bees-2`)."""
_KINDS: tuple[CounterKind, ...] = get_args(CounterKind)


@dataclass(frozen=True, slots=True)
class PlainAddress:
    """Where a link leads, without what does not matter: scheme, `www.`, fragment, `index.html`, doubled slashes."""

    host: str
    path: tuple[str, ...]
    query: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Turn:
    """The counter in which one address differs from another; None where an address does not have it."""

    own: int | None
    other: int | None
    kind: CounterKind
    exact: bool
    """Nothing else differs."""

    @property
    def back(self) -> "Turn":
        """The same, seen from the other page."""
        return Turn(self.other, self.own, self.kind, self.exact)

    @property
    def leads_on(self) -> bool:
        """Whether the other address is one page after the own one."""
        if self.other is None or self.kind == "slug":
            return False
        if self.own is None:
            return self._leads_to_second(self.other)
        step = self.other - self.own
        if self.kind == "offset":
            return step > 0 and self.own % step in (0, 1)
        return step == 1 and self.own < (MOST_PAGES if self.kind == "page" else MOST_UNNAMED)

    def _leads_to_second(self, value: int) -> bool:
        """Tell whether a counter that the first page does not have is that of the second; some count from zero."""
        return value > 0 if self.kind == "offset" else value == 2 or (value == 1 and self.kind == "page")


class NamedCounter(NamedTuple):
    """A counter that is named as one, of pages or of items."""

    stem: tuple[str, ...]
    """The path before it."""
    value: int
    kind: CounterKind


@lru_cache(maxsize=8192)
def read_plain_address(url: str) -> PlainAddress | None:
    """Read an absolute address; pages of a site link the same ones.

    >>> read_plain_address("https://www.example.com/blog//index.php?page=2#top")
    PlainAddress(host='example.com', path=('blog',), query={'page': '2'})
    """
    try:
        parts = urlsplit(without_archive(url))
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host:
        return None
    path, query = _SESSION.sub("", parts.path.lower()), parts.query
    if "/" in query and "=" not in query:  # index.php?forums/bees/page-2
        path, query = f"{path}/{query.lower()}", ""
    names = [name for name in unquote(path).split("/") if name]
    if names and _INDEX.fullmatch(names[-1]):
        names.pop()
    stems = tuple(_EXTENSION.sub("", name) for name in names)
    pairs = parse_qsl(query.replace("&amp;", "&"))
    parameters = {name: value for name, value in pairs if not _says_nothing(name, value)}
    return PlainAddress(host.removeprefix("www."), stems, parameters)


def _says_nothing(name: str, value: str) -> bool:
    """Tell whether a parameter can be left out: it tracks readers, or is a counter that stands at zero."""
    return name.lower().startswith(_TRACKING) or (value == "0" and _kind_of(name) in ("page", "offset"))


def turn_between(own: PlainAddress, other: PlainAddress) -> Turn | None:
    """Return the counter in which two addresses differ; None where they differ in something else."""
    if own.host != other.host:
        return None
    if own.path == other.path:
        return _query_turn(own.query, other.query)
    if len(own.path) > len(other.path):
        turn = _path_turn(other.path, own.path, own.query == other.query)
        return turn.back if turn else None
    return _path_turn(own.path, other.path, own.query == other.query)


def _query_turn(own: Mapping[str, str], other: Mapping[str, str]) -> Turn | None:
    changed = [name for name in own.keys() | other.keys() if own.get(name) != other.get(name)]
    counters = [
        (_KINDS.index(kind), name, kind)
        for name in changed
        if _is_count(own.get(name, "0")) and _is_count(other.get(name, "0")) and (kind := _kind_of(name))
    ]
    if not counters:
        return None
    _, name, kind = min(counters)
    values = own.get(name), other.get(name)
    exact = all((own.get(also), other.get(also)) == values for also in changed)
    if not exact and (_drops_item(own, other) or (kind == "number" and (own.items() - other.items() or name in own))):
        return None
    return Turn(_value(values[0]), _value(values[1]), kind, exact)


def _drops_item(own: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Tell whether what names one item in an address is missing in the other."""
    return any(_ID.search(value) and other.get(name) != value for name, value in own.items())


def _is_count(value: str) -> bool:
    return value.isdecimal() and len(value) <= MOST_DIGITS


def _value(text: str | None) -> int | None:
    return None if text is None else int(text)


@lru_cache(maxsize=1024)
def _kind_of(name: str) -> CounterKind | None:
    """Return what a number of this name counts; None: not pages.

    >>> [_kind_of(name) for name in ("page", "PAGEN_1", "start", "Offset", "x", "per_page", "comment-page")]
    ['page', 'page', 'offset', 'offset', 'number', None, None]
    """
    name = name.rstrip("0123456789_-") or name
    if _NO_COUNTER.search(name) or _CURSOR_NAME.fullmatch(name):
        return None
    return "page" if _PAGE_NAME.fullmatch(name) else "offset" if _OFFSET_NAME.fullmatch(name) else "number"


def _path_turn(own: tuple[str, ...], other: tuple[str, ...], exact: bool) -> Turn | None:
    """Compare two paths, of which the second is not the shorter one."""
    if len(own) < len(other):
        turn = _added_turn(other[len(own) :], exact) if other[: len(own)] == own else None
        return turn if turn and (turn.kind == "page" or not _is_date(own)) else None
    places = [place for place, part in enumerate(own) if part != other[place]]
    if len(places) != 1:
        return None
    place = places[0]
    turn = _part_turn(own[place], other[place], own[:place], exact)
    return turn if turn and (turn.kind == "page" or place == len(own) - 1) else None


def _added_turn(added: Sequence[str], exact: bool) -> Turn | None:
    """Read what a longer path has more: `2`, `page2` or `page/2`."""
    found = _COUNTER.fullmatch(added[-1])
    if len(added) > 2 or not found or found["before"] or (len(added) == 2 and found["mark"]):
        return None
    name = added[0] if len(added) == 2 else found["name"]
    kind = _kind_of(name) if name else "number"
    if kind is None or (len(added) == 2 and kind != "page"):
        return None
    return Turn(None, int(found["value"]), kind, exact)


def _is_date(path: Sequence[str]) -> bool:
    """Tell whether a path ends in a year, or a year and a month."""
    return bool(path) and path[-1].isdecimal() and any(map(YEAR.fullmatch, path[-2:]))


def _part_turn(own: str, other: str, path: Sequence[str], exact: bool) -> Turn | None:
    """Compare two parts that come after the same path."""
    one, two = _COUNTER.fullmatch(own), _COUNTER.fullmatch(other)
    if one and two and one.group("before", "mark") == two.group("before", "mark"):
        kind = _kind_of_part(two, path)
        return Turn(int(one["value"]), int(two["value"]), kind, exact) if kind else None
    if two and two["before"] == own:
        kind = _kind_of_part(two, path)
        return Turn(None, int(two["value"]), kind, exact) if kind else None
    if one and one["before"] == other:
        kind = _kind_of_part(one, path)
        return Turn(int(one["value"]), None, kind, exact) if kind else None
    return _inner_turn(own, other, exact)


def _inner_turn(own: str, other: str, exact: bool) -> Turn | None:
    """Compare two names that may differ in one number anywhere (`thread-123-1-1` and `thread-123-2-1`)."""
    ours, theirs = _NUMBER.split(own), _NUMBER.split(other)
    changed = [pair for pair in zip(ours, theirs, strict=False) if pair[0] != pair[1]]
    if len(ours) != len(theirs) or len(changed) != 1 or not all(map(_is_count, changed[0])):
        return None
    return Turn(int(changed[0][0]), int(changed[0][1]), "slug", exact)


def _kind_of_part(found: re.Match[str], path: Sequence[str]) -> CounterKind | None:
    if found["name"]:
        return _kind_of(found["name"])
    if found["before"]:
        return None if _counts_else(found["before"]) else "slug" if found["mark"] == "-" else "number"
    if not path or _is_date(path):
        return None if path else "number"
    return "number" if _is_slug(path[-1]) else _kind_of(path[-1])


def _counts_else(name: str) -> bool:
    """Tell whether numbers of this name count something else than pages; a headline's words name no number."""
    return not _is_slug(name) and _NO_COUNTER.search(name) is not None


def _is_slug(name: str) -> bool:
    return len(_WORD.findall(name)) >= HEADLINE_WORDS


def letter_turn(own: PlainAddress, other: PlainAddress) -> Turn | None:
    """Return the letter in which two addresses differ at their ends, as a counter: `storm-a.html`, `storm-b.html`.

    >>> urls = "https://example.com/storm-a.html", "https://example.com/storm-c.html"
    >>> letter_turn(*(read_plain_address(url) for url in urls))
    Turn(own=1, other=3, kind='slug', exact=True)
    """
    if not own.path or not other.path:
        return None
    if (own.host, own.path[:-1], own.query) != (other.host, other.path[:-1], other.query):
        return None
    one, two = _LETTERED.fullmatch(own.path[-1]), _LETTERED.fullmatch(other.path[-1])
    if not one or not two or one["before"] != two["before"]:
        return None
    numbers = [ord(found["letter"]) - ord("a") + 1 for found in (one, two)]
    return Turn(numbers[0], numbers[1], "slug", True)


def distant_turn(own: PlainAddress, other: PlainAddress) -> Turn | None:
    """Return the counter of an address that is not the page's own with a counter, but goes on from it or names it."""
    counter = named_counter(other)
    if own.host != other.host or counter is None or _drops_item(own.query, other.query):
        return None
    stem, value, kind = counter
    if (ours := named_counter(own)) and ours.stem == stem:
        return Turn(ours.value, value, kind, False)
    goes_on = own.path in (stem[: len(own.path)], stem[-len(own.path) :])
    name = own.path[-1] if own.path else ""
    names_it = len(name) >= NAMING and not name.isdecimal() and (name in stem or name in other.query.values())
    return Turn(None, value, kind, False) if goes_on or names_it else None


def named_counter(address: PlainAddress) -> NamedCounter | None:
    """Return the counter of an address that is named as one; None where it has none."""
    for name, text in address.query.items():
        if _is_count(text) and int(text) < MOST_PAGES and (kind := _kind_of(name)) in ("page", "offset"):
            return NamedCounter(address.path, int(text), kind)
    for parts in (1, 2):
        turn = _added_turn(address.path[-parts:], True) if len(address.path) >= parts else None
        if turn and turn.other is not None and turn.kind == "page":
            return NamedCounter(address.path[:-parts], turn.other, turn.kind)
    return None


def is_from_item_on(own: PlainAddress, other: PlainAddress) -> bool:
    """Tell whether an address is that of the same list from some item on."""
    if own.host != other.host or own.query == other.query:
        return False
    return "updated-max" in other.query or (own.path == other.path and has_cursor(other))


def has_cursor(address: PlainAddress) -> bool:
    """Tell whether an address names the item that a list goes on from."""
    return any(map(_CURSOR_NAME.fullmatch, address.query))
