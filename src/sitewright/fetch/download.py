"""Scrapy's request in, its response out: by aiohttp, from public addresses only, within bounds of size and time.

Scrapy does what is policy (redirects, cache, turns); this does one exchange. Each of them, of whatever hop, connects to
an address that was checked, and to no other.
"""

import asyncio
import socket
import ssl
from collections.abc import Mapping
from typing import TYPE_CHECKING

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import Headers, Request, Response
from scrapy.responsetypes import responsetypes
from yarl import URL

from sitewright.errors import ConnectionFailed, FetchTimeout
from sitewright.fetch.failures import explain
from sitewright.fetch.guard import look_up, names_of, refuse_literal
from sitewright.fetch.site_access import SITES, Access
from sitewright.fetch.target import Target, read_target
from sitewright.fetch.time_limit import time_limit_of
from sitewright.fetch.unpacking import OF_THE_TRANSFER, too_large, unpacked

if TYPE_CHECKING:
    from scrapy.crawler import Crawler as ScrapyCrawler

ALLOWED_HOSTS, MOST_BYTES = "SITEWRIGHT_ALLOWED_HOSTS", "DOWNLOAD_MAXSIZE"
CUT_BYTES = "sitewright_cut_bytes"
"""An entry of a request's `meta`: how many bytes of the answer are enough."""
_CHUNK = 65536
_HEADER_BYTES = 65536
"""As Python's own client reads; lists of what a page may load (Content-Security-Policy) are often longer than 8 KB."""
_KEPT_ALIVE = 15.0
_RESOLVED_SECONDS = 60


class GuardedResolver(AbstractResolver):
    """Looks up hosts; those inside a private network are refused, unless they are named."""

    def __init__(self, allowed: frozenset[str], seconds: float) -> None:
        self._allowed = allowed
        self._seconds = seconds

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_UNSPEC,  # noqa: ARG002 -- all there are
    ) -> list[ResolveResult]:
        """Return the addresses of a host, all of them checked."""
        allowed = self.allows(host, port)
        return [
            ResolveResult(
                hostname=host, host=found.address, port=port, family=found.family, proto=0, flags=socket.AI_NUMERICHOST
            )
            for found in await look_up(host, port, self._seconds, allowed=allowed)
        ]

    def allows(self, host: str, port: int) -> bool:
        """Tell whether a host may be inside a private network."""
        return not self._allowed.isdisjoint(names_of(host, port))

    async def close(self) -> None:
        pass


class ProxyResolver(GuardedResolver):
    """Looks up the proxies of sites: a person named them, so they may be inside a private network."""

    def __init__(self, seconds: float) -> None:
        super().__init__(frozenset(), seconds)

    def allows(self, host: str, port: int) -> bool:  # noqa: ARG002 -- every one
        return True


