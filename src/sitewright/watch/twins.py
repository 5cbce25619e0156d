"""A record that was read in, the same out as one of the item that the store knows under another address already."""

from dataclasses import replace

from sitewright.domains import load_domain
from sitewright.parse import fold_words, url_id
from sitewright.store.database import Store
from sitewright.store.offers import keys_of
from sitewright.types import Record

_SHARED = 0.5
"""Variants differ by a word or two (a colour, a size); chosen by judgement."""


def folded(store: Store, record: Record) -> Record:
    """Return a record under the first address of its item, with all addresses that are known of it.

    An item is known by the address that its pages want to be known by; where they say none, by what tells it from
    others (`same` of its domain). What a page of another address says, a variant's, does not replace what the first
    one said.
    """
    if not load_domain(record.domain).same:
        return record
    home, own = record.urls[0], record.urls[-1]
    known = store.find_record(record.site, home)
    if known is None:
        twin = store.offers.twin(record) if len(record.urls) == 1 else None
        if twin is None:
            return record
        known = store.find_record(record.site, twin)
    if known is None:
        return record
    if len(record.urls) > 1 and not _could_be_variants(record, known.record):
        return replace(record, urls=(own,))  # many shops state one address on pages of different items
    urls = tuple(dict.fromkeys((*known.record.urls, *record.urls)))
    is_first = url_id(own) == url_id(known.record.urls[0])
    return replace(record if is_first else known.record, urls=urls)


def _could_be_variants(one: Record, other: Record) -> bool:
    """Tell whether pages that state the same address may be of one item: what they are called shares half its words."""
    heading = load_domain(one.domain).heading
    names = (str(own.fields[heading].value) if heading in own.fields else "" for own in (one, other))
    first, second = (set(fold_words(name)) for name in names)
    return not (first and second) or len(first & second) >= _SHARED * min(len(first), len(second))


def names_of(record: Record) -> frozenset[str]:
    """Return all by which an item may turn out to be one that was read just before: addresses, codes, names."""
    if not load_domain(record.domain).same:
        return frozenset()
    return frozenset((*map(url_id, record.urls), *(key for _, key in keys_of(record))))
