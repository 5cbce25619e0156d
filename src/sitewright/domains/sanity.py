"""The fields of a page in, the same without what cannot be: a subtitle that is the title, a section called Home.

What is looked for stands in the domain's file, field by field (`unlike`, `not_before`, `not_site`, `never`); maps and
taggers are checked alike.
"""

import re
import unicodedata
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import lru_cache

from sitewright.domains import kinds
from sitewright.domains.domain import Domain, FieldSpec
from sitewright.parse import host_of
from sitewright.types import Value
from sitewright.values.authors import AGENCIES

_LONGEST_LINE = 250
"""A longer line is a paragraph."""
_SHORTEST_NAME = 5
"""A shorter name may stand in a host by chance."""


def sane_fields(fields: Mapping[str, Value], domain: Domain, url: str, judged: Container[str] = ()) -> dict[str, Value]:
    """Return the fields that can be what they are said to be; of judged ones it is known whether they name the site.

    People have sites that are called like them: of twelve hand-labelled pages of the training folds whose authors the
    tagger's judge takes although they are called like the host, they are right on eleven.
    """
    kept, host = dict(fields), host_of(url)
    for name in domain.checked_fields:
        if name in kept:
            value = _checked(kept[name], domain.fields[name], kept, "" if name in judged else host)
            if value is None:
                del kept[name]
            else:
                kept[name] = value
    return kept


def _checked(given: Value, spec: FieldSpec, fields: Mapping[str, Value], host: str) -> Value | None:
    value = given.value
    is_early = spec.not_before in fields and _is_before(value, fields[spec.not_before].value)
    is_free = spec.kind == kinds.PRICE and isinstance(value, Mapping) and value.get("amount") == 0
    if is_early or is_free:
        return None
    others = {_folded(entry) for name in spec.unlike if name in fields for entry in _entries(fields[name].value)}
    if spec.kind == kinds.TEXT:
        text = _without_head(str(value), others) if others else str(value)
        text = _without_lines(text, spec.never) if spec.never else text
        return replace(given, value=text) if text != value else given
    if spec.match.phrases and (meaning := meaning_of(str(value), spec)) is not None:
        return replace(given, value=meaning)
    if spec.match.phrases:
        return None
    kept = [entry for entry in _entries(value) if _may_be(entry, spec, others, host)]
    if spec.kind == kinds.NAMES:  # an agency counts only where it stands alone
        kept = [entry for entry in kept if str(entry).casefold() not in AGENCIES] or kept
    if isinstance(value, list):
        return given if len(kept) == len(value) else replace(given, value=kept) if kept else None
    return given if kept else None


def _may_be(entry: object, spec: FieldSpec, others: set[str], host: str) -> bool:
    if not isinstance(entry, str):
        return True
    return _folded(entry) not in others and _can_be(entry, spec.never, host if spec.not_site else "")


@lru_cache(maxsize=16384)
def _can_be(entry: str, never: tuple[str, ...], host: str) -> bool:
    """Tell whether an entry is neither banned nor what the owner of a host is called; the same come again and again."""
    if never and _never(never).fullmatch(entry.strip()) is not None:
        return False
    return not (host and names_host(entry, host))


def meaning_of(text: str, spec: FieldSpec) -> str | None:
    """Return what a displayed phrase means, by the longest phrase of the field that is in it; stated ones by their end.

    >>> from sitewright.domains import load_domain
    >>> spec = load_domain("shop").fields["availability"]
    >>> meaning_of("Only 3: not in stock!", spec), meaning_of("http://schema.org/InStock", spec), meaning_of("?", spec)
    ('OutOfStock', 'InStock', None)
    >>> meaning_of("out_of_stock", spec)
    'OutOfStock'
    """
    last = text.rstrip("/").rpartition("/")[2].casefold()
    folded = f" {_folded(text.replace('_', ' '))} "
    longest, meaning = 0, None
    for name, phrases in spec.match.phrases.items():
        if last == name.casefold():
            return name
        for phrase in phrases:
            if len(phrase) > longest and _holds(folded, phrase):
                longest, meaning = len(phrase), name
    return meaning


def _holds(folded: str, phrase: str) -> bool:
    """Tell whether a text holds a phrase, whole words where it is written in letters with blanks between words."""
    place = folded.find(phrase)
    while place >= 0:
        before, after = folded[place - 1], folded[place + len(phrase) : place + len(phrase) + 1]
        if not phrase.isascii() or not (before.isalnum() or after.isalnum()):
            return True
        place = folded.find(phrase, place + 1)
    return False


@lru_cache(maxsize=64)
def _never(expressions: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{expression})" for expression in expressions), re.IGNORECASE)


def names_host(name: str, host: str) -> bool:
    """Tell whether a name is what the owner of a host is called.

    >>> names_host("La República", "larepublica.pe"), names_host("Bees.example", "www.bees.example")
    (True, True)
    >>> names_host("Sport", "sports.example.com")
    False
    """
    folded = name.casefold()
    plain = folded if folded.isascii() else unicodedata.normalize("NFD", folded)
    bare = "".join(filter(str.isalnum, plain))
    return len(bare) >= _SHORTEST_NAME and bare in _names_of(host)


@lru_cache(maxsize=64)
def _names_of(host: str) -> frozenset[str]:
    whole = host.removeprefix("www.").replace("-", "")
    return frozenset({max(whole.split("."), key=len), whole.replace(".", "")})


def _without_head(text: str, others: set[str]) -> str:
    """Return a text without its first lines where they are other fields."""
    longest = max(map(len, others))
    head, between, rest = text.partition("\n")
    while between and len(head) <= longest and _folded(head) in others:
        text = rest
        head, between, rest = text.partition("\n")
    return text


def is_never(text: str, spec: FieldSpec) -> bool:
    """Tell whether a line is none of a field's, by what its domain says."""
    return bool(spec.never) and len(text) <= _LONGEST_LINE and _never(spec.never).fullmatch(text) is not None


def named_levels(trail: Sequence[str], domain: Domain) -> tuple[str, ...]:
    """Return the names of the levels on the way to a page, without those that are none ("Home", "All products").

    >>> from sitewright.domains import load_domain
    >>> named_levels(["Home", "Garden", "Tools"], load_domain("shop"))
    ('Garden', 'Tools')
    """
    specs = [spec for spec in domain.fields.values() if spec.kind == kinds.LIST]
    return tuple(name for name in trail if not any(is_never(name, spec) for spec in specs))


def _without_lines(text: str, never: tuple[str, ...]) -> str:
    """Return a text without the lines that are never part of one ("Read also: …"); all of it where nothing is left."""
    banned = _never(never)
    lines = text.split("\n")
    kept = [line for line in lines if len(line) > _LONGEST_LINE or banned.fullmatch(line) is None]
    return "\n".join(kept) if 0 < len(kept) < len(lines) else text


def _entries(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _folded(value: object) -> str:
    return " ".join(str(value).split()).casefold()


def _is_before(value: object, other: object) -> bool:
    """Tell whether a moment is minutes before another; where one is a day alone, days are compared."""
    if isinstance(value, datetime) and isinstance(other, datetime):
        if (value.tzinfo is None) == (other.tzinfo is None):
            return value < other.replace(second=0, microsecond=0)
        return _day(value) < _day(other)
    return isinstance(value, date) and isinstance(other, date) and _day(value) < _day(other)


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment
