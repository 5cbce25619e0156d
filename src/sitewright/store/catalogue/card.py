"""A stored record in, the card that people choose it by out, and the words that it is found by."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sitewright.domains import Domain, kinds, load_domain
from sitewright.parse import clean_line
from sitewright.store.catalogue.words import spaced
from sitewright.store.entries import StoredRecord
from sitewright.values.words import short_at_word

_SUMMARY = 280
"""Characters: three lines of a card."""
_MOST_TOPICS, _LONGEST_TOPIC = 12, 60
_MOST_WORDS = 200_000
"""Characters of a text that are searched; a long read has half of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a list shows of a record."""

    number: int
    site: str
    id: str
    url: str
    domain: str
    language: str
    shown_at: datetime
    """When it appeared; never later than it was stored, whatever its page says."""
    stored_at: datetime
    heading: str
    summary: str = ""
    byline: Sequence[str] = ()
    topics: Sequence[str] = ()
    picture: str = ""
    """The address of its first picture."""
    pictures: int = 0
    length: int = 0
    """Characters of its text."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a card is found by."""

    heading: str
    rest: str
    keys: str


def card_of(stored: StoredRecord) -> Card:
    """Return the card of a record."""
    record, domain = stored.record, load_domain(stored.record.domain)
    values = {name: value.value for name, value in record.fields.items()}
    main = str(values.get(domain.main_text) or "")
    pictures = [address for name in domain.fields_of_kind(kinds.IMAGES) for address in _addresses(values.get(name))]
    return Card(
        number=stored.number,
        site=record.site,
        id=stored.id,
        url=record.urls[0],
        domain=record.domain,
        language=record.language.partition("-")[0].lower(),
        shown_at=min(stored.shown_at, stored.stored_at),
        stored_at=stored.stored_at,
        heading=clean_line(str(values.get(domain.heading) or "")) or record.urls[0],
        summary=short_at_word(clean_line(str(values.get(domain.summary) or main[: 4 * _SUMMARY])), _SUMMARY),
        byline=tuple(_texts(values, domain, kinds.NAMES)),
        topics=tuple(dict.fromkeys(t for t in _texts(values, domain, kinds.LIST) if len(t) <= _LONGEST_TOPIC))[
            :_MOST_TOPICS
        ],
        picture=pictures[0] if pictures else "",
        pictures=len(pictures),
        length=len(main),
    )


def words_of(card: Card, stored: StoredRecord) -> Words:
    """Return the words of a record's card and text."""
    main = stored.record.fields.get(load_domain(card.domain).main_text)
    text = str(main.value)[:_MOST_WORDS] if main is not None else ""
    rest = "\n".join([card.summary, text, *card.byline, *card.topics])
    return Words(spaced(card.heading), spaced(rest), " ".join(keys_of(card.site, card.language, card.topics)))


def keys_of(site: str = "", language: str = "", topics: Sequence[str] = ()) -> list[str]:
    """Return what stands among the words for a site, a language and topics, so that all is found at once.

    >>> keys_of("news.example", "en", ["Old town"])
    ['sitenews2eexample', 'languageen', 'topicold20town']
    """
    named = [("site", site), ("language", language), *(("topic", topic_key(topic)) for topic in topics)]
    return [prefix + "".join(map(_letter, what)) for prefix, what in named if what]


def topic_key(topic: str) -> str:
    """Return what topics are compared by."""
    return " ".join(topic.casefold().split())


def _letter(char: str) -> str:
    return char if char.isascii() and char.isalnum() else f"{ord(char):x}"


def _texts(values: Mapping[str, Any], domain: Domain, kind: str) -> Iterator[str]:
    for field in domain.fields_of_kind(kind):
        value = values.get(field)
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and (text := clean_line(one)):
                yield text


def _addresses(value: object) -> Iterator[str]:
    for one in value if isinstance(value, list | tuple) else ():
        address = one.get("url") if isinstance(one, Mapping) else one
        if isinstance(address, str) and address.startswith(("http://", "https://")):
            yield address
