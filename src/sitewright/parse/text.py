"""Elements in, visible text out: one line a paragraph, heading, list item or table row."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from turbohtml import Comment, Element, Node, PlainText

from sitewright.parse.selectors import select_below

HIDDEN = (
    "noscript, select, button, textarea, svg, iframe, object, canvas, audio, video, dialog, "
    '[hidden]:not([id^="S:"]), '  # React sends parts of a page so, for a script to put in their places at once
    '[style*="display:none" i], [style*="display: none" i], '
    '[style*="visibility:hidden" i], [style*="visibility: hidden" i]'
)
"""What a reader does not see, beyond script, style, template and comments, which are never text."""
_SPECIAL = f"{HIDDEN}, ol"

_BLOCKS = frozenset(
    "address article aside blockquote dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hr li main nav ol p pre section table tbody td tfoot th thead tr ul noscript iframe video".split()
)
_LAYOUT = PlainText(bullet="", table_cell_separator=" | ")
_LAID_OUT = frozenset({"li", "tr", "td", "th", "table", "ul", "menu", "dir"})
_LISTS = "li, td, th"
"""What has a bullet, or is parted from its neighbours."""
_INLINE = "a, abbr, b, bdi, cite, em, font, i, mark, small, span, strong, time, u"
_RENDERED = f":not({_INLINE}), [hidden], [style]"
"""What is more than text in a line: a line without any of it needs no renderer."""
_RUNS = re.compile("  +")
"""Runs of blanks: replacing every white space, single blanks too, would take ten times as long."""
_NO_WIDTH = frozenset("\u00ad\u200b\u200e\u200f\u2060\ufeff")
_ODD_CHARACTERS = dict.fromkeys(sorted(_NO_WIDTH), "") | dict.fromkeys(
    "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
)
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
TITLE_SEPARATOR = re.compile(r"\s+[|\-–—·•»«/:~]+\s+|\s*[|｜»«]\s*|_(?=\S+$)|(?<=[^\W\d_]{3}):\s+")
"""What parts a title from the name of its site or section ("Bees | The Lantern")."""
_SAME_PARAGRAPH = 40
"""A line this long that stands twice is a copy; shorter ones (refrains, table cells) may repeat."""


def visible_text(node: Element) -> str:
    """Return the text of an element as one line."""
    if (
        node.tag != "menu" and node.select_one(_RENDERED) is None
    ):  # most headlines, bylines, tags and dates: no need for the renderer
        return clean_line(node.text)
    return " ".join(visible_lines([node]))


def visible_lines(nodes: Sequence[Element]) -> list[str]:
    """Return the text of elements, block by block; no paragraph twice, no node inside another one again."""
    outer = nodes if len({node.parent for node in nodes}) == 1 else _outermost(nodes)
    special = select_below(outer, _SPECIAL)
    if not special and all(node.tag != "ol" for node in outer):
        return _clean_lines(_render(outer))
    numbered = [node for node in (*outer, *special) if node.tag == "ol"]
    with without([node for node in special if node.tag != "ol" or node.matches(HIDDEN)]), _unnumbered(numbered):
        return _clean_lines(_render(outer))


@contextmanager
def without(nodes: Iterable[Element]) -> Iterator[None]:
    """Take nodes out of their tree for as long as the block runs."""
    taken: list[tuple[Node, Node]] = []
    try:
        for node in nodes:
            if node.parent is None:
                continue
            # A removed block still parts the text around it; a removed inline element leaves no trace.
            placeholder = Element("br") if node.tag in _BLOCKS else Comment("")
            node.replace_with(placeholder)
            taken.append((node, placeholder))
        yield
    finally:
        for original, stand_in in reversed(taken):
            stand_in.replace_with(original)


@contextmanager
def _unnumbered(lists: Sequence[Element]) -> Iterator[None]:
    """Let ordered lists be plain ones for as long as the block runs: their numbers are drawn, not written."""
    for node in lists:
        node.tag = "ul"
    try:
        yield
    finally:
        for node in lists:
            node.tag = "ol"


def clean_line(text: str) -> str:
    """Collapse white space and drop characters that have no width.

    >>> clean_line(" a\\u00ad\\u00a0 b\\n")
    'a b'
    """
    if not text.isascii() and not _NO_WIDTH.isdisjoint(text):
        text = "".join(char for char in text if char not in _NO_WIDTH)
    return " ".join(text.split())


def fold_words(text: str) -> list[str]:
    """Return the words of a text as they are compared; of scripts that part no words, the characters.

    >>> fold_words("Bees, at last: 蜂蜜")
    ['bees', 'at', 'last', '蜂', '蜜']
    """
    return _WORD.findall(text.casefold())


def are_called(names: Sequence[str], title: str) -> list[bool]:
    """Tell of each name whether a title says it.

    >>> are_called(["Kettle", "Pan", ""], "Kettle, 1 l | Hearthside")
    [True, False, False]
    """
    page = f" {' '.join(fold_words(title))} "
    return [bool(words) and f" {' '.join(words)} " in page for words in map(fold_words, names)]


def clean_lines(text: str) -> list[str]:
    """Split a stored text into its non-empty, cleaned, distinct lines."""
    return _clean_lines(text.replace("\r", "\n"))


def _render(nodes: Iterable[Element]) -> str:
    # Without lists and tables the renderer's defaults will do; to unpack other ones takes longer than most texts.
    return "\n".join([node.to_text(_LAYOUT) if _is_laid_out(node) else node.to_text() for node in nodes])


def _is_laid_out(node: Element) -> bool:
    return node.tag in _LAID_OUT or node.select_one(_LISTS) is not None


def _outermost(nodes: Sequence[Element]) -> list[Element]:
    """Return the nodes (in document order) that are not inside an earlier one."""
    outer: list[Element] = []
    for node in nodes:
        if not outer or outer[-1] not in node.ancestors:
            outer.append(node)
    return outer


def _clean_lines(raw: str) -> list[str]:
    if not raw.isascii():
        for char, stand_in in _ODD_CHARACTERS.items():
            if char in raw:
                raw = raw.replace(char, stand_in)
    for char in "\t\r\f\v":
        if char in raw:
            raw = raw.replace(char, " ")
    if "  " in raw:
        raw = _RUNS.sub(" ", raw)
    lines: list[str] = []
    seen: set[str] = set()
    for line in map(str.strip, raw.split("\n")):
        if not line or (line in seen and (len(line) >= _SAME_PARAGRAPH or line == lines[-1])):
            continue
        seen.add(line)
        lines.append(line)
    return lines
