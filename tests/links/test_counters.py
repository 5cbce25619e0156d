"""The counter in which two addresses differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.links.counters import (
    NamedCounter,
    PlainAddress,
    Turn,
    distant_turn,
    is_from_item_on,
    named_counter,
    read_plain_address,
    turn_between,
)

HOST = "https://www.example.com"


def read(path: str) -> PlainAddress:
    address = read_plain_address(HOST + path)
    assert address is not None
    return address


@pytest.mark.parametrize(
    ("own", "other", "found"),
    [
        ("/news", "/news?page=2", Turn(None, 2, "page", True)),
        ("/news?page=2", "/news?page=3", Turn(2, 3, "page", True)),
        ("/news?start=20", "/news?start=40", Turn(20, 40, "offset", True)),
        ("/news", "/news/page/2/", Turn(None, 2, "page", True)),
        ("/news/page/2", "/news", Turn(2, None, "page", True)),
        ("/news.html", "/news_2.html", Turn(None, 2, "number", True)),
        ("/bees", "/bees-2", Turn(None, 2, "slug", True)),
        ("/thread-123-1-1", "/thread-123-2-1", Turn(1, 2, "slug", True)),
        ("/news?tag=a", "/news?tag=b&page=2", Turn(None, 2, "page", False)),
        ("/news", "/sport", None),
        ("/news", "/news?per_page=20", None),
        ("/2024/05", "/2024/06", None),
        ("/news", "/news?page=1234567", None),
    ],
)
def test_the_counter_in_which_addresses_differ(own: str, other: str, found: Turn | None) -> None:
    assert turn_between(read(own), read(other)) == found


@pytest.mark.parametrize(
    ("turn", "leads_on"),
    [
        (Turn(None, 2, "page", True), True),
        (Turn(None, 1, "page", True), True),
        (Turn(None, 1, "number", True), False),
        (Turn(2, 3, "page", True), True),
        (Turn(2, 4, "page", True), False),
        (Turn(3, 2, "page", True), False),
        (Turn(20, 40, "offset", True), True),
        (Turn(20, 50, "offset", True), False),
        (Turn(150, 151, "number", True), False),
        (Turn(150, 151, "page", True), True),
        (Turn(1, 2, "slug", True), False),
        (Turn(2, None, "page", True), False),
    ],
)
def test_one_page_on(turn: Turn, leads_on: bool) -> None:
    assert turn.leads_on == leads_on
    assert turn.back.back == turn


@pytest.mark.parametrize(
    ("url", "counter"),
    [
        ("/news/page/3", NamedCounter(("news",), 3, "page")),
        ("/news?offset=30", NamedCounter(("news",), 30, "offset")),
        ("/news/3", None),
        ("/news?p=72620", None),
    ],
)
def test_counters_that_are_named(url: str, counter: NamedCounter | None) -> None:
    assert named_counter(read(url)) == counter


def test_a_list_that_goes_on_elsewhere_is_known_by_its_name() -> None:
    other = read("/ajax?tag=beekeeping&page=2")
    assert distant_turn(read("/beekeeping"), other) == Turn(None, 2, "page", False)
    assert distant_turn(read("/x"), other) is None


def test_a_list_may_go_on_from_an_item() -> None:
    own, other = read("/news"), read("/news?after=t3_x")
    assert is_from_item_on(own, other)
    assert not is_from_item_on(other, own)


@given(st.text(), st.text())
def test_any_two_addresses_can_be_compared(own: str, other: str) -> None:
    ours, theirs = read_plain_address(f"{HOST}/{own}"), read_plain_address(f"{HOST}/{other}")
    if ours is not None and theirs is not None:
        assert turn_between(ours, ours) is None
        assert {type(turn_between(ours, theirs)), type(distant_turn(ours, theirs))} <= {Turn, type(None)}


@pytest.mark.parametrize(
    ("own", "other", "counts"),
    [
        ("/news/the-day-the-bees-came/2", "/news/the-day-the-bees-came/3", True),
        ("/news/the-day-the-bees-came", "/news/the-day-the-bees-came_2", True),
        ("/news/article/2", "/news/article/3", False),
        ("/news/comments_2", "/news/comments_3", False),
    ],
)
def test_words_of_a_headline_name_no_number(own: str, other: str, counts: bool) -> None:
    addresses = [read_plain_address(f"https://example.com{path}") for path in (own, other)]
    assert (turn_between(*addresses) is not None) is counts
