"""A document in, what models look at of each of its links out: tables with a row a link."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from sitewright.links.addresses import Address, read_address
from sitewright.links.anchors import Anchor, TextSource, is_paid, read_anchors
from sitewright.links.bags import Floats, Numbers, padded
from sitewright.links.patterns import Pattern, pairs_of, patterns_of
from sitewright.links.surroundings import NAME_SLOTS, ZONES, Surroundings, read_surroundings
from sitewright.links.wording import text_numbers, text_pieces, words_in
from sitewright.parse import Document, host_of, is_of_site, owner_of
from sitewright.vectors import hash_word

ADDRESS_BUCKETS = 8192
ADDRESS_SLOTS = 20
"""So many words of an address are read; none of 18,803 links of folds 1 and 2 has more than 12."""
SOURCES: tuple[str, ...] = get_args(TextSource)
STRUCTURE = (
    *(f"in {zone}" for zone in ZONES), *(f"words from {source or 'nowhere'}" for source in SOURCES),
    "heading", "picture", "dated", "told", "promoted", "depth", "place", "size of list", "steps to list",
    "links of parent", "paid", "words", "words of list", "share of short texts in list",
)  # fmt: skip
ADDRESS = (
    "own site", "segments", "slug words", "digits", "day", "parameters", "length", "extension",
    "home", "fragment",
)  # fmt: skip
_SHORT_WORDS = 4
"""The paper's: texts of fewer words are seldom headlines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """The links of a page as models see them."""

    pages: Sequence[str]
    """Where each leads, which identifies it."""
    hrefs: Sequence[str]
    texts: Sequence[str]
    patterns: Sequence[Pattern]
    signatures: Sequence[str]
    lists: Sequence[int]
    """The number of the list that each stands in."""
    text_pieces: Numbers
    text_numbers: Floats
    names: Numbers
    structure: Floats
    address_words: Numbers
    address: Floats


def observe(document: Document) -> Observed:
    """Look at all links of a page."""
    anchors = read_anchors(document)
    around = read_surroundings(document, anchors)
    hrefs = [anchor.href for anchor in anchors]
    address_words, address = read_addresses(hrefs, document.url)
    texts = [anchor.text for anchor in anchors]
    return Observed(
        pages=[anchor.page for anchor in anchors],
        hrefs=hrefs,
        texts=texts,
        patterns=patterns_of([pairs_of(anchor.element) for anchor in anchors]),
        signatures=[surroundings.signature for surroundings in around],
        lists=[surroundings.list_number for surroundings in around],
        text_pieces=text_pieces(texts),
        text_numbers=text_numbers(texts),
        names=padded([surroundings.names for surroundings in around], NAME_SLOTS),
        structure=_structure(anchors, around),
        address_words=address_words,
        address=address,
    )


def read_addresses(hrefs: Sequence[str], url: str) -> tuple[Numbers, Floats]:
    """Return the words of addresses on a page, and what else they show."""
    addresses = [read_address(href) for href in hrefs]
    words = padded([_hashed(address) for address in addresses], ADDRESS_SLOTS)
    return words, _address_table(hrefs, addresses, host_of(url))


def _hashed(address: Address) -> list[int]:
    return [hash_word(word, ADDRESS_BUCKETS) for word in address.words]


def _structure(anchors: Sequence[Anchor], around: Sequence[Surroundings]) -> Floats:
    words = np.array(
        [words_in(anchor.text) if anchor.source != "generic" else 0 for anchor in anchors], dtype=np.float32
    )
    lists = np.array([surroundings.list_number for surroundings in around], dtype=np.int64)
    total = max(len(anchors) - 1, 1)
    rows = [
        (
            *(zone in own.zones for zone in ZONES),
            *(anchor.source == source for source in SOURCES),
            own.heading,
            own.picture,
            own.dated,
            own.told,
            own.promoted,
            own.depth,
            place / total,
            np.log1p(own.list_links),
            own.list_steps,
            np.log1p(own.parent_links),
            is_paid(anchor.element),
        )
        for place, (anchor, own) in enumerate(zip(anchors, around, strict=True))
    ]
    columns = (np.log1p(words), np.log1p(_mean_by(lists, words)), _mean_by(lists, words < _SHORT_WORDS))
    table = np.array(rows, dtype=np.float32).reshape(len(anchors), len(STRUCTURE) - len(columns))
    return np.column_stack([table, *columns]).astype(np.float32)


def _mean_by(groups: NDArray[np.int64], values: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return for each row the mean of its group."""
    if not len(groups):
        return np.zeros(0)
    sums = np.bincount(groups, weights=values.astype(np.float64))
    result: NDArray[np.float64] = (sums / np.maximum(np.bincount(groups), 1))[groups]
    return result


def _address_table(hrefs: Sequence[str], addresses: Sequence[Address], host: str) -> Floats:
    site = owner_of(host)
    rows = [
        (
            is_of_site(address.host, site),
            len(address.segments),
            address.slug_words,
            address.digits,
            address.day,
            address.parameters,
            np.log1p(len(href)),
            bool(address.extension),
            not address.segments and not address.parameters,
            "#" in href,
        )
        for href, address in zip(hrefs, addresses, strict=True)
    ]
    return np.array(rows, dtype=np.float32).reshape(len(hrefs), len(ADDRESS))
