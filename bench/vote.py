"""The tagged pages of one site in, a map by vote out: each page's shortest selectors, and of those the commonest.

This is the method of the paper that the project began with (shared/seeds, 4.1 and 4.3), as a baseline. Where the paper
leaves a choice, the kinder one is made: elements without text may be found beside the tagged ones (they add nothing),
tagged elements that have no selector in common get one for each kind of element before they get one each, and what is
found is read by our own value parsers.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from turbohtml import Element

from sitewright.domains import FieldSpec, load_domain
from sitewright.induce.tree import Mask, mask_of, numbers_of
from sitewright.parse import Document, host_of
from sitewright.types import ExtractionMap, Rule, Support, TaggedPage, Template

DOMAIN = "news"
LIKELY_ENTRY, LIKELY_LINE = 0.3, 0.5
"""From these scores on an entry of a list, and a line of the text, counts as tagged."""
_READ = frozenset({"line", "date", "names", "list", "text"})
_SAFE = re.compile(r"-?[^\W\d][\w-]*")
"""Names that need no escaping in a selector."""


def vote_map(pages: Sequence[tuple[Document, TaggedPage]]) -> ExtractionMap:
    """Make a map with one selector a field: the one that is the shortest on most pages; of equals, the shorter."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    specs = [spec for spec in load_domain(DOMAIN).fields.values() if spec.kind in _READ]
    for document, tagged in pages:
        selectors = PageSelectors(document)
        for spec in specs:
            if nodes := tagged_nodes(tagged, spec):
                votes[spec.name][selectors.shortest(nodes)] += 1
    rules = [_rule(spec, votes[spec.name], len(pages)) for spec in specs if votes[spec.name]]
    site = host_of(pages[0][0].url).removeprefix("www.") if pages else ""
    return ExtractionMap(site=site, domain=DOMAIN, templates=(Template(name="article", rules=tuple(rules)),))


def _rule(spec: FieldSpec, votes: Counter[str], pages: int) -> Rule:
    winner = min(votes, key=lambda selector: (-votes[selector], len(selector), selector))
    many = spec.many or spec.kind == "text"
    return Rule(field=spec.name, select=(winner,), many=many, support=Support(votes[winner], pages))


def tagged_nodes(tagged: TaggedPage, spec: FieldSpec) -> frozenset[int]:
    """Return the elements that display a field: of lists and texts all likely ones, else the likeliest."""
    if spec.kind == "text":
        return frozenset(line.node for line in tagged.lines if line.score >= LIKELY_LINE)
    shown = [
        (label.score, label.node) for label in tagged.labels if label.field == spec.name and label.node is not None
    ]
    if not shown:
        return frozenset()
    best = min(shown, key=lambda found: (-found[0], found[1]))
    likely = frozenset(node for score, node in shown if score >= LIKELY_ENTRY) if spec.many else frozenset[int]()
    return likely or frozenset({best[1]})


