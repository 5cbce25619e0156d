"""Anchors in, clusters of links that are marked up alike out: attribute/value pairs of the link and its parent.

The way of the paper: pairs that occur once are dropped, numbers are generalised, DBSCAN on cosine distance finds the
clusters, and what less than three quarters of a cluster share is left out of its pattern.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element

EPSILON = 0.5
SHARED = 0.75
"""The paper's eps and its threshold for simplifying; min_samples is 2, so clusters are the connected components."""
_MOST = 2_000
"""Patterns beyond the commonest stay alone: each is compared with each."""
_VALUE_LIMIT = 100
"""So much of a value is compared; what is longer is data, not a name."""
_NUMBER = re.compile(r"\d+")
ANY_NUMBER = "[0-9]+"
_PLAIN = re.compile(r"-?[A-Za-z_][\w-]*", re.ASCII)
_HEADING = re.compile(r"^h[1-6]$")
_UNSAFE = re.compile(r"[^\w-]", re.ASCII)

Pair = tuple[int, str, str, str]
"""Level (0 the link, 1 its parent), tag, attribute, value with numbers generalised."""
Pattern = frozenset[Pair]


def pairs_of(element: Element) -> list[Pair]:
    """Return the attribute/value pairs of a link and its parent; each class is one.

    >>> from turbohtml import parse
    >>> pairs_of(parse('<h2 id=top-7><a class="teaser big" href=/a>Bees</a></h2>').select_one("a"))
    [(0, 'a', 'class', 'teaser'), (0, 'a', 'class', 'big'), (1, 'h', 'id', 'top-[0-9]+')]
    """
    parent = element.parent
    return [*_level(element, 0), *(_level(parent, 1) if isinstance(parent, Element) else ())]


def _level(element: Element, level: int) -> Iterable[Pair]:
    attrs = element.attrs
    if not attrs:
        return
    tag = "h" if _HEADING.match(element.tag) else element.tag
    for name, stated in attrs.items():
        if name in ("class", "id") or name.startswith("data-"):
            value = " ".join(stated) if isinstance(stated, list) else stated or ""
            for word in value.split() if name == "class" else (value[:_VALUE_LIMIT],):
                yield level, tag, name, _NUMBER.sub(ANY_NUMBER, word)


def patterns_of(pairs: Sequence[Sequence[Pair]]) -> list[Pattern]:
    """Return the pattern of each link: its pairs without those that no other link has."""
    counts = Counter(pair for own in pairs for pair in set(own))
    return [frozenset(pair for pair in own if counts[pair] > 1) for own in pairs]


def cluster(patterns: Mapping[Pattern, int]) -> dict[Pattern, int]:
    """Return the number of the cluster of each pattern, given how many links have it; what is alone has none.

    Patterns without any pair are alone: nothing tells them from each other.
    """
    known = [pattern for pattern, _ in Counter(patterns).most_common(_MOST) if pattern]
    if not known:
        return {}
    near = _similarities(known) >= 1 - EPSILON
    labels = _components(near)
    sizes: Counter[int] = Counter()
    for pattern, label in zip(known, labels, strict=True):
        sizes[label] += patterns[pattern]
    return {pattern: label for pattern, label in zip(known, labels, strict=True) if sizes[label] > 1}


def _similarities(patterns: Sequence[Pattern]) -> NDArray[np.float32]:
    columns = {pair: number for number, pair in enumerate(dict.fromkeys(pair for own in patterns for pair in own))}
    table = np.zeros((len(patterns), len(columns)), dtype=np.float32)
    for row, own in enumerate(patterns):
        table[row, [columns[pair] for pair in own]] = 1
    table /= np.sqrt(table.sum(1, keepdims=True))
    result: NDArray[np.float32] = table @ table.T
    return result + np.float32(1e-6)


def _components(near: NDArray[np.bool_]) -> list[int]:
    """Return the number of the connected component of each row."""
    labels = [-1] * len(near)
    count = 0
    for start in range(len(near)):
        if labels[start] >= 0:
            continue
        waiting, labels[start] = [start], count
        while waiting:
            for other in np.flatnonzero(near[waiting.pop()]).tolist():
                if labels[other] < 0:
                    labels[other] = count
                    waiting.append(other)
        count += 1
    return labels


def shared_pattern(patterns: Mapping[Pattern, int]) -> Pattern:
    """Return what more than three quarters of the links of a cluster have in common.

    >>> link, big = (0, "a", "class", "teaser"), (0, "a", "class", "big")
    >>> shared_pattern({frozenset({link}): 7, frozenset({link, big}): 2})
    frozenset({(0, 'a', 'class', 'teaser')})
    """
    counts: dict[Pair, int] = defaultdict(int)
    for pattern, links in patterns.items():
        for pair in pattern:
            counts[pair] += links
    total = sum(patterns.values())
    return frozenset(pair for pair, links in counts.items() if links > SHARED * total)


def selector_of(shared: Pattern) -> str:
    """Return the CSS selector of a pattern; empty where it has nothing to go by.

    >>> selector_of(frozenset({(0, "a", "class", "teaser"), (1, "h", "id", "top-[0-9]+")}))
    ':is(h1, h2, h3, h4, h5, h6)[id^="top-"] > a.teaser'
    """
    link = _compound([pair for pair in shared if pair[0] == 0], "a")
    parent = _compound([pair for pair in shared if pair[0] == 1], "")
    return f"{parent} > {link}" if parent else link if link != "a" else ""


def _compound(pairs: Sequence[Pair], tag: str) -> str:
    if not pairs:
        return tag
    named = ":is(h1, h2, h3, h4, h5, h6)" if pairs[0][1] == "h" else _escaped(pairs[0][1])
    return named + "".join(sorted(_condition(_escaped(name), value) for _, _, name, value in pairs))


def _escaped(name: str) -> str:
    """Return the name of a tag or attribute as selectors write it.

    >>> _escaped("data-v:id")
    'data-v\\\\:id'
    """
    return _UNSAFE.sub(lambda found: "\\" + found[0], name)


def _condition(name: str, value: str) -> str:
    """Return the part of a selector that asks for a value; where it has numbers, for what is before the first."""
    begin, number, _ = value.partition(ANY_NUMBER)
    quoted = begin.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\a ")
    if number:
        return f'[{name}{"*" if name == "class" else "^"}="{quoted}"]' if begin else f"[{name}]"
    if name == "class":
        return f".{value}" if _PLAIN.fullmatch(value) else f'[class~="{quoted}"]'
    return f'[{name}{"^" if len(value) == _VALUE_LIMIT else ""}="{quoted}"]'
