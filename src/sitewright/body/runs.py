"""A Document in, what it displays in document order out: runs of text with the elements around them, and pictures."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from turbohtml import Element, Text

from sitewright.parse import Document

BLOCKS = frozenset(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody "
    "td tfoot th thead tr ul".split()
)
PICTURES = frozenset({"img", "amp-img"})
_NO_TEXT = frozenset(
    "script style template head svg iframe object canvas audio video select button textarea math input noscript".split()
)
_HIDING = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE)
_STREAMED = re.compile(r"S:[0-9a-f]+")
"""React sends parts of a page hidden under such ids, for a script to put in their places at once."""
MOST_RUNS = 20_000
"""What a page beyond all measure may cost."""
_NO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u200b\u200e\u200f\u2060\ufeff"))


class Piece(NamedTuple):
    """A text, and the inline elements around it, outermost first."""

    text: str
    chain: tuple[Element, ...]


@dataclass(slots=True)
class Run:
    """Text between two block boundaries, line by line (parted by `<br>`), or a picture."""

    chain: tuple[Element, ...]
    """The block elements around it, outermost first."""
    lines: list[list[Piece]]
    picture: Element | None = None

    @property
    def element(self) -> Element:
        """The block that holds it."""
        return self.chain[-1]

    @property
    def keys(self) -> list[str]:
        """Its lines as they are compared."""
        return [key_of("".join(piece.text for piece in line)) for line in self.lines]


def key_of(text: str) -> str:
    """Return a text as it is compared: without white space, and what has no width.

    >>> key_of(" A b\\u00ad-c ")
    'Ab-c'
    """
    return "".join((text if text.isascii() else text.translate(_NO_WIDTH)).split())


def read_runs(document: Document, *, hidden_too: bool = False) -> list[Run]:
    """Return what a page displays; with `hidden_too` also what only scripts would display."""
    root = document.tree.root
    if root is None:
        return []
    walk = _Walk(hidden_too)
    walk.down(root, (root,), ())
    walk.flush((root,))
    return walk.runs


@dataclass(slots=True)
class _Walk:
    hidden_too: bool
    runs: list[Run] = field(default_factory=list)
    lines: list[list[Piece]] = field(default_factory=lambda: [[]])

    def down(self, element: Element, blocks: tuple[Element, ...], inline: tuple[Element, ...]) -> None:
        """Walk what is inside of an element; one call a level."""
        for child in element:
            if isinstance(child, Text):
                if child.data:
                    self._text(child.data, blocks, inline)
            elif isinstance(child, Element) and len(self.runs) < MOST_RUNS:
                self._enter(child, blocks, inline)

    def _text(self, text: str, blocks: tuple[Element, ...], inline: tuple[Element, ...]) -> None:
        first, *others = text.split("\n") if blocks[-1].tag == "pre" else [text]
        self.lines[-1].append(Piece(first, inline))
        self.lines += [[Piece(line, inline)] for line in others]

    def _enter(self, child: Element, blocks: tuple[Element, ...], inline: tuple[Element, ...]) -> None:
        tag = child.tag
        if tag == "br":
            self._break(blocks)
        elif tag in PICTURES:
            self._picture(child, blocks)
        elif self._is_unseen(child):
            return
        elif tag in BLOCKS:
            self.flush(blocks)
            below = (*blocks, child)
            self.down(child, below, ())
            self.flush(below)
        else:
            self.down(child, blocks, (*inline, child))

    def _break(self, blocks: tuple[Element, ...]) -> None:
        """Begin a new line; two breaks are the end of a paragraph."""
        if _is_blank(self.lines[-1]) and len(self.lines) > 1:
            self.flush(blocks)
        else:
            self.lines.append([])

    def _picture(self, image: Element, blocks: tuple[Element, ...]) -> None:
        """Note a picture; one amid a paragraph stands before it."""
        if self.hidden_too or not _is_hidden(image):
            self.runs.append(Run(blocks, [], image))

    def flush(self, blocks: tuple[Element, ...]) -> None:
        """End the run."""
        lines, self.lines = [line for line in self.lines if not _is_blank(line)], [[]]
        if lines:
            self.runs.append(Run(blocks, lines))

    def _is_unseen(self, element: Element) -> bool:
        return element.tag in _NO_TEXT or (not self.hidden_too and _is_hidden(element))


def _is_blank(line: Sequence[Piece]) -> bool:
    return all(piece.text.isspace() or not key_of(piece.text) for piece in line)


def _is_hidden(element: Element) -> bool:
    attrs = element.attrs
    if not attrs:
        return False
    if "hidden" in attrs and not _STREAMED.fullmatch(str(attrs.get("id") or "")):
        return True
    style = attrs.get("style")
    return isinstance(style, str) and _HIDING.search(style) is not None
