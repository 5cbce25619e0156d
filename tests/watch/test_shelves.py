"""Below a list are lists and its next page, each once; views of it, what is unwanted and what never ends are left out."""

from collections.abc import Sequence

import pytest

from sitewright.reading.index import IndexRead
from sitewright.store.entries import WatchedPage
from sitewright.store.states import SourceState
from sitewright.types import LIST, Link, LinkSet
from sitewright.watch.links import LinkRules
from sitewright.watch.shelves import DEEPEST, Shelves
from sitewright.watch.traps import Traps

SITE = "https://shop.example"
FRONT = WatchedPage(site="shop.example", url=f"{SITE}/")
TOOLS = WatchedPage(
    site="shop.example", url=f"{SITE}/tools/", state=SourceState(trail=("Garden", "Tools"), found_on=FRONT.url)
)


def read_of(
    *lists: str, following: str = "", trail: Sequence[str] = (), places: dict[str, tuple[str, ...]] | None = None
) -> IndexRead:
    links = tuple(Link(url=f"{SITE}{path}", text=path.strip("/").title(), role=LIST) for path in lists)
    named = {f"{SITE}{path}": names for path, names in (places or {}).items()}
    page = LinkSet(url=SITE, links=links)
    return IndexRead(links=page, next=f"{SITE}{following}" if following else "", trail=tuple(trail), places=named)


def shelves(*known: WatchedPage, within: Sequence[str] = ()) -> Shelves:
    return Shelves("shop.example", LinkRules("shop.example", banned=("/brands",)), known or (FRONT, TOOLS), within)


def below(
    own: Shelves, source: WatchedPage, read: IndexRead, listed: str = "ab"
) -> list[tuple[str, tuple[str, ...], int]]:
    found = own.below(source, read, frozenset(listed), Traps(), 1.7e9)
    return [(page.url.removeprefix(SITE), page.state.trail, page.state.turned) for page in found]


def test_lists_are_named_by_the_menu_they_stand_in_or_by_the_list_above() -> None:
    menu = read_of("/a/", "/b/", places={"/a": ("A",), "/b": ("A", "B")})
    assert below(shelves(), FRONT, menu) == [("/a/", ("A",), 0), ("/b/", ("A", "B"), 0)]
    assert below(shelves(), TOOLS, read_of("/saws/")) == [("/saws/", ("Garden", "Tools", "Saws"), 0)]


def test_each_list_is_found_once() -> None:
    own = shelves()
    assert len(below(own, FRONT, read_of("/a/", "/a", "/tools/"))) == 1
    assert below(own, FRONT, read_of("/a/?utm_source=x")) == []


@pytest.mark.parametrize(
    "path", ["/tools/?sort=price", "/tools/?colour=1&size=2", "/brands/acme/", "/events/2031/05/", "/a/b/a/b/"]
)
def test_views_and_what_is_banned_or_endless_are_no_lists(path: str) -> None:
    assert below(shelves(), TOOLS, read_of(path)) == []


def test_the_next_page_belongs_to_the_list() -> None:
    own = shelves()
    assert below(own, TOOLS, read_of(following="/tools/?page=2")) == [("/tools/?page=2", ("Garden", "Tools"), 1)]
    second = WatchedPage(
        site="shop.example",
        url=f"{SITE}/tools/?page=2",
        state=SourceState(trail=("Garden", "Tools"), found_on=TOOLS.url, turned=1),
    )
    assert below(own, second, read_of(following="/tools/?page=3"), "cd") == [("/tools/?page=3", ("Garden", "Tools"), 2)]


def test_pages_that_only_repeat_the_one_before_are_the_last() -> None:
    own = shelves()
    below(own, TOOLS, read_of(following="/tools/?page=2"), "abc")
    again = WatchedPage(
        site="shop.example", url=f"{SITE}/tools/?page=2", state=SourceState(found_on=TOOLS.url, turned=1)
    )
    assert below(own, again, read_of(following="/tools/?page=3"), "ab") == []
    assert below(own, again, read_of(following="/tools/?page=3"), "") == []


def test_what_is_not_wanted_is_not_turned_but_walked_through() -> None:
    own = shelves(within=("saws",))
    assert below(own, TOOLS, read_of("/saws/", following="/tools/?page=2")) == [
        ("/saws/", ("Garden", "Tools", "Saws"), 0)
    ]
    assert own.wants(("Garden", "Tools", "Saws"))
    assert not own.wants(("Garden", "Tools"))


def test_ways_end_somewhere() -> None:
    deep = WatchedPage(
        site="shop.example",
        url=f"{SITE}/x/",
        state=SourceState(trail=tuple(map(str, range(DEEPEST))), found_on=FRONT.url),
    )
    assert below(shelves(), deep, read_of("/y/")) == []
