"""Lists are kept until newer ones take their place, and one process at a time makes them."""

from collections.abc import Callable
from datetime import datetime

import pytest

from sitewright.store.database import Store
from sitewright.store.next_reads import EVERYBODY, KnownReader, NextRead

pytestmark = pytest.mark.slow
Clock = Callable[..., datetime]


def test_lists_are_kept_and_replaced(store: Store, clock: Clock) -> None:
    then, ann = clock(), store.clicks.pseudonyms("account", ["ann"])["ann"]
    store.next_reads.put_lists({ann: [NextRead(1, 0.5, 2), NextRead(3, 0.25, is_new=True)], EVERYBODY: []}, then)
    found = store.next_reads.lists([ann, EVERYBODY, "ben"])
    assert list(found[ann].items) == [NextRead(1, 0.5, 2), NextRead(3, 0.25, is_new=True)]
    assert found[ann].made_at == then
    assert found.keys() == {ann, EVERYBODY}
    later = clock(hours=1)
    store.next_reads.put_lists({ann: [NextRead(4, 0.1)]}, later)
    assert list(store.next_reads.lists([ann])[ann].items) == [NextRead(4, 0.1)]
    assert store.next_reads.drop_lists(later) == 1


def test_no_list_is_kept_of_who_was_forgotten_meanwhile(store: Store, clock: Clock) -> None:
    ann = store.clicks.pseudonyms("account", ["ann"])["ann"]
    store.clicks.forget(ann)
    store.next_reads.put_lists({ann: [NextRead(1, 0.5)]}, clock())
    assert store.next_reads.lists([ann]) == {}


def test_what_follows_is_replaced_as_a_whole(store: Store, clock: Clock) -> None:
    store.next_reads.put_follow_ups({1: {2: 0.5}, 2: {1: 0.5}}, clock())
    store.next_reads.put_follow_ups({3: {2: 0.5, 4: -1.25}}, clock())
    assert store.next_reads.follow_ups() == {3: {2: 0.5, 4: -1.25}}


def test_what_is_known_of_a_reader(store: Store, clock: Clock) -> None:
    assert store.next_reads.known("account", "ann") == KnownReader()
    ann = store.clicks.pseudonyms("account", ["ann"])["ann"]
    store.clicks.pseudonyms("sent", ["ann"])
    assert store.next_reads.known("account", "ann") == KnownReader()
    store.next_reads.put_lists({ann: [NextRead(1, 0.5)]}, clock())
    assert store.next_reads.known("account", "ann").made == store.next_reads.lists([ann])[ann]
    assert store.next_reads.known("sent", "ann") == KnownReader()


def test_one_makes_them_at_a_time(store: Store, clock: Clock) -> None:
    assert store.next_reads.made_at() is None
    assert store.next_reads.take_turn("a", seconds=60)
    assert not store.next_reads.take_turn("b", seconds=60)
    assert store.next_reads.take_turn("a", seconds=60)
    clock(seconds=61)
    assert store.next_reads.take_turn("b", seconds=60)
    store.next_reads.finish_turn("b", made_at=clock())
    assert store.next_reads.made_at() == clock()
    assert store.next_reads.take_turn("a", seconds=60)
