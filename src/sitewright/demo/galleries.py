"""Stories in pictures and a kind in, a paper that shows them so out: a picture a page, all in a script, by clicks."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from random import Random
from typing import ClassVar, Literal, Protocol
from urllib.parse import parse_qs, urlsplit
from zlib import crc32

from sitewright.demo import gallery_pages as drawn
from sitewright.demo.catalogue import SitePage
from sitewright.demo.loopback import LoopbackServer
from sitewright.demo.pictures import PNG_TYPE, png
from sitewright.demo.story import Paragraph, Picture, Story
from sitewright.demo.words import Words
from sitewright.demo.writing import KINDS, write_stories

GalleryKind = Literal["linked", "state", "script"]
"""A picture a page, by numbered links or by "next" alone; all as JSON in a script; turned by the page's own button."""
_SIZE = 320
_COLOURS = ("#234852", "#e3f0f7", "#c77b6b", "#f4d06f")
_HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class GalleryPaper:
    """A paper of galleries; its logo and its adverts are on all pages."""

    takes_query: ClassVar[bool] = True
    kind: GalleryKind
    name: str
    words: Words
    stories: Sequence[Story]
    base_url: str
    _by_path: dict[str, Story] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Know stories by their paths."""
        self._by_path.update({drawn.gallery_path(story): story for story in self.stories})

    def page(self, path: str) -> SitePage | None:
        """Return what is at a path."""
        parts = urlsplit(path)
        if parts.path == "/":
            return self._html(path, "front", drawn.front(self.name, self.words, self.stories))
        if parts.path.endswith(".png"):
            return SitePage(path, picture_of(parts.path), PNG_TYPE, "image")
        if parts.path == drawn.SCRIPT_PATH:
            return SitePage(path, drawn.turning_script().encode(), "text/javascript; charset=utf-8", "asset")
        return self._gallery_page(path, parts.path, parse_qs(parts.query))

    def truth(self) -> dict[str, Story]:
        """Return the stories by the paths of their first pages."""
        return dict(self._by_path)

    def _gallery_page(self, whole: str, path: str, query: dict[str, list[str]]) -> SitePage | None:
        base, is_data, _ = path.partition(drawn.DATA)
        story = self._by_path.get(base)
        number = int(query.get("page", ["1"])[0])
        if story is None or not 1 <= number <= len(story.photos):
            return None
        if is_data:
            return SitePage(whole, drawn.photo_data(story, number).encode(), "application/json", "data")
        draw = {"linked": drawn.linked, "state": drawn.with_state, "script": drawn.turned}[self.kind]
        frame = partial(drawn.frame, self.name, self.words, story)
        return self._html(whole, "gallery", frame(draw(story, number)))

    def _html(self, path: str, kind: str, text: str) -> SitePage:
        return SitePage(path, text.encode(), _HTML, kind)


def gallery_stories(words: Words, seed: int, count: int, newest: datetime) -> tuple[Story, ...]:
    """Write so many stories in pictures, the newest first; none is later than `newest`."""
    every = len(KINDS) // KINDS.count("gallery")
    written = write_stories(words, Random(seed), count * every, newest)
    return tuple(story for story in written if story.kind == "gallery")[:count]


def retold(story: Story, number: int) -> Story:
    """Return a story as another paper tells it: its own headline and pictures, a paragraph less."""
    first, *others = [block for block in story.body if isinstance(block, Paragraph)]
    photos = tuple(replace(photo, slug=f"own-{photo.slug}") for photo in story.photos)
    headline = f"{story.place}: {story.subtitle or story.headline}"
    body = (first, *others[:-1]) if len(others) > 1 else (first, *others)
    return replace(story, number=number, headline=headline, slug=f"in-pictures-{number}", photos=photos, body=body)


def picture_of(path: str) -> bytes:
    """Return the bytes of a picture: stripes, another for each address."""
    turn = crc32(path.encode())
    first, second = 3 + turn % 29, 5 + turn % 31
    return png(_SIZE, list(_COLOURS), lambda x, y: (x // first + y // second + turn) % len(_COLOURS))


def picture_address(base_url: str, picture: Picture) -> str:
    """Return the absolute address of a picture."""
    return f"{base_url}{drawn.picture_path(picture)}"


class GalleryPaperMaker(Protocol):
    """What makes a paper as soon as its address is known."""

    def __call__(self, *, base_url: str) -> GalleryPaper:
        """Return the paper."""


@contextmanager
def serve_galleries(makers: Iterable[GalleryPaperMaker]) -> Iterator[tuple[GalleryPaper, ...]]:
    """Serve papers of galleries at 127.0.0.2, 127.0.0.3, and so on: each address is a site of its own."""
    with ExitStack() as stack:
        yield tuple(stack.enter_context(_served(make, number)) for number, make in enumerate(makers, start=2))


@contextmanager
def _served(make: GalleryPaperMaker, number: int) -> Iterator[GalleryPaper]:
    with LoopbackServer((f"127.0.0.{number}", 0)) as server:
        paper = make(base_url=server.base_url)
        server.pages = paper
        with server.running():
            yield paper
