"""A tagged page and the values its record held in, the page's labels corrected by where these values stand out.

What was stored of a known article is a label for free: after a redesign its values are looked for in the new tree. A
value is found where an element displays it (or is the smallest that holds it), or where metadata states it; a text is
found line by line.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cached_property

from sitewright.domains import DEFAULT_DOMAIN, Domain, domain_of, kinds
from sitewright.induce.beliefs import days_of, entry_key
from sitewright.parse import Document, Json, clean_lines, fold_words, visible_text
from sitewright.types import Label, TaggedPage, TextLine
from sitewright.values import Context, page_context
from sitewright.values.dates import parse_date

KNOWN = 1.0
"""The score of what was remembered."""
_SHOWN = 0.99
"""The score of an element that displays it: only what a person shows by example is cut out of longer texts (1.0)."""
_ONE_OF_MANY = 0.7
"""The least score of an element that displays a value which others display, too; the tagger's view is added."""
_ONLY_DAY, _ANOTHER_ZONE, _ANOTHER_TIME = 0.85, 0.8, 0.3
"""The score of the right day without a time, at a time of another zone, at another time (that of a comment)."""
_ZONE_STEP, _FARTHEST_ZONES = 15 * 60, 26 * 3600
_DAMPED = 0.05
"""What is left of other opinions on a field whose value is known."""
_TIMES, _MORE_LETTERS = 4, 20
"""A text longer than so many times a value has other things in it."""
_LONGEST_SHOWN = 1200
_LONGEST_MOMENT = 90
_GRAM, _LEAST_WORDS, _MOSTLY = 4, 6, 0.8
"""A line of so many words is a part of a text if so much of its runs of four words is in it."""
_LEAST_TEXT = 0.5
"""A text of which less is on the page is not there."""
_STILL_THERE = 0.5
"""A page that has so much of what was remembered is the article that it was."""
_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "html", "body", "title", "meta", "link"})
_DATED = re.compile(r"\d{4}|\d{1,2}\W\d{1,2}\W\d{2}|\d{10}|\d{1,2}\s*\w")
_MOST_STATED, _LONGEST_STATED = 2000, 2000


@dataclass(frozen=True, slots=True)
class Recalled:
    """A page with corrected labels, and the fields whose remembered values were looked for and found."""

    tagged: TaggedPage
    sought: frozenset[str] = frozenset()
    found: frozenset[str] = frozenset()


def remember(
    document: Document,
    tagged: TaggedPage,
    values: Mapping[str, object],
    domain: Domain | str = DEFAULT_DOMAIN,
    now: datetime | None = None,
) -> TaggedPage:
    """Correct the labels of a page by the values that its record held; the tagger is left what is not on the page."""
    return recall(document, tagged, values, domain, now).tagged


def recall(
    document: Document,
    tagged: TaggedPage,
    values: Mapping[str, object],
    domain: Domain | str = DEFAULT_DOMAIN,
    now: datetime | None = None,
) -> Recalled:
    """Correct the labels of a page, and tell which of the values it still has."""
    context = page_context(document, now or datetime.now(UTC))
    known_domain = domain_of(domain)
    specs = {name: spec for name, spec in known_domain.fields.items() if _can_be_sought(values.get(name))}
    place = _Place(document, tagged, context, [text for name in specs for text in _texts(values[name])])
    labels, lines = list(tagged.labels), list(tagged.lines)
    sought: set[str] = set()
    found: set[str] = set()
    for name, spec in specs.items():
        if name == known_domain.main_text:
            corrected = _corrected_lines(lines, str(values[name]))
            lines = corrected or lines
            sought.add(name)
            found.update({name} if corrected else ())
        elif spec.kind in _FINDERS:
            sought.add(name)
            if known := list(_FINDERS[spec.kind](place, name, values[name])):
                found.add(name)
                labels = [*_damped(labels, name, known), *known]
    page = replace(tagged, labels=tuple(labels), lines=tuple(lines))
    if found and len(found) >= _STILL_THERE * len(sought):  # else it may have become a notice or a wall
        page = replace(page, kind=known_domain.item.kind, kind_score=KNOWN)
    return Recalled(page, frozenset(sought), frozenset(found))


def _can_be_sought(value: object) -> bool:
    """Tell whether a value is a text or a list of texts, or a moment; nothing is sought of one that is empty."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(entry, str) for entry in value)
    return isinstance(value, date) or (isinstance(value, str) and bool(value.strip()))


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of a value that are looked for as a whole."""
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and len(text) <= _LONGEST_SHOWN:
            yield text


