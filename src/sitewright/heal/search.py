"""A tagged page and the values its record held in, the page's labels corrected by where these values stand out.

What was stored of a known article is a label for free: after a redesign its values are looked for in the new tree. A
value is found where an element displays it (or is the smallest that holds it), or where metadata states it; a text is
found line by line.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from sitewright.domains import Domain, kinds
from sitewright.heal.moments import as_stored_moment, sameness
from sitewright.heal.page_texts import LONGEST_SHOWN, PageTexts
from sitewright.induce.beliefs import days_of, entry_key
from sitewright.parse import Document, clean_lines, fold_words
from sitewright.types import Label, TaggedPage, TextLine
from sitewright.values import page_context
from sitewright.values.images import picture_key, picture_keys

_KNOWN = 1.0
"""The score of what was remembered."""
_SHOWN = 0.99
"""The score of an element that displays it: only what a person shows by example is cut out of longer texts (1.0)."""
_ONE_OF_MANY = 0.7
"""The least score of an element that displays a value which others display, too; the tagger's view is added."""
_DAMPED = 0.05
"""What is left of other opinions on a field whose value is known."""
_GRAM, _LEAST_WORDS, _MOSTLY = 4, 6, 0.8
"""A line of so many words is a part of a text if so much of its runs of four words is in it."""
_LEAST_TEXT = 0.5
"""A text of which less is on the page is not there."""
_STILL_THERE = 0.5
"""A page that has the text that was remembered, or so many of the fields, is the article that it was."""


@dataclass(frozen=True, slots=True)
class Search:
    """A page with its labels corrected, the fields whose values were looked for on it, and those that were found."""

    tagged: TaggedPage
    sought: frozenset[str] = frozenset()
    found: frozenset[str] = frozenset()
    entries: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """What was found of each field, as entries are compared."""


def look_for(
    values: Mapping[str, object], document: Document, tagged: TaggedPage, domain: Domain, now: datetime
) -> Search:
    """Correct the labels of a page by the values that its record held; the tagger is left what is not on the page."""
    specs = {name: spec for name, spec in domain.fields.items() if _can_be_sought(values.get(name))}
    whole = [text for name in specs for text in _texts(values[name])]
    texts = PageTexts(document, tagged, page_context(document, now), whole)
    labels, lines = list(tagged.labels), list(tagged.lines)
    sought: set[str] = set()
    found: set[str] = set()
    entries: dict[str, frozenset[str]] = {}
    for name, spec in specs.items():
        if name == domain.main_text:
            corrected = _corrected_lines(lines, str(values[name]))
            lines = corrected or lines
            sought.add(name)
            found.update({name} if corrected else ())
        elif spec.kind in _FINDERS:
            sought.add(name)
            if known := list(_FINDERS[spec.kind](texts, name, values[name])):
                found.add(name)
                labels = [*_damped(labels, name, known), *known]
                entries[name] = frozenset(entry_key(label.value) for label in known)
    for name in domain.fields_of_kind(kinds.IMAGES):
        if known := list(_picture_labels(labels, name, picture_keys(values.get(name)))):
            sought.add(name)  # their addresses may all be new: then nothing was sought, and the tagger is believed
            found.add(name)
            labels = [*_damped(labels, name, known), *known]
    page = replace(tagged, labels=tuple(labels), lines=tuple(lines))
    is_there = domain.main_text in found or len(found) >= _STILL_THERE * len(sought)
    if found and is_there:  # else it may have become a notice or a wall
        page = replace(page, kind=domain.item.kind, kind_score=_KNOWN)
    return Search(page, frozenset(sought), frozenset(found), entries)


def _can_be_sought(value: object) -> bool:
    """Tell whether a value is a text or a list of texts, or a moment; nothing is sought of one that is empty."""
    if isinstance(value, list):
        return bool(value) and all(isinstance(entry, str) for entry in value)
    return isinstance(value, date) or (isinstance(value, str) and bool(value.strip()))


def _texts(value: object) -> Iterator[str]:
    """Yield the texts of a value that are looked for as a whole."""
    for text in value if isinstance(value, list) else [value]:
        if isinstance(text, str) and len(text) <= LONGEST_SHOWN:
            yield text


def _damped(labels: Iterable[Label], field: str, known: Sequence[Label]) -> Iterator[Label]:
    """Yield other opinions, those on the field with little left of their scores, none twice for one element."""
    placed = {(entry_key(label.value), label.node) for label in known}
    for label in labels:
        if label.field != field:
            yield label
        elif label.node is None or (entry_key(label.value), label.node) not in placed:
            yield replace(label, score=round(label.score * _DAMPED, 4))


def _shown_labels(texts: PageTexts, field: str, value: str) -> Iterator[Label]:
    """Yield labels of the elements that display a value, and one for wherever else it is stated."""
    key = entry_key(value)
    nodes = texts.holding(key) if key else []
    if nodes or any(f" {key} " in f" {text} " for text in texts.stated_keys):
        yield Label(field=field, value=value, score=_KNOWN, source="remembered")
    for node in nodes:
        opinion = texts.opinion(field, node)
        score = _SHOWN if len(nodes) == 1 else _ONE_OF_MANY + (_SHOWN - _ONE_OF_MANY) * opinion
        yield Label(field=field, value=value, score=round(score, 4), node=node)


def _line_labels(texts: PageTexts, field: str, value: object) -> Iterator[Label]:
    yield from _shown_labels(texts, field, str(value))


def _list_labels(texts: PageTexts, field: str, value: object) -> Iterator[Label]:
    entries = value if isinstance(value, list) else [value]
    for entry in dict.fromkeys(map(str, entries)):
        yield from _shown_labels(texts, field, entry)


def _date_labels(texts: PageTexts, field: str, value: object) -> Iterator[Label]:
    """Yield labels of what names the same day, in whatever format."""
    known = as_stored_moment(value)
    days = days_of(known)
    same = [(node, moment) for node, moment in texts.moments if days & days_of(moment)]
    if same:
        yield Label(field=field, value=known, score=_KNOWN, source="remembered")
    for node, moment in same:
        score = min(_SHOWN, sameness(known, moment))
        yield Label(field=field, value=moment, score=score, node=node, source="" if node is not None else "stated")


def _picture_labels(labels: Iterable[Label], field: str, keys: frozenset[str]) -> Iterator[Label]:
    """Yield the pictures of the page that a record held, be it in another size."""
    for label in labels:
        if label.field == field and label.node is not None and picture_key(str(label.value)) in keys:
            yield replace(label, score=_SHOWN)


_FINDERS = {
    kinds.LINE: _line_labels,
    kinds.DATE: _date_labels,
    kinds.NAMES: _list_labels,
    kinds.LIST: _list_labels,
}


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
        return _KNOWN
    words = fold_words(line)
    if len(words) < _LEAST_WORDS:
        return 0.0
    own = list(_grams(words))
    share = sum(gram in grams for gram in own) / len(own)
    return share if share >= _MOSTLY else 0.0


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(words[n : n + _GRAM]) for n in range(len(words) - _GRAM + 1))