class GuardedDownload(BaseDownloadHandler):
    """Does the exchanges of a crawler."""

    def __init__(self, crawler: "ScrapyCrawler") -> None:
        super().__init__(crawler)
        self._allowed = frozenset(crawler.settings.getlist(ALLOWED_HOSTS))
        self._most_bytes = crawler.settings.getint(MOST_BYTES)
        self._seconds = crawler.settings.getfloat("DOWNLOAD_TIMEOUT")
        self._access: Access = crawler.settings[SITES]
        self._sessions: dict[bool, aiohttp.ClientSession] = {}
        """One for what goes straight to sites, one for what goes through proxies: only there these are connected to."""

    async def download_request(self, request: Request) -> Response:
        """Return the answer to a request; a `FetchError` says why there is none."""
        target = read_target(request.url)
        refuse_literal(target.host, target.names, self._allowed)
        started = asyncio.get_running_loop().time()
        try:
            async with time_limit_of(request).running():
                return await self._exchange(request, target)
        except TimeoutError:
            raise FetchTimeout(
                f"{target.url}: no whole answer within {self._seconds:g} s; try again later, or raise fetch.seconds"
            ) from None
        except (aiohttp.ClientError, OSError) as error:
            raise ConnectionFailed(f"{target.url}: {_explain(error)}") from error
        finally:
            request.meta["download_latency"] = asyncio.get_running_loop().time() - started

    async def _exchange(self, request: Request, target: Target) -> Response:
        access = self._access.of(target.host)
        if access.proxy and self._allowed.isdisjoint(target.names):  # the proxy looks the host up once more
            await look_up(target.host, target.port, self._seconds)
        async with self._opened(through_proxy=bool(access.proxy)).get(
            URL(target.url, encoded=True),  # as it was checked: what parses an address otherwise may find another host
            headers=_headers(request, access.headers),
            allow_redirects=False,
            proxy=access.proxy or None,
        ) as answer:
            body = await self._body(request, answer)
        headers = Headers()
        for name, value in answer.raw_headers:  # as bytes: not all servers write ASCII
            if name.decode("latin-1").lower() not in OF_THE_TRANSFER:
                headers.appendlist(name, value)
        kind = responsetypes.from_args(headers=headers, url=target.url, body=body)
        return kind(url=target.url, status=answer.status, headers=headers, body=body)

    async def _body(self, request: Request, answer: aiohttp.ClientResponse) -> bytes:
        cut: int = request.meta.get(CUT_BYTES, 0)
        most_bytes = cut or self._most_bytes
        body = bytearray()
        async for chunk in answer.content.iter_chunked(_CHUNK):
            body += chunk
            if len(body) > most_bytes:
                break
        if len(body) > most_bytes and not cut:
            raise too_large(f"{request.url} has more bytes than it may", most_bytes)
        encodings = ",".join(answer.headers.getall("Content-Encoding", ()))
        return unpacked(bytes(body[:most_bytes]), encodings, request.url, most_bytes)

    def _opened(self, *, through_proxy: bool) -> aiohttp.ClientSession:
        if through_proxy not in self._sessions:
            resolver = ProxyResolver(self._seconds) if through_proxy else GuardedResolver(self._allowed, self._seconds)
            connector = aiohttp.TCPConnector(
                limit=0, resolver=resolver, keepalive_timeout=_KEPT_ALIVE,
                use_dns_cache=True, ttl_dns_cache=_RESOLVED_SECONDS, ssl=ssl.create_default_context(),
            )  # fmt: skip
            self._sessions[through_proxy] = aiohttp.ClientSession(
                connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=None), skip_auto_headers=("Accept", "User-Agent", "Content-Type"),
                max_line_size=_HEADER_BYTES, max_field_size=_HEADER_BYTES,
            )  # fmt: skip
        return self._sessions[through_proxy]

    async def close(self) -> None:
        for session in self._sessions.values():
            await session.close()


def _headers(request: Request, own: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return what is sent: the headers of a site are put on here, so that no redirect takes them along."""
    replaced = {name.lower() for name in own}
    usual = [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, values in request.headers.items()
        for value in values
    ]
    return [*((name, value) for name, value in usual if name.lower() not in replaced), *own.items()]


def _explain(error: aiohttp.ClientError | OSError) -> str:
    """Say for a person what aiohttp means."""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return f"the proxy of its site answers with {error.status}; check the proxy's address, name and password"
    if isinstance(error, aiohttp.ClientProxyConnectionError):
        return f"the proxy of its site: {explain(error.os_error)}"
    if isinstance(error, aiohttp.ClientConnectorError):
        return explain(error.os_error)
    if isinstance(error, OSError):
        return explain(error)
    if isinstance(error, aiohttp.ServerDisconnectedError | aiohttp.ClientPayloadError):
        return explain(ConnectionResetError())
    said = error.message if isinstance(error, aiohttp.ClientResponseError) else str(error)
    reason = said.partition("\n")[0].rstrip(":").lower()
    return f"the answer cannot be understood ({reason}); check the address, which may not be that of a web server"
