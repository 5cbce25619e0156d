"""A newspaper in, the JSON from which the scripts of a scripted paper build its pages out."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sitewright.demo.dates import format_date
from sitewright.demo.newspaper import (
    Listing,
    Newspaper,
    author_path,
    embed_path,
    picture_path,
    portrait_path,
    section_path,
    story_path,
    tag_path,
)
from sitewright.demo.pictures import widths
from sitewright.demo.story import (
    Block,
    Bullets,
    Comment,
    Entry,
    Figure,
    Heading,
    Paragraph,
    Person,
    Picture,
    Quote,
    Story,
    Table,
)
from sitewright.demo.words import Section

CONTENT_TYPE = "application/json; charset=utf-8"
PAPER_PATH = "/data/paper.json"
"""Where the words are that every page needs."""

Node = dict[str, Any]


def data_path(path: str) -> str:
    """Return where the data of a page is.

    >>> data_path("/"), data_path("/latest/page/2/"), data_path("/video/bees-1005")
    ('/data/index.json', '/data/latest/page/2/index.json', '/data/video/bees-1005.json')
    """
    return f"/data{path}{'index' if path.endswith('/') else ''}.json"


def more_path(listing: Listing) -> str:
    """Return where the second half of a page of a list is."""
    return f"/data{listing.own_path}more.json"


def paper_data(paper: Newspaper) -> str:
    """Return what is true of every page: names, sections, and the words of the interface."""
    words = paper.words
    return _json(
        {
            "name": words.name,
            "tagline": words.tagline,
            "url": paper.absolute("/"),
            "sections": [_section(section) for section in words.sections],
            "list_gap": words.list_gap,
            "byline": words.byline,
            "byline_role": words.byline_role,
            "plain_bylines": words.plain_bylines,
            "labels": dict(words.labels),
        }
    )


def front_data(paper: Newspaper) -> str:
    """Return what the front page shows: the stories, the newest first."""
    return _json({"type": "front", "stories": _cards(paper, paper.stories), "most_read": _most_read(paper)})


def list_data(paper: Newspaper, listing: Listing) -> str:
    """Return the first half of one page of a list, and where the second is."""
    first, second = _halves(listing)
    return _json(
        {
            "type": "list",
            "title": listing.title,
            "introduction": listing.introduction,
            "portrait": listing.portrait,
            "page": listing.page,
            "pages": listing.pages,
            "previous": listing.path_of(listing.page - 1) if listing.page > 1 else None,
            "next": listing.path_of(listing.page + 1) if listing.page < listing.pages else None,
            "stories": _cards(paper, first),
            "more": more_path(listing) if second else None,
            "most_read": _most_read(paper),
        }
    )


def more_data(paper: Newspaper, listing: Listing) -> str:
    """Return the second half of one page of a list."""
    return _json({"type": "more", "stories": _cards(paper, _halves(listing)[1])})


def story_data(paper: Newspaper, story: Story) -> str:
    """Return all about one story."""
    return _json(
        {
            **_card(paper, story),
            **_dates(paper, story),
            "authors": [_person(person) for person in story.authors],
            "agency": story.agency,
            "desk": story.desk,
            "place": story.place,
            "sections": [_section(section) for section in story.sections],
            "tags": [{"name": tag.name, "path": tag_path(tag)} for tag in story.tags],
            "lead": _picture(story.lead) if story.lead else None,
            "player": embed_path(story) if story.kind == "video" else None,
            "photos": [_picture(picture) for picture in story.photos],
            "body": [_block(block) for block in story.body],
            "entries": [_entry(entry) for entry in story.entries],
            "comments": [_comment(paper, comment) for comment in story.comments],
            "related": _links(paper.related(story, 5)),
        }
    )


def _json(value: Node) -> str:
    return json.dumps(value, ensure_ascii=False)


def _halves(listing: Listing) -> tuple[tuple[Story, ...], tuple[Story, ...]]:
    middle = -(-len(listing.stories) // 2)
    return listing.stories[:middle], listing.stories[middle:]


def _cards(paper: Newspaper, stories: Iterable[Story]) -> list[Node]:
    return [_card(paper, story) for story in stories]


def _card(paper: Newspaper, story: Story) -> Node:
    """Return what index pages say of a story."""
    return {
        "type": story.kind,
        "id": story.number,
        "path": story_path(story),
        "title": story.headline,
        "emphasis": story.emphasis,
        "subtitle": story.subtitle,
        "section": _section(story.sections[0]),
        "published": story.published.isoformat(),
        "published_text": paper.long_date(story.published),
        "picture": _picture(story.pictures[0]) if story.pictures else None,
    }


def _dates(paper: Newspaper, story: Story) -> Node:
    modified = story.modified
    return {
        "published_short": _short(paper, story.published),
        "modified": modified.isoformat() if modified else None,
        "modified_text": paper.long_date(modified) if modified else None,
        "modified_short": _short(paper, modified) if modified else None,
    }


def _short(paper: Newspaper, moment: datetime) -> str:
    return format_date(paper.words.calendar, paper.words.calendar.short, moment)


def _most_read(paper: Newspaper) -> list[Node]:
    return _links(paper.most_read(5))


def _links(stories: Iterable[Story]) -> list[Node]:
    return [{"title": story.headline, "path": story_path(story)} for story in stories]


def _section(section: Section) -> Node:
    return {"name": section.name, "path": section_path(section)}


def _person(person: Person) -> Node:
    return {
        "name": person.name,
        "path": author_path(person),
        "about": person.bio,
        "portrait": portrait_path(person),
    }


def _picture(picture: Picture) -> Node:
    return {
        "caption": picture.caption,
        "credit": picture.credit,
        "width": picture.width,
        "height": picture.height,
        "renditions": [{"width": width, "path": picture_path(picture, width)} for width in widths(picture)],
    }


def _block(block: Block) -> Node:
    match block:
        case Figure(picture):
            return {"type": "figure", "picture": _picture(picture)}
        case Paragraph() | Heading() | Quote() | Bullets() | Table():
            return {"type": type(block).__name__.lower(), **asdict(block)}


def _entry(entry: Entry) -> Node:
    return {
        "published": entry.moment.isoformat(),
        "time": f"{entry.moment:%H:%M}",
        "blocks": [_block(block) for block in entry.blocks],
    }


def _comment(paper: Newspaper, comment: Comment) -> Node:
    return {
        "name": comment.name,
        "published": comment.moment.isoformat(),
        "published_text": paper.long_date(comment.moment),
        "text": comment.text,
    }
