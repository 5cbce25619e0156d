"""Pieces of a run in, the same below an element out: links, emphasis and code, and text."""

import re
from collections.abc import Iterator, Sequence

from turbohtml import Element, Text

from sitewright.body.runs import Piece
from sitewright.parse import absolute_url

_BLANKS = re.compile(r"\s+")
_NO_WIDTH = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
_MEANING = {
    "strong": "strong", "b": "strong", "em": "em", "i": "em", "cite": "em", "code": "code", "kbd": "code",
    "samp": "code", "tt": "code", "del": "del", "s": "del", "strike": "del", "sub": "sub", "sup": "sup", "a": "a",
}  # fmt: skip
_IN_HEADINGS = frozenset({"a", "code", "sub", "sup"})


def loose_text(text: str) -> str:
    """Return a text with single blanks, and without what has no width; directions of writing are kept."""
    return _BLANKS.sub(" ", text.translate(_NO_WIDTH))


def add_inline(leaf: Element, lines: Sequence[Sequence[Piece]], base_url: str, *, bare: bool = False) -> None:
    """Write lines of a run into an element, parted by `<br>`; `bare`: without emphasis."""
    for number, line in enumerate(lines):
        if number:
            leaf.append(Element("br"))
        open_ones: list[tuple[Element, Element]] = []
        for text, chain in _spaced(line):
            wanted = [element for element in chain if _keeps(element, base_url, bare)]
            same = 0
            while same < min(len(wanted), len(open_ones)) and open_ones[same][0] == wanted[same]:
                same += 1
            del open_ones[same:]
            for source in wanted[same:]:
                parent = open_ones[-1][1] if open_ones else leaf
                open_ones.append((source, _begun(source, parent, base_url)))
            (open_ones[-1][1] if open_ones else leaf).append(Text(text))


def _keeps(element: Element, base_url: str, bare: bool) -> bool:
    meaning = _MEANING.get(element.tag)
    if meaning is None or (bare and meaning not in _IN_HEADINGS):
        return False
    return meaning != "a" or bool(element.attr("href") and absolute_url(element.attr("href") or "", base_url))


def _begun(source: Element, parent: Element, base_url: str) -> Element:
    """Begin an element; emphasis that follows on itself goes on."""
    meaning = _MEANING[source.tag]
    last = parent.children[-1] if parent.children else None
    if meaning != "a" and isinstance(last, Element) and last.tag == meaning:
        return last
    address = {"href": absolute_url(source.attr("href") or "", base_url)} if meaning == "a" else {}
    begun = Element(meaning, address)
    parent.append(begun)
    return begun


def _spaced(line: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces of a line with single blanks between words, none at its ends, and none that begin an element."""
    texts = [loose_text(piece.text) for piece in line]
    pieces: list[Piece] = []
    blank = True
    for text, piece in zip(texts, line, strict=True):
        shown = text.strip()
        if not shown:
            if text and not blank:
                pieces.append(Piece(" ", ()))
                blank = True
            continue
        if text.startswith(" ") and not blank:
            pieces.append(Piece(" ", _shared(pieces[-1].chain, piece.chain) if pieces else ()))
        pieces.append(Piece(shown, piece.chain))
        blank = text.endswith(" ")
        if blank:
            pieces.append(Piece(" ", ()))
    while pieces and pieces[-1].text == " ":
        pieces.pop()
    yield from _blanks_inside(pieces)


def _blanks_inside(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Let blanks between two pieces of one element be inside of it, so that it is not parted."""
    for number, piece in enumerate(pieces):
        if piece.text == " " and 0 < number < len(pieces) - 1:
            yield Piece(" ", _shared(pieces[number - 1].chain, pieces[number + 1].chain))
        else:
            yield piece


def _shared(one: Sequence[Element], other: Sequence[Element]) -> tuple[Element, ...]:
    shared: list[Element] = []
    for element, counterpart in zip(one, other, strict=False):
        if element != counterpart:
            break
        shared.append(element)
    return tuple(shared)
