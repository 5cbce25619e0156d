"""An element in, the tokens that selectors can name it by out, each with its cost: stable names are cheap."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from turbohtml import Element

_SAFE = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
"""Names that need no escaping; others are left to names that people can read."""
_SAFE_VALUE = re.compile(r"\w[\w.:/-]{0,40}")
_HASHED = re.compile(
    r"^(?:css|sc|jsx|jss|emotion|svelte|astro)-[\w-]+$|^(?:tw|e)-?(?=\w*\d)\w{4,}$|^_?[a-z]{1,3}\d\w{3,}$|^_(?=\w*\d)\w{4,8}$"
)
_HASHED_END = re.compile(r"^(?P<stem>[A-Za-z][A-Za-z]*(?:[-_]+[A-Za-z]+)*?)[-_]{1,3}(?P<hash>[A-Za-z0-9]{5,12})$")
_COUNTED = re.compile(r"\d{2,}")
_STATE = re.compile(
    r"^(?:js|is|has|no|wp-image|post|postid|node|item|page|id)-|^(?:active|open|closed|first|last|odd|even|hidden|show|"
    r"visible|loaded|lazy\w*|clearfix|cf|current|selected|expanded|collapsed)$|^(?:menu-item|category|tag|type|status|format)-"
)
_UTILITY = re.compile(
    r"^(?:(?:xs|sm|md|lg|xl|2xl|hover|focus)[:_-])?-?(?:[mp][trblxy]?|w|h|col|row|grid|flex|float|pull|push|text|font|bg|border|"
    r"rounded|gap|d|order|align|justify|items|offset|span|u|g|pos|clear|fs|fw|lh|z|mb|mt|container|wrapper|wrap|inner|"
    r"outer|left|right|center|top|bottom|small|large|medium|big|bold|block|inline|full|half|one|two|three)(?:-[\w-]+|\d+)?$"
)
_TELLING = frozenset(
    "article story post entry content body headline title subtitle lead lede deck standfirst summary author byline "
    "date time published updated tag tags topic topics keywords category categories section breadcrumb breadcrumbs "
    "kicker text main detail news page header meta info".split()
)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NAMED = ("itemprop", "rel", "property", "role", "name", "data-testid", "data-component", "data-type", "data-role")
_PLAIN = frozenset(
    "div span p a li ul ol b i em strong section td tr table small font center dd dt dl tbody thead label body "
    "html".split()
)

_CLASS, _ID, _ATTRIBUTE, _TAG, _PLAIN_TAG = 1.0, 0.9, 0.8, 0.9, 1.6
_DOUBTFUL, _TELLS = 0.8, 0.25
_FIRST = 0.05
GENERATED = 3.0
"""What a name costs that a build has made up: it lasts until the next one, and is taken where nothing else tells."""
COUNTED = 2.0
"""What an id with a number in it costs: of a control of a page that is the same everywhere, or of one thing alone."""
POSITION = 6.0
"""What a position costs: more than any name, so that it is taken only where there is none."""


class Token(NamedTuple):
    """A simple selector, and what it costs to rest on it."""

    css: str
    cost: float


def tokens_of(element: Element) -> Iterator[Token]:
    """Yield what an element can be named by; the bare tag first.

    >>> from turbohtml import parse
    >>> element = parse('<p class="lead css-1x2y3z" id=p17 itemprop=description>').select_one("p")
    >>> [token.css for token in tokens_of(element)]
    ['p', 'p.lead', 'p[itemprop="description"]']
    """
    tag, attrs = element.tag, element.attrs
    if not _SAFE.fullmatch(tag):
        return
    yield Token(tag, _PLAIN_TAG if tag in _PLAIN else _TAG)
    if attrs:
        yield from _class_tokens(tag, attrs.get("class"))
        identity = attrs.get("id")
        if isinstance(identity, str) and _SAFE.fullmatch(identity) and not any(map(str.isdigit, identity)):
            yield Token(f"{tag}#{identity}", _ID - _TELLS * _tells(identity))
        for key, value in attrs.items():
            if key in _NAMED or key.startswith("data-"):
                yield from _attribute_tokens(tag, key, value)


def generated_tokens_of(element: Element) -> Iterator[Token]:
    """Yield the names that a build has made up and ids that are counted, which `tokens_of` passes over.

    >>> from turbohtml import parse
    >>> element = parse('<p class="lead css-1x2y3z" id=Head1_Genre>').select_one("p")
    >>> [token.css for token in generated_tokens_of(element)]
    ['p.css-1x2y3z', 'p#Head1_Genre']
    """
    stated, identity = element.attrs.get("class"), element.attrs.get("id")
    names = stated.split() if isinstance(stated, str) else stated or ()
    if _SAFE.fullmatch(element.tag):
        yield from (Token(f"{element.tag}.{name}", GENERATED) for name in names if _is_generated(name))
        if isinstance(identity, str) and _SAFE.fullmatch(identity) and any(map(str.isdigit, identity)):
            yield Token(f"{element.tag}#{identity}", COUNTED)


@lru_cache(maxsize=20_000)
def _is_generated(name: str) -> bool:
    return bool(_SAFE.fullmatch(name) and _HASHED.match(name))


def _class_tokens(tag: str, stated: str | list[str] | None) -> Iterator[Token]:
    names = stated.split() if isinstance(stated, str) else stated or ()
    for number, name in enumerate(dict.fromkeys(names)):
        if (token := _class_token(tag, name)) is not None:
            yield token
            if number == 0 and "*=" in token.css:  # the beginning of the attribute, too: it is in no other name
                yield Token(token.css.replace("*=", "^="), token.cost + _FIRST)


def _attribute_tokens(tag: str, key: str, value: str | list[str] | None) -> Iterator[Token]:
    words = value if isinstance(value, list) else (value or "").split()
    sign, usual = "~=" if len(words) > 1 else "=", key in _NAMED
    for word in words[: None if usual else 1]:
        if (usual or _is_word(word)) and _SAFE_VALUE.fullmatch(word) and not _COUNTED.search(word):
            cost = _ATTRIBUTE if usual else _ATTRIBUTE + _DOUBTFUL
            yield Token(f'{tag}[{key}{sign}"{word}"]', cost - _TELLS * _tells(word))


@lru_cache(maxsize=20_000)
def _class_token(tag: str, name: str) -> Token | None:
    """Return the token of a class; of a generated name its stable beginning, nothing where it has none."""
    if not _SAFE.fullmatch(name) or _HASHED.match(name):
        return None
    hashed = _HASHED_END.match(name)
    if hashed is not None and _is_hash(hashed["hash"]):
        stem = name[: hashed.start("hash")]
        return Token(f'{tag}[class*="{stem}"]', _CLASS + _DOUBTFUL - _TELLS * _tells(stem)) if len(stem) > 4 else None
    if _COUNTED.search(name) and not _UTILITY.match(name):
        return None
    doubtful = bool(_STATE.search(name) or _UTILITY.match(name) or any(map(str.isdigit, name)))
    return Token(f"{tag}.{name}", _CLASS + _DOUBTFUL * doubtful - _TELLS * _tells(name))


def _is_hash(text: str) -> bool:
    """Tell a hash from a word: digits among letters, or capitals where no word begins.

    >>> [_is_hash(text) for text in ("3fKx2", "headline", "aBcDeF", "newsBody")]
    [True, False, True, False]
    """
    if any(map(str.isdigit, text)):
        return not text.isdigit() or len(text) >= 5
    return len(_WORDS.findall(text)) > 2 and max(map(len, _WORDS.findall(text))) <= 3


def _is_word(text: str) -> bool:
    return bool(text) and not any(map(str.isdigit, text))


@lru_cache(maxsize=20_000)
def _tells(name: str) -> bool:
    return any(word.lower() in _TELLING for word in _WORDS.findall(name))
