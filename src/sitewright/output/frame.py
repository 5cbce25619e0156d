"""A page and the fields of its elements in, out the page as a report may show it: rebuilt, outlined, and harmless.

What strangers wrote is written anew from a short list of elements, without their attributes: no script, no style, no
address is left, so that nothing runs and nothing is loaded. Pictures are boxes with the words that stand for them.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from turbohtml import Element, Namespace, Node, Text

from sitewright.output.markup import POLICY
from sitewright.parse import Document
from sitewright.parse.text import HIDDEN

MOST_CHARACTERS = 120_000
"""Of one page; a long article with its comments has half of that."""
_MOST_BESIDE = 40_000
"""Of what no field was taken from: menus and lists of links, mostly."""
_KEPT = frozenset(
    "h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption thead tbody tfoot tr td th blockquote figure figcaption pre "
    "em strong b i s small sub sup q cite code mark ruby rt rp time address".split()
)
_BLOCKS = frozenset("div section article main details summary hgroup fieldset center".split())
_BESIDE = frozenset(("header", "nav", "footer", "aside", "form"))
"""Folded, where nothing of it was taken."""
_DROPPED = frozenset(
    "script style template noscript head title link meta base iframe frame frameset object embed applet canvas audio "
    "video svg math map select option input button textarea dialog source track param noframes plaintext xmp".split()
)
_EMPTY = frozenset(("br", "hr"))
_PICTURES = frozenset(("img", "amp-img"))
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}")
_SPAN = re.compile(r"[1-9]\d?")
_BLANKS = re.compile(r"\s+")
_DIRECTIONS = frozenset(("ltr", "rtl", "auto"))


@dataclass(frozen=True, slots=True)
class Mark:
    """The fields that an element was taken for."""

    fields: tuple[str, ...]
    stated: bool = False
    """Whether the value itself comes from metadata, and the element only shows it too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FramedPage:
    """A page that can be shown: its body as harmless markup, and how it is written."""

    body: str
    language: str = ""
    direction: str = ""
    marked: frozenset[str] = frozenset()
    """The fields that are outlined in it."""


def frame_of(document: Document, marks: Mapping[Element, Mark], *, numbered: bool = False) -> FramedPage:
    """Rebuild a page with the marked elements outlined; where `numbered`, every element says which one it is."""
    root = document.tree.select_one("html")
    body = document.tree.select_one("body")
    number_of = document.number_of if numbered else None
    writing = _Writing(marks, _ancestors(marks), frozenset(document.tree.select(HIDDEN)), number_of)
    if body is not None:
        writing.write(body)
    return FramedPage(
        body="".join(writing.parts),
        language=_safe(root, "lang"),
        direction=_safe(body, "dir") or _safe(root, "dir"),
        marked=frozenset(writing.marked),
    )


def frame_text(frame: FramedPage, colours: Mapping[str, str]) -> str:
    """Return the whole document of a frame; `colours` has those of the fields."""
    style = files("sitewright.output").joinpath("frame.css").read_text("utf-8")
    own = "".join(f'[data-c="{_css(name)}"]{{--c:{colour}}}' for name, colour in colours.items())
    language = f' lang="{frame.language}"' if frame.language else ""
    direction = f' dir="{frame.direction}"' if frame.direction else ""
    return (
        f'<!DOCTYPE html><html{language}{direction}><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<style>{style}{own}</style></head><body>{frame.body}</body></html>"
    )


def _css(name: str) -> str:
    r"""Return a text as it stands in a string of CSS.

    >>> _css('ti"}'), _css("old_price")
    ('ti\\22 \\7d ', 'old_price')
    """
    return "".join(char if char.isascii() and (char.isalnum() or char == "_") else f"\\{ord(char):x} " for char in name)


def _ancestors(marks: Collection[Element]) -> frozenset[Element]:
    """Return all that a marked element stands in."""
    found: set[Element] = set()
    for element in marks:
        for above in element.ancestors:
            if not isinstance(above, Element) or above in found:
                break
            found.add(above)
    return frozenset(found)


def _safe(element: Element | None, name: str) -> str:
    """Return the language or direction of an element; empty where it states none, or something else."""
    stated = element.attr(name) if element is not None else None
    value = stated.strip() if isinstance(stated, str) else ""
    if name == "dir":
        return value.lower() if value.lower() in _DIRECTIONS else ""
    return value if _LANGUAGE.fullmatch(value) else ""


