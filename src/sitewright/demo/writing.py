"""Words and dice in, the staff and the stories of a newspaper out."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import Literal

from sitewright.demo.bodies import Reporter
from sitewright.demo.cast import Cast, Notebook, full_name
from sitewright.demo.story import Comment, Kind, Person, Story
from sitewright.demo.words import Section, Topic, Words

KINDS: tuple[Kind, ...] = (
    "article",
    "article",
    "gallery",
    "article",
    "article",
    "video",
    "article",
    "article",
    "live",
    "article",
)
"""The kinds of ten stories in a row: ten stories show every kind."""

Trait = Literal["", "feature", "no subtitle", "no author", "agency", "two authors"]

TRAITS: tuple[Trait, ...] = ("", "feature", "two authors", "no subtitle", "", "no author", "agency", "")
"""What is unusual about eight articles in a row."""

STAFF = 8
FIRST_NUMBER = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Commission:
    """What the editor wants of one story."""

    number: int
    kind: Kind
    trait: Trait
    topic: Topic
    published: datetime
    newest: datetime


def write_stories(words: Words, dice: Random, count: int, newest: datetime) -> tuple[Story, ...]:
    """Write this many stories, the newest first; none is later than `newest`."""
    notebook = Notebook(words, dice)
    staff = _hire(notebook)
    return tuple(_write(notebook, staff, commission) for commission in _plan(words, dice, count, newest))


def ascii_slug(text: str) -> str:
    """Return the Latin letters and digits of a text as a piece of a URL.

    >>> ascii_slug("Fünf Brücken & ein *Fest*"), ascii_slug("Пять мостов")
    ('funf-brucken-ein-fest', '')
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:60].strip("-")


def _plan(words: Words, dice: Random, count: int, newest: datetime) -> Iterator[Commission]:
    published = newest - timedelta(minutes=dice.randrange(10, 50))
    topics: list[Topic] = []
    articles = 0
    for position in range(count):
        topics = topics or dice.sample(words.topics, len(words.topics))
        kind = KINDS[position % len(KINDS)]
        yield Commission(
            number=FIRST_NUMBER + count - position,
            kind=kind,
            trait=TRAITS[articles % len(TRAITS)] if kind == "article" else "",
            topic=topics.pop(),
            published=published,
            newest=newest,
        )
        articles += kind == "article"
        published -= timedelta(minutes=dice.randrange(70, 480))


def _hire(notebook: Notebook) -> tuple[Person, ...]:
    words, dice = notebook.words, notebook.dice
    staff: dict[str, Person] = {}
    while len(staff) < STAFF:
        name = full_name(words, dice)
        bio = notebook.cast().fill(dice.choice(words.phrases.bios), name=name)
        staff.setdefault(name, Person(ascii_slug(name) or f"author-{len(staff) + 1}", name, bio))
    return tuple(staff.values())


def _write(notebook: Notebook, staff: Sequence[Person], commission: Commission) -> Story:
    words, dice, topic = notebook.words, notebook.dice, commission.topic
    cast = notebook.cast()
    reporter = Reporter(notebook, cast, topic)
    headline, emphasis = _headline(notebook, cast, commission)
    slug = ascii_slug(headline)
    authors = _authors(dice, staff, commission.trait)
    is_live = commission.kind == "live"
    entries = reporter.entries(commission.published) if is_live else ()
    return Story(
        number=commission.number,
        kind=commission.kind,
        slug=slug if len(slug) > 15 else topic.slug,
        headline=headline,
        emphasis=emphasis,
        subtitle="" if commission.trait == "no subtitle" else notebook.one(cast, topic.subtitles),
        published=commission.published,
        modified=entries[0].moment if is_live else _modified(dice, commission),
        authors=authors,
        agency=words.agency if commission.trait == "agency" else "",
        desk=_desk(notebook, cast, authors),
        sections=_sections(words, dice, topic),
        tags=tuple(dice.sample(topic.tags, dice.randrange(2, len(topic.tags) + 1))),
        place=cast.place,
        lead=None if is_live or commission.kind == "gallery" else reporter.picture(),
        photos=reporter.pictures(dice.randrange(5, 9)) if commission.kind == "gallery" else (),
        body=reporter.article(commission.number) if commission.kind == "article" else reporter.introduction(),
        entries=entries,
        comments=tuple(_comments(notebook, cast, commission.published)),
    )


def _headline(notebook: Notebook, cast: Cast, commission: Commission) -> tuple[str, str]:
    """Return a headline and the words in it that are emphasised."""
    is_feature = commission.trait == "feature"
    marked = notebook.one(cast, [commission.topic.feature] if is_feature else commission.topic.headlines)
    pieces = marked.split("*")
    return "".join(pieces), pieces[1] if len(pieces) > 1 else ""


def _authors(dice: Random, staff: Sequence[Person], trait: Trait) -> tuple[Person, ...]:
    if trait in {"no author", "agency"}:
        return ()
    return tuple(dice.sample(staff, 2 if trait == "two authors" else 1))


def _desk(notebook: Notebook, cast: Cast, authors: Sequence[Person]) -> str:
    """Return what the byline says after the names; the first of the language's list is for several people."""
    desks = notebook.words.desks
    if len(authors) > 1:
        return desks[0].format(place=cast.other_place())
    wants_desk = bool(authors) and notebook.dice.randrange(3) == 0
    return notebook.dice.choice(desks[1:]).format(place=cast.other_place()) if wants_desk else ""


def _sections(words: Words, dice: Random, topic: Topic) -> tuple[Section, ...]:
    count = 2 if dice.randrange(4) == 0 else 1
    return tuple(words.section(slug) for slug in topic.sections[:count])


def _modified(dice: Random, commission: Commission) -> datetime | None:
    modified = commission.published + timedelta(minutes=dice.randrange(15, 600))
    return modified if dice.randrange(3) == 0 and modified < commission.newest else None


def _comments(notebook: Notebook, cast: Cast, published: datetime) -> Iterator[Comment]:
    words, dice = notebook.words, notebook.dice
    texts = notebook.several(cast, words.phrases.comments, dice.randrange(1, 4))
    names = dice.sample(words.nicknames, len(texts))
    for count, (name, text) in enumerate(zip(names, texts, strict=True), start=1):
        yield Comment(name, published + timedelta(minutes=55 * count), text)
