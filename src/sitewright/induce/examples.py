"""Values as a person sees them in, what they say about a page out: where they stand, and how right other values are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sitewright.domains import Domain, FieldSpec, kinds
from sitewright.induce.beliefs import entry_key
from sitewright.parse import Document, visible_text
from sitewright.types import Label
from sitewright.values import PARSERS, Context

SHOWN = 1.0
UNKNOWN, UNKNOWN_LIST = 0.5, 0.3
"""How right a value is on a page of which no example tells: better than none."""
_MORE = 0.02
"""What each entry of a list takes off that no example names: most of them will be right, but `a` finds all of them."""
_AS_MANY_DIGITS, _MUCH_LONGER = 0.5, 6
"""Values of a field have about as many digits, and are not so many times longer than one another."""
_TIMES, _MORE_LETTERS = 4, 120
"""A text longer than so many times a value has other things in it."""
_MOST_PLACES = 40
_NOT_QUITE = 0.9
"""What a value counts that has the words of an example and other marks around them."""
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

    def __init__(self, wanted: frozenset[str], *, many: bool, values: Sequence[str] = ()) -> None:
        """Keep the keys of the values that are on this page (none where no example is), and what examples look like."""
        self._wanted = wanted
        self._many = many
        self._values = tuple(values)
        self.best = SHOWN if wanted else UNKNOWN_LIST if many else UNKNOWN

    def unknown(self) -> "ExampleBeliefs":
        """Return what examples say of a page that shows none of them."""
        return ExampleBeliefs(frozenset(), many=self._many, values=self._values)

    def rightness(self, value: object) -> float:
        """Return 1 for the value of an example, nothing for another; of lists how many of them are there."""
        if not self._wanted:
            if self._many:
                return UNKNOWN_LIST
            return UNKNOWN * max((likeness(_written(value), known) for known in self._values), default=1.0)
        keys = {entry_key(entry) for entry in value} if isinstance(value, list) else {entry_key(value)}
        hits = len(keys & self._wanted)
        if not self._many:
            return self._how_exactly(value) if hits == len(keys) == 1 else 0.0
        return hits / len(self._wanted) / (1 + _MORE * (len(keys) - hits)) if hits else 0.0

    def _how_exactly(self, value: object) -> float:
        """Return 1 for what was shown, less where there are other marks around it."""
        shown = {known.casefold() for known in self._values}
        is_shown = not isinstance(value, str) or not shown or value.casefold() in shown
        return SHOWN if is_shown else _NOT_QUITE


def likeness(text: str, known: str) -> float:
    """Return how much a value looks like one that was shown: of numbers or of letters, and about as long.

    >>> likeness("978-0307746818", "978-1595141712"), likeness("Add to my list of books", "978-1595141712")
    (1.0, 0.5)
    """
    digits = abs(_share(text) - _share(known)) < _AS_MANY_DIGITS
    is_longer = len(text) > _MUCH_LONGER * len(known)
    has_label = ": " in text and ": " not in known
    return (1.0 if digits else 0.5) * (0.4 if is_longer else 1.0) * (0.5 if has_label else 1.0)


def _written(value: object) -> str:
    if isinstance(value, Mapping):
        return str(value.get("amount", value))
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _share(text: str) -> float:
    return sum(map(str.isdigit, text)) / max(len(text), 1)


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
    """Return the elements that display an example's values, and the smallest that hold them among other words."""
    shown = list(_short_texts(example, document))
    labels: list[Label] = []
    for value in example.values:
        wanted = entry_key(value)
        holding = [number for number, key in shown if wanted and f" {wanted} " in f" {key} "]
        exact = {number for number, key in shown if key == wanted}
        nodes = [number for number in holding if number in exact or not _holds_one(number, holding, document)]
        labels += [Label(field=example.field, value=value, score=1.0, node=number) for number in nodes[:_MOST_PLACES]]
    return labels


def _holds_one(number: int, holding: Sequence[int], document: Document) -> bool:
    """Tell whether an element holds another one that holds the value; elements are in the order of the document."""
    following = next((other for other in holding if other > number), None)
    return following is not None and document.elements[number] in document.elements[following].ancestors


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