class _Writing:
    """Writes elements one by one, with a stack of its own: pages may be nested deeper than Python likes."""

    def __init__(
        self,
        marks: Mapping[Element, Mark],
        around: frozenset[Element],
        hidden: frozenset[Element],
        number_of: Callable[[Element], int] | None,
    ) -> None:
        self.parts: list[str] = []
        self.marked: set[str] = set()
        self._marks = marks
        self._around = around
        self._hidden = hidden
        self._number_of = number_of
        self._size = self._beside = 0
        self._last: tuple[str, ...] = ()
        self._cut = False

    def write(self, body: Element) -> None:
        """Write all that is in an element."""
        waiting: list[tuple[Node | str, bool]] = [(child, False) for child in reversed(list(body.children))]
        while waiting:
            node, taken = waiting.pop()
            if isinstance(node, str):
                self._add(node, taken=taken)
            elif isinstance(node, Text):
                self._write_text(node, taken)
            elif isinstance(node, Element):
                inner = taken or node in self._marks
                if (end := self._begin(node, taken=inner)) is not None:
                    waiting.append((end, inner))
                    waiting += ((child, inner) for child in reversed(list(node.children)))

    def _begin(self, element: Element, *, taken: bool) -> str | None:
        """Write the beginning of an element and return its end; None where nothing of it is shown."""
        tag, mark = element.tag, self._marks.get(element)
        if not self._is_shown(element) or not self._has_room(taken=taken or element in self._around):
            return None
        if tag in _EMPTY:
            self._add(f"<{tag}>", taken=taken)
            return None
        if tag in _PICTURES:
            alt = element.attr("alt")
            words = _BLANKS.sub(" ", alt).strip() if isinstance(alt, str) else ""
            attributes = self._outline(mark) + self._number(element)
            self._add(f'<span class="pic"{attributes}>{escape(words[:200]) or "picture"}</span>', taken=taken)
            return None
        if self._folds(element, taken=taken):
            self._add(f'<details class="x"><summary>{tag}</summary>', taken=False)
            return "</details>"
        name = self._name(element, mark)
        if not name:
            return ""
        self._add(f"<{name}{self._attributes(element)}{self._outline(mark)}{self._number(element)}>", taken=taken)
        return f"</{name}>"

    def _folds(self, element: Element, *, taken: bool) -> bool:
        """Tell whether an element is folded: what is beside the item, where nobody is to point at it."""
        is_beside = element.tag in _BESIDE and not taken and element not in self._around
        return is_beside and self._number_of is None

    def _is_shown(self, element: Element) -> bool:
        if element.namespace != Namespace.HTML or element.tag in _DROPPED:
            return False
        return element not in self._hidden or element in self._marks or element in self._around

    def _name(self, element: Element, mark: Mark | None) -> str:
        """Return what an element is written as: itself, a plain block, a part of a line, or nothing but its content."""
        if element.tag in _KEPT:
            return element.tag
        if element.tag in _BLOCKS or element.tag in _BESIDE:
            return "div"
        if element.tag == "a":
            return "u"
        return "span" if mark is not None or self._number_of else ""

    def _number(self, element: Element) -> str:
        return f' data-n="{self._number_of(element)}"' if self._number_of is not None else ""

    def _attributes(self, element: Element) -> str:
        kept = [(name, _safe(element, name)) for name in ("dir", "lang")]
        if element.tag in ("td", "th"):
            spans = ((name, element.attr(name)) for name in ("colspan", "rowspan"))
            kept += [(name, span) for name, span in spans if isinstance(span, str) and _SPAN.fullmatch(span)]
        return "".join(f' {name}="{value}"' for name, value in kept if value)

    def _outline(self, mark: Mark | None) -> str:
        """Return what outlines an element; the first of several alike has a label."""
        if mark is None:
            return ""
        self.marked.update(mark.fields)
        stated = " data-stated" if mark.stated else ""
        label = "" if mark.fields == self._last else f' data-f="{escape(", ".join(mark.fields))}"'
        self._last = mark.fields
        return f' data-c="{escape(mark.fields[0])}"{label}{stated}'

    def _write_text(self, node: Text, taken: bool) -> None:
        is_layout = isinstance(node.parent, Element) and node.parent.tag == "pre"
        text = node.data if is_layout else _BLANKS.sub(" ", node.data)
        if text.strip() and self._has_room(taken=taken):
            room = MOST_CHARACTERS - self._size
            escaped = escape(text, quote=False)
            self._add(escaped if len(escaped) <= room else escape(text[: room // 5], quote=False), taken=taken)
        elif text and not self._cut:
            self._add(" ", taken=taken)

    def _has_room(self, *, taken: bool) -> bool:
        """Tell whether there is room; what was taken for a field has more than what was not."""
        if self._size < MOST_CHARACTERS and (taken or self._beside < _MOST_BESIDE):
            return True
        if not self._cut:
            self.parts.append('<p class="cut">(not all of the page is shown)</p>')
            self._cut = True
        return False

    def _add(self, text: str, *, taken: bool) -> None:
        self.parts.append(text)
        self._size += len(text)
        self._beside += 0 if taken else len(text)
