"""The facts of a story, apart from how any design marks them up."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sitewright.demo.words import Section, Tag

Kind = Literal["article", "gallery", "video", "live"]


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who writes for the paper."""

    slug: str
    name: str
    bio: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture with its words; `seed` decides what the drawing looks like."""

    slug: str
    scene: str
    seed: int
    width: int
    height: int
    caption: str
    credit: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading between paragraphs."""

    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation set apart, with its speaker."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list of points."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table whose first row is its head."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture between paragraphs."""

    picture: Picture


Block = Paragraph | Heading | Quote | Bullets | Table | Figure


@dataclass(frozen=True, slots=True)
class Entry:
    """One update of a live blog."""

    moment: datetime
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Comment:
    """What a reader wrote below a story."""

    name: str
    moment: datetime
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Everything true about one story."""

    number: int
    kind: Kind
    slug: str
    headline: str
    emphasis: str = ""
    """The words of the headline that stand in italics."""
    subtitle: str
    published: datetime
    modified: datetime | None
    authors: tuple[Person, ...]
    agency: str = ""
    """The news agency, where no person signs."""
    desk: str = ""
    """What the byline adds after the names: `Berlin correspondents`."""
    sections: tuple[Section, ...]
    tags: tuple[Tag, ...]
    place: str
    lead: Picture | None
    photos: tuple[Picture, ...] = ()
    body: tuple[Block, ...]
    entries: tuple[Entry, ...] = ()
    comments: tuple[Comment, ...]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks in reading order, those of live entries after the body."""
        return (*self.body, *(block for entry in self.entries for block in entry.blocks))

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures in reading order."""
        lead = (self.lead,) if self.lead else ()
        inside = tuple(block.picture for block in self.blocks if isinstance(block, Figure))
        return (*lead, *inside, *self.photos)

    @property
    def text(self) -> str:
        """The text of the story, one line a paragraph, heading, list item or table row."""
        return "\n".join(line for block in self.blocks for line in lines(block))

    @property
    def author_names(self) -> tuple[str, ...]:
        """Who wrote it: people, or the agency."""
        return tuple(person.name for person in self.authors) or ((self.agency,) if self.agency else ())


def lines(block: Block) -> tuple[str, ...]:
    """Return a block as lines of plain text; a figure has none.

    >>> lines(Table((("Town", "Votes"), ("Saltby", "47"))))
    ('Town | Votes', 'Saltby | 47')
    """
    match block:
        case Paragraph(text) | Heading(text) | Quote(text):
            return (text,)
        case Bullets(items):
            return items
        case Table(rows):
            return tuple(" | ".join(row) for row in rows)
        case Figure():
            return ()
