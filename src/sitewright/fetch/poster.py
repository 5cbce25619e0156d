"""An address and a body in, the body posted there: to public addresses only, in bounded time, never led on."""

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sitewright.errors import ConnectionFailed, DeliveryRefused, FetchTimeout, NotDelivered
from sitewright.fetch.guard import read_names, refuse_literal
from sitewright.fetch.target import read_target
from sitewright.fetch.user_agent import user_agent_of
from sitewright.types import FetchSettings

if TYPE_CHECKING:
    import aiohttp

_SECONDS = 20.0
_TAKEN = range(200, 300)
_LATER = frozenset((408, 425, 429))
_LATER_FROM = 500


class Poster:
    """Posts; it opens nothing before the first, and `async with` closes it."""

    def __init__(self, settings: FetchSettings) -> None:
        self._settings = settings
        self._allowed = read_names(settings.allow_hosts)
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    def check(self, url: str) -> None:
        """Refuse what is no address that anything is sent to; the addresses of a host are looked at when it is."""
        target = read_target(url)
        refuse_literal(target.host, target.names, self._allowed)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Post it; an error says that it was refused (`DeliveryRefused`), or could not be had taken now."""
        import aiohttp  # noqa: PLC0415 -- with the first

        self.check(url)
        try:
            async with asyncio.timeout(_SECONDS):
                status = await self._status(url, body, headers)
        except TimeoutError:
            raise FetchTimeout(f"no answer within {_SECONDS:g} s") from None
        except (OSError, aiohttp.ClientError) as error:
            raise ConnectionFailed(str(error) or type(error).__name__) from error
        if status in _LATER or status >= _LATER_FROM:
            raise NotDelivered(f"it answered with {status}")
        if status not in _TAKEN:  # redirects are not followed
            raise DeliveryRefused(f"it answered with {status}")

    async def _status(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        from yarl import URL  # noqa: PLC0415 -- with the first

        place: Any = URL(read_target(url).url, encoded=True)  # as it was checked
        async with self._opened().post(place, data=body, headers=headers, allow_redirects=False) as answer:
            return int(answer.status)

    def _opened(self) -> "aiohttp.ClientSession":
        if self._session is None:
            import aiohttp  # noqa: PLC0415 -- with the first

            from sitewright.fetch.download import GuardedResolver  # noqa: PLC0415

            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(resolver=GuardedResolver(self._allowed, _SECONDS)),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"User-Agent": user_agent_of(self._settings), "Content-Type": "application/json"},
            )
        return self._session
