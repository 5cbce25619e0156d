"""Pages of a made-up newspaper as observations: weekends, briefs, runs of videos, two templates, failures now and then.

Not kind: authors are on 52 % of pages, on 27 % at weekends; a third of all tags are missing on weekdays, two thirds at
weekends; briefs lack half of what others have; runs of four to ten videos without text come every 500 pages.
"""

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import replace

from sitewright.notice.observation import Observation, Seen

DAY = 86_400.0
SECTIONS = ("/news", "/sport", "/culture")
WEEKDAY = {
    "title": 0.999,
    "text": 0.985,
    "published": 0.99,
    "modified": 0.3,
    "authors": 0.6,
    "categories": 0.97,
    "tags": 0.55,
    "images": 0.9,
    "subtitle": 0.75,
}
WEEKEND = {**WEEKDAY, "authors": 0.35, "tags": 0.3}
BRIEF = {"authors": 0.1, "subtitle": 0.2, "images": 0.5}
VIDEO = {"text": 0.0, "tags": 0.1, "authors": 0.1}
OPINION = {"authors": 0.99, "images": 0.4, "subtitle": 0.95}
ASKED = ("title", "text", "published", "categories")
"""Fields that the tagger is asked for where the map does not read them."""
Change = Callable[[Observation], Observation]


def seen(size: float, shape: str, digest: int, example: str = "") -> Seen:
    return Seen(math.log1p(size), shape, digest, example)


class Paper:
    def __init__(self, seed: int, a_day: float = 120) -> None:
        self.random = random.Random(seed)
        self.at = 1.7e9
        self.a_day = a_day
        self.number = self.videos = 0

    def page(self) -> Observation:
        chance = self.random
        self.number += 1
        self.at += chance.expovariate(self.a_day / DAY)
        url = f"https://example.com{(section := chance.choice(SECTIONS))}/{self.number}"
        if (failing := chance.random()) < 0.02:
            code = "error_page" if failing < 0.01 else "not_item"
            return Observation(url=url, at=self.at, code=code, section=section)
        template = "opinion" if chance.random() < 0.1 else "article"
        rates, fingerprint, is_brief = self._kind(template)
        return self._made(url, section, template, rates, fingerprint, is_brief)

    def pages(self, count: int) -> list[Observation]:
        return [self.page() for _ in range(count)]

    def articles(self, count: int) -> list[Observation]:
        found: list[Observation] = []
        while len(found) < count:
            page = self.page()
            if page.template == "article" and "text" in page.found:
                found.append(page)
        return found

    def _kind(self, template: str) -> tuple[Mapping[str, float], int, bool]:
        chance = self.random
        is_weekend = int(self.at // DAY) % 7 >= 5
        rates = dict(WEEKEND if is_weekend else WEEKDAY)
        if self.videos == 0 and chance.random() < 0.002:
            self.videos = chance.randrange(4, 11)
        is_brief = chance.random() < (0.3 if is_weekend else 0.15)
        fingerprint = chance.randrange(100, 130) if chance.random() < 0.03 else 11
        if is_brief:
            rates |= BRIEF
        if self.videos:
            self.videos -= 1
            rates |= VIDEO
            fingerprint = chance.choice((13, 14))
        if template == "opinion":
            rates |= OPINION
        return rates, fingerprint, is_brief

    def _made(
        self, url: str, section: str, template: str, rates: Mapping[str, float], fingerprint: int, is_brief: bool
    ) -> Observation:
        found: dict[str, Seen] = {}
        rescued: dict[str, Seen] = {}
        for name, rate in rates.items():
            if self.random.random() < rate:
                found[name] = self._value(name, is_brief)
            elif name in ASKED and rate and self.random.random() < 0.3:
                rescued[name] = self._value(name, is_brief)
        return Observation(
            url=url,
            at=self.at,
            template=template,
            handed="text" in rescued,
            found=found,
            rescued=rescued,
            section=section,
            fingerprint=fingerprint,
            map_version=1,
        )

    def _value(self, name: str, is_brief: bool) -> Seen:  # noqa: PLR0911 -- a table
        chance = self.random
        new = chance.getrandbits(32)
        is_some = chance.random() < 0.15
        match name:
            case "title":
                return seen(8 + abs(chance.gauss(60, 18)), "name" if is_some else "line", new, f"Title {self.number}")
            case "text":
                return seen(50 + math.exp(chance.gauss(5.9 if is_brief else 8.0, 0.6)), "text", new, "They hum.")
            case "published" | "modified":
                return seen(25, "date", new, "2024-05-06T10:30:00")
            case "authors":
                author = int(chance.paretovariate(1.0)) % 40
                return seen(10 + author % 20, "line" if chance.random() < 0.07 else "name", author, f"Author {author}")
            case "categories":
                category = chance.randrange(6)
                return seen(8 + category, "name", category, f"Category {category}")
            case "images":
                return seen(10 * chance.choice((1, 1, 1, 2, 3, 8)), "object", new)
            case _:
                return seen(chance.randrange(5, 200), "name" if is_some else "line", new)


def without(name: str, *, rescued: bool = False, fingerprint: int = 0) -> Change:
    """Lose a field; the tagger may see it still."""

    def changed(page: Observation) -> Observation:
        if name not in page.found:
            return page
        found = dict(page.found)
        value = found.pop(name)
        others = {**page.rescued, name: value} if rescued else page.rescued
        return replace(page, found=found, rescued=others, fingerprint=fingerprint or page.fingerprint)

    return changed


def with_value(name: str, value: Seen) -> Change:
    """Give a field the same value on every page."""
    return lambda page: replace(page, found={**page.found, name: value}) if name in page.found else page


def headed(page: Observation) -> Observation:
    """Give a page the number of its title, whoever reads it."""
    title = page.found.get("title") or page.rescued.get("title")
    return replace(page, heading=title.digest if title is not None else 0)


def redesigned(page: Observation) -> Observation:
    """Hand a page to the tagger, which sees all that the map does not."""
    return replace(page, found={}, rescued=dict(page.found), handed=True, fingerprint=99)
