"""A page and what is believed of it in, what rules would give on it out."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from turbohtml import Element, Text

from sitewright.domains import Domain, FieldSpec, kinds
from sitewright.induce.affinity import affinity
from sitewright.induce.beliefs import Beliefs, beliefs_of, entry_key, without_kicker
from sitewright.induce.drafts import Draft
from sitewright.induce.examples import Example, ExampleBeliefs, labels_of, spec_of, wanted_keys
from sitewright.induce.tree import Mask, PageTree, numbers_of, tokens_shared_by
from sitewright.parse import Document, clean_line, clean_lines, compile_selector
from sitewright.types import Label, TaggedPage
from sitewright.values import PARSERS, Context, Taken, string_of
from sitewright.values.dates import parse_date
from sitewright.values.prices import PRICE, RANGE

_MOST_NODES = 40
"""A rule that finds more nodes on a page finds more than a field."""
_DOUBTFUL, _BY_NAME = 0.1, 0.3
"""Where no date is likelier than the first, one in a meta tag that is named for it counts as the second."""
_CROWDED = 0.7
"""What a price counts that is the first of several in its element."""
_TRIED = 4
"""So many nodes of a rule for one value are looked at until one gives it."""


class RuleReading(NamedTuple):
    """A value that a rule gives on a page, how right it is believed to be, and what it is compared by."""

    value: object
    right: float
    key: str
    nodes: int = 1


class Sample:
    """One page of a site."""

    def __init__(
        self,
        document: Document,
        tagged: TaggedPage,
        domain: Domain,
        context: Context,
        examples: Mapping[str, Example] = MappingProxyType({}),
    ) -> None:
        """Keep the page, its opinions, and what its values are read with; examples count for more than opinions."""
        self.document = document
        self.tagged = tagged
        self.context = context
        self.domain = domain
        self._readings: dict[tuple[object, ...], RuleReading | None] = {}
        self._labels: dict[str, list[Label]] = {}
        self._beliefs: dict[str, Beliefs] = {}
        for label in tagged.labels:
            if label.field not in examples:
                self._labels.setdefault(label.field, []).append(label)
        for example in examples.values():
            self._follow(example)

    def _follow(self, example: Example) -> None:
        """Believe what an example says of this page, which may be nothing."""
        spec = spec_of(example, self.domain)
        self._labels[example.field] = found = labels_of(example, self.document)
        shown = {str(label.value) for label in found}
        wanted = wanted_keys([value for value in example.values if value in shown], spec, self.context)
        self._beliefs[example.field] = ExampleBeliefs(wanted, many=spec.many, values=example.values)

    def forget_example(self, field: str) -> None:
        """Take this page for one of which an example does not tell."""
        self._labels[field] = []
        beliefs = self._beliefs[field]
        if isinstance(beliefs, ExampleBeliefs):
            self._beliefs[field] = beliefs.unknown()

    @cached_property
    def tree(self) -> PageTree:
        """The page's elements as selectors see them."""
        return PageTree(self.document)

    @cached_property
    def text(self) -> str:
        """All that the page says, in one line."""
        root = self.document.tree.root
        return clean_line(root.text) if root is not None else ""

    def labels(self, field: str) -> Sequence[Label]:
        """Return the opinions on a field."""
        return self._labels.get(field, ())

    def relabel(self, field: str, labels: list[Label]) -> None:
        """Take other opinions on a field, before it is learned."""
        self._labels[field] = labels
        self._beliefs.pop(field, None)

    def beliefs(self, field: str) -> Beliefs:
        """Return what is believed of a field."""
        if field not in self._beliefs:
            spec = self.domain.spec_of(field)
            labels = self.labels(field)
            if spec.kind == kinds.DATE and all(label.score < _DOUBTFUL for label in labels):
                labels = [*labels, *self._dated_by_name(spec)]
            if spec.means == "heading":
                labels = without_kicker(labels, frozenset(numbers_of(self.tree.named("h1"))), spec.exact)
            self._beliefs[field] = beliefs_of(spec.kind, labels)
        return self._beliefs[field]

    def rightness(self, field: str, value: object) -> float:
        """Return how right a value of a field is believed to be, of texts by the lines that are in it."""
        if field != self.domain.main_text:
            return self.beliefs(field).rightness(value)
        taken = frozenset(clean_lines(str(value)))
        hits = sum(line.score * len(line.text) for line in self.tagged.lines if line.text in taken)
        wanted = sum(line.score * len(line.text) for line in self.tagged.lines)
        return 2 * hits / max(len(str(value)) + wanted, 1)

    def _dated_by_name(self, spec: FieldSpec) -> Iterator[Label]:
        """Yield the moments of meta tags whose names speak of the field: all there is where no opinion is likely."""
        for name, values in self.document.metadata.meta.items():
            if affinity(spec.words, name) < 0:
                for value in values:
                    if any(map(str.isdigit, value)) and (parsed := parse_date(value, self.context)) is not None:
                        yield Label(field=spec.name, value=parsed.value, score=_BY_NAME, source=f"meta:{name}")

    def read(self, draft: Draft) -> RuleReading | None:
        """Return what a rule gives here, None where it gives nothing; rules that find the same nodes are read once."""
        found: Mask | str = draft.jsonld or (draft.select if draft.of_text else self.tree.find(draft.select))
        if not found:
            return None
        key = found, draft.field, draft.take, draft.many, draft.match, draft.parse, draft.own
        if key not in self._readings:
            value = self._parsed(draft, found)
            nodes = 1 if isinstance(found, str) else found.bit_count()
            reading = None if value is None else self._judged(draft.field, value, nodes)
            if reading is not None and self._is_crowded(draft, found):
                reading = reading._replace(right=reading.right * _CROWDED)
            self._readings[key] = reading
        return self._readings[key]

    def _is_crowded(self, draft: Draft, found: Mask | str) -> bool:
        """Tell whether the first node holds several prices: which of them comes first is another one tomorrow."""
        if isinstance(found, str) or draft.many or draft.match or self.domain.spec_of(draft.field).kind != kinds.PRICE:
            return False
        text = string_of(_taken(self.tree.elements[next(numbers_of(found))], draft.take, own=draft.own))
        return len(set(PRICE.findall(text))) > 1 and RANGE.search(text) is None

    def given(self, field: str) -> RuleReading | None:
        """Return what the tagger gives here, None where it gives nothing, or a list that the page only states."""
        found = next((label for label in self.tagged.given if label.field == field), None)
        return None if found is None or _is_only_stated(found) else self._judged(field, found.value, 1)

    def only_stated(self, field: str) -> Label | None:
        """Return the list that the tagger gives here only because the page states it; None where there is none."""
        return next((label for label in self.tagged.given if label.field == field and _is_only_stated(label)), None)

    def _judged(self, field: str, value: object, nodes: int) -> RuleReading:
        key = "|".join(map(entry_key, value)) if isinstance(value, list) else entry_key(value)
        return RuleReading(value, self.beliefs(field).rightness(value), key, nodes)

    def _parsed(self, draft: Draft, found: Mask | str) -> object | None:
        name = draft.parse or self.domain.parser_of(draft.field)
        parse = PARSERS[name]
        if not isinstance(found, str) and found.bit_count() > _MOST_NODES:
            return None
        items = self._items(draft, found)
        if not items or (name == "date.v1" and str(items[0]).startswith("http")):
            return None  # the date in an address is that of its folder
        if draft.many:
            parsed = parse(items, True, self.context)
            return parsed.value if parsed is not None else None
        for item in items[:_TRIED]:
            if (parsed := parse([item], False, self.context)) is not None:
                return parsed.value
        return None

    def _items(self, draft: Draft, found: Mask | str) -> Sequence[Taken]:
        if isinstance(found, str):
            items: Sequence[Taken] = (
                self._strings(found) if draft.of_text else self.document.metadata.jsonld.find(found)
            )
        else:
            elements = [self.tree.elements[number] for number in numbers_of(found)]
            items = [value for element in elements if (value := _taken(element, draft.take, own=draft.own))]
        return draft.matched(items) if draft.match else items

    def _strings(self, select: str) -> list[Taken]:
        """Return the texts that an XPath finds."""
        found = compile_selector(select).find(self.document.tree)
        return [text for text in map(string_of, found) if text]


def _is_only_stated(label: Label) -> bool:
    return bool(label.source) and isinstance(label.value, list)


def _taken(element: Element, take: str, *, own: bool = False) -> Taken:
    if take.startswith("@"):
        return element.attr(take[1:])
    return own_text(element) if own else element


def own_text(element: Element) -> str:
    """Return the text of an element without that of the elements within it."""
    return clean_line(" ".join(child.data or "" for child in element if isinstance(child, Text)))


def is_said_elsewhere(text: str, sample: Sample, samples: Sequence[Sample]) -> bool:
    """Tell whether half of the other pages say the same somewhere: a label does, a value does not."""
    others = [other for other in samples if other is not sample]
    return 2 * sum(text in other.text for other in others) >= len(others)


def shared_tokens(samples: Sequence[Sample]) -> frozenset[str]:
    """Return the tokens that occur on several pages; one that only a single page has is no name of the site's."""
    return tokens_shared_by([sample.tree for sample in samples])
