"""What whoever collects asks of the web, whether it is the live one or made of pages in memory."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, Self

from sitewright.fetch.data_calls import DataCall
from sitewright.fetch.picture_fetcher import Picture
from sitewright.fetch.turning import UNTURNED, Turned, Turning
from sitewright.parse.picture_head import PictureHead
from sitewright.types import Page, Render


@dataclass(frozen=True, slots=True)
class Validators:
    """What a host said of a page when it was fetched last: sent along, an unchanged page costs a 304."""

    etag: str = ""
    last_modified: str = ""

    @classmethod
    def of(cls, page: Page) -> Self:
        """Return those of a page."""
        lower = {name.lower(): value for name, value in page.headers.items()}
        return cls(lower.get("etag", ""), lower.get("last-modified", ""))

    def headers(self) -> Mapping[str, str]:
        """Return the headers that ask whether a page has changed."""
        stated = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in stated.items() if value}


@dataclass(frozen=True, slots=True)
class Rendering:
    """A rendered page, and the JSON that its scripts fetched."""

    page: Page
    calls: tuple[DataCall, ...] = ()
    turned: Turned = UNTURNED
    """What turning the pictures of its gallery brought, where that was wished."""


class Web(Protocol):
    """Fetches and renders pages, many at once."""

    async def fetch(
        self, url: str, render: Render = "static", validators: Validators | None = None, *, cached: bool = False
    ) -> Page:
        """Return the page at a URL, also with an error status or a 304; `FetchError` or `PageError` if there is none.

        With `cached`, a page that was fetched so within the last hour is not fetched again; rendered pages always are.
        """

    async def render(self, url: str, turning: Turning | None = None) -> Rendering:
        """Return the page that a browser shows at a URL, with the JSON that its scripts fetched.

        With `turning`, the pictures of a gallery that shows a few at a time are turned, and all stand on the page.
        """

    async def picture(self, url: str) -> Picture:
        """Return the picture at a URL, whole; an error says why there is none."""

    async def picture_head(self, url: str) -> PictureHead:
        """Return what the first bytes of the picture at a URL say of it; no more are fetched."""

    @property
    def can_render(self) -> bool:
        """Whether there is a browser."""

    def delay_of(self, url: str) -> float:
        """Return the pause between two fetches that a host is given now: the one set, or its Crawl-delay if longer."""
