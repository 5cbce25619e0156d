"""The front page of a site with levels in, out what leads where: which links lead to lists, and items to learn from.

Links that stand alike lead alike: of each place some are followed, and what the pages are tells what the place is for.
So no word of a menu has to be known.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest

from sitewright.parse import clean_url
from sitewright.parse.signatures import signature_of_clean
from sitewright.reading.levels import SeenPage
from sitewright.types import Failure, Page
from sitewright.watch.links import LinkRules

_EACH = 3
"""Links of a place that are followed to tell what it is for."""
_MOST = 40
"""Pages that are fetched to find the way; menus of shops have some twenty places of links."""
_AT_ONCE = 4
_ENOUGH_LISTS = 12
"""With so many lists known, no more are asked for; their menus are known by then."""
_OFTEN = 0.25
"""Of the links of a place so many must lead to lists: some shops have more empty categories than others. One that leads
nowhere costs a fetch, one that is not followed all its items; the more of a place are lists, the more are asked."""


@dataclass(slots=True)
class _Place:
    """Links that stand alike, and what those were that were followed."""

    urls: dict[str, str] = field(default_factory=dict)
    """By their signatures."""
    lists: int = 0
    others: int = 0

    @property
    def asked(self) -> int:
        return self.lists + self.others

    @property
    def is_for_lists(self) -> bool:
        return self.lists > 0 and self.lists >= _OFTEN * self.asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """What leads where on a site."""

    lists: Sequence[tuple[Page, SeenPage]]
    """Pages that list items, with what was seen of them."""
    above: Sequence[Page]
    """Pages that only list lists, the front page first."""
    to_lists: frozenset[str]
    """Addresses that lead to lists."""
    wall: Failure | None = None
    """What stands in the place of the front page."""

    def items(self) -> Iterator[str]:
        """Yield the addresses of items, in turn from each list."""
        in_turn = chain.from_iterable(zip_longest(*(seen.items for _, seen in self.lists)))
        return iter(dict.fromkeys(url for url in in_turn if url is not None))


class Explorer:
    """Finds the way on one site; pages are fetched and looked at by who asks."""

    def __init__(self, rules: LinkRules) -> None:
        self._rules = rules
        self._places: dict[str, _Place] = defaultdict(_Place)
        self._met: set[str] = set()
        self._pages: list[tuple[Page, SeenPage, str]] = []
        """Pages that were looked at, and the place of the link that led there."""

    def take(self, page: Page, seen: SeenPage, place: str = "") -> None:
        """Take in a page, and the places of its links."""
        self._pages.append((page, seen, place))
        self._met.add(signature_of_clean(clean_url(page.url)))
        for name, urls in seen.groups.items():
            for url in urls:
                if not self._rules.refusal(url):
                    self._places[name].urls.setdefault(signature_of_clean(clean_url(url)), url)
        if place:
            self._places[place].lists += seen.is_list
            self._places[place].others += not seen.is_list

    def wanted(self) -> list[tuple[str, str]]:
        """Return some links to follow, each with its place: of those places that are asked least, the largest first."""
        known = sum(seen.is_list for _, seen, _ in self._pages)
        if len(self._pages) >= _MOST or known >= _ENOUGH_LISTS:
            return []
        items = {signature_of_clean(clean_url(url)) for _, seen, _ in self._pages for url in seen.items}
        open_links = []
        for name, place in self._places.items():
            left = [url for mark, url in place.urls.items() if mark not in self._met and mark not in items]
            if left and place.asked < (_ENOUGH_LISTS if place.is_for_lists else _EACH):
                open_links.append((place.asked - 2 * place.is_for_lists, -len(left), name, left[0]))
        chosen: dict[str, tuple[str, str]] = {}
        for _, _, name, url in sorted(open_links):
            chosen.setdefault(signature_of_clean(clean_url(url)), (url, name))
        some = list(islice(chosen.values(), _AT_ONCE))
        self._met |= {signature_of_clean(clean_url(url)) for url, _ in some}
        return some

    def missed(self, place: str) -> None:
        """Take note that a link of a place leads nowhere."""
        self._places[place].others += 1

    def explored(self) -> Explored:
        """Return what is known: pages with lists, and pages above them, whose own places lead to such."""
        lists = [(page, seen) for page, seen, _ in self._pages if seen.is_list]
        of_lists = {name for name, place in self._places.items() if place.is_for_lists}
        common = set(self._pages[0][1].groups) if self._pages else set()
        above = [
            (page, place)
            for page, seen, place in self._pages
            if not seen.is_list and not seen.is_item and (not place or (set(seen.groups) - common) & of_lists)
        ]
        leading = of_lists | {place for _, place in above if place}
        urls = (url for name in leading for url in self._places[name].urls.values())
        wall = self._pages[0][1].wall if self._pages else None
        return Explored(lists=lists, above=[page for page, _ in above], to_lists=frozenset(urls), wall=wall)


async def explore(
    front: Page,
    rules: LinkRules,
    fetch: Callable[[str], Awaitable[Page | None]],
    look: Callable[[Page], Awaitable[SeenPage | Failure]],
) -> Explored | Failure:
    """Find the way from a front page down; a failure where the front page itself cannot be looked at."""
    explorer = Explorer(rules)

    async def follow(url: str, place: str) -> None:
        page = await fetch(url)
        seen = await look(page) if page is not None else None
        if page is None or not isinstance(seen, SeenPage):
            explorer.missed(place)
        else:
            explorer.take(page, seen, place)

    seen = await look(front)
    if isinstance(seen, Failure):
        return seen
    explorer.take(front, seen)
    while wanted := explorer.wanted():
        await asyncio.gather(*(follow(url, place) for url, place in wanted))
    return explorer.explored()
