"""Cards of a catalogue in, out which tell the same story: each is compared with the few that share its words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np

from sitewright.domains import load_domain
from sitewright.store.catalogue.catalogue import Catalogue
from sitewright.store.catalogue.stories import SameCard
from sitewright.store.entries import StoredRecord
from sitewright.stories import WINDOW, Judgement, View, account_of, judge, keys_of, view_of
from sitewright.stories.accounts import early_words

_CANDIDATES = 8
"""With so many a card is compared, which takes some ten milliseconds."""
_SURE = 0.7
"""From this score on two reports of one event are one card: who reads minds a wrong one more than a missing one.
Chosen by judgement; `sitewright dedupe` takes a half."""
_BACK = 5 * WINDOW
"""Older cards are not compared any more."""


def place_cards(catalogue: Catalogue, now: datetime, most: int = 200) -> int:
    """Put cards into their stories that were not compared yet, at most so many; return how many."""
    waiting = catalogue.unplaced(now - _BACK, most)
    for stored in waiting:
        _place(catalogue, stored)
    return len(waiting)


def forget_old(catalogue: Catalogue, now: datetime) -> None:
    """Drop what cards are found by that nothing new can be the same as."""
    catalogue.forget_story_keys(now - _BACK - WINDOW)


def stories_of(catalogue: Catalogue, numbers: Sequence[int]) -> Mapping[int, Sequence[int]]:
    """Return for each card the others of its story, by their numbers; none where nobody has compared them yet."""
    return catalogue.same_story(numbers)


def _place(catalogue: Catalogue, stored: StoredRecord) -> None:
    title, text = _told(stored)
    keys = keys_of(early_words(title, text)).view(np.int64).tolist()
    found = catalogue.like(keys, stored.shown_at, WINDOW, _CANDIDATES) if keys else []
    others = [other for other in found if other.number != stored.number]
    said = list(zip(others, judge([(_view(stored), _view(other)) for other in others]), strict=True))
    catalogue.put_in_story(stored, keys, _joined(stored, said, catalogue.stories([one.number for one in others])))


def _joined(
    stored: StoredRecord, said: Sequence[tuple[StoredRecord, Judgement]], stories: Mapping[int, int]
) -> SameCard | None:
    """Return the surest card of a story whose cards agree: no more of them tell something else than tell the same."""
    votes: Counter[int] = Counter()
    same: list[SameCard] = []
    for other, told in said:
        is_same = _is_same_card(stored, other, told)
        votes[stories[other.number]] += 1 if is_same else -1
        same += [SameCard(other.number, told.kind, told.score)] if is_same else []
    agreeing = [one for one in same if votes[stories[one.number]] >= 0]
    return max(agreeing, key=lambda one: one.score, default=None)


def _is_same_card(stored: StoredRecord, other: StoredRecord, told: Judgement) -> bool:
    """Tell whether two are one card: copies are; reports of one event are if they are of different sites.

    What one site publishes twice of an event is news of it.
    """
    if not told.same or told.kind != "same event":
        return told.same
    return told.score >= _SURE and stored.record.site != other.record.site


def _view(stored: StoredRecord) -> View:
    return view_of(account_of(*_told(stored)))


def _told(stored: StoredRecord) -> tuple[str, str]:
    """Return what the record's domain calls its heading and its main text."""
    record, domain = stored.record, load_domain(stored.record.domain)
    title, text = (
        str(record.fields[name].value or "") if name in record.fields else ""
        for name in (domain.heading, domain.main_text)
    )
    return title, text
