"""A seed in, a shop that lives out: its pages at any moment, and what is true of its products then."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from sitewright.demo.catalogue import SitePage
from sitewright.demo.shops import ecshop, plain, scripted
from sitewright.demo.shops.drawing import Asked, Drawn, Stocked, drawing_of
from sitewright.demo.shops.goods import Good, Truth, make_goods, shelved_twice, truth_of
from sitewright.demo.shops.words import load_shop_words

ShopKind = Literal["plain", "ecshop", "scripted"]
START = datetime(2026, 3, 16, 6, 0, tzinfo=UTC)
_TWICE = 9
"""Every so many products are listed on two shelves."""


@dataclass(frozen=True, slots=True)
class _Design:
    draw: Callable[[Stocked, Asked], Drawn | None]
    path: Callable[[Good], str]
    lacks: tuple[str, ...] = ()
    """Fields that its pages do not show."""


SHOPS: Mapping[ShopKind, _Design] = {
    "plain": _Design(plain.draw, plain.path_of),
    "ecshop": _Design(ecshop.draw, ecshop.path_of, lacks=("gtin", "variants")),
    "scripted": _Design(scripted.draw, scripted.path_of, lacks=("variants", "reviews")),
}


_NAMES = re.compile(r'(?<=class=")[^"]+')
_STATED = re.compile(r'<script type="application/ld\+json">.*?</script>', re.DOTALL)
_NEW_NAMES = {
    "product": "ware",
    "price": "cost",
    "title": "caption",
    "card": "tile",
    "sku": "code",
    "breadcrumb": "crumbs",
}


def _redesigned(html: str) -> str:
    """Return a page with other names of its elements, without what it states of itself."""

    def renamed(found: re.Match[str]) -> str:
        text = found[0]
        for old, new in _NEW_NAMES.items():
            text = text.replace(old, new)
        return text

    return _NAMES.sub(renamed, _STATED.sub("", html))


class DemoShop:
    """A shop with a clock."""

    takes_query = True

    def __init__(  # noqa: PLR0913 - each is one independent fact of the shop
        self,
        seed: int = 1,
        *,
        kind: ShopKind = "plain",
        language: str = "",
        base_url: str = "",
        start: datetime = START,
        products: int | None = None,
        margin: int = 0,
        redesigned: timedelta | None = None,
    ) -> None:
        """Make the products; those of one seed and language are the same, dearer by the margin in percent.

        So long after the start its pages are redesigned: other names of elements, and nothing stated in metadata.
        """
        self._redesigned = redesigned
        self.kind: ShopKind = kind
        self.words = load_shop_words(language or ("zh" if kind == "ecshop" else "en"))
        self.name = self.words.name
        self.base_url = base_url.rstrip("/")
        self.start = start
        self.goods = shelved_twice(make_goods(self.words, seed, products, margin=margin), _TWICE)
        self._design = SHOPS[kind]

    @cached_property
    def _stocked(self) -> Stocked:
        return Stocked(self.words, self.goods, self.base_url, self._design.path)

    def path(self, good: Good) -> str:
        """Return the address of a product, as it wants to be known."""
        return self._design.path(good)

    def truth(self, now: datetime | None = None) -> dict[str, Truth]:
        """Return by path what the pages of all products say at a moment."""
        passed = self._passed(now)
        truths = (truth_of(good, self.words, self.path(good), passed, self._design.lacks) for good in self.goods)
        return {truth.path: truth for truth in truths}

    def page(self, target: str, now: datetime | None = None) -> SitePage | None:
        """Return what is served at a path with its query."""
        parts = urlsplit(target)
        if parts.path.startswith("/media/"):
            return drawing_of(parts.path)
        asked = Asked(parts.path, dict(parse_qsl(parts.query)), self._passed(now))
        drawn = self._design.draw(self._stocked, asked)
        if drawn is None:
            return None
        is_new = self._redesigned is not None and asked.passed >= self._redesigned
        text = _redesigned(drawn.text) if is_new else drawn.text
        return SitePage(parts.path, text.encode("utf-8"), drawn.content_type, drawn.kind)

    def _passed(self, now: datetime | None) -> timedelta:
        return max((now or self.start) - self.start, timedelta())
