"""A page, a strength and the seed of its site in, the page after a redesign out: the same words, other markup, adverts.

Whatever is decided is drawn from the seed and the name of what it is about (a class, an id, a kind of element), never
from its place on the page: all pages of a site change in the same way. The names that a weak redesign changes, a strong
one changes too. The head, and what states metadata in the body, stay as they are, as does all text a reader sees; only
blocks next to each other may change places.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Literal

import turbohtml
from turbohtml import Element, Namespace, Text

Strength = Literal["weak", "medium", "strong"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """How much of a design changes; shares are of the different names or kinds of elements, not of their number."""

    names: float
    """Of class names, ids, values of `itemprop` and data attributes."""
    wrapped: float
    retagged: float = 0.0
    moved: float = 0.0
    adverts: int
    """So many between the paragraphs, and as many elsewhere."""


STRENGTHS: Mapping[Strength, Shares] = {
    "weak": Shares(names=0.1, wrapped=0.03, adverts=1),
    "medium": Shares(names=0.3, wrapped=0.1, adverts=2),
    "strong": Shares(names=0.7, wrapped=0.25, retagged=0.3, moved=0.3, adverts=3),
}
"""How strong is strong is set, not measured on real redesigns: compare ways to read pages, not sites, by these."""
SUFFIXED = 0.25
"""Of the class names that change, so many (a guess) only get a generated end, as style compilers make them."""


@dataclass(frozen=True, slots=True)
class Design:
    """The redesign of a site, of which each mutator does a part."""

    seed: int
    shares: Shares

    def chance(self, *key: str) -> Random:
        """Return the generator for whatever the key names."""
        return Random(f"{self.seed} {' '.join(key)}")  # noqa: S311 -- repeatable on purpose

    def draw(self, *key: str) -> float:
        """Return the number from 0 to 1 that decides about what the key names."""
        return _draw(self.seed, " ".join(key))


@lru_cache(maxsize=100_000)
def _draw(seed: int, key: str) -> float:
    return Random(f"{seed} {key}").random()  # noqa: S311 -- repeatable on purpose


Mutator = Callable[[Element, Design], None]
"""Changes the tree of a page, from its `<body>` on."""

ADVERTS = (
    "Switch to Brightwave broadband today and pay nothing at all for the first three months.",
    "New season, new boots: save up to forty percent on everything at Hollow & Pike this week.",
    "Could you pay less for your car insurance? Compare thirty offers in under two minutes.",
    "Sleep better tonight. Try the Nimbus mattress for a hundred days, or your money back.",
    "Fresh meals, ready to cook, brought to your door: your first box from Larder is half price.",
    "Sail the fjords in June: cabins with a view from 899, flights and all meals included.",
)
"""What adverts say; each is one line of visible text."""

_SYNONYMS = (
    "article story post entry news",
    "body content text copy",
    "title headline heading",
    "author byline writer",
    "date time published stamp",
    "tag topic keyword subject",
    "tags topics keywords subjects",
    "category section channel",
    "image picture photo media figure",
    "caption legend",
    "list items feed",
    "header top masthead",
    "footer bottom foot",
    "sidebar aside rail",
    "related more further",
    "lead intro summary teaser deck",
    "nav menu navigation",
    "ad promo sponsor banner",
    "share social",
    "comment reply response",
    "comments replies responses",
    "wrapper wrap container box holder",
    "main primary page",
    "link anchor",
    "meta info details",
)
"""Words that a new name may have for those of the old one."""
_SAME: Mapping[str, Sequence[str]] = {word: group.split() for group in _SYNONYMS for word in group.split()}
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DIGITS = re.compile(r"\d+")
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_GENERATED = "abcdefghkmnpqrstuvwxyzACDEFGHKLMNPQRSTUVWXYZ23456789"

_BLOCKS = frozenset(
    "address article aside blockquote details div dl figure footer h1 h2 h3 h4 h5 h6 header hr main nav ol "
    "p pre section table ul".split()
)
_WRAPPED = _BLOCKS - {"hr", "table"}
"""What a `<div>` may stand around wherever it stands itself; before a table an open `<p>` may stay open."""
_MOVED = frozenset("article aside div figure footer header nav section ul".split())
_HOLDERS = frozenset("article aside blockquote body div footer header main nav section td li figure form".split())
"""What may hold blocks."""
_UNTOUCHED = frozenset("head meta link base title script style template noscript".split())
_TAGS: Mapping[str, Sequence[str]] = {
    "div": ("section", "section", "span"),
    "section": ("div", "div", "article"),
    "article": ("section", "div"),
    "header": ("div",),
    "footer": ("div",),
    "aside": ("div", "section"),
    "main": ("div",),
    "span": ("div",),
    "h2": ("h3",),
    "h3": ("h2", "h4"),
    "b": ("strong",),
    "strong": ("b",),
    "i": ("em",),
    "em": ("i",),
}
"""What a tag may become. Paragraphs and main headings keep theirs: that is assumed, not measured."""
_STREAMED = "S:"
"""Ids that begin so say that a hidden part is seen after all."""
_STORY_PARAGRAPH = 80
"""A paragraph with so many characters is one of a story, not of a teaser or a form."""
_LEAST_PARAGRAPHS = 3


def redesign(html: str, strength: Strength, seed: int) -> str:
    """Return a page as it is after a redesign of its site, of which the seed is the same for all pages.

    >>> redesign("<title>Bees</title><body><h1 class=title>Bees</h1>", "strong", 2)
    '<html><head><title>Bees</title></head><body><h1 class="heading-rupadi__uQN8w">Bees</h1></body></html>'
    """
    tree = turbohtml.parse(html, positions=False)
    body = tree.select_one("body")
    if body is not None:
        design = Design(seed, STRENGTHS[strength])
        for mutate in MUTATORS.values():
            mutate(body, design)
    return tree.html


def move_blocks(body: Element, design: Design) -> None:
    """Let neighbouring blocks change places, but never two parts of a story."""
    for parent in [element for element in _elements(body) if element.tag in _HOLDERS]:
        for one, other in _neighbours(parent):
            names = sorted((signature(one), signature(other)))
            movable = names[0] != names[1] and not _has_metadata(one) and not _has_metadata(other)
            if (
                movable
                and design.draw("move", *names) < design.shares.moved
                and not (_is_long(one) and _is_long(other))
            ):
                other.insert_after(one.extract())


def _neighbours(parent: Element) -> Iterator[tuple[Element, Element]]:
    """Yield pairs of blocks with nothing between them, no block twice."""
    before: Element | None = None
    for child in list(parent.children):
        if isinstance(child, Element) and child.tag in _MOVED and before is not None:
            yield before, child
            before = None
        elif isinstance(child, Element):
            before = child if child.tag in _MOVED else None
        elif isinstance(child, Text) and child.text.strip():
            before = None


def _has_metadata(element: Element) -> bool:
    """Tell whether a block states metadata, whose order matters."""
    return element.select_one("script, meta, title") is not None


def _is_long(element: Element) -> bool:
    return any(len(paragraph.text) >= _STORY_PARAGRAPH for paragraph in element.select("p"))


def change_tags(body: Element, design: Design) -> None:
    """Give elements other tags, where lines of text stay lines."""
    for element in _elements(body):
        if element.tag not in _TAGS:
            continue
        name = signature(element)
        if design.draw("tag", name) < design.shares.retagged:
            tag = design.chance("new tag", name).choice(_TAGS[element.tag])
            if "span" not in {element.tag, tag} or _is_own_line(element):
                element.tag = tag


def _is_own_line(element: Element) -> bool:
    """Tell whether an element without blocks stands between blocks only, so that its line is the same in any tag."""
    parent = element.parent
    if not isinstance(parent, Element) or parent.tag not in _HOLDERS or any(map(_is_block, element.descendants)):
        return False
    return all(_is_block(child) or _is_blank(child) for child in parent.children if child != element)


def _is_block(node: turbohtml.Node) -> bool:
    return isinstance(node, Element) and node.tag in _BLOCKS


def _is_blank(node: turbohtml.Node) -> bool:
    return not isinstance(node, Element) and not (isinstance(node, Text) and node.text.strip())


def add_wrappers(body: Element, design: Design) -> None:
    """Put a `<div>` around blocks."""
    for element in _elements(body):
        if element.tag in _WRAPPED and isinstance(element.parent, Element) and element.parent.tag in _HOLDERS:
            name = signature(element)
            if design.draw("wrap", name) < design.shares.wrapped:
                element.wrap(Element("div", {"class": f"box-{syllables(design.chance('wrapper', name))}"}))


def drop_attributes(body: Element, design: Design) -> None:
    """Drop values of `itemprop`, and data attributes that do not say where a picture is."""
    for element in _elements(body):
        for key, value in list(element.attrs.items()):
            name = (
                f"{key}={value}" if key == "itemprop" else key if key.startswith("data-") and "src" not in key else ""
            )
            if name and design.draw("attribute", name) < design.shares.names:
                del element.attrs[key]


def rename_ids(body: Element, design: Design) -> None:
    """Give ids other names."""
    for element in _elements(body):
        name = element.attr("id") or ""
        stem = _stem(name)
        if stem and not name.startswith(_STREAMED) and design.draw("id", stem) < design.shares.names:
            element.attrs["id"] = _renamed(name, design)


def rename_classes(body: Element, design: Design) -> None:
    """Give classes other names."""
    _change_classes(body, lambda name: _renamed(name, design) if _fate(name, design) == "renamed" else name)


def add_suffixes(body: Element, design: Design) -> None:
    """Append generated ends to names of classes."""
    _change_classes(body, lambda name: _suffixed(name, design) if _fate(name, design) == "suffixed" else name)


def _change_classes(body: Element, change: Callable[[str], str]) -> None:
    for element in _elements(body):
        if names := classes_of(element):
            element.attrs["class"] = " ".join(map(change, names))


def _fate(name: str, design: Design) -> Literal["kept", "renamed", "suffixed"]:
    """Tell what becomes of a class name; `post-17` fares as `post-18` does."""
    if design.draw("class", _stem(name)) >= design.shares.names:
        return "kept"
    return "suffixed" if design.draw("suffix", _stem(name)) < SUFFIXED else "renamed"


def _stem(name: str) -> str:
    return _DIGITS.sub("", name)


def _renamed(name: str, design: Design) -> str:
    """Return another name with the same numbers."""
    return "-".join([new_name(_stem(name), design), *_DIGITS.findall(name)])


def _suffixed(name: str, design: Design) -> str:
    chance = design.chance("suffix of", _stem(name))
    return f"{name}__{''.join(chance.choices(_GENERATED, k=5))}"


def new_name(old: str, design: Design) -> str:
    """Return another name of like meaning.

    >>> new_name("article-title", Design(1, STRENGTHS["weak"]))
    'post-heading-mofasa'
    """
    chance = design.chance("name", old)
    words = [chance.choice([other for other in _SAME[word] if other != word]) for word in _words(old) if word in _SAME]
    return "-".join([*words, syllables(chance)])


def _words(name: str) -> list[str]:
    return [word.lower() for word in _NAME_WORD.findall(name)]


def syllables(chance: Random) -> str:
    """Return a word that means nothing, of which there are some hundred thousand."""
    return "".join(chance.choice(_CONSONANTS) + chance.choice(_VOWELS) for _ in range(3))


def insert_adverts(body: Element, design: Design) -> None:
    """Put adverts between the paragraphs of the story, and behind blocks anywhere else."""
    step = design.chance("step between adverts").randint(2, 4)
    places = _story_paragraphs(body)[step - 1 :: step]
    blocks = {signature(element): element for element in reversed(_elements(body)) if _may_precede_advert(element)}
    for number in range(design.shares.adverts):
        if number < len(places):
            places[number].insert_after(_advert(2 * number, design))
        if blocks:
            name = min(blocks, key=lambda name: design.draw("place of advert", str(number), name))
            blocks[name].insert_after(_advert(2 * number + 1, design))


def _story_paragraphs(body: Element) -> list[Element]:
    """Return the paragraphs of the element that holds the most text in paragraphs."""
    holders: dict[Element, list[Element]] = {}
    for paragraph in body.select("p"):
        if len(paragraph.text) >= _STORY_PARAGRAPH and isinstance(paragraph.parent, Element):
            holders.setdefault(paragraph.parent, []).append(paragraph)
    most = max(holders.values(), key=lambda found: sum(len(paragraph.text) for paragraph in found), default=[])
    return most if len(most) >= _LEAST_PARAGRAPHS and most[0].closest("a") is None else []


def _may_precede_advert(element: Element) -> bool:
    parent = element.parent
    return element.tag in _MOVED and isinstance(parent, Element) and parent.tag in _HOLDERS and not parent.closest("a")


def _advert(number: int, design: Design) -> Element:
    chance = design.chance("advert", str(number))
    line = Text(ADVERTS[(design.seed + number) % len(ADVERTS)])
    tag, attributes = chance.choice((("p", {}), ("a", {"href": "/go/offer"})))
    name = chance.choice(("promo", "slot", "partner", "box"))
    inner = Element(tag, attributes, [line])
    return Element(chance.choice(("div", "aside")), {"class": f"{name}-{syllables(chance)}"}, [inner])


MUTATORS: Mapping[str, Mutator] = {
    "move": move_blocks,
    "tags": change_tags,
    "adverts": insert_adverts,
    "wrap": add_wrappers,
    "attributes": drop_attributes,
    "ids": rename_ids,
    "classes": rename_classes,
    "suffixes": add_suffixes,
}
"""In the order in which they are used: what is decided by signatures comes before these change."""


def signature(element: Element) -> str:
    """Return what an element is called on all pages: its first name without numbers, or its place below one that has.

    >>> tree = turbohtml.parse("<div class='post post-17'><p>One</p></div>")
    >>> signature(tree.select_one("p"))
    'p < div.post'
    """
    path = []
    node: turbohtml.Node | None = element
    while isinstance(node, Element):
        name = next(iter(classes_of(node)), "") or node.attr("id") or ""
        path.append(f"{node.tag}.{_stem(name)}" if name else node.tag)
        if name:
            break
        node = node.parent
    return " < ".join(path)


def classes_of(element: Element) -> Sequence[str]:
    """Return the names of an element's classes."""
    return (element.attr("class") or "").split()


def _elements(body: Element) -> list[Element]:
    """Return the elements that a redesign may change."""
    found: Iterable[Element] = body.iter_elements(include_self=True)
    return [element for element in found if element.tag not in _UNTOUCHED and element.namespace is Namespace.HTML]
