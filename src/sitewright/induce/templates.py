"""The samples of a site in, groups of one template each out, and how a template is told from the others."""

import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

from sitewright.domains import Domain
from sitewright.induce.sample import Sample

_ALIKE = 0.25
"""Pages whose contents share fewer of their names are of different templates: of the pages of the training folds
nine in ten share half of them or more with another page of their site, and most of the others less than a fifth."""
_CONTENT = 0.5
_LEAST_PAGES = 3
"""Fewer pages say too little: two pages of another template are read by alternatives, or handed to the tagger."""
_OF_PAGE = ("body.", "body#", "html.")
"""What names a page as a whole tells better what it is than one of its controls."""
_WORDS = re.compile(r"[a-z]{4,}")


def group_by_design(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Group pages whose contents go by the same names, the largest group first; a page that is alone stays with it."""
    names = [_content_names(sample) for sample in samples]
    groups: list[list[int]] = []
    for number, own in enumerate(names):
        near = [group for group in groups if any(_likeness(own, names[other]) >= _ALIKE for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([number, *(other for group in near for other in group)])
    groups.sort(key=lambda group: (-len(group), min(group)))
    alone = [number for group in groups[1:] if len(group) < _LEAST_PAGES for number in group]
    kept = [groups[0] + alone, *(group for group in groups[1:] if len(group) >= _LEAST_PAGES)]
    return [[samples[number] for number in sorted(group)] for group in kept]


def _content_names(sample: Sample) -> frozenset[str]:
    """Return the names of the elements that hold likely values and likely lines of text."""
    nodes = {line.node for line in sample.tagged.lines if line.score >= _CONTENT}
    nodes |= {label.node for label in sample.tagged.labels if label.node is not None and label.score >= _CONTENT}
    around = {outer for node in nodes for outer in (node, *sample.tree.ancestors(node))}
    return frozenset(token.css for node in around for token in sample.tree.tokens(node) if not token.css.isalnum())


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    total = len(one | other)
    return len(one & other) / total if total else 1.0


def probe_of(group: Sequence[Sample], others: Sequence[Sample]) -> str:
    """Return the selector that all pages of a group have and no other page, the cheapest; empty where there is none."""
    shared = set.intersection(*(set(sample.tree.vocabulary) for sample in group))
    own = shared.difference(*(sample.tree.vocabulary for sample in others))
    costs = {
        token.css: token.cost
        for sample in group[:1]
        for n in range(len(sample.tree.elements))
        for token in sample.tree.tokens(n)
    }
    about = _shared_words(group) - _all_words(others)
    return min(
        (token for token in own if token in costs),
        key=lambda token: (
            any(word in token.lower() for word in about),  # the shelf that all samples are of
            not token.startswith(_OF_PAGE),
            costs[token],
            len(token),
            token,
        ),
        default="",
    )


def _shared_words(group: Sequence[Sample]) -> set[str]:
    return set.intersection(*(_words_of(sample.document.url) for sample in group))


def _all_words(group: Sequence[Sample]) -> set[str]:
    return {word for sample in group for word in _words_of(sample.document.url)}


def _words_of(url: str) -> set[str]:
    return set(_WORDS.findall(urlsplit(url).path.lower()))


def url_pattern_of(group: Sequence[Sample], others: Sequence[Sample]) -> str:
    """Return what all addresses of a group begin with and no other address does; empty where that is not much."""
    first, last = min(urls := [sample.document.url for sample in group]), max(urls)
    length = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    prefix = first[: first.rfind("/", 0, length) + 1]
    if len(urlsplit(prefix).path) < 2 or any(sample.document.url.startswith(prefix) for sample in others):
        return ""
    return f"^{re.escape(prefix)}"


def name_of(group: Sequence[Sample], taken: Sequence[str], domain: Domain) -> str:
    """Return a name for a template: a word that all its addresses have, or a number."""
    words = Counter(word for sample in group for word in _words_of(sample.document.url))
    common = sorted(
        word for word, count in words.items() if count == len(group) and word in domain.designs and word not in taken
    )
    return common[0] if common else f"{domain.item.kind}-{len(taken) + 1}"
