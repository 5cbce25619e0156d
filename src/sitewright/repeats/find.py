"""Document in, its lists out, the one that the page is about first.

Parts that go by the same way are candidates; parts unlike the others (advertisements) are left out. Of several lists
that one comes first whose entries have most in them (links, pictures, prices, words), that has most of them, and that
is no menu.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from turbohtml import Element, Text

from sitewright.parse import Document, clean_line
from sitewright.repeats.likeness import is_alike, overlap, ways_inside
from sitewright.repeats.steps import Steps, Way
from sitewright.values.prices import PRICE

LEAST = 2
_MOST_GROUPS = 40
_MOST_ITEMS = 400
_COMPARED = 60
"""So many entries of a list are compared with its middle one; where all are alike, the others are."""
_SKIPPED = frozenset(
    "script style noscript template head html body meta link svg path br option select input title b i strong em span "
    "small sup font thead col colgroup iframe button label textarea".split()
)
_ASIDE = frozenset({"nav", "footer", "aside", "header", "select"})
_MENU = re.compile(
    r"(?:^|[-_ ])(?:nav|menu|footer|sidebar|header|breadcrumbs?|pagination|pager|filters?|facets?|cookie|lang\w*|"
    r"social|mega|offcanvas|drawer)",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"related|recent|upsell|cross-?sell|recommend|similar|also|viewed|bestsell|featured|carousel|slider",
    re.IGNORECASE,
)
_NO_LINK = ("#", "javascript:", "mailto:", "tel:")
_DIGIT = re.compile(r"\d")
LONG_ENOUGH = 120
BY_PRICE, BY_PICTURE, BY_HEADING, WITHOUT_LINK = 1.5, 0.8, 0.4, 0.25
MENU_SHARE, OTHERS_SHARE, ROWS_SHARE = 0.08, 0.4, 0.35
"""What is left of the score of lists in menus, of lists beside the main one, of rows that hold several entries each.
Chosen on the list pages of mirrored shops of the training folds, where the product list comes first with all of these
between half and twice what they are."""


@dataclass(frozen=True)
class FoundList:
    """A list: its entries, and the way that they go by."""

    items: Sequence[Element]
    way: Way
    score: float

    @cached_property
    def selectors(self) -> Sequence[str]:
        """Selectors of its entries, the shortest first."""
        return [" > ".join(self.way[-length:]) for length in range(1, len(self.way) + 1)]


def main_list(document: Document) -> FoundList | None:
    """Return the list that a page is about, if it has any."""
    return next(iter(_ranked(document)), None)


def find_lists(document: Document) -> list[FoundList]:
    """Return the lists of a page, the one that it is about first; none within another."""
    return _apart(_ranked(document))


def _ranked(document: Document) -> list[FoundList]:
    steps, regions, looks = Steps(), Regions(document), Looks()
    found = [_scored(members, way, steps, regions, looks) for way, members in _groups(document, steps, regions)]
    return sorted((one for one in found if one is not None), key=lambda one: -one.score)


def _groups(document: Document, steps: Steps, regions: "Regions") -> list[tuple[Way, list[Element]]]:
    """Return the elements that go by the same way, those with most in them first."""
    groups: dict[tuple[Way, int], list[Element]] = defaultdict(list)
    depths: dict[Element, int] = {}
    for element in document.elements:
        parent = element.parent
        depth = depths[element] = depths.get(parent, -1) + 1 if isinstance(parent, Element) else 0
        if element.tag not in _SKIPPED:
            groups[steps.near(element), depth].append(element)
    kept = [(way, _of_one_region(members, regions)) for (way, _), members in groups.items() if len(members) >= LEAST]
    kept = [(way, members) for way, members in kept if len(members) >= LEAST]
    kept.sort(key=lambda group: -sum(_told(member) for member in group[1][:_MOST_ITEMS]))
    return kept[:_MOST_GROUPS]


def _told(element: Element) -> int:
    return min(len(element.text), 2 * LONG_ENOUGH) + 20 * (element.select_one("img") is not None)


def _of_one_region(members: list[Element], regions: "Regions") -> list[Element]:
    """Return the members of the best region, where some stand beside the main list (recommended, recently viewed)."""
    shares: dict[Element, float] = {}
    for member in members:
        parent = member.parent
        if isinstance(parent, Element) and parent not in shares:
            shares[parent] = regions.share(parent)
    if len(set(shares.values())) < 2:
        return members
    best = max(shares.values())
    return [m for m in members if isinstance(m.parent, Element) and shares[m.parent] == best]


def _scored(members: list[Element], way: Way, steps: Steps, regions: "Regions", known: "Looks") -> FoundList | None:
    members, way = _whole_cards(_alike(members[:_MOST_ITEMS], steps), way, steps)
    if len(members) < LEAST:
        return None
    looks = [known.of(member) for member in members]
    if not any(look.length for look in looks):
        return None
    count = len(looks)
    links = sum(look.links > 0 for look in looks) / count
    distinct = len({look.link for look in looks if look.link}) / len(looks)
    rich = 1 + BY_PRICE * sum(look.prices > 0 for look in looks) / count
    rich += BY_PICTURE * sum(look.pictures > 0 for look in looks) / count
    rich += BY_HEADING * sum(look.headings > 0 for look in looks) / count
    score = max(min(links, distinct), WITHOUT_LINK) * rich
    score *= min(median(look.length for look in looks), LONG_ENOUGH) ** 0.5 * len(looks) ** 0.7
    if median(look.is_row for look in looks):
        score *= ROWS_SHARE
    return FoundList(members, way, score * regions.share(members[0]))


def _whole_cards(members: list[Element], way: Way, steps: Steps) -> tuple[list[Element], Way]:
    """Return what is around the members, as long as each is alone in it and these go by the same way."""
    for _ in range(_MOST_WRAPPINGS):
        parents = [member.parent for member in members]
        around = [parent for parent in parents if isinstance(parent, Element) and parent.tag not in _SKIPPED]
        ways = Counter(steps.near(parent) for parent in around)
        if len(set(around)) < len(members) or len(members) < LEAST or ways.most_common(1)[0][1] < len(members):
            break
        way = next(iter(ways))
        members = [*_others_of(around, way, steps)]
    return members, way


def _others_of(around: list[Element], way: Way, steps: Steps) -> list[Element]:
    """Return elements and those beside them that go by the same way: an entry may lack what was looked for."""
    known = set(around)
    parents = list(dict.fromkeys(element.parent for element in around if isinstance(element.parent, Element)))
    return [
        child
        for parent in parents
        for child in parent
        if isinstance(child, Element) and (child in known or steps.near(child) == way)
    ]


_FEW_LINKS = 4
_MOST_WRAPPINGS = 4


@dataclass(frozen=True, slots=True)
class _Look:
    length: int
    links: int
    link: str
    pictures: int
    prices: int
    headings: int

    @property
    def is_row(self) -> bool:
        """Whether it seems to hold several entries: a card may link its shelves and its maker, but has one picture."""
        return self.headings > 1 or (self.links > _FEW_LINKS and self.pictures != 1)


class Looks:
    """What entries look like; each is looked at once, as the parts of a card lead to the card again."""

    def __init__(self) -> None:
        self._looks: dict[Element, _Look] = {}

    def of(self, element: Element) -> _Look:
        """Return what an element looks like."""
        found = self._looks.get(element)
        if found is None:
            found = self._looks[element] = _look(element)
        return found


def _look(element: Element) -> _Look:
    text = clean_line(element.text)
    hrefs = [href for link in _linking(element) if (href := link.attr("href")) and not href.startswith(_NO_LINK)]
    return _Look(
        len(text), len(set(hrefs)), hrefs[0] if hrefs else "", len(element.select("img")),
        len(PRICE.findall(text[:1000])) if _DIGIT.search(text) else 0, len(element.select("h1, h2, h3, h4, h5, h6")),
    )  # fmt: skip


def _linking(element: Element) -> list[Element]:
    return [element] if element.tag == "a" else [link for link in element.select("a[href]") if not _in_sentence(link)]


def _in_sentence(link: Element) -> bool:
    """Tell whether a link is a part of running text: paragraphs are no entries."""
    around = link.parent
    if not isinstance(around, Element):
        return False
    beside = sum(len(child.data.strip()) for child in around if isinstance(child, Text))
    return beside > max(_SENTENCE, len(link.text))


_SENTENCE = 60
"""So much text right beside a link is a sentence: prices, dates and makers are shorter."""


class Regions:
    """What is left of the score of lists by where they stand; each element is asked once."""

    def __init__(self, document: Document) -> None:
        root = document.tree.root
        self._most = MOST_OF_PAGE * len(root.text) if root is not None else 0.0
        self._shares: dict[Element, float] = {}

    def share(self, element: Element) -> float:
        """Return the share of an element: the least of its own and of those around it."""
        found = self._shares.get(element)
        if found is None:
            parent = element.parent
            outer = self.share(parent) if isinstance(parent, Element) and parent.tag not in _ROOTS else 1.0
            found = self._shares[element] = min(outer, self._own(element))
        return found

    def _own(self, element: Element) -> float:
        """Return the share of a region by its own names; what holds most of the page stands beside nothing."""
        own = _own_share(element)
        return 1.0 if own < 1 and len(element.text) > self._most else own


_ROOTS = frozenset({"body", "html"})
MOST_OF_PAGE = 0.6
"""The share of a page's text from which a region is no sidebar, whatever it is called (`has-sidebar`)."""


