"""Stories in, pages that list them out: the front page, sections, and pages of plain text."""

from collections.abc import Sequence
from html import escape

from sitewright.demo.designs.classic import parts
from sitewright.demo.designs.classic.shell import Frame, document
from sitewright.demo.designs.design import APP_PATH
from sitewright.demo.newspaper import Listing, Newspaper, Notice, section_path, story_path
from sitewright.demo.story import Story


def draw_front(paper: Newspaper) -> str:
    """Return the front page."""
    first, *others = paper.stories
    lead = parts.card(paper, first, "lead", "front")
    lines = "".join(parts.card(paper, story, "line", "front") for story in others[4:6])
    seconds = "".join(parts.card(paper, story, "small", "front") for story in others[:4])
    frame = Frame(title=paper.words.tagline, path="/", head=_description(paper), kind="front")
    main = (
        f'<div class="front"><section class="front__lead">{lead}<div class="front__lines">{lines}</div></section>'
        f'<section class="front__seconds">{seconds}</section>'
        f'<aside class="front__side">{_most_read(paper)}{parts.newsletter(paper)}</aside></div>\n'
        f"{parts.advertisement(paper, 'front')}\n{_strips(paper)}"
    )
    return document(paper, frame, main)


def draw_listing(paper: Newspaper, listing: Listing) -> str:
    """Return one page of a list of stories."""
    cards = "".join(parts.card(paper, story, "row") for story in listing.stories)
    portrait = f'<img src="{listing.portrait}" width="72" height="72" alt="">' if listing.portrait else ""
    introduction = f'<div class="bio">{portrait}<p>{escape(listing.introduction)}</p></div>' if portrait else ""
    frame = Frame(title=listing.title, path=listing.own_path, kind="list")
    main = (
        f'<h1 class="list__title">{escape(listing.title)}</h1>{introduction}\n'
        f'<div class="columns"><div class="list">{cards}{_pager(paper, listing)}</div>'
        f'<aside class="front__side">{_most_read(paper)}{parts.advertisement(paper, "side")}</aside></div>'
    )
    return document(paper, frame, main)


def draw_notice(paper: Newspaper, notice: Notice) -> str:
    """Return a page of plain text."""
    text = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in notice.paragraphs)
    frame = Frame(title=notice.title, path=notice.path, kind="notice")
    return document(paper, frame, f'<div class="notice"><h1>{escape(notice.title)}</h1>{text}</div>')


def draw_shell(paper: Newspaper, path: str, source: str) -> str:
    """Return a page with nothing in it; its script builds what belongs there from the data at `source`."""
    frame = Frame(path=path, head=f'<script src="{APP_PATH}" defer></script>', kind="app")
    return document(paper, frame, f'<div id="app" data-source="{escape(source)}"></div>')


def _description(paper: Newspaper) -> str:
    return (
        f'<meta name="description" content="{escape(paper.words.tagline)}">\n'
        f'<meta property="og:site_name" content="{escape(paper.words.name)}">'
    )


def _most_read(paper: Newspaper) -> str:
    """Return a short list in an order that is not that of time."""
    items = "".join(
        f'<li><a href="{story_path(story)}?ref=most-read">{escape(story.headline)}</a></li>'
        for story in paper.most_read(5)
    )
    return f'<section class="most-read"><h2>{escape(paper.label("most_read"))}</h2><ol>{items}</ol></section>'


def _strips(paper: Newspaper) -> str:
    strips = []
    for section in paper.words.sections:
        stories = [story for story in paper.stories[7:] if section == story.sections[0]][:4]
        if stories:
            strips.append(_strip(paper, section.name, section_path(section), stories))
    return "\n".join(strips)


def _strip(paper: Newspaper, name: str, path: str, stories: Sequence[Story]) -> str:
    cards = "".join(parts.card(paper, story, "small" if number < 2 else "line") for number, story in enumerate(stories))
    return (
        f'<section class="strip"><h2 class="strip__name"><a href="{path}">{escape(name)}</a></h2>'
        f'<div class="strip__cards">{cards}</div></section>'
    )


def _pager(paper: Newspaper, listing: Listing) -> str:
    if listing.pages == 1:
        return ""
    steps = (("previous", "prev", listing.page - 1), ("next", "next", listing.page + 1))
    links = "".join(
        f'<a class="pager__{relation}" rel="{relation}" href="{listing.path_of(page)}">{escape(paper.label(name))}</a>'
        for name, relation, page in steps
        if 1 <= page <= listing.pages
    )
    where = escape(paper.label("page", page=listing.page, pages=listing.pages))
    return f'<nav class="pager"><span>{where}</span>{links}</nav>'
