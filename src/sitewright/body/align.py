"""Runs of a page and the lines of a text in, which run displays which line out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise

from sitewright.body.runs import Run, key_of

_CELLS = " | "
"""What parts the cells of a table's row in a text."""
_MOST_PAIRS = 200_000
"""So many pairs of a line and a run that could be it are compared; of more, those that repeat most are left out."""
_TELLING = 12
"""A line of fewer characters, without its blanks, is found only as a whole."""


@dataclass(slots=True)
class Placed:
    """A line of the text and where it stands: parts of runs (number of the run, of its line); nowhere: as it is."""

    text: str
    parts: list[tuple[int, int]] = field(default_factory=list)
    whole: bool = True
    """Whether the parts display just this line; else more than it."""


def align(runs: Sequence[Run], lines: Sequence[str]) -> list[Placed]:
    """Find the lines of a text on its page; order is kept, and where a line stands twice, the densest place counts."""
    numbers = [number for number, run in enumerate(runs) if run.lines]
    keys = {number: runs[number].keys for number in numbers}
    wanted = _parts_of(lines, {"".join(own) for own in keys.values()})
    wanted_keys = {key for _, key in wanted}
    shown = [token for number in numbers for token in _tokens(number, keys[number], wanted_keys)]
    placed = [Placed(line) for line in lines]
    whole: dict[int, set[str]] = {}
    for one, other in _matched([token.key for token in shown], [key for _, key in wanted]):
        line, key = wanted[other]
        placed[line].parts += shown[one].parts
        whole.setdefault(line, set()).add(key)
    for number, entry in enumerate(placed):  # a row of a table of which some cells are not found is left as it is
        if entry.parts and whole[number] != {key for line, key in wanted if line == number}:
            entry.whole = False
    _find_others(placed, numbers, keys)
    return placed


@dataclass(frozen=True, slots=True)
class _Token:
    key: str
    parts: list[tuple[int, int]]


def _tokens(number: int, keys: Sequence[str], wanted: set[str]) -> Iterator[_Token]:
    """Yield what is compared of a run: the whole where it is a line of the text, else its lines."""
    whole = "".join(keys)
    if whole in wanted:
        yield _Token(whole, [(number, place) for place in range(len(keys))])
    elif len(keys) > 1:
        for place, key in enumerate(keys):
            if key in wanted:
                yield _Token(key, [(number, place)])


def _parts_of(lines: Sequence[str], shown: set[str]) -> list[tuple[int, str]]:
    """Return what is looked for, with the number of its line: lines, or cells where a line is a table's row."""
    parts: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        cells = [key_of(line)] if key_of(line) in shown or _CELLS not in line else map(key_of, line.split(_CELLS))
        parts += [(number, key) for key in cells if key]
    return parts


def _matched(shown: Sequence[str], wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield pairs of equal entries, in order."""
    frequent = _too_frequent(shown, wanted)
    shown_as = [None if key in frequent else key for key in shown]
    wanted_as = [number if key in frequent else key for number, key in enumerate(wanted)]
    matcher = SequenceMatcher(None, shown_as, wanted_as, autojunk=False)
    for block in matcher.get_matching_blocks():
        yield from ((block.a + step, block.b + step) for step in range(block.size))


def _too_frequent(shown: Iterable[str], wanted: Iterable[str]) -> set[str]:
    here, there = Counter(shown), Counter(wanted)
    pairs = {key: here[key] * count for key, count in there.items()}
    left, gone = sum(pairs.values()), set()
    for key in sorted(pairs, key=lambda key: (-pairs[key], key)):
        if left <= _MOST_PAIRS:
            break
        left -= pairs[key]
        gone.add(key)
    return gone


def _find_others(placed: Sequence[Placed], numbers: Sequence[int], keys: dict[int, list[str]]) -> None:
    """Look for lines that no run displays as they are between their neighbours: in a longer run, or over several."""
    taken = {number for entry in placed for number, _ in entry.parts}
    known = [-1, *(place for place, entry in enumerate(placed) if entry.parts), len(placed)]
    for before, after in pairwise(known):
        first = placed[before].parts[-1][0] if before >= 0 else -1
        last = placed[after].parts[0][0] if after < len(placed) else numbers[-1] + 1 if numbers else 0
        free = [number for number in numbers if first < number < last and number not in taken]
        for entry in placed[before + 1 : after]:
            found = _within(key_of(entry.text), free, keys)
            if found:
                entry.parts = [(number, place) for number in found for place in range(len(keys[number]))]
                entry.whole = len(found) > 1
                free = [number for number in free if number > found[-1]]


def _within(line: str, free: Sequence[int], keys: dict[int, list[str]]) -> list[int]:
    """Return the run that holds a line and more, or the neighbouring runs that make it up."""
    if len(line) < _TELLING:
        return []
    for place, number in enumerate(free):
        whole = "".join(keys[number])
        if line in whole:
            return [number]
        if line.startswith(whole):
            found = [number]
            for other in free[place + 1 :]:
                longer = whole + "".join(keys[other])
                if not line.startswith(longer):
                    break
                whole, found = longer, [*found, other]
            if whole == line:
                return found
    return []