def _own_share(element: Element) -> float:
    if element.tag in _ASIDE:
        return MENU_SHARE
    names = f"{element.attr('class') or ''} {element.attr('id') or ''}" if element.attrs else " "
    if not names.strip():
        return 1.0
    return MENU_SHARE if _MENU.search(names) else OTHERS_SHARE if _OTHERS.search(names) else 1.0


def _alike(members: list[Element], steps: Steps) -> list[Element]:
    """Leave out what is unlike the middle one by what is inside."""
    inside = [ways_inside(steps, member) for member in members[:_COMPARED]]
    if not inside:
        return []
    middle = _middle([sum(ways.values()) for ways in inside])
    shares = [overlap(ways, inside[middle]) for ways in inside]
    kept = [m for m, share in zip(members, shares, strict=False) if is_alike(m, members[middle], share)]
    return kept + members[_COMPARED:]


def _middle(sizes: Sequence[int]) -> int:
    return sorted(range(len(sizes)), key=sizes.__getitem__)[len(sizes) // 2]


def _apart(ranked: Sequence[FoundList]) -> list[FoundList]:
    """Leave out lists within entries of better ones, and those that better ones are within."""
    kept: list[FoundList] = []
    taken: set[Element] = set()
    outside: set[Element] = set()
    for one in ranked:
        own = set(one.items)
        around = {outer for item in one.items for outer in item.ancestors if isinstance(outer, Element)}
        if taken.isdisjoint(own | around) and outside.isdisjoint(own):
            kept.append(one)
            taken |= own
            outside |= around
    return kept
