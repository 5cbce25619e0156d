"""A newspaper and a design in, the catalogue of its pages out: static, built by scripts, or found by its feed alone."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal
from zlib import crc32

from sitewright.demo import data
from sitewright.demo.catalogue import MISSING_PATH, Catalogue
from sitewright.demo.designs import APP_PATH, Design
from sitewright.demo.feeds import feed, robots, sitemap
from sitewright.demo.newspaper import (
    Listing,
    Newspaper,
    Notice,
    embed_path,
    listings,
    picture_path,
    portrait_path,
    staff,
    story_path,
)
from sitewright.demo.pictures import PNG_TYPE, SVG_TYPE, draw, png, portrait, widths
from sitewright.demo.story import Picture

PaperKind = Literal["static", "scripted", "feed"]
"""Plain HTML; shells that a script fills in the browser; or stories that nothing but the feed links to."""


def static_pages(paper: Newspaper, design: Design) -> Catalogue:
    """Return plain HTML all through."""
    catalogue = Catalogue(paper)
    catalogue.add_html("/", "front", partial(design.draw_front, paper.front))
    for story in paper.stories:
        catalogue.add_html(story_path(story), story.kind, partial(design.draw_story, paper, story))
    lists = list(listings(paper))
    for listing in lists:
        catalogue.add_html(listing.own_path, "list", partial(design.draw_listing, paper, listing))
    _add_sitemap(catalogue, lists)
    _add_others(catalogue, design)
    return catalogue


def scripted_pages(paper: Newspaper, design: Design) -> Catalogue:
    """Return shells, and the data of which their script builds the pages."""
    catalogue = Catalogue(paper)
    catalogue.add(APP_PATH, "asset", design.app.content_type, partial(bytes, design.app.body))
    catalogue.add(data.PAPER_PATH, "data", data.CONTENT_TYPE, partial(data.paper_data, paper))
    _add_shell(catalogue, design, "/", partial(data.front_data, paper.front))
    for story in paper.stories:
        _add_shell(catalogue, design, story_path(story), partial(data.story_data, paper, story))
    lists = list(listings(paper))
    for listing in lists:
        _add_shell(catalogue, design, listing.own_path, partial(data.list_data, paper, listing))
        more = partial(data.more_data, paper, listing)
        catalogue.add(data.more_path(listing), "data", data.CONTENT_TYPE, more)
    _add_sitemap(catalogue, lists)
    _add_others(catalogue, design)
    return catalogue


def feed_pages(paper: Newspaper, design: Design) -> Catalogue:
    """Return stories that know of no other, and notices where other papers have lists."""
    catalogue = Catalogue(paper)
    front = Notice("/", paper.words.tagline, paper.words.phrases.about)
    catalogue.add_html("/", "notice", partial(design.draw_notice, paper, front))
    for story in paper.stories:
        alone = replace(paper, stories=(story,))
        catalogue.add_html(story_path(story), story.kind, partial(design.draw_story, alone, story))
    for listing in listings(paper):
        notice = Notice(listing.path, listing.title, paper.words.phrases.about)
        catalogue.add_html(listing.path, "notice", partial(design.draw_notice, paper, notice))
    catalogue.add("/robots.txt", "feed", "text/plain; charset=utf-8", partial(robots, paper, sitemap_path=""))
    _add_others(catalogue, design)
    return catalogue


PAGES: dict[PaperKind, Callable[[Newspaper, Design], Catalogue]] = {
    "static": static_pages,
    "scripted": scripted_pages,
    "feed": feed_pages,
}


def _add_shell(catalogue: Catalogue, design: Design, path: str, draw_data: Callable[[], str]) -> None:
    source = data.data_path(path)
    catalogue.add_html(path, "shell", partial(design.draw_shell, catalogue.paper, path, source))
    catalogue.add(source, "data", data.CONTENT_TYPE, draw_data)


def _add_sitemap(catalogue: Catalogue, lists: list[Listing]) -> None:
    paths = ["/", *dict.fromkeys(listing.path for listing in lists)]
    catalogue.add("/sitemap.xml", "feed", "application/xml; charset=utf-8", partial(sitemap, catalogue.paper, paths))
    catalogue.add("/robots.txt", "feed", "text/plain; charset=utf-8", partial(robots, catalogue.paper))


def _add_others(catalogue: Catalogue, design: Design) -> None:
    """Take in what every kind of paper has."""
    paper = catalogue.paper
    about = Notice("/about/", paper.label("about"), paper.words.phrases.about)
    missing = Notice(MISSING_PATH, paper.label("missing_title"), (paper.label("missing_text"),))
    catalogue.add_html(about.path, "notice", partial(design.draw_notice, paper, about))
    catalogue.add_html(missing.path, "missing", partial(design.draw_notice, paper, missing))
    catalogue.add("/feed.xml", "feed", "application/rss+xml; charset=utf-8", partial(feed, paper))
    for story in paper.stories:
        if story.kind == "video":
            catalogue.add_html(embed_path(story), "embed", partial(design.draw_player, paper, story))
    _add_pictures(catalogue)
    for path, asset in design.assets.items():
        catalogue.add(path, "asset", asset.content_type, partial(bytes, asset.body))


def _add_pictures(catalogue: Catalogue) -> None:
    stories = catalogue.paper.stories
    for picture in (picture for story in stories for picture in story.pictures):
        for width in widths(picture):
            catalogue.add(picture_path(picture, width), "image", SVG_TYPE, partial(draw, picture, width))
    for person in staff(stories):
        catalogue.add(portrait_path(person), "image", PNG_TYPE, partial(portrait, crc32(person.slug.encode("ascii"))))
    banner = Picture(slug="banner", scene="hills", seed=7, width=600, height=150, caption="", credit="")
    catalogue.add("/assets/banner.svg", "image", SVG_TYPE, partial(draw, banner, 600))
    catalogue.add("/assets/icon.png", "image", PNG_TYPE, _icon)
    catalogue.add("/assets/pixel.png", "image", PNG_TYPE, partial(png, 1, ["#ffffff"], lambda _x, _y: 0))


def _icon() -> bytes:
    return png(32, ["#7a1f1f", "#f6e7c1"], lambda x, y: int((x - 15) ** 2 + (y - 15) ** 2 < 90))
