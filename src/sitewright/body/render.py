"""A clean tree in, Markdown or HTML out."""

import unicodedata
from collections.abc import Callable

from turbohtml import Element, Markdown, Node, Text


def html_of(tree: Element) -> str:
    """Return a clean tree as HTML, a block a line.

    >>> from sitewright.body.build import plain_body
    >>> html_of(plain_body("One.\\n<b>Two</b>."))
    '<p>One.</p>\\n<p>&lt;b&gt;Two&lt;/b&gt;.</p>'
    """
    return "\n".join(child.html for child in tree if isinstance(child, Element))


def markdown_of_body(tree: Element) -> str:
    """Return a clean tree as Markdown (GitHub's, for its tables); text of the page is never markup in it.

    >>> from sitewright.body.build import plain_body
    >>> markdown_of_body(plain_body("# One.\\n<b>Two</b>."))
    '\\\\# One.\\n\\n\\\\<b>Two\\\\</b>.'
    """
    return tree.to_markdown(_MARKDOWN).strip()


def _emphasis(mark: str, tag: str) -> Callable[[Element, str], str]:
    def emphasised(element: Element, inner: str) -> str:
        text = inner.strip()
        if not text or "\n" in text:
            return inner
        if _may_open(_neighbour(element.previous_sibling, last=True), text[0]) and _may_open(
            _neighbour(element.next_sibling, last=False), text[-1]
        ):
            return inner.replace(text, f"{mark}{text}{mark}")
        return inner.replace(text, f"<{tag}>{text}</{tag}>")

    return emphasised


def _neighbour(node: Node | None, *, last: bool) -> str:
    """Return the character beside an element; an emphasis beside it counts as a mark."""
    if node is None:
        return ""
    if isinstance(node, Element):
        return "*" if node.tag in {"strong", "em"} else " " if node.tag == "br" else "x"
    text = node.data if isinstance(node, Text) else ""
    return text[-1 if last else 0] if text else ""


def _may_open(outside: str, inside: str) -> bool:
    """Tell whether a mark between two characters is one: a mark between a letter and a punctuation mark is none."""
    if outside == "*":
        return False
    return not _is_mark(inside) or not outside or outside.isspace() or _is_mark(outside)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


_MARKDOWN = Markdown(
    converters={
        "strong": _emphasis("**", "strong"),
        "em": _emphasis("*", "em"),
        "figcaption": lambda _, inner: f"*{inner.strip()}*" if inner.strip() else "",
    }
)
