"""Values as a person sees them in, what they say about a page out: where they stand, and how right other values are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sitewright.domains import Domain, FieldSpec, kinds
from sitewright.induce.beliefs import entry_key
from sitewright.parse import Document, visible_text
from sitewright.types import Label
from sitewright.values import PARSERS, Context

SHOWN = 1.0
UNKNOWN = 0.3
"""How right a value is on a page of which no example tells: better than none."""
_MORE = 0.02
"""What each entry of a list takes off that no example names: most of them will be right, but `a` finds all of them."""
_TIMES, _MORE_LETTERS = 4, 20
"""A text longer than so many times a value has other things in it."""
_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "html", "title", "meta"})


@dataclass(frozen=True, slots=True)
class Example:
    """The values of one field, as they stand on one of the pages."""

    field: str
    values: tuple[str, ...]

    @property
    def many(self) -> bool:
        """Whether the field is a list: two of its values were given."""
        return len(self.values) > 1


class ExampleBeliefs:
    """What examples say of a field of one page."""

    def __init__(self, wanted: frozenset[str], *, many: bool) -> None:
        """Keep the keys of the values that are on this page; none where no example is."""
        self._wanted = wanted
        self._many = many
        self.best = SHOWN if wanted else UNKNOWN

    def rightness(self, value: object) -> float:
        """Return 1 for the value of an example, nothing for another; of lists how many of them are there."""
        if not self._wanted:
            return UNKNOWN
        keys = {entry_key(entry) for entry in value} if isinstance(value, list) else {entry_key(value)}
        hits = len(keys & self._wanted)
        if not self._many:
            return float(hits == len(keys) == 1)
        return hits / len(self._wanted) / (1 + _MORE * (len(keys) - hits)) if hits else 0.0


def spec_of(example: Example, domain: Domain) -> FieldSpec:
    """Return what is known of an example's field; one that the domain does not know is a line, or a list of lines."""
    known = domain.fields.get(example.field)
    if known is None:
        return FieldSpec(name=example.field, kind=kinds.LIST if example.many else kinds.LINE, many=example.many)
    return known


def wanted_keys(values: Sequence[str], spec: FieldSpec, context: Context) -> frozenset[str]:
    """Return the keys of an example's values, read as the field is read."""
    keys: set[str] = set()
    for text in values:
        parsed = PARSERS[spec.parse]([text], spec.many, context)
        value = parsed.value if parsed is not None else text
        keys.update(map(entry_key, value) if isinstance(value, list) else [entry_key(value)])
    return frozenset(keys)


def labels_of(example: Example, document: Document) -> list[Label]:
    """Return the elements that display an example's values, or where none does, the smallest that hold them."""
    shown = [(number, key) for number, key in _short_texts(example, document)]
    labels: list[Label] = []
    for value in example.values:
        wanted = entry_key(value)
        nodes = [number for number, key in shown if key == wanted]
        if not nodes and wanted:
            around = [(len(key), number) for number, key in shown if f" {wanted} " in f" {key} "]
            least = min(around, default=(0, 0))[0]
            nodes = [number for length, number in around if length == least]
        labels += [Label(field=example.field, value=value, score=1.0, node=number) for number in nodes]
    return labels


def _short_texts(example: Example, document: Document) -> Iterator[tuple[int, str]]:
    """Yield the elements that are not much longer than the values, with what their texts are compared by."""
    longest = max(map(len, example.values)) * _TIMES + _MORE_LETTERS
    for number, element in enumerate(document.elements):
        raw = element.text
        if len(raw) <= longest * 2 and raw.strip() and element.tag not in _UNSEEN:
            key = entry_key(visible_text(element))
            if len(key) <= longest:
                yield number, key


def example_of(texts: Sequence[str]) -> Mapping[str, Example]:
    """Put `field=value` texts together, the values of one field in their order.

    >>> example_of(["tag=bees", "tag=honey", "price = £4.50"])["tag"].values
    ('bees', 'honey')
    """
    values: dict[str, list[str]] = {}
    for text in texts:
        field, _, value = text.partition("=")
        values.setdefault(field.strip(), []).append(" ".join(value.split()))
    return {field: Example(field, tuple(found)) for field, found in values.items()}