def _damped(labels: Iterable[Label], field: str, known: Sequence[Label]) -> Iterator[Label]:
    """Yield other opinions, those on the field with little left of their scores, none twice for one element."""
    placed = {(entry_key(label.value), label.node) for label in known}
    for label in labels:
        if label.field != field:
            yield label
        elif label.node is None or (entry_key(label.value), label.node) not in placed:
            yield replace(label, score=round(label.score * _DAMPED, 4))


class _Place:
    """What a page displays and states, as values are looked for in it."""

    def __init__(self, document: Document, tagged: TaggedPage, context: Context, sought: Sequence[str]) -> None:
        self.document, self.tagged, self.context = document, tagged, context
        self._sought = {_run_together(text) for text in sought} - {""}
        self._longest = min(max(map(len, sought), default=0) * 2 + 100, _LONGEST_SHOWN)

    @cached_property
    def shown(self) -> list[tuple[int, str]]:
        """The elements with short texts that hold what is sought, and what these are compared by."""
        found = []
        for number, element in enumerate(self.document.elements):
            if element.tag not in _UNSEEN and self._may_hold(element.text):
                key = entry_key(visible_text(element))
                if key and len(key) <= self._longest:
                    found.append((number, key))
        return found

    def _may_hold(self, raw: str) -> bool:
        """Tell whether a text may hold what is sought: a quick look, most elements are not rendered for it."""
        if not raw or len(raw) > 2 * self._longest:
            return False
        together = _run_together(raw)
        return any(text in together for text in self._sought)

    @cached_property
    def exact(self) -> dict[str, list[int]]:
        """The innermost elements that display a text and nothing else."""
        nodes: dict[str, list[int]] = {}
        for number, key in self.shown:
            own = nodes.setdefault(key, [])
            if own and self._is_around(own[-1], number):
                own[-1] = number
            else:
                own.append(number)
        return nodes

    def _is_around(self, outer: int, inner: int) -> bool:
        return self.document.elements[outer] in self.document.elements[inner].ancestors

    def holding(self, key: str) -> list[int]:
        """Return the elements that display a text, or the smallest that hold it and not much else."""
        if nodes := self.exact.get(key):
            return nodes
        most = len(key) * _TIMES + _MORE_LETTERS
        around = [(len(text), n) for n, text in self.shown if len(text) <= most and f" {key} " in f" {text} "]
        least = min(around, default=(0, 0))[0]
        return [number for length, number in around if length == least]

    @cached_property
    def stated(self) -> list[str]:
        """What metadata states."""
        texts = [text for values in self.document.metadata.meta.values() for text in values]
        texts += [element.text for element in self.document.tree.select("head > title")]
        texts += [text for node in self.document.metadata.jsonld.nodes for text in _leaves(node, 0)]
        return [text for text in texts[:_MOST_STATED] if len(text) <= _LONGEST_STATED]

    @cached_property
    def stated_keys(self) -> list[str]:
        """What metadata states, as it is compared."""
        return [entry_key(text) for text in self.stated]

    @cached_property
    def moments(self) -> list[tuple[int | None, object]]:
        """The moments of short texts and of attributes, with their elements; those of metadata without."""
        found: list[tuple[int | None, object]] = []
        for number, element in enumerate(self.document.elements):
            text = element.attr("datetime") or (element.text if element.tag not in _UNSEEN else "")
            if text and len(text) <= 2 * _LONGEST_MOMENT and _DATED.search(text):
                parsed = parse_date(element, self.context) if len(text.strip()) <= _LONGEST_MOMENT else None
                if parsed is not None:
                    found.append((number, parsed.value))
        for text in self.stated:
            if len(text) <= _LONGEST_MOMENT and _DATED.search(text):
                parsed = parse_date(text, self.context)
                if parsed is not None:
                    found.append((None, parsed.value))
        return found

    def opinion(self, field: str, node: int | None) -> float:
        """Return how likely the tagger holds that an element displays a field."""
        own = (label.score for label in self.tagged.labels if label.field == field and label.node == node)
        return max(own, default=0.0)


def _run_together(text: str) -> str:
    """Return the words of a text without anything between them: the raw text of blocks has no blanks there."""
    return "".join(fold_words(text))


