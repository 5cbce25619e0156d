"""Examples that stand within longer texts in, expressions that cut such values out of the texts of all pages out."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from sitewright.domains import FieldSpec, kinds
from sitewright.induce.drafts import Draft
from sitewright.induce.sample import Sample, is_said_elsewhere
from sitewright.induce.tree import numbers_of
from sitewright.parse import visible_text

_MOST_PATTERNS, _MOST_DRAFTS = 3, 40
_SHARED = 0.5
"""What stands before or behind a value is the template's if so many of the other texts have it, too."""
_MOST_WORDS = 6
_WORD = re.compile(r"\d+|[^\W\d]+|[^\w\s]")
_LABEL_COST, _LONGEST_LABEL, _LONGEST_LINE = 2.6, 40, 400
_LINES = frozenset({"li", "td", "tr", "p", "div", "dd", "span", "dl", "th"})
_OUTWARD = 3


def cuts_of(samples: Sequence[Sample], spec: FieldSpec, drafts: Sequence[Draft]) -> list[str]:
    """Return expressions for what stands between the words that the texts of several pages share around an example."""
    if spec.kind != kinds.LINE:
        return []
    patterns: Counter[str] = Counter()
    for sample in samples:
        for label in sample.labels(spec.name):
            if label.score == 1.0 and label.node is not None:
                text = visible_text(sample.tree.elements[label.node])
                found = re.search(rf"(?<!\w){re.escape(str(label.value))}(?!\w)", text)
                if found is not None and found[0] != text and text[: found.start()].count(":") <= 1:
                    before, after = text[: found.start()], text[found.end() :]
                    finding = [
                        d for d in drafts if d.origin == "displayed" and sample.tree.find(d.select) >> label.node & 1
                    ]
                    for draft in sorted(finding, key=lambda draft: draft.cost)[:_MOST_DRAFTS]:
                        others = [t for other in samples if other is not sample for t in _first_text(other, draft)]
                        patterns[pattern_between(before, after, others)] += 1
    return [pattern for pattern, _ in patterns.most_common(_MOST_PATTERNS) if pattern]


def _first_text(sample: Sample, draft: Draft) -> Iterator[str]:
    for number in numbers_of(sample.tree.find(draft.select)):
        yield visible_text(sample.tree.elements[number])
        return


def pattern_between(before: str, after: str, others: Sequence[str]) -> str:
    """Return an expression for what stands between two texts, by as much of them as other texts have as well.

    >>> pattern_between("No. 12: ", " (used)", ["No. 3: Tea (new)", "No. 4: Oil (new)"])
    'No\\\\s*\\\\.\\\\s*\\\\d+\\\\s*:\\\\s*(.+?)\\\\s*\\\\('
    """
    start = _shared(list(reversed(_WORD.findall(before))), others, is_before=True)
    end = _shared(_WORD.findall(after), others, is_before=False)
    if (before.strip() and not start) or (after.strip() and not end):
        return ""
    head = rf"{_written(list(reversed(start)))}\s*" if start else "^"
    tail = rf"\s*{_written(end)}" if end else "$"
    return f"{head}(.+?){tail}"


def _shared(words: Sequence[str], others: Sequence[str], *, is_before: bool) -> list[str]:
    """Return as many of the words nearest to a value as enough other texts have in a row."""
    kept: list[str] = []
    for word in words[:_MOST_WORDS]:
        longer = [*kept, word]
        written = re.compile(_written(list(reversed(longer)) if is_before else longer))
        if sum(written.search(text) is not None for text in others) < _SHARED * max(len(others), 1):
            break
        kept = longer
    return kept


def _written(words: Sequence[str]) -> str:
    return r"\s*".join(r"\d+" if word.isdigit() else re.escape(word) for word in words)


def labelled_lines(samples: Sequence[Sample], spec: FieldSpec) -> Iterator[Draft]:
    """Yield rules for the line that begins with the label that stands before a value ("ISBN-13: 978…")."""
    if spec.many or spec.kind != kinds.LINE:
        return
    seen: Counter[tuple[str, str]] = Counter()
    within: set[tuple[str, str]] = set()
    for sample in samples:
        for label in sample.labels(spec.name):
            if label.node is not None and label.score == 1.0:
                value = str(label.value)
                own = value[: value.find(":") + 1]
                if 1 < len(own) <= _LONGEST_LABEL:  # "Publisher: ANYONE" is the value
                    within.add((sample.tree.elements[label.node].tag, own))
                lines = set(_lines_around(sample, label.node, value))
                seen.update(line for line in lines if is_said_elsewhere(line[1], sample, samples))
    seen.update(within)
    for tag, before in seen:
        if '"' not in before:
            is_part = (tag, before) in within
            select = f'//{tag}[starts-with(normalize-space(), "{before}")]'
            match = "" if is_part else rf"^{re.escape(before)}\s*(.+)$"
            yield Draft(field=spec.name, select=select, match=match, cost=_LABEL_COST)


def _lines_around(sample: Sample, number: int, value: str) -> Iterator[tuple[str, str]]:
    """Yield the tags of elements around a value whose text is a label and the value, and the labels."""
    for level, outer in enumerate((number, *sample.tree.ancestors(number))):
        element = sample.tree.elements[outer]
        text = visible_text(element)
        if level > _OUTWARD or len(text) > _LONGEST_LINE:
            return
        before, found, after = text.partition(value)
        label = before.rstrip()
        if (
            found
            and not after.strip()
            and element.tag in _LINES
            and 1 < len(label) <= _LONGEST_LABEL
            and not any(map(str.isdigit, label[:1]))
        ):
            yield element.tag, label
