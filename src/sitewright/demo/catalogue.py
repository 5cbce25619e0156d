"""A newspaper in, its pages by path out: each is drawn when somebody first asks for it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sitewright.demo.newspaper import Newspaper

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
    """The kind of story; `front`, `list`, `notice`, `missing`, `embed`, `shell`, `data`, `feed`, `image`, `asset`."""


class _Entry(NamedTuple):
    kind: str
    content_type: str
    draw: Callable[[], str | bytes]


class Catalogue:
    """The pages of a newspaper as it stands at one moment."""

    def __init__(self, paper: Newspaper) -> None:
        self.paper = paper
        self._entries: dict[str, _Entry] = {}
        self._drawn: dict[str, SitePage] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __getitem__(self, path: str) -> SitePage:
        if path not in self._drawn:
            entry = self._entries[path]
            body = _encoded(entry.draw(), entry.content_type)
            self._drawn[path] = SitePage(path, body, entry.content_type, entry.kind)
        return self._drawn[path]

    def page(self, path: str) -> SitePage | None:
        """Return the page at a path, if there is one."""
        return self[path] if path in self._entries else None

    def add(self, path: str, kind: str, content_type: str, draw: Callable[[], str | bytes]) -> None:
        """Take in a file; text is encoded as its type says."""
        self._entries[path] = _Entry(kind, content_type, draw)

    def add_html(self, path: str, kind: str, draw: Callable[[], str]) -> None:
        """Take in a page in the paper's charset."""
        self.add(path, kind, f"text/html; charset={self.paper.words.charset}", draw)


def _encoded(body: str | bytes, content_type: str) -> bytes:
    """Return the bytes; what a charset cannot say becomes a character reference."""
    charset = content_type.rpartition("charset=")[2]
    return body if isinstance(body, bytes) else body.encode(_CODECS.get(charset, charset), "xmlcharrefreplace")