def _leaves(value: Json, depth: int) -> Iterator[str]:
    """Yield the texts below a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth < 6:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _leaves(inner, depth + 1)


def _shown_labels(place: _Place, field: str, value: str) -> Iterator[Label]:
    """Yield labels of the elements that display a value, and one for wherever else it is stated."""
    key = entry_key(value)
    nodes = place.holding(key) if key else []
    if nodes or any(f" {key} " in f" {text} " for text in place.stated_keys):
        yield Label(field=field, value=value, score=KNOWN, source="remembered")
    for node in nodes:
        opinion = place.opinion(field, node)
        score = _SHOWN if len(nodes) == 1 else _ONE_OF_MANY + (_SHOWN - _ONE_OF_MANY) * opinion
        yield Label(field=field, value=value, score=round(score, 4), node=node)


def _line_labels(place: _Place, field: str, value: object) -> Iterator[Label]:
    yield from _shown_labels(place, field, str(value))


def _list_labels(place: _Place, field: str, value: object) -> Iterator[Label]:
    entries = value if isinstance(value, list) else [value]
    for entry in dict.fromkeys(map(str, entries)):
        yield from _shown_labels(place, field, entry)


def moment_of(value: object) -> date | datetime | None:
    """Return a stored moment as records hold it.

    >>> moment_of("2024-05-06"), moment_of("yesterday")
    (datetime.date(2024, 5, 6), None)
    """
    if isinstance(value, date):
        return value
    text = str(value).strip()
    try:
        return date.fromisoformat(text) if len(text) == 10 else datetime.fromisoformat(text)
    except ValueError:
        return None


def _date_labels(place: _Place, field: str, value: object) -> Iterator[Label]:
    """Yield labels of what names the same day, in whatever format."""
    known = moment_of(value)
    days = days_of(known)
    same = [(node, moment) for node, moment in place.moments if days & days_of(moment)]
    if same:
        yield Label(field=field, value=known, score=KNOWN, source="remembered")
    for node, moment in same:
        score = min(_SHOWN, sameness(known, moment))
        yield Label(field=field, value=moment, score=score, node=node, source="" if node is not None else "stated")


def sameness(known: object, moment: object) -> float:
    """Return how nearly a moment is a known one; 0 where it is not of the same day.

    >>> known = datetime(2024, 5, 6, 9, 30)
    >>> [sameness(known, other) for other in (known, date(2024, 5, 6), datetime(2024, 5, 6, 11, 17), date(2024, 5, 7))]
    [1.0, 0.85, 0.3, 0.0]
    """
    if not days_of(known) & days_of(moment):
        return 0.0
    if not isinstance(known, datetime):
        return 1.0
    if not isinstance(moment, datetime):
        return _ONLY_DAY
    both_zoned = known.tzinfo is not None and moment.tzinfo is not None
    apart = abs(
        (known - moment if both_zoned else known.replace(tzinfo=None) - moment.replace(tzinfo=None)).total_seconds()
    )
    if apart < 60:
        return 1.0
    return _ANOTHER_ZONE if apart % _ZONE_STEP < 60 and apart <= _FARTHEST_ZONES else _ANOTHER_TIME


_FINDERS = {
    kinds.LINE: _line_labels, kinds.DATE: _date_labels, kinds.NAMES: _list_labels, kinds.LIST: _list_labels,
}  # fmt: skip


def _corrected_lines(lines: Sequence[TextLine], text: str) -> list[TextLine]:
    """Return the lines with those of a stored text certain and all others next to impossible; none where it is gone."""
    stored = clean_lines(text)
    keys = {entry_key(line) for line in stored}
    words = fold_words(text)
    grams = set(_grams(words))
    scored = [replace(line, score=_in_text(line.text, keys, grams) or line.score * _DAMPED) for line in lines]
    found = sum(len(fold_words(line.text)) for line in scored if line.score >= _MOSTLY)
    return scored if words and found >= _LEAST_TEXT * len(words) else []


def _in_text(line: str, keys: set[str], grams: set[tuple[str, ...]]) -> float:
    """Return how surely a line is one of a stored text, or a part of one."""
    if (key := entry_key(line)) in keys and key:
        return KNOWN
    words = fold_words(line)
    if len(words) < _LEAST_WORDS:
        return 0.0
    own = list(_grams(words))
    share = sum(gram in grams for gram in own) / len(own)
    return share if share >= _MOSTLY else 0.0


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[n : n + _GRAM]) for n in range(len(words) - _GRAM + 1))
