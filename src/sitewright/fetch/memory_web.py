"""Addresses and what is there in, a `Web` without a network out: for tests, and to try things out."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, Self

from sitewright.errors import BadUrl, BrowserMissing
from sitewright.fetch.picture_fetcher import Picture, picture_of
from sitewright.fetch.turning import Turning
from sitewright.fetch.web import Rendering, Validators
from sitewright.parse.picture_head import PictureHead, read_head
from sitewright.types import Page, Render

Reply = Page | bytes | int | Exception
"""What is at an address: a page, its body, a status without a body, or what fetching it raises."""


class WebRequest(NamedTuple):
    """One page that was asked for, and how."""

    url: str
    render: Render = "static"
    validators: Validators | None = None
    cached: bool = False


class MemoryWeb:
    """Answers by its tables, and remembers what it was asked; what is not in them is a 404.

    Without a table of rendered pages there is no browser. A page that has not changed since it was sent with its
    validators is a 304. No host is given a pause unless `delay` names one.
    """

    def __init__(
        self,
        pages: Mapping[str, Reply] | None = None,
        rendered: Mapping[str, Reply | Rendering] | None = None,
        *,
        delay: float = 0.0,
    ) -> None:
        self.pages: dict[str, Reply] = dict(pages or {})
        self.rendered: dict[str, Reply | Rendering] = dict(rendered or {})
        self.delay = delay
        self.requests: list[WebRequest] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    @property
    def asked(self) -> list[str]:
        """The addresses that were asked for, in order."""
        return [request.url for request in self.requests]

    def add(self, pages: Iterable[Page]) -> None:
        """Lay out pages, each at its address, in place of what was there."""
        self.pages |= {page.url: page for page in pages}

    async def fetch(
        self, url: str, render: Render = "static", validators: Validators | None = None, *, cached: bool = False
    ) -> Page:
        if render == "browser":
            return (await self.render(url)).page
        self.requests.append(WebRequest(url, render, validators, cached))
        page = _page(url, self.pages.get(url, 404))
        if validators is not None and validators.headers() and validators == Validators.of(page):
            return replace(page, status=304, body=b"")
        return page

    async def render(self, url: str, turning: Turning | None = None) -> Rendering:  # noqa: ARG002 -- they are as they are
        self.requests.append(WebRequest(url, "browser"))
        if not self.can_render:
            raise BrowserMissing("this web has no rendered pages")
        found = self.rendered.get(url, 404)
        return found if isinstance(found, Rendering) else Rendering(replace(_page(url, found), via="browser"))

    async def picture(self, url: str) -> Picture:
        return picture_of(await self._file(url), url)

    async def picture_head(self, url: str) -> PictureHead:
        return read_head(await self._file(url))

    async def _file(self, url: str) -> bytes:
        page = await self.fetch(url)
        if page.status >= 400:
            raise BadUrl(f"{url}: the server answered with {page.status}")
        return page.body.encode() if isinstance(page.body, str) else page.body

    @property
    def can_render(self) -> bool:
        return bool(self.rendered)

    def delay_of(self, url: str) -> float:  # noqa: ARG002 -- the same for all
        return self.delay


def _page(url: str, reply: Reply) -> Page:
    if isinstance(reply, Exception):
        raise reply
    if isinstance(reply, Page):
        return reply
    if isinstance(reply, int):
        return Page(url=url, body=b"", status=reply, via="http")
    return Page(url=url, body=reply, via="http")
