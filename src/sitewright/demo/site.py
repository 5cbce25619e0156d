"""A seed in, a whole newspaper site out: every page as bytes, the truth about its stories, and its map."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from types import MappingProxyType
from zoneinfo import ZoneInfo

from sitewright.demo.catalogue import SitePage
from sitewright.demo.designs import CLASSIC, Design
from sitewright.demo.newspaper import Newspaper, story_path
from sitewright.demo.pages import static_pages
from sitewright.demo.truth import Truth, truth_of
from sitewright.demo.words import load_words
from sitewright.demo.writing import KINDS, write_stories

EPOCH = datetime(2025, 5, 18, 17, 0, tzinfo=UTC)
"""What the site takes for now, unless told otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A generated site."""

    name: str
    host: str
    base_url: str
    language: str
    timezone: str
    pages: Mapping[str, SitePage]
    truth: Mapping[str, Truth]
    map_text: str

    def page(self, path: str) -> SitePage | None:
        """Return what is at a path, if there is anything."""
        return self.pages.get(path)


def generate_site(  # noqa: PLR0913 - each is one independent fact of the site
    seed: int = 1,
    *,
    language: str = "en",
    stories: int = 40,
    host: str = "",
    base_url: str = "",
    design: Design = CLASSIC,
    epoch: datetime = EPOCH,
) -> Site:
    """Generate a newspaper; host and base URL default to those of the language's paper."""
    if stories < len(KINDS):
        raise ValueError(f"a site has at least {len(KINDS)} stories, not {stories}")
    words = load_words(language)
    newest = epoch.astimezone(ZoneInfo(words.timezone)).replace(second=0, microsecond=0)
    paper = Newspaper(
        words=words,
        host=host or words.host,
        base_url=(base_url or f"https://{host or words.host}").rstrip("/"),
        newest=newest,
        stories=write_stories(words, Random(seed), stories, newest),
    )
    catalogue = static_pages(paper, design)
    return Site(
        name=words.name,
        host=paper.host,
        base_url=paper.base_url,
        language=language,
        timezone=words.timezone,
        pages=MappingProxyType({path: catalogue[path] for path in catalogue}),
        truth=MappingProxyType({story_path(story): truth_of(paper, story) for story in paper.stories}),
        map_text=design.write_map(paper),
    )
