"""An SVG drawing of a stranger in, the same out, built anew: shapes and colours, nothing that acts or loads.

An SVG is a document that can hold scripts, styles and addresses. Of a short list of shapes everything else is left out,
and of their attributes only numbers, colours and names that stand within the drawing.
"""

import re
from html import escape

from turbohtml import Element, Node, Text
from turbohtml import parse as parse_html

MOST_BYTES, _MOST_ELEMENTS, _DEEPEST = 1_000_000, 5_000, 40
_SHAPES = frozenset(
    "svg g rect circle ellipse path polygon polyline line defs linearGradient radialGradient stop clipPath text tspan "
    "title desc".split()
)
_WORDS = frozenset(("text", "tspan", "title", "desc"))
_VALUES = {
    name: re.compile(pattern)
    for names, pattern in (
        ("x y x1 y1 x2 y2 cx cy r rx ry fx fy width height dx dy offset", r"-?[\d.]+(?:px|%)?"),
        ("opacity fill-opacity stroke-opacity stop-opacity", r"-?[\d.]+"),
        ("stroke-width stroke-dashoffset stroke-miterlimit font-size", r"-?[\d.]+"),
        ("viewBox points stroke-dasharray", r"[-\d., e]{1,20000}"),
        ("d", r"[-\d.,\sa-zA-Z]{1,200000}"),
        ("transform gradientTransform", r"(?:[a-zA-Z]+\([-\d., e]*\)\s*){1,9}"),
        ("fill stroke stop-color color", r"#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,25}|rgba?\([\d., %]+\)|url\(#[\w-]+\)"),
        ("clip-path", r"url\(#[\w-]+\)"),
        ("id", r"[\w-]{1,80}"),
        ("gradientUnits clipPathUnits preserveAspectRatio", r"\w{1,40}(?: \w{1,20})?"),
        ("stroke-linecap stroke-linejoin fill-rule clip-rule", r"\w{1,40}"),
        ("text-anchor font-weight font-family", r"[\w ,-]{1,80}"),
    )
    for name in names.split()
}  # fmt: skip
"""What the values of an attribute look like; one that is not here is left out."""


def drawing_of(body: bytes) -> bytes:
    """Return a drawing that is harmless; empty where the bytes are none.

    >>> drawing_of(b'<svg viewBox="0 0 9 9" onload="x()"><script>x()</script><rect fill="red" width="9"/></svg>')
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" fill="red"></rect></svg>'
    """
    if len(body) > MOST_BYTES or b"<svg" not in body[:2_000].lower():
        return b""
    root = parse_html(body.decode("utf-8", "replace")).select_one("svg")
    if root is None:
        return b""
    parts, left = [], _MOST_ELEMENTS
    waiting: list[tuple[Node | str, int]] = [(root, 0)]
    while waiting and left:
        node, depth = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, Text):
            if isinstance(node.parent, Element) and node.parent.tag in _WORDS:
                parts.append(escape(node.data))
        elif isinstance(node, Element) and node.tag in _SHAPES and depth < _DEEPEST:
            left -= 1
            parts.append(_begin(node, is_root=depth == 0))
            waiting.append((f"</{node.tag}>", depth))
            waiting += [(child, depth + 1) for child in reversed(list(node.children))]
    return "".join(parts).encode("utf-8", "replace") if left else b""


def _begin(element: Element, *, is_root: bool) -> str:
    kept = []
    for name, pattern in _VALUES.items():
        value = element.attr(name)
        if isinstance(value, str) and pattern.fullmatch(value.strip()):
            kept.append(f' {name}="{escape(value.strip())}"')
    space = ' xmlns="http://www.w3.org/2000/svg"' if is_root else ""
    return f"<{element.tag}{space}{''.join(kept)}>"
