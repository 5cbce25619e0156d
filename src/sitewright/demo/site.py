"""A seed in, a whole newspaper site out: every page as bytes, the truth about its stories, and its map."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from types import MappingProxyType
from zoneinfo import ZoneInfo

from sitewright.demo.designs import CLASSIC, Design
from sitewright.demo.feeds import feed, robots, sitemap
from sitewright.demo.newspaper import (
    Newspaper,
    embed_path,
    listings,
    picture_path,
    portrait_path,
    staff,
    story_path,
)
from sitewright.demo.pictures import PNG_TYPE, SVG_TYPE, draw, png, portrait, widths
from sitewright.demo.story import Picture, Story
from sitewright.demo.words import load_words
from sitewright.demo.writing import KINDS, write_stories

EPOCH = datetime(2025, 5, 18, 17, 0, tzinfo=UTC)
"""What the site takes for now, unless told otherwise."""

MISSING_PATH = "/404.html"

_CODECS = {"shift_jis": "cp932"}
"""What browsers read under a name, where Python's codec of that name is narrower."""


@dataclass(frozen=True, slots=True)
class SitePage:
    """One file of a site as it is served; `html` holds the bytes of pictures, feeds and style sheets too."""

    path: str
    html: bytes
    content_type: str
    kind: str
    """The kind of story, or `front`, `list`, `notice`, `embed`, `missing`, `feed`, `image`, `asset`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What a perfect extraction of a story's page gives."""

    title: str
    subtitle: str
    published: datetime
    modified: datetime | None
    text: str
    authors: tuple[str, ...]
    categories: tuple[str, ...]
    tags: tuple[str, ...]
    images: tuple[tuple[str, str, str], ...]
    """URL, caption and credit of each."""


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
    return Site(
        name=words.name,
        host=paper.host,
        base_url=paper.base_url,
        language=language,
        timezone=words.timezone,
        pages=MappingProxyType({page.path: page for page in _pages(paper, design)}),
        truth=MappingProxyType({story_path(story): _truth(paper, story) for story in paper.stories}),
        map_text=design.write_map(paper),
    )


def _truth(paper: Newspaper, story: Story) -> Truth:
    return Truth(
        title=story.headline,
        subtitle=story.subtitle,
        published=story.published,
        modified=story.modified,
        text=story.text,
        authors=story.author_names,
        categories=tuple(section.name for section in story.sections),
        tags=tuple(tag.name for tag in story.tags),
        images=tuple(_image_truth(paper, picture) for picture in story.pictures),
    )


def _image_truth(paper: Newspaper, picture: Picture) -> tuple[str, str, str]:
    return paper.absolute(picture_path(picture, picture.width)), picture.caption, picture.credit


def _pages(paper: Newspaper, design: Design) -> Iterator[SitePage]:
    yield _html(paper, "/", design.draw_front(paper), "front")
    for story in paper.stories:
        yield _html(paper, story_path(story), design.draw_story(paper, story), story.kind)
        if story.kind == "video":
            yield _html(paper, embed_path(story), design.draw_player(paper, story), "embed")
    for listing in listings(paper):
        yield _html(paper, listing.path_of(listing.page), design.draw_listing(paper, listing), "list")
    about = design.draw_notice(paper, paper.label("about"), paper.words.phrases.about)
    missing = design.draw_notice(paper, paper.label("missing_title"), [paper.label("missing_text")])
    yield _html(paper, "/about/", about, "notice")
    yield _html(paper, MISSING_PATH, missing, "missing")
    yield from _feeds(paper)
    yield from _images(paper)
    for path, asset in design.assets.items():
        yield SitePage(path, asset.body, asset.content_type, "asset")


def _html(paper: Newspaper, path: str, text: str, kind: str) -> SitePage:
    """Encode a page; what its charset cannot say becomes a character reference."""
    charset = paper.words.charset
    body = text.encode(_CODECS.get(charset, charset), "xmlcharrefreplace")
    return SitePage(path, body, f"text/html; charset={charset}", kind)


def _feeds(paper: Newspaper) -> Iterator[SitePage]:
    paths = ["/", *dict.fromkeys(listing.path for listing in listings(paper))]
    for path, text, content_type in (
        ("/sitemap.xml", sitemap(paper, paths), "application/xml"),
        ("/feed.xml", feed(paper), "application/rss+xml"),
        ("/robots.txt", robots(paper), "text/plain"),
    ):
        yield SitePage(path, text.encode("utf-8"), f"{content_type}; charset=utf-8", "feed")


def _images(paper: Newspaper) -> Iterator[SitePage]:
    for picture in (picture for story in paper.stories for picture in story.pictures):
        for width in widths(picture):
            yield SitePage(picture_path(picture, width), draw(picture, width), SVG_TYPE, "image")
    for number, person in enumerate(staff(paper.stories)):
        yield SitePage(portrait_path(person), portrait(number), PNG_TYPE, "image")
    banner = Picture(slug="banner", scene="hills", seed=7, width=600, height=150, caption="", credit="")
    yield SitePage("/assets/banner.svg", draw(banner, 600), SVG_TYPE, "image")
    icon = png(32, ["#7a1f1f", "#f6e7c1"], lambda x, y: int((x - 15) ** 2 + (y - 15) ** 2 < 90))
    yield SitePage("/assets/icon.png", icon, PNG_TYPE, "image")
    yield SitePage("/assets/pixel.png", png(1, ["#ffffff"], lambda _x, _y: 0), PNG_TYPE, "image")
