"""A page as served and as rendered in, whether it needs a browser out: by fingerprints of their main content.

After the shop crawler of Zhang, Lin and Liao (2018): main content, its tree, a Bloom filter a level. What is hashed is
how much text stands in which markup, so that another advertisement or another headline changes nothing; one more filter
holds the words, so that markup which a script only wraps or renames changes nothing either.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import ceil
from typing import Literal

from turbohtml import Element, Node, Text

from sitewright.parse import Document, clean_line, fold_words
from sitewright.parse.text import HIDDEN
from sitewright.types import Render

Level = Literal["index", "list", "item"]
"""What a page is for: the front of a site, a list of items, or one item."""

THRESHOLD = 0.8
"""Where as much of the main content is in the page as served, it is enough.

That of the paper; on the pairs of `bench.rendering` any between 0.65 and 0.85 is as right within a percent."""
LEAST_CHARACTERS = 120
"""A page that shows less when rendered has no main content to miss."""
MORE_AS_SERVED = 2.0
"""A page that shows so many times more as served was replaced in the browser, say by a consent wall."""
_STILL_THERE = 0.5
"""Less of the words than this: the browser shows another page."""
_GROUPED = 2
"""Steps of the path that links of one list share; four did no better on folds 1 to 4."""
_LEAST_GROUP = 0.3
"""Of the text of the largest group of links, the share that makes another group main content, too."""
LEVELS = 4
"""Steps of the path above a text that are hashed, one filter each: a wrapper further up changes none of them."""
_CHUNK = 40
"""Characters that make one entry of a filter, so that a paragraph counts more than a caption."""
_SHINGLE = 4
"""Words in a row that make one entry of the filter of words."""
_BITS = 1 << 16
"""A front page of 1,500 links fills less than a tenth of a filter: so seldom what is missing seems to be there."""
_NOISE_TAGS = frozenset(
    "script style template noscript head nav footer aside form dialog button select textarea svg iframe object canvas "
    "audio video".split()
)
_NOISE_ROLES = frozenset("navigation contentinfo banner complementary dialog alertdialog search menu menubar".split())
_NOISE_WORDS = frozenset(
    "ad ads adv advert adverts advertisement advertising adbox adslot sponsor sponsored promoted cookie cookies "
    "consent gdpr cmp newsletter subscribe popup modal overlay toast share sharing social comment comments disqus "
    "outbrain taboola breadcrumb breadcrumbs menu navbar navigation footer recommendation recommendations "
    "weather".split()
)
_WORDS = re.compile(r"[a-z]+|[A-Z][a-z]+|[A-Z]+(?![a-z])")
_COUNTED = re.compile(r"\d|^(?:js|is|has|lazy|loaded|active|css|sc|jsx)\b|^(?:lazyload\w*|visible|hidden|open)$")
"""Class names that scripts set or that a build generates: no part of the structure."""
_MOST_NOISE = 0.95
"""Where more of the text would count as noise, the names mislead (a body of class `has-menu`)."""
_BLOCKS = frozenset("p div li td dd blockquote section article main pre h1 h2 h3 h4 h5 h6 figcaption".split())


@dataclass(frozen=True, slots=True)
class Filters:
    """The Bloom filters of some content: one a level, one of its words."""

    levels: tuple[int, ...]
    words: int
    characters: int


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What a page of a level shows: the main content, all that may be some, and everything."""

    level: Level
    main: Filters
    whole: Filters
    shown: Filters


@dataclass(frozen=True, slots=True)
class Decision:
    """How pages of a level are to be fetched, and why."""

    choice: Render
    similarity: float
    reason: str


@dataclass(frozen=True, slots=True)
class _PlacedText:
    """A text and the element it stands in."""

    element: Element
    text: str


def needs_rendering(static: Document, rendered: Document, level: Level, threshold: float = THRESHOLD) -> Decision:
    """Decide whether pages like these need a browser.

    >>> from sitewright.parse import parse
    >>> from sitewright.types import Page
    >>> shell = parse(Page(url="https://example.com/", body="<div id=root></div><script src=app.js></script>"))
    >>> full = parse(Page(url="https://example.com/", body="<div id=root><p>" + "Bees are out early this year. " * 9))
    >>> needs_rendering(shell, full, "item")
    Decision(choice='browser', similarity=0.0, reason='0 % of the main content is there without scripts')
    >>> needs_rendering(full, full, "item").choice
    'static'
    """
    return decide(fingerprint(static, level), fingerprint(rendered, level), threshold)


