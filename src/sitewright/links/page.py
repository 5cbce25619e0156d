"""A document in, its distinct links out, each with what the networks and the page say of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np

from sitewright.links.bags import BagNetwork, Floats, probability
from sitewright.links.observe import ADDRESS, STRUCTURE, Observed, observe
from sitewright.links.paging import find_paging
from sitewright.links.patterns import Pattern
from sitewright.parse import Document, absolute_url

_HIGHEST = ("heading", "picture", "dated", "told", "in nav", "in footer")
_NEAR = (1, 4)
"""How far, in links, those before and behind are asked what their texts are like."""
AROUND = tuple(f"texts {side} ({far})" for far in _NEAR for side in ("before", "behind"))
LOCAL = (
    "text", "text on average", "names", "names on average", "address words", "anchors", *AROUND, *STRUCTURE,
    *(f"{name} at most" for name in _HIGHEST), *ADDRESS,
)  # fmt: skip
"""What is known of a link from its page alone."""
_NO_WORDS = -4.0
"""What counts as the log-odds of a text that is not there; the classifier gives menu entries about as much."""
_SHOWN = 100.0
"""What a reader sees of a link is preferred to what stands in its attributes, whatever the classifier says."""
_STRUCTURE = {name: number for number, name in enumerate(STRUCTURE)}


@dataclass(frozen=True, slots=True)
class Networks:
    """What reads texts, names of elements, and words of addresses."""

    text: BagNetwork
    names: BagNetwork
    address: BagNetwork


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLinks:
    """The distinct links of a page."""

    url: str
    time: datetime | None
    pages: Sequence[str]
    """Where each leads; what identifies it."""
    hrefs: Sequence[str]
    texts: Sequence[str]
    patterns: Sequence[Pattern]
    signatures: Sequence[str]
    lists: Sequence[int]
    evidence: Floats
    """A row a link; the columns are `LOCAL`."""
    next: str = ""
    """The link that leads to the next page of this list."""


def read_page(document: Document, networks: Networks) -> PageLinks:
    """Read the links of a page."""
    return links_of(observe(document), networks, document.url, time=document.fetched_at, following=_next_page(document))


def links_of(
    observed: Observed, networks: Networks, url: str, *, time: datetime | None = None, following: str = ""
) -> PageLinks:
    """Return the distinct links of what was observed of a page."""
    scores = _log_odds(observed, networks)
    groups = _by_page(observed)
    shown = observed.structure[:, [_STRUCTURE["words from heading"], _STRUCTURE["words from text"]]].max(1, initial=0)
    rank = (shown * _SHOWN + scores.text).tolist()
    best = [max(rows, key=rank.__getitem__) for rows in groups.values()]
    return PageLinks(
        url=url,
        time=time,
        pages=list(groups),
        hrefs=[observed.hrefs[rows[0]].partition("#")[0] for rows in groups.values()],
        texts=[observed.texts[row] for row in best],
        patterns=[observed.patterns[row] for row in best],
        signatures=[observed.signatures[row] for row in best],
        lists=[observed.lists[row] for row in best],
        evidence=_evidence(observed, list(groups.values()), best, scores),
        next=following,
    )


class _Scores(NamedTuple):
    text: Floats
    names: Floats
    address: Floats


def _log_odds(observed: Observed, networks: Networks) -> _Scores:
    nothing = np.zeros((len(observed.pages), 0), dtype=np.float32)
    text = networks.text.log_odds(observed.text_pieces, observed.text_numbers)
    wordless = observed.structure[:, _STRUCTURE["words"]] == 0
    return _Scores(
        np.where(wordless, np.float32(_NO_WORDS), text),
        networks.names.log_odds(observed.names, nothing),
        networks.address.log_odds(observed.address_words, nothing),
    )


def _by_page(observed: Observed) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for row, page in enumerate(observed.pages):
        groups.setdefault(page, []).append(row)
    return groups


def _evidence(observed: Observed, groups: Sequence[list[int]], best: Sequence[int], scores: _Scores) -> Floats:
    """Put together what is known of each link: of its best anchor, and of all of them."""
    if not groups:
        return np.zeros((0, len(LOCAL)), dtype=np.float32)
    text, names, address = scores
    order = np.concatenate([np.array(rows) for rows in groups])
    starts = np.cumsum([0, *(len(rows) for rows in groups[:-1])])
    counts = np.array([len(rows) for rows in groups], dtype=np.float32)
    highest = observed.structure[:, [_STRUCTURE[name] for name in _HIGHEST]]
    table = np.column_stack(
        [
            text[best],
            np.add.reduceat(text[order], starts) / counts,
            np.maximum.reduceat(names[order], starts),
            np.add.reduceat(names[order], starts) / counts,
            address[best],
            counts,
            _texts_around(observed.pages, text)[best],
            observed.structure[best],
            np.maximum.reduceat(highest[order], starts, axis=0),
            observed.address[best],
        ]
    )
    return table.astype(np.float32)


def _texts_around(pages: Sequence[str], text: Floats) -> Floats:
    """Return what the texts before and behind each link are like; links to one page that follow each other are one."""
    starts = np.array([row for row, page in enumerate(pages) if row == 0 or pages[row - 1] != page])
    runs = np.maximum.reduceat(probability(text), starts)
    sums = np.concatenate([[0.0], np.cumsum(runs)])
    place = np.arange(len(runs))
    columns = []
    for far in _NEAR:
        low, high = np.maximum(place - far, 0), np.minimum(place + 1 + far, len(runs))
        columns += [
            (sums[place] - sums[low]) / np.maximum(place - low, 1),
            (sums[high] - sums[place + 1]) / np.maximum(high - place - 1, 1),
        ]
    lengths = np.diff([*starts.tolist(), len(pages)])
    return np.repeat(np.column_stack(columns), lengths, axis=0).astype(np.float32)


def _next_page(document: Document) -> str:
    found = find_paging(document).next
    return absolute_url(found.attr("href") or "", document.base_url) if found is not None and found.tag == "a" else ""
