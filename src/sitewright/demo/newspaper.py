"""A newspaper: its stories, and where everything it publishes is found."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from sitewright.demo.dates import format_date
from sitewright.demo.story import Kind, Person, Picture, Story
from sitewright.demo.words import Section, Tag, Words

PAGE_LENGTH = 6
"""Stories on one page of a list: forty stories then give every long list a second page."""

Key = TypeVar("Key", bound=Hashable)

KIND_PATHS: dict[Kind, str] = {"gallery": "/photos/", "video": "/video/", "live": "/live/"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One page of a list of stories."""

    title: str
    path: str
    page: int
    pages: int
    stories: tuple[Story, ...]
    introduction: str = ""
    portrait: str = ""

    @property
    def own_path(self) -> str:
        """Where this page of the list is."""
        return self.path_of(self.page)

    def path_of(self, page: int) -> str:
        """Return where another page of the same list is."""
        return self.path if page == 1 else f"{self.path}page/{page}/"


@dataclass(frozen=True, slots=True)
class Notice:
    """A page of plain text."""

    path: str
    title: str
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Newspaper:
    """All that a design needs in order to draw the site."""

    words: Words
    host: str
    base_url: str
    newest: datetime
    """What the front page takes for now."""
    stories: tuple[Story, ...]
    front_length: int | None = None
    """How many of the stories, the newest, the front page has room for."""

    @property
    def front(self) -> "Newspaper":
        """The paper as its front page knows it."""
        return replace(self, stories=self.stories[: self.front_length])

    def absolute(self, path: str) -> str:
        """Return the absolute URL of a path."""
        return self.base_url + path

    def label(self, key: str, /, **slots: object) -> str:
        """Return a word of the interface in the paper's language."""
        return self.words.labels[key].format(**slots)

    def long_date(self, moment: datetime) -> str:
        """Write a moment as the paper shows it, without a time zone."""
        return format_date(self.words.calendar, self.words.calendar.long, moment)

    def related(self, story: Story, count: int) -> tuple[Story, ...]:
        """Return other stories, those of the same section first."""
        others = [other for other in self.stories if other is not story]
        others.sort(key=lambda other: other.sections[0] != story.sections[0])
        return tuple(others[:count])

    def most_read(self, count: int) -> tuple[Story, ...]:
        """Return some stories in an order that is not that of time."""
        return tuple(sorted(self.stories, key=lambda story: story.number * 7919 % 101)[:count])


def story_path(story: Story) -> str:
    """Return where a story is."""
    name = f"{story.slug}-{story.number}"
    match story.kind:
        case "article":
            return f"/{story.sections[0].slug}/{story.published:%Y/%m/%d}/{name}.html"
        case "gallery":
            return f"/photos/{story.published:%Y}/{name}/"
        case "video":
            return f"/video/{name}"
        case "live":
            return f"/live/{story.published:%Y-%m-%d}/{name}/"


def embed_path(story: Story) -> str:
    """Return where the player of a film is."""
    return f"/embed/{story.number}"


def picture_path(picture: Picture, width: int) -> str:
    """Return where a picture of this width is."""
    return f"/media/{picture.slug}-{width}.svg"


def section_path(section: Section) -> str:
    """Return where a section begins."""
    return f"/{section.slug}/"


def tag_path(tag: Tag) -> str:
    """Return where the stories of a tag are."""
    return f"/topics/{tag.slug}/"


def author_path(person: Person) -> str:
    """Return where the stories of a person are."""
    return f"/authors/{person.slug}/"


def portrait_path(person: Person) -> str:
    """Return where the portrait of a person is."""
    return f"/media/people/{person.slug}.png"


def staff(stories: Sequence[Story]) -> tuple[Person, ...]:
    """Return everyone who signed a story."""
    return tuple({person.slug: person for story in stories for person in story.authors}.values())


def listings(paper: Newspaper) -> Iterator[Listing]:
    """Yield every page of every list: latest, sections, kinds, topics, authors."""
    stories = paper.stories
    yield from _pages(paper.label("latest"), "/latest/", stories)
    of_section = _grouped(stories, lambda story: story.sections)
    for section in paper.words.sections:
        yield from _pages(section.name, section_path(section), of_section[section])
    of_kind = _grouped(stories, lambda story: (story.kind,))
    for kind, path in KIND_PATHS.items():
        yield from _pages(paper.label(path.strip("/")), path, of_kind[kind])
    for tag, tagged in _grouped(stories, lambda story: story.tags).items():
        yield from _pages(tag.name, tag_path(tag), tagged)
    for person, signed in _grouped(stories, lambda story: story.authors).items():
        yield from _pages(paper.label("stories_by", name=person.name), author_path(person), signed, person)


def _grouped(stories: Iterable[Story], keys: Callable[[Story], Iterable[Key]]) -> Mapping[Key, Sequence[Story]]:
    """Return the stories under each of their keys; under a key that none has there are none."""
    groups = defaultdict[Key, list[Story]](list)
    for story in stories:
        for key in keys(story):
            groups[key].append(story)
    return groups


def _pages(title: str, path: str, stories: Sequence[Story], person: Person | None = None) -> Iterator[Listing]:
    count = max(1, -(-len(stories) // PAGE_LENGTH))
    for page in range(1, count + 1):
        yield Listing(
            title=title,
            path=path,
            page=page,
            pages=count,
            stories=tuple(stories[(page - 1) * PAGE_LENGTH : page * PAGE_LENGTH]),
            introduction=person.bio if person else "",
            portrait=portrait_path(person) if person else "",
        )
