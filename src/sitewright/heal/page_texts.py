"""A page in, what it displays and states out, as remembered values are looked for in it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from sitewright.induce.beliefs import entry_key
from sitewright.parse import Document, Json, fold_words, visible_text
from sitewright.types import TaggedPage
from sitewright.values import Context, Taken
from sitewright.values.dates import parse_date

LONGEST_SHOWN = 1200
_TIMES, _MORE_LETTERS = 4, 20
"""A text longer than so many times a value has other things in it."""
_LONGEST_MOMENT = 90
_UNSEEN = frozenset({"script", "style", "template", "noscript", "head", "html", "body", "title", "meta", "link"})
_DATED = re.compile(r"\d{4}|\d{1,2}\W\d{1,2}\W\d{2}|\d{10}|\d{1,2}\s*\w")
_OPEN_ORDER = re.compile(r"(?<!\d)(?:0?[1-9]|1[0-2])\.(?:0?[1-9]|1[0-2])\.(?:\d{4}|\d{2})(?!\d)")
_MOST_STATED, _LONGEST_STATED = 2000, 2000


class PageTexts:
    """What a page displays and states, as values are looked for in it."""

    def __init__(self, document: Document, tagged: TaggedPage, context: Context, sought: Sequence[str]) -> None:
        """Look for texts that are sought as a whole; all others are not kept."""
        self.document, self.tagged, self.context = document, tagged, context
        self._sought = {_run_together(text) for text in sought} - {""}
        self._longest = min(max(map(len, sought), default=0) * 2 + 100, LONGEST_SHOWN)

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
            is_short = bool(text) and len(text) <= 2 * _LONGEST_MOMENT and len(text.strip()) <= _LONGEST_MOMENT
            if is_short and _DATED.search(text):
                found += ((number, moment) for moment in self._moments_of(element, text))
        for text in self.stated:
            if len(text) <= _LONGEST_MOMENT and _DATED.search(text):
                found += ((None, moment) for moment in self._moments_of(text, text))
        return found

    def _moments_of(self, taken: Taken, text: str) -> Iterator[object]:
        """Yield the moment of a text; where full stops leave open what the month is, that of either order."""
        for context in [self.context, *([self._day_first] if _OPEN_ORDER.search(text) else [])]:
            if (parsed := parse_date(taken, context)) is not None:
                yield parsed.value

    @cached_property
    def _day_first(self) -> Context:
        return replace(self.context, date_formats=("%d.%m.%Y",))

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
