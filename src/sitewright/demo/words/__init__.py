"""A language code in, the words a newspaper in that language is written with out."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

LANGUAGES = ("en", "de", "fr", "ru", "zh", "ja", "ar", "hi", "el")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the paper: its place in the URL and its name."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class Tag:
    """A keyword of a story: its place in the URL and its name."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """How dates are written: `strftime` patterns over these names."""

    long: str
    short: str
    """Numbers only, so that `strptime` reads it back on any machine."""
    day: str
    months: tuple[str, ...]
    weekdays: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What stories of one subject say; the sentences have slots such as `{place}`."""

    slug: str
    sections: tuple[str, ...]
    scenes: tuple[str, ...]
    tags: tuple[Tag, ...]
    headlines: tuple[str, ...]
    feature: str
    """A headline with an ampersand and with `*emphasis*`."""
    subtitles: tuple[str, ...]
    leads: tuple[str, ...]
    facts: tuple[str, ...]
    captions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Sentences that fit any subject."""

    background: tuple[str, ...]
    speech: tuple[str, ...]
    quotes: tuple[str, ...]
    subheads: tuple[str, ...]
    bullets: tuple[str, ...]
    captions: tuple[str, ...]
    comments: tuple[str, ...]
    bios: tuple[str, ...]
    about: tuple[str, ...]
    table: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """All that is particular to one language and its newspaper."""

    language: str
    name: str
    tagline: str
    host: str
    timezone: str
    charset: str
    direction: Literal["ltr", "rtl"]
    agency: str
    sentence_gap: str
    thousands: str
    list_gap: str
    """What stands between two names: `A and B`."""
    full_name: str
    byline: str
    byline_role: str
    plain_bylines: bool
    """Whether some bylines are plain text, with no element round each name."""
    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    nicknames: tuple[str, ...]
    roles: tuple[str, ...]
    desks: tuple[str, ...]
    places: tuple[str, ...]
    organisations: tuple[str, ...]
    calendar: Calendar
    sections: tuple[Section, ...]
    topics: tuple[Topic, ...]
    phrases: Phrases
    labels: Mapping[str, str]

    def section(self, slug: str) -> Section:
        """Return the section at this place in the URL."""
        return next(section for section in self.sections if section.slug == slug)


@cache
def load_words(language: str) -> Words:
    """Read the words of one of `LANGUAGES`."""
    if language not in LANGUAGES:
        raise ValueError(f"no words for {language!r}; expected one of {', '.join(LANGUAGES)}")
    table = tomllib.loads(files(__name__).joinpath(f"{language}.toml").read_text("utf-8"))
    table["language"] = language
    table["calendar"] = Calendar(**_frozen(table["calendar"]))
    table["phrases"] = Phrases(**_frozen(table["phrases"]))
    table["sections"] = tuple(Section(slug, name) for slug, name in table["sections"].items())
    table["topics"] = tuple(_topic(topic) for topic in table["topics"])
    return Words(**_frozen(table))


def _topic(table: dict[str, Any]) -> Topic:
    tags = tuple(Tag(slug, name) for slug, name in table["tags"].items())
    return Topic(**_frozen({**table, "tags": tags}))


def _frozen(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
