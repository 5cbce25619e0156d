"""The headings of a site's pages in, expressions for what stands between the template's own words in them out.

A heading may say more than the name: `New … Performance Specs`, `… [Paperback]`, `… by ANYONE`. What all headings of a
site have in common is the template's, if the rest is what the page is called elsewhere on it; a shop of cameras has
`digital camera` at the end of every name, and repeats it wherever it repeats the name.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sitewright.domains import FieldSpec
from sitewright.induce.sample import Sample
from sitewright.parse import fold_words, visible_text
from sitewright.types import Label

_FEWEST = 3
"""What fewer headings have in common may be by chance."""
_COMMON = 0.8
"""This share of the headings must have what is cut off."""
_CONFIRMED = 0.35
"""From here on a cut is believed: by how many more texts of a page have the rest alone than have it in its frame, of 0
(as many) to 1 (on every page), in the mean of the pages."""
_LONGER = 4
"""Lines that are so many times longer than a heading tell a story with the name in it."""
_IN_FRAME = 0.5
"""What the belief in a whole heading counts where its frame is known."""
_VARIED, _OTHERS, _LIKELY = 0.5, 0.3, 0.3
"""Half of the pages have a rest of their own; on few it is what is rather likely another field."""
_BRACKETS = {"[": "]", "(": ")", "【": "】", "（": "）"}
_WORD = re.compile(r"\w+|[^\w\s]")
_MOST_INNER, _SHORT = 4, 3


def believe_frames(samples: Sequence[Sample], spec: FieldSpec) -> list[str]:
    """Let what stands between the template's words be believed as whole headings are; return how it is cut out."""
    headings = [_heading(sample, spec) for sample in samples]
    shown = [text for text in headings if text]
    if len(shown) < _FEWEST:
        return []
    called = [_called(sample, text) for sample, text in zip(samples, headings, strict=True)]
    patterns = [p for p in dict.fromkeys(_proposals(shown)) if _may_be_named(p, samples, headings, spec)]
    best, pattern = max(((_confirmed(p, headings, called), p) for p in patterns), default=(0.0, ""))
    if best < _CONFIRMED:
        return []
    for sample, heading in zip(samples, headings, strict=True):
        sample.relabel(spec.name, list(_without_frame(sample.labels(spec.name), heading, pattern)))
    return [pattern]


def _without_frame(labels: Sequence[Label], heading: str, pattern: str) -> Iterator[Label]:
    """Yield the labels of a field; of those that say what the heading says the rest is believed as they were."""
    for label in labels:
        is_heading = _folded(str(label.value)) == _folded(heading)
        found = re.search(pattern, str(label.value)) if is_heading else None
        if found is not None and found[1] != label.value:
            yield replace(label, value=found[1])
            yield replace(label, score=label.score * _IN_FRAME)
        else:
            yield label


def _may_be_named(pattern: str, samples: Sequence[Sample], headings: Sequence[str], spec: FieldSpec) -> bool:
    """Tell whether what is cut out differs from page to page, and is not what another field is (an author, a brand)."""
    found = [re.search(pattern, heading) for heading in headings]
    inner = [_folded(match[1]) if match else "" for match in found]
    taken = [own for own in inner if own.strip()]
    others = sum(
        own.strip() != "" and own in _of_others(sample, spec) for own, sample in zip(inner, samples, strict=True)
    )
    return len(set(taken)) > _VARIED * len(taken) and others <= _OTHERS * len(taken)


def _of_others(sample: Sample, spec: FieldSpec) -> set[str]:
    """Return the lines that are believed to be other fields."""
    labels = (label for name in sample.domain.fields if name != spec.name for label in sample.labels(name))
    return {_folded(str(label.value)) for label in labels if label.score >= _LIKELY}


def _heading(sample: Sample, spec: FieldSpec) -> str:
    """Return the likeliest displayed heading of a page."""
    shown = [label for label in sample.labels(spec.name) if label.node is not None]
    best = max(shown, key=lambda label: label.score, default=None)
    return visible_text(sample.tree.elements[best.node]) if best is not None and best.node is not None else ""