class PageSelectors:
    """The selectors of one page: tags, classes and ids, alone and below one or two others, and positions."""

    def __init__(self, document: Document) -> None:
        """Number the elements and note where each ends and what names it."""
        self._elements = document.elements
        numbers = {element: number for number, element in enumerate(self._elements)}
        self._parents = [_number_of_parent(element, numbers) for element in self._elements]
        self._ends = list(range(1, len(self._elements) + 1))
        for number in range(len(self._elements) - 1, 0, -1):
            parent = self._parents[number]
            self._ends[parent] = max(self._ends[parent], self._ends[number])
        self._names = [tuple(_names(element)) for element in self._elements]
        self._below: dict[Mask, Mask] = {}
        self._inside: dict[Mask, Mask] = {}

    @cached_property
    def _named(self) -> dict[str, Mask]:
        """The elements of each name."""
        numbers: dict[str, list[int]] = defaultdict(list)
        for number, names in enumerate(self._names):
            for name in names:
                numbers[name].append(number)
        return {name: mask_of(found) for name, found in numbers.items()}

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = defaultdict(list)
        for number, parent in enumerate(self._parents):
            if number:
                children[parent].append(number)
        return children

    def shortest(self, nodes: Iterable[int]) -> str:
        """Return the shortest selector that finds these elements and no others that hold text."""
        wanted = sorted(nodes)
        if (common := self._exact(wanted)) is not None:
            return common
        kinds: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for node in wanted:
            kinds[self._names[node]].append(node)
        return ", ".join(selector for kind in kinds.values() for selector in self._of_one_kind(kind))

    def _of_one_kind(self, nodes: Sequence[int]) -> Iterator[str]:
        if (common := self._exact(nodes)) is not None:
            yield common
        else:
            yield from (self._exact([node]) or self._by_position(node) for node in nodes)

    def _exact(self, nodes: Sequence[int]) -> str | None:
        """Return the selector of the fewest parts, of those the one of the fewest characters; None where none fits."""
        wanted = mask_of(nodes)
        own = {name: self._named[name] for name in _shared(self._names[node] for node in nodes)}
        if (found := self._first(own, wanted)) is not None:
            return found
        outer = _shared({name for around in self._around(node) for name in self._names[around]} for node in nodes)
        parents = _shared(self._names[self._parents[node]] for node in nodes)
        if (found := self._first(self._chains(own, outer, parents), wanted)) is not None:
            return found
        return self._first(self._long_chains(own, outer, parents), wanted)

    def _first(self, candidates: dict[str, Mask], wanted: Mask) -> str | None:
        fitting = (name for name, found in candidates.items() if self._fits(found, wanted))
        return min(fitting, key=lambda name: (len(name), name), default=None)

    def _fits(self, found: Mask, wanted: Mask) -> bool:
        """Tell whether all that is wanted is found, and nothing else that holds text."""
        if wanted & ~found:
            return False
        return all(not self._elements[number].text.strip() for number in numbers_of(found & ~wanted))

    def _chains(self, own: dict[str, Mask], outer: Iterable[str], parents: Iterable[str]) -> dict[str, Mask]:
        chains = {f"{around} {name}": self.below(self._named[around]) & own[name] for around in outer for name in own}
        for parent in parents:
            inside = self.inside(self._named[parent])
            chains |= {f"{parent} > {name}": inside & own[name] for name in own}
        return chains

    def _long_chains(self, own: dict[str, Mask], outer: Iterable[str], parents: Iterable[str]) -> dict[str, Mask]:
        """Return selectors below two others; only such others are tried as shut something out each by itself."""
        chains: dict[str, Mask] = {}
        parents = frozenset(parents)
        for name, mask in own.items():
            telling = [around for around in outer if self.below(self._named[around]) & mask != mask]
            for first in telling:
                for second in telling:
                    between = self._named[second] & self.below(self._named[first])
                    chains[f"{first} {second} {name}"] = self.below(between) & mask
                    if second in parents:
                        chains[f"{first} {second} > {name}"] = self.inside(between) & mask
        return chains

    def _by_position(self, node: int) -> str:
        """Return a selector by places among siblings, from the nearest element on that has a name of its own."""
        steps: list[str] = []
        for number in (node, *self._around(node)):
            alone = [name for name in self._names[number] if self._named[name] == 1 << number]
            if alone and steps:
                return " > ".join([min(alone, key=lambda name: (len(name), name)), *steps])
            place = self._children[self._parents[number]].index(number) + 1 if number else 1
            steps.insert(0, f"*:nth-child({place})")
        return " > ".join(steps)

    def _around(self, node: int) -> Iterator[int]:
        """Yield the elements around one, the nearest first."""
        while node:
            node = self._parents[node]
            yield node

    def below(self, mask: Mask) -> Mask:
        """Return the elements inside of some, however deep."""
        if mask not in self._below:
            found, end = 0, 0
            for number in numbers_of(mask):
                if number >= end:
                    end = self._ends[number]
                    found |= (1 << end) - (1 << (number + 1))
            self._below[mask] = found
        return self._below[mask]

    def inside(self, mask: Mask) -> Mask:
        """Return the children of some elements."""
        if mask not in self._inside:
            self._inside[mask] = mask_of(child for number in numbers_of(mask) for child in self._children[number])
        return self._inside[mask]


def _number_of_parent(element: Element, numbers: dict[Element, int]) -> int:
    parent = element.parent
    return numbers[parent] if isinstance(parent, Element) else 0


def _shared(names: Iterable[Iterable[str]]) -> list[str]:
    """Return the names that are in all of the lists."""
    first, *others = names
    return [name for name in dict.fromkeys(first) if all(name in other for other in others)]


def _names(element: Element) -> Iterator[str]:
    """Yield what a selector can name an element by: tag, classes, both, id.

    >>> from turbohtml import parse
    >>> list(_names(parse('<p class="lead 2x" id=top>').select_one("p")))
    ['p', '.lead', 'p.lead', '#top']
    """
    tag = element.tag if _SAFE.fullmatch(element.tag) else ""
    if tag:
        yield tag
    stated = element.attrs.get("class")
    for name in dict.fromkeys(stated.split() if isinstance(stated, str) else stated or ()):
        if _SAFE.fullmatch(name):
            yield from dict.fromkeys((f".{name}", f"{tag}.{name}"))
    identity = element.attrs.get("id")
    if isinstance(identity, str) and _SAFE.fullmatch(identity):
        yield f"#{identity}"
