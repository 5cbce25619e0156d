"""Stored records of a site in, the articles that are worth fetching again out, with the values that they held."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TypeVar

from sitewright.heal.known import KnownPage
from sitewright.heal.symptoms import Symptoms
from sitewright.notice.observation import section_of
from sitewright.store.entries import StoredRecord
from sitewright.values.moments import moment_of

MOST_KNOWN = 10
"""Known articles that a map is repaired from; more make it slower and hardly better."""
_LEAST_FIELDS = 2
_TAGGER = "tagger/"
T = TypeVar("T")


def remembered_pages(newest: Sequence[StoredRecord], symptoms: Symptoms) -> list[KnownPage[str]]:
    """Return what is known of articles from before it began, in the order in which they are to be fetched again.

    `newest` are records, the newest first. Articles of affected folders come first, and of templates one after the
    other. They are spread over time: the latest may have been read wrongly already, and dates of one day tell nothing.
    """
    before = symptoms.since
    old = [one for one in newest if before is None or (one.record.extracted_at or one.stored_at) < before]
    by_template: dict[str, list[KnownPage[str]]] = defaultdict(list)
    for stored, known in zip(old, _without_repeated([known_page(stored) for stored in old]), strict=True):
        if len(known.values or ()) >= _LEAST_FIELDS:
            by_template[stored.record.template].append(known)
    several = zip_longest(*map(_spread, by_template.values()))
    order = [one for part in several for one in part if one is not None]
    return sorted(order, key=lambda known: section_of(known.page) not in symptoms.sections)


def known_page(stored: StoredRecord) -> KnownPage[str]:
    """Return an article with the values that the map read: what the tagger took for them is no memory."""
    fields = stored.record.fields
    own = {name: value.value for name, value in fields.items() if not value.rule.startswith(_TAGGER)}
    return KnownPage(stored.record.urls[0], own)


def _without_repeated(known: Sequence[KnownPage[str]]) -> list[KnownPage[str]]:
    """Drop texts that several articles have: they are the site's, not the articles'."""
    values = [one.values or {} for one in known]
    times = Counter((name, value) for own in values for name, value in own.items() if _is_text(value))
    kept = [{n: v for n, v in own.items() if not (_is_text(v) and times[n, v] > 1)} for own in values]
    return [replace(one, values=own) for one, own in zip(known, kept, strict=True)]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and moment_of(value) is None


def _spread(articles: Sequence[T]) -> list[T]:
    """Return them in an order in which the first ones are spread over all of them, the latest not among them.

    >>> _spread(range(25))[:12]
    [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23]
    """
    step = max(len(articles) // MOST_KNOWN, 1)
    return [one for start in reversed(range(step)) for one in articles[start::step]]