def decide(static: Fingerprint, rendered: Fingerprint, threshold: float = THRESHOLD) -> Decision:
    """Decide by fingerprints alone."""
    if _is_shell(static, rendered):
        static, rendered = _by_all_shown(static), _by_all_shown(rendered)
    likeness = similarity(static, rendered)
    if rendered.main.characters < LEAST_CHARACTERS:
        return Decision("static", likeness, "rendered, too, the page shows next to nothing")
    if _is_replaced(static, rendered):
        return Decision("static", likeness, "the page shows less when rendered than as served")
    there = f"{likeness:.0%}".replace("%", " %")
    if likeness >= threshold:
        return Decision("static", likeness, f"{there} of the main content is there without scripts")
    return Decision("browser", likeness, f"{there} of the main content is there without scripts")


def _is_shell(static: Fingerprint, rendered: Fingerprint) -> bool:
    """Tell whether nothing is there as served, and little main content when rendered: a front page with few entries."""
    return max(static.shown.characters, rendered.main.characters) < LEAST_CHARACTERS


def _by_all_shown(page: Fingerprint) -> Fingerprint:
    """Return the fingerprint of a page whose menus count as its content."""
    return replace(page, main=page.shown, whole=page.shown)


def similarity(static: Fingerprint, rendered: Fingerprint) -> float:
    """Return how much of the main content of a rendered page is in the page as served, 0..1.

    An item has the same words each time it is fetched. The headlines of a list may be others a minute later, in the
    same markup; or a script has changed the markup, but not the words: one of both will do.
    """
    words = _share(static.whole.words, rendered.main.words)
    levels = zip(static.whole.levels, rendered.main.levels, strict=True)
    markup = [_share(whole, main) for whole, main in levels]
    likeness = sum(markup) / len(markup)
    return (words + likeness) / 2 if rendered.level == "item" else max(words, likeness)


def _is_replaced(static: Fingerprint, rendered: Fingerprint) -> bool:
    """Tell whether the browser shows something else, and less of it."""
    is_more = static.main.characters > MORE_AS_SERVED * rendered.main.characters
    return is_more and _share(rendered.shown.words, static.main.words) < _STILL_THERE


def _share(whole: int, part: int) -> float:
    return (whole & part).bit_count() / part.bit_count() if part else 1.0


def fingerprint(document: Document, level: Level) -> Fingerprint:
    """Return the fingerprint of a page: of its text where it is an item, of its links where it is a list."""
    main, whole, shown = _layers(document, level)
    return Fingerprint(level, _filters(main), _filters(whole), _filters(shown))


def main_texts(document: Document, level: Level) -> list[str]:
    """Return the texts of a page that are main content: lines of an item, links of a list."""
    return [piece.text for piece in _layers(document, level)[0]]


def _layers(document: Document, level: Level) -> tuple[list[_PlacedText], list[_PlacedText], list[_PlacedText]]:
    """Return the main content of a page, all that may be some, and everything that it shows."""
    pieces = _texts(document) if level == "item" else _links(document)
    unseen, noise = _unseen_and_noise(document)
    shown = [piece for piece in pieces if piece.element not in unseen]
    whole = _without_noise(shown, noise)
    return (_main_pieces(whole) if level == "item" else _main_lists(whole)), whole, shown


def _filters(pieces: Sequence[_PlacedText]) -> Filters:
    paths = [(_path(piece.element), len(piece.text)) for piece in pieces]
    levels = tuple(_amounts_filter((path[: level + 1], size) for path, size in paths) for level in range(LEVELS))
    words = _bloom(" ".join(words) for piece in pieces for words in _shingles(fold_words(piece.text)))
    return Filters(levels, words, sum(size for _, size in paths))


def _amounts_filter(paths: Iterable[tuple[tuple[str, ...], int]]) -> int:
    """Return the filter of how much text stands at which paths: the first chunk of a path, the second, and so on."""
    amounts: Counter[str] = Counter()
    for path, size in paths:
        amounts[" < ".join(path)] += size
    return _bloom(f"{path}#{chunk}" for path, size in amounts.items() for chunk in range(ceil(size / _CHUNK)))


def _bloom(entries: Iterable[str]) -> int:
    bits = bytearray(_BITS // 8)
    for entry in entries:
        digest = blake2b(entry.encode("utf-8", "replace"), digest_size=4).digest()
        for place in (int.from_bytes(digest[:2]), int.from_bytes(digest[2:])):
            bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits)


