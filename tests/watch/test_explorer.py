"""Links that stand alike lead alike: some are followed, and what they lead to tells what the others are for."""

import asyncio
from collections.abc import Mapping, Sequence

from sitewright.reading.levels import SeenPage
from sitewright.types import Failure, Page, TaggedPage
from sitewright.watch.explorer import Explored, explore
from sitewright.watch.links import LinkRules

SITE = "https://shop.example"
Site = Mapping[str, tuple[Sequence[str], Mapping[str, Sequence[str]]]]
"""By path: the items that a page lists, and its links by where they stand."""


def walked(site: Site, front: str = "/") -> tuple[Explored | Failure, list[str]]:
    asked: list[str] = []

    async def fetch(url: str) -> Page | None:
        asked.append(url.removeprefix(SITE))
        return Page(url=url, body="") if url.removeprefix(SITE) in site else None

    async def look(page: Page) -> SeenPage | Failure:
        path = page.url.removeprefix(SITE)
        if path not in site:
            return Failure(page.url, "links", "no_links", "nothing")
        items, groups = site[path]
        return SeenPage(
            url=page.url,
            tagged=TaggedPage(url=page.url, kind="list", kind_score=1.0),
            is_item="item" in path,
            items=tuple(f"{SITE}{item}" for item in items),
            groups={place: tuple(f"{SITE}{link}" for link in links) for place, links in groups.items()},
        )

    rules = LinkRules("shop.example", banned=("/banned",))
    return asyncio.run(explore(Page(url=f"{SITE}{front}", body=""), rules, fetch, look)), asked


MENU = [f"/list{number}" for number in range(6)]
FOOT = [f"/about{number}" for number in range(6)]
LISTS: Site = {path: ([f"{path}/item{n}" for n in range(3)], {"menu": MENU, "foot": FOOT}) for path in MENU}
ABOUT: Site = {path: ((), {"menu": MENU, "foot": FOOT}) for path in FOOT}


def test_a_menu_of_lists_is_told_from_a_footer() -> None:
    found, asked = walked({"/": ((), {"menu": MENU, "foot": FOOT}), **LISTS, **ABOUT})
    assert isinstance(found, Explored)
    assert found.to_lists == {f"{SITE}{path}" for path in MENU}
    assert sum(path in FOOT for path in asked) == 3
    assert sorted(page.url for page, _ in found.lists) == sorted(f"{SITE}{path}" for path in MENU)
    assert [url.removeprefix(SITE) for url in found.items()][:2] == ["/list0/item0", "/list1/item0"]


def test_pages_above_lists_are_known_by_what_they_lead_to() -> None:
    above = [f"/top{number}" for number in range(4)]
    tops: Site = {path: ((), {"menu": above, "below": [f"{path}x{n}" for n in range(2)]}) for path in above}
    lists: Site = {
        f"{path}x{n}": ([f"{path}{n}/item{m}" for m in range(3)], {"menu": above}) for path in above for n in range(2)
    }
    found, _ = walked({"/": ((), {"menu": above}), **tops, **lists})
    assert isinstance(found, Explored)
    assert {f"{SITE}{path}" for path in above} <= found.to_lists
    assert {url for url in found.to_lists if "x" in url.removeprefix(SITE)}
    assert len(found.lists) >= 4


def test_what_is_missing_or_banned_is_no_list_and_a_site_that_never_ends_is_left() -> None:
    gone = [f"/gone{number}" for number in range(9)]
    found, asked = walked({"/": ((), {"gone": gone, "banned": ["/banned/1"]})})
    assert isinstance(found, Explored)
    assert (found.lists, found.to_lists, len(asked)) == ([], frozenset(), 3)
    endless: Site = {f"/{n}": ((), {f"place{n}": [f"/{n + 1}"]}) for n in range(1000)}
    found, asked = walked({"/": ((), {"place": ["/0"]}), **endless})
    assert len(asked) < 50


def test_a_front_page_that_cannot_be_looked_at_is_told() -> None:
    found, _ = walked({}, "/nothing")
    assert isinstance(found, Failure)
    assert found.code == "no_links"
