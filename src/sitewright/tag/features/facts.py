"""Document and units in, what the page states out, in the form in which units are compared with it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sitewright.parse import Document, fold_words
from sitewright.tag.stated import path_words
from sitewright.tag.units import Unit, UnitKind

Day = tuple[int, ...]
"""Year, month and day."""

_SOURCES = {
    "description": re.compile(r"description|abstract|alternativeheadline|excerpt|summary", re.IGNORECASE),
    "site": re.compile(r"publisher|site_name|application-name", re.IGNORECASE),
    "title": re.compile(r"title|headline", re.IGNORECASE),
    "keyword": re.compile(r"keyword|tag$|tags|topic", re.IGNORECASE),
    "section": re.compile(r"section|categor|breadcrumb|channel|rubri", re.IGNORECASE),
    "author": re.compile(r"author|creator|byl", re.IGNORECASE),
    "date": re.compile(r"date|time|publi|created|issued", re.IGNORECASE),
}
"""How the names of sources tell what they state; the first that fits counts."""
_MODIFIED = re.compile(r"modif|updat", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Facts:
    """What a page states; texts are folded."""

    titles: tuple[frozenset[str], ...]
    descriptions: tuple[str, ...]
    authors: frozenset[str]
    sections: frozenset[str]
    keywords: frozenset[str]
    site: frozenset[str]
    published: frozenset[Day]
    modified: frozenset[Day]
    path: frozenset[str]
    """The folders of the page's address."""
    slug: frozenset[str]
    """The words of its last part."""


def read_facts(document: Document, units: Sequence[Unit]) -> Facts:
    """Return what a page's metadata and address state."""
    texts: dict[str, list[str]] = {topic: [] for topic in _SOURCES}
    days: dict[str, set[Day]] = {"published": set(), "modified": set()}
    for unit in units:
        if unit.place is not None:
            break
        topic = _topic(unit.source) if unit.kind is UnitKind.STATED else ""
        if topic == "date":
            days["modified" if _MODIFIED.search(unit.source) else "published"].add(_day(unit.text))
        elif topic and (folded := " ".join(fold_words(unit.text))):
            texts[topic].append(folded)
    path = path_words(document.url)
    return Facts(
        titles=tuple(frozenset(title.split()) for title in texts["title"]),
        descriptions=tuple(texts["description"]),
        authors=frozenset(texts["author"]),
        sections=frozenset(texts["section"]),
        keywords=frozenset(texts["keyword"]),
        site=frozenset(texts["site"]),
        published=frozenset(filter(None, days["published"])),
        modified=frozenset(filter(None, days["modified"])),
        path=frozenset(path[:-1]),
        slug=frozenset(path[-1].split()) if path else frozenset(),
    )


def names_site(source: str) -> bool:
    """Tell whether a source states what the site is called."""
    return _SOURCES["site"].search(source) is not None


@lru_cache(maxsize=4096)  # sites have their own names for meta tags, but not many
def _topic(source: str) -> str:
    return next((topic for topic, pattern in _SOURCES.items() if pattern.search(source)), "")


def _day(text: str) -> Day:
    numbers = _NUMBER.findall(text[:10])
    return tuple(map(int, numbers[:3])) if len(numbers) >= 3 and len(numbers[0]) == 4 else ()
