"""Shops in, their addresses on loopback out, where they are served."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from sitewright.demo.catalogue import SitePage
from sitewright.demo.loopback import LoopbackServer, Request
from sitewright.demo.shops.shop import DemoShop

_FIRST = 2
"""Shops are at 127.0.0.2, 127.0.0.3, …: each address is a site of its own."""


class ShopMaker(Protocol):
    """What makes a shop as soon as its address is known."""

    def __call__(self, *, base_url: str) -> DemoShop:
        """Return the shop."""


@dataclass(frozen=True, slots=True)
class ServedShop:
    """A shop that is served, and what was asked of it."""

    base_url: str
    shop: DemoShop
    log: list[Request] = field(default_factory=list)

    @property
    def requests(self) -> Counter[str]:
        """How often each path was asked for, whatever its query."""
        return Counter(request.path for request in self.log)


@dataclass(frozen=True, slots=True)
class _ShopNow:
    """A shop with a clock."""

    shop: DemoShop
    now: Callable[[], datetime]
    takes_query = True

    def page(self, path: str) -> SitePage | None:
        return self.shop.page(path, self.now())


@contextmanager
def serve_shops(
    makers: Iterable[ShopMaker], now: Callable[[], datetime], port: int = 0, first: int = _FIRST
) -> Iterator[tuple[ServedShop, ...]]:
    """Serve shops, as they are `now`, at 127.0.0.2, 127.0.0.3, and so on; each is made for its base URL."""
    with ExitStack() as stack:
        yield tuple(
            stack.enter_context(_serve(make, now, (f"127.0.0.{number}", port)))
            for number, make in enumerate(makers, start=first)
        )


@contextmanager
def _serve(make: ShopMaker, now: Callable[[], datetime], address: tuple[str, int]) -> Iterator[ServedShop]:
    with LoopbackServer(address) as server:
        shop = make(base_url=server.base_url)
        server.pages = _ShopNow(shop, now)
        with server.running():
            yield ServedShop(server.base_url, shop, server.log)