@dataclass(frozen=True)
class _Called:
    """What a page is called beside its heading, as folded words: in its title; in lines, links and pictures."""

    title: str
    lines: frozenset[str]

    def framed(self, whole: str) -> int:
        """Return in how many places the whole heading stands once more."""
        return (whole in self.title) + sum(whole in line for line in self.lines)

    def alone(self, inner: str, whole: str, *, is_line: bool) -> int:
        """Return in how many places what is cut out stands without its frame, or is a line by itself."""
        in_title = inner in self.title and whole not in self.title
        if is_line:
            return in_title + (inner in self.lines)
        return in_title + sum(inner in line and whole not in line for line in self.lines)


def _called(sample: Sample, heading: str) -> _Called:
    tree = sample.document.tree
    texts = [line.text for line in sample.tagged.lines]
    texts += [str(element.attrs.get("alt") or "") for element in tree.select("img[alt]")]
    title = next((visible_text(element) for element in tree.select("head > title")), "")
    longest = _LONGER * len(heading) + 40
    counts = Counter(_folded(text) for text in texts if len(text) <= longest)
    counts[_folded(heading)] -= 1
    return _Called(_folded(title), frozenset(text for text, count in counts.items() if count > 0))


def _folded(text: str) -> str:
    return f" {' '.join(fold_words(text))} "


def _confirmed(pattern: str, headings: Sequence[str], called: Sequence[_Called]) -> float:
    """Return on how many more pages what is cut out stands alone than in its frame, in the mean."""
    total, pages = 0.0, 0
    is_inner = "(?!\\w)" in pattern  # other sizes of the same thing have another rest behind the mark
    for heading, other in zip(headings, called, strict=True):
        found = re.search(pattern, heading) if heading else None
        if found is None:
            continue
        pages += 1
        inner, whole = _folded(found[1]), _folded(heading)
        if inner.strip() and inner != whole:
            total += max(-1.0, min(1.0, other.alone(inner, whole, is_line=is_inner) - other.framed(whole)))
            total += 0.001 * len(inner) / len(whole)  # of two that are as good, the one that cuts off less
    return total / pages if pages >= _COMMON * sum(map(bool, headings)) else 0.0


def _proposals(headings: Sequence[str]) -> Iterator[str]:
    """Yield expressions that cut off what most headings begin or end with, or have in brackets, or behind a word."""
    words = [_WORD.findall(text) for text in headings]
    starts = _common([own[:-1] for own in words])
    ends = [list(reversed(end)) for end in _common([list(reversed(own))[:-1] for own in words])]
    for start in ([], *starts):
        for end in ([], *ends):
            if start or end:
                yield rf"^{_written(start, before=True)}(.+?){_written(end, before=False)}$"
    for opening, closing in _BRACKETS.items():
        if sum(text.endswith(closing) for text in headings) >= _COMMON / 2 * len(headings):
            o, c = re.escape(opening), re.escape(closing)
            yield rf"^(.+?)(?:\s*{o}[^{o}{c}]*{c})*$"
    for word in _inner(words):
        blank = r"\s+" if word.isalnum() else r"\s*"
        yield rf"^(.+?){blank}{re.escape(word)}(?!\w).*$"
        yield rf"^.*?(?<!\w){re.escape(word)}(?!\w){blank}(.+)$"


def _common(sequences: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the beginnings that most sequences share, shortest first."""
    found: list[list[str]] = []
    while True:
        place = len(found)
        known = found[-1] if found else []
        going = [own for own in sequences if list(own[:place]) == known and len(own) > place]
        counts = Counter(own[place] for own in going)
        word, count = counts.most_common(1)[0] if counts else ("", 0)
        if count < _COMMON * len(sequences) or word.isdigit():  # all of a year's models have its number
            return found
        found.append([*known, word])


def _written(words: Sequence[str], *, before: bool) -> str:
    if not words:
        return ""
    text = r"\s*".join(map(re.escape, words))
    return rf"(?:{text}\s*)?" if before else rf"(?:\s*{text})?"


def _inner(words: Sequence[Sequence[str]]) -> list[str]:
    """Return the marks and short words ("by") that most headings have between others."""
    counts: Mapping[str, int] = Counter(
        word for own in words for word in set(own[1:-1]) if len(word) <= _SHORT and not word.isdigit()
    )
    return [word for word, count in counts.items() if count >= _COMMON * len(words)][:_MOST_INNER]
