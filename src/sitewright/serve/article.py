"""The clean tree of a story's text in, its markup out: rebuilt from a short list, pictures through our proxy."""

from collections.abc import Callable
from html import escape

from markupsafe import Markup
from turbohtml import Element, Node, Text

from sitewright.serve.rendering import web_address

_KEPT = frozenset(
    "p h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre code figure figcaption table caption thead tbody tfoot tr td th "
    "strong em b i s sub sup q cite mark ruby rt rp small time".split()
)
_DROPPED = frozenset("script style template noscript iframe object embed svg math form title textarea select".split())
_EMPTY = frozenset(("br", "hr"))


def article_markup(tree: Element, picture_address: Callable[[str], str]) -> Markup:
    """Return the markup of a text; `picture_address` says where a picture is shown from (empty: it is not shown).

    >>> from sitewright.body import plain_body
    >>> str(article_markup(plain_body("1 < 2"), str))
    '<p>1 &lt; 2</p>'
    """
    parts: list[str] = []
    waiting: list[Node | str] = list(reversed(list(tree.children)))
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, Text):
            parts.append(escape(node.data, quote=False))
        elif isinstance(node, Element) and node.tag not in _DROPPED and not _is_hollow(node, picture_address):
            begin, end = _written(node, picture_address)
            parts.append(begin)
            waiting += [end, *reversed(list(node.children))]
    return Markup("".join(parts))  # noqa: S704 -- every text in it was escaped, every element written by name


def _is_hollow(element: Element, picture_address: Callable[[str], str]) -> bool:
    """Tell whether it is a figure none of whose pictures is shown: its caption alone says nothing."""
    if element.tag != "figure":
        return False
    sources = [web_address(one.attr("src")) for one in element.select("img")]
    return bool(sources) and not any(map(picture_address, sources))


def _written(element: Element, picture_address: Callable[[str], str]) -> tuple[str, str]:
    """Return how an element begins and ends; of one that is not on the list only what it holds is left."""
    tag = element.tag
    if tag == "h1":
        return "<h2>", "</h2>"
    if tag in _KEPT:
        return f"<{tag}>", f"</{tag}>"
    if tag in _EMPTY:
        return f"<{tag}>", ""
    if tag == "a" and (place := web_address(element.attr("href"))):
        return f'<a href="{escape(place)}" rel="noopener noreferrer nofollow" target="_blank">', "</a>"
    if tag == "img" and (source := picture_address(web_address(element.attr("src")))):
        alt = element.attr("alt")
        words = escape(alt if isinstance(alt, str) else "")
        return (
            f'<img src="{escape(source)}" alt="{words}" width="720" height="480" loading="lazy" decoding="async">',
            "",
        )
    return "", ""