def _shingles(words: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the words in rows; a short text is one row."""
    if not words:
        return
    for start in range(max(1, len(words) - _SHINGLE + 1)):
        yield words[start : start + _SHINGLE]


def _path(element: Element) -> tuple[str, ...]:
    """Return an element's step and those above it, with the names that scripts do not change."""
    steps: list[str] = []
    node: Node | None = element
    while isinstance(node, Element) and len(steps) < LEVELS:
        names = sorted(name for name in _names(node, "class") if not _COUNTED.search(name))
        steps.append(".".join((node.tag, *names[:3])))
        node = node.parent
    return (*steps, *[""] * (LEVELS - len(steps)))


def _names(element: Element, attribute: str) -> list[str]:
    value = element.attrs.get(attribute)
    if value is None:
        return []
    return value.split() if isinstance(value, str) else list(value)


def _texts(document: Document) -> Iterator[_PlacedText]:
    """Yield the text of each element that is its own and in no link."""
    linked: set[Node] = set()
    for element in document.elements:
        if element.tag == "a" or element.parent in linked:
            linked.add(element)
            continue
        own = clean_line(" ".join(child.data for child in element if isinstance(child, Text)))
        if own:
            yield _PlacedText(element, own)


def _links(document: Document) -> Iterator[_PlacedText]:
    """Yield the text of each link."""
    for element in document.tree.select("a[href]"):
        if text := clean_line(element.text):
            yield _PlacedText(element, text)


def _without_noise(shown: list[_PlacedText], noise: set[Node]) -> list[_PlacedText]:
    """Return the pieces that may be main content: neither menu nor advertisement by their names."""
    told = [piece for piece in shown if piece.element not in noise]
    misleading = _characters(told) < (1 - _MOST_NOISE) * _characters(shown)
    return shown if misleading else told


def _characters(pieces: Iterable[_PlacedText]) -> int:
    return sum(len(piece.text) for piece in pieces)


def _unseen_and_noise(document: Document) -> tuple[set[Node], set[Node]]:
    """Return the elements that are not shown, and those that menus and advertisements hold."""
    hidden: set[Node] = set(document.tree.select(HIDDEN))
    unseen: set[Node] = set()
    noise: set[Node] = set()
    for element in document.elements:
        if element.parent in unseen or element in hidden or element.tag in {"script", "style", "template", "head"}:
            unseen.add(element)
        elif element.parent in noise or _is_noise(element):
            noise.add(element)
    return unseen, noise


def _is_noise(element: Element) -> bool:
    if element.tag in _NOISE_TAGS:
        return True
    if element.tag in {"html", "body", "main", "article"}:
        return False
    if element.tag == "header":
        return element.closest("main, article, section, li") is None
    if not _NOISE_ROLES.isdisjoint(_names(element, "role")):
        return True
    names = " ".join((*_names(element, "class"), *_names(element, "id")))
    return bool(names) and any(word.lower() in _NOISE_WORDS for word in _WORDS.findall(names))


def _main_lists(pieces: Sequence[_PlacedText]) -> list[_PlacedText]:
    """Return the links of the groups with most text, those in the same markup being a group."""
    groups = [_path(piece.element)[:_GROUPED] for piece in pieces]
    sizes: Counter[tuple[str, ...]] = Counter()
    for group, piece in zip(groups, pieces, strict=True):
        sizes[group] += len(piece.text)
    least = _LEAST_GROUP * max(sizes.values(), default=0)
    return [piece for group, piece in zip(groups, pieces, strict=True) if sizes[group] >= least]


def _main_pieces(pieces: Sequence[_PlacedText]) -> list[_PlacedText]:
    """Return the pieces inside of the element that most text is near to."""
    scores: Counter[Element] = Counter()
    for piece in pieces:
        block = _block_of(piece.element)
        for above, share in zip(_above(block, 3), (1.0, 0.9, 0.5), strict=False):
            scores[above] += int(share * len(piece.text))
    if not scores:
        return []
    main = max(scores, key=lambda element: scores[element])
    return [piece for piece in pieces if piece.element == main or main in piece.element.ancestors]


def _block_of(element: Element) -> Element:
    return next((node for node in _above(element, 8) if node.tag in _BLOCKS), element)


def _above(element: Element, count: int) -> Iterator[Element]:
    """Yield an element and those above it, so many in all."""
    node: Node | None = element
    while isinstance(node, Element) and count:
        yield node
        node, count = node.parent, count - 1
