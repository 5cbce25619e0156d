"""The address of a picture in, the picture out: from public addresses only, within bounds of size and time.

Redirects are followed here, each of them to an address that is checked like the first.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from sitewright.errors import BadUrl, ConnectionFailed, FetchTimeout, NotPicture, PageTooLarge, TooManyRedirects
from sitewright.fetch.drawing import drawing_of
from sitewright.fetch.guard import read_names, refuse_literal
from sitewright.fetch.target import read_target
from sitewright.fetch.user_agent import user_agent_of
from sitewright.parse.picture_head import DRAWING, PictureHead, media_type_of, read_head
from sitewright.types import FetchSettings

if TYPE_CHECKING:
    import aiohttp

MOST_BYTES = 12_000_000
_MOST_REDIRECTS = 5
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_SECONDS = 20.0
_AT_ONCE = 16
_CHUNK = 65_536
HEAD_BYTES = 262_144
"""The size of a picture stands among its first bytes; before it may stand what cameras and editors note."""
_GIVEN = frozenset((200, 206))


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and its media type, which is that of its bytes, whatever a server says."""

    body: bytes
    media_type: str


def picture_of(body: bytes, url: str) -> Picture:
    """Return the picture that bytes are; a drawing is built anew, of what is no picture an error says so."""
    if kind := media_type_of(body):
        return Picture(body, kind)
    if drawing := drawing_of(body):
        return Picture(drawing, DRAWING)
    raise NotPicture(f"{url} is no picture of a known kind")


class PictureFetcher:
    """Fetches pictures; it opens nothing before the first, and `close` ends it."""

    def __init__(self, settings: FetchSettings) -> None:
        self._settings = settings
        self._allowed = read_names(settings.allow_hosts)
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._session: aiohttp.ClientSession | None = None

    async def fetch(self, url: str) -> Picture:
        """Return the picture at an address; an error says why there is none to be shown."""
        return picture_of(await self._bounded(url, _WholeReader()), url)

    async def head(self, url: str) -> PictureHead:
        """Return what the first bytes of a picture say of it; no more are asked for."""
        body = await self._bounded(url, _HeadReader())
        return read_head(body)

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()

    async def _bounded(self, url: str, reader: "_Reader") -> bytes:
        import aiohttp  # noqa: PLC0415 -- with the first picture

        async with self._turns:
            try:
                async with asyncio.timeout(_SECONDS):
                    return await self._follow(url, reader)
            except TimeoutError:
                raise FetchTimeout(f"{url}: no whole answer within {_SECONDS:g} s") from None
            except (OSError, aiohttp.ClientError) as error:
                raise ConnectionFailed(f"{url}: {error}") from error

    async def _follow(self, url: str, reader: "_Reader") -> bytes:
        from yarl import URL  # noqa: PLC0415 -- with the first picture

        place = url
        for _ in range(_MOST_REDIRECTS + 1):
            target = read_target(place)
            refuse_literal(target.host, target.names, self._allowed)
            asked: Any = URL(target.url, encoded=True)  # as it was checked
            async with self._opened().get(asked, allow_redirects=False, headers=reader.headers) as answer:
                if answer.status not in _REDIRECTS:
                    return await _body(answer, url, reader)
                place = str(asked.join(URL(answer.headers.get("Location", ""))))
        raise TooManyRedirects(f"{url} leads on more than {_MOST_REDIRECTS} times")

    def _opened(self) -> "aiohttp.ClientSession":
        if self._session is None:
            import aiohttp  # noqa: PLC0415 -- with the first picture

            from sitewright.fetch.download import GuardedResolver  # noqa: PLC0415

            resolver = GuardedResolver(self._allowed, _SECONDS)
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=_AT_ONCE, resolver=resolver),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": user_agent_of(self._settings), "Accept": "image/*"},
            )
        return self._session


class _Reader(Protocol):
    """How much of an answer is read."""

    headers: Mapping[str, str]

    def is_enough(self, body: bytes, url: str) -> bool:
        """Tell whether what has come is enough; raise where it is too much."""


class _WholeReader:
    headers: Mapping[str, str] = MappingProxyType({})

    def is_enough(self, body: bytes, url: str) -> bool:
        if len(body) > MOST_BYTES:
            raise PageTooLarge(f"{url} has more than {MOST_BYTES:,} bytes")
        return False


class _HeadReader:
    headers: Mapping[str, str] = MappingProxyType({"Range": f"bytes=0-{HEAD_BYTES - 1}"})

    def is_enough(self, body: bytes, url: str) -> bool:  # noqa: ARG002 -- as all readers
        return len(body) >= HEAD_BYTES or read_head(body).is_whole


async def _body(answer: "aiohttp.ClientResponse", url: str, reader: _Reader) -> bytes:
    if answer.status not in _GIVEN:
        raise BadUrl(f"{url}: the server answered with {answer.status}")
    body = bytearray()
    async for chunk in answer.content.iter_chunked(_CHUNK):
        body += chunk
        if reader.is_enough(bytes(body), url):
            break
    return bytes(body)
