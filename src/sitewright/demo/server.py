"""Sites in, their addresses on loopback out, where they are served."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Protocol

from sitewright.demo.catalogue import SitePage
from sitewright.demo.living import LivingPaper
from sitewright.demo.loopback import LoopbackServer, Request
from sitewright.demo.site import Site

_FIRST_PAPER = 2
"""Papers are at 127.0.0.2, 127.0.0.3, …: each address is a site of its own."""


class PaperMaker(Protocol):
    """What makes a paper as soon as its address is known."""

    def __call__(self, *, base_url: str) -> LivingPaper:
        """Return the paper."""


@dataclass(frozen=True, slots=True)
class ServedPaper:
    """A paper that is served, and what was asked of it."""

    base_url: str
    paper: LivingPaper
    log: list[Request] = field(default_factory=list)

    @property
    def requests(self) -> Counter[str]:
        """How often each path was asked for."""
        return Counter(request.path for request in self.log)

    @property
    def unchanged(self) -> Counter[str]:
        """How often the answer was that nothing has changed (304)."""
        return Counter(request.path for request in self.log if request.status == HTTPStatus.NOT_MODIFIED)


@dataclass(frozen=True, slots=True)
class _PaperNow:
    """A paper with a clock."""

    paper: LivingPaper
    now: Callable[[], datetime]

    def page(self, path: str) -> SitePage | None:
        return self.paper.page(path, self.now())


@contextmanager
def serve(site: Site | Callable[[str], Site], port: int = 0) -> Iterator[str]:
    """Serve a site on loopback and yield its base URL; a function is called with that URL and returns the site.

    Absolute links need the port before there is a site:
    `with serve(lambda base_url: generate_site(base_url=base_url)) as base_url: ...`
    """
    with LoopbackServer(("127.0.0.1", port)) as server:
        server.pages = site if isinstance(site, Site) else site(server.base_url)
        with server.running():
            yield server.base_url


@contextmanager
def serve_papers(
    makers: Iterable[PaperMaker], now: Callable[[], datetime], port: int = 0
) -> Iterator[tuple[ServedPaper, ...]]:
    """Serve living papers, as they are `now`, at 127.0.0.2, 127.0.0.3, and so on; each is made for its base URL.

    macOS has only 127.0.0.1 until it is told otherwise: `sudo ifconfig lo0 alias 127.0.0.2`.
    """
    with ExitStack() as stack:
        yield tuple(
            stack.enter_context(_serve_paper(make, now, (f"127.0.0.{number}", port)))
            for number, make in enumerate(makers, start=_FIRST_PAPER)
        )


@contextmanager
def _serve_paper(make: PaperMaker, now: Callable[[], datetime], address: tuple[str, int]) -> Iterator[ServedPaper]:
    with LoopbackServer(address) as server:
        paper = make(base_url=server.base_url)
        server.pages = _PaperNow(paper, now)
        with server.running():
            yield ServedPaper(server.base_url, paper, server.log)
