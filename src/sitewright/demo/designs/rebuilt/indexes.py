"""Stories in, pages that list them out: the front page, sections, and pages of plain text."""

from collections.abc import Sequence
from html import escape

from sitewright.demo.designs.design import APP_PATH
from sitewright.demo.designs.rebuilt import parts
from sitewright.demo.designs.rebuilt.frame import Frame, document
from sitewright.demo.newspaper import Listing, Newspaper, Notice, section_path
from sitewright.demo.story import Story

OPENING = 9
"""Stories at the top of the front page: one large, four beside it, four below."""


def draw_front(paper: Newspaper) -> str:
    """Return the front page."""
    first, *others = paper.stories[:OPENING]
    main = (
        f'<div class="opening"><div class="opening-first">{parts.teaser(paper, first, "first")}</div>\n'
        f"{_row(paper, others[:4], 'beside')}</div>\n{_row(paper, others[4:], 'tile')}\n"
        f"{parts.advert(paper, 'front')}\n"
        f'<div class="layout"><div class="column">{_shelves(paper)}</div>'
        f'<aside class="side">{parts.popular(paper)}{parts.signup(paper)}</aside></div>'
    )
    return document(paper, Frame(title=paper.words.tagline, path="/", kind="front"), main)


def draw_listing(paper: Newspaper, listing: Listing) -> str:
    """Return one page of a list of stories."""
    portrait = f'<img src="{listing.portrait}" width="72" height="72" alt="">' if listing.portrait else ""
    writer = f'<div class="writer">{portrait}<div>{escape(listing.introduction)}</div></div>' if portrait else ""
    items = "".join(f"<li>{parts.teaser(paper, story, 'row')}</li>" for story in listing.stories)
    main = (
        f'<div class="roll-name"><h2>{escape(listing.title)}</h2>{writer}</div>\n'
        f'<div class="layout"><div class="column"><ul class="roll">{items}</ul>{_onward(paper, listing)}</div>'
        f'<aside class="side">{parts.popular(paper)}{parts.advert(paper, "side")}</aside></div>'
    )
    return document(paper, Frame(title=listing.title, path=listing.own_path, kind="list"), main)


def draw_notice(paper: Newspaper, notice: Notice) -> str:
    """Return a page of plain text."""
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in notice.paragraphs)
    frame = Frame(title=notice.title, path=notice.path, kind="notice")
    return document(paper, frame, f'<div class="plain"><h2>{escape(notice.title)}</h2>{text}</div>')


def draw_shell(paper: Newspaper, path: str, source: str) -> str:
    """Return a page with nothing in it; its script builds what belongs there from the data at `source`."""
    frame = Frame(path=path, head=f'<script src="{APP_PATH}" defer></script>', kind="shell")
    return document(paper, frame, f'<div class="root" data-source="{escape(source)}"></div>')


def _row(paper: Newspaper, stories: Sequence[Story], size: str) -> str:
    items = "".join(f"<li>{parts.teaser(paper, story, size)}</li>" for story in stories)
    return f'<ul class="row row-{size}">{items}</ul>'


def _shelves(paper: Newspaper) -> str:
    shelves = []
    for section in paper.words.sections:
        stories = [story for story in paper.stories[OPENING:] if section == story.sections[0]][:3]
        if stories:
            name = f'<h4 class="shelf-name"><a href="{section_path(section)}">{escape(section.name)}</a></h4>'
            shelves.append(f'<div class="shelf">{name}{_row(paper, stories, "small")}</div>')
    return "\n".join(shelves)


def _onward(paper: Newspaper, listing: Listing) -> str:
    """Return how a list goes on; the direction is stated for the script alone."""
    if listing.pages == 1:
        return ""
    steps = (("previous", "back", listing.page - 1), ("next", "forward", listing.page + 1))
    links = "".join(
        f'<a href="{listing.path_of(page)}" data-step="{step}"><span>{escape(paper.label(name))}</span></a>'
        for name, step, page in steps
        if 1 <= page <= listing.pages
    )
    where = escape(paper.label("page", page=listing.page, pages=listing.pages))
    return f'<div class="onward">{links}<div class="onward-place">{where}</div></div>'
