"""What the designs of shops share: what is asked of them, what they have in stock, what they draw."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from html import escape
from random import Random

from sitewright.demo.catalogue import SitePage
from sitewright.demo.shops.goods import Good
from sitewright.demo.shops.words import Department, Shelf, ShopWords

PAGE_LENGTH = 6
"""Products on a page of a list."""
_COLOURS = ("#7fb2d6", "#d9e6c7", "#e8b4a2", "#f6c89f", "#bcc8d0", "#c9b6e4")


@dataclass(frozen=True, slots=True)
class Asked:
    """A path, its parameters, and how long after the start it is asked for."""

    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    passed: timedelta = timedelta()

    @property
    def page(self) -> int:
        """The number of the page of a list; the first where it says nothing that makes sense."""
        number = self.query.get("page", "1")
        return int(number) if number.isdecimal() and int(number) > 0 else 1


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page."""

    text: str
    kind: str = "list"
    content_type: str = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Stocked:
    """What a shop has."""

    words: ShopWords
    goods: Sequence[Good]
    base_url: str
    path: Callable[[Good], str]

    def label(self, name: str) -> str:
        """Return a word of the shop's own, ready to be put into markup."""
        return escape(self.words.labels[name])

    def on(self, shelf: Shelf) -> list[Good]:
        """Return the products of a shelf."""
        return [good for good in self.goods if good.shelf == shelf or (good.also and good.also[1] == shelf)]

    def shelves(self) -> Iterator[tuple[Department, Shelf]]:
        """Yield all shelves."""
        for department in self.words.departments:
            for shelf in department.shelves:
                yield department, shelf

    def beside(self, good: Good) -> list[Good]:
        """Return some other products that its page recommends."""
        others = [other for other in self.goods if other.number != good.number]
        return Random(good.number).sample(others, min(4, len(others)))


def page_of(goods: Sequence[Good], number: int) -> Sequence[Good]:
    """Return the products on a page of a list."""
    return goods[(number - 1) * PAGE_LENGTH : number * PAGE_LENGTH]


def pages_of(goods: Sequence[Good]) -> int:
    """Return how many pages a list has, at least one."""
    return max(1, -(-len(goods) // PAGE_LENGTH))


def drawing_of(path: str) -> SitePage:
    """Return the picture of a product."""
    dice = Random(path)
    shapes = "".join(
        f'<circle cx="{dice.randrange(400)}" cy="{dice.randrange(300)}" r="{dice.randrange(20, 90)}" '
        f'fill="{dice.choice(_COLOURS)}"/>'
        for _ in range(4)
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" width="400" height="300">{shapes}</svg>'
    return SitePage(path, svg.encode("ascii"), "image/svg+xml", "image")
