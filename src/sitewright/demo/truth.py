"""A story in, what a perfect extraction of its page gives out."""

from dataclasses import dataclass
from datetime import datetime

from sitewright.demo.newspaper import Newspaper, picture_path
from sitewright.demo.story import Picture, Story


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


def truth_of(paper: Newspaper, story: Story) -> Truth:
    """Return the truth about a story of this paper."""
    return Truth(
        title=story.headline,
        subtitle=story.subtitle,
        published=story.published,
        modified=story.modified,
        text=story.text,
        authors=story.author_names,
        categories=tuple(section.name for section in story.sections),
        tags=tuple(tag.name for tag in story.tags),
        images=tuple(_image(paper, picture) for picture in story.pictures),
    )


def _image(paper: Newspaper, picture: Picture) -> tuple[str, str, str]:
    return paper.absolute(picture_path(picture, picture.width)), picture.caption, picture.credit
