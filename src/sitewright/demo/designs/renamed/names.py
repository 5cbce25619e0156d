"""Pages and style sheets in, the same with generated names for classes and ids out."""

import re

_TAG = re.compile(r"""<(?P<raw>script|style)\b.*?</(?P=raw)>|<[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>""", re.DOTALL)
_ATTRIBUTE = re.compile(r"""(?<=\s)(?P<name>[a-z-]+)=(?P<value>"[^"]*"|'[^']*')""")
_WORD = re.compile(r"[\w-]+")
_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
_BEFORE_BRACE = re.compile(r"[^{};]*\{")
_IN_SELECTOR = re.compile(r"(?<=[.#])[a-zA-Z_][\w-]*")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def generated(name: str) -> str:
    """Return what a build makes of a name: its 32-bit FNV-1a, in base 36 as JavaScript writes it.

    >>> generated("story__title"), generated("story__body")
    ('css-1lozzsu', 'css-0pgo5yc')
    """
    number = 2166136261
    for byte in name.encode():
        number = (number ^ byte) * 16777619 % 2**32
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return f"css-{digits:0>7}"


def rename_html(html: str) -> str:
    """Rename classes, ids and links to ids; scripts and style elements stay as they are.

    >>> rename_html('<p class="kicker">class="kicker" <a href="#comments">2</a></p>')
    '<p class="css-0n8l4j8">class="kicker" <a href="#css-0ok9nfb">2</a></p>'
    """
    return _TAG.sub(lambda tag: tag[0] if tag["raw"] else _ATTRIBUTE.sub(_renamed, tag[0]), html)


def rename_css(css: str) -> str:
    """Rename classes and ids in the selectors of a style sheet, and drop its comments.

    >>> rename_css("/* Lists */ .card > .kicker { margin: .5rem; } h2 { color: #ccc; }")
    '.css-11s01un > .css-0n8l4j8 { margin: .5rem; } h2 { color: #ccc; }'
    """
    return _BEFORE_BRACE.sub(lambda before: _IN_SELECTOR.sub(_name, before[0]), _COMMENT.sub("", css))


def _renamed(attribute: re.Match[str]) -> str:
    name, value = attribute["name"], attribute["value"]
    holds_names = name in {"class", "id"} or (name == "href" and value[1] == "#")
    return f"{name}={_WORD.sub(_name, value)}" if holds_names else attribute[0]


def _name(found: re.Match[str]) -> str:
    return generated(found[0])
