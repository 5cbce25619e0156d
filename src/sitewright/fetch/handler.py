"""Scrapy's request in, its response out: by aiohttp, from public addresses only, within bounds of size and time.

Scrapy does what is policy (robots.txt, pauses, redirects, cookies, retries); this does one exchange. Each of them, of
whatever hop, connects to an address that was checked, and to no other.
"""

import asyncio
import socket
import ssl
from ipaddress import ip_address
from typing import TYPE_CHECKING

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.http import Headers, Request, Response
from scrapy.responsetypes import responsetypes
from yarl import URL

from sitewright.errors import BadUrl, ConnectionFailed, FetchTimeout, HostNotFound, PageTooLarge
from sitewright.fetch.guard import names_of, refuse

if TYPE_CHECKING:
    from scrapy.crawler import Crawler as ScrapyCrawler

ALLOWED_HOSTS, MOST_BYTES = "SITEWRIGHT_ALLOWED_HOSTS", "DOWNLOAD_MAXSIZE"
_CHUNK = 65536
_KEPT_ALIVE = 15.0
_RESOLVED_SECONDS = 60


class GuardedResolver(AbstractResolver):
    """Looks up hosts; those inside a private network are refused, unless they are named."""

    def __init__(self, allowed: frozenset[str]) -> None:
        """Allow what is named."""
        self._allowed = allowed

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of a host, all of them checked."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, family=family)
        addresses = [(entry[0], str(entry[4][0])) for entry in found]
        if self._allowed.isdisjoint(names_of(host.lower(), port)):
            for _, address in addresses:
                refuse(host, address)
        return [
            ResolveResult(hostname=host, host=address, port=port, family=kind, proto=0, flags=socket.AI_NUMERICHOST)
            for kind, address in dict.fromkeys(addresses)
        ]

    async def close(self) -> None:
        """Hold nothing."""


class GuardedHandler(BaseDownloadHandler):
    """Does the exchanges of a crawler."""

    def __init__(self, crawler: "ScrapyCrawler") -> None:
        """Open no connection yet."""
        super().__init__(crawler)
        self._allowed = frozenset(crawler.settings.getlist(ALLOWED_HOSTS))
        self._most_bytes = crawler.settings.getint(MOST_BYTES)
        self._session: aiohttp.ClientSession | None = None

    async def download_request(self, request: Request) -> Response:
        """Return the answer to a request; a `FetchError` says why there is none."""
        seconds = float(request.meta["download_timeout"])
        started = asyncio.get_running_loop().time()
        try:
            self._refuse_literal(request.url)
            async with asyncio.timeout(seconds):
                response = await self._exchange(request)
        except TimeoutError:
            raise FetchTimeout(f"{request.url}: no whole answer within {seconds:g} s") from None
        except (aiohttp.InvalidURL, ValueError) as error:
            raise BadUrl(f"{request.url} is not an address: {error}") from error
        except aiohttp.ClientConnectorDNSError as error:
            raise HostNotFound(f"{request.url}: {error.os_error.strerror or error}") from error
        except (aiohttp.ClientError, ssl.SSLError, OSError) as error:
            raise ConnectionFailed(f"{request.url}: {error}") from error
        request.meta["download_latency"] = asyncio.get_running_loop().time() - started
        return response

    def _refuse_literal(self, url: str) -> None:
        """Refuse addresses that are written as numbers: no resolver is asked for them."""
        target = URL(url)
        host = target.host or ""
        try:
            ip_address(host)
        except ValueError:
            return
        if self._allowed.isdisjoint(names_of(host, target.port)):
            refuse(host, host)

    async def _exchange(self, request: Request) -> Response:
        async with self._opened().request(
            request.method,
            URL(request.url, encoded=True),
            data=request.body or None,
            headers=[(name.decode("latin-1"), value.decode("latin-1")) for name, value in _headers(request)],
            allow_redirects=False,
        ) as answer:
            body = await self._body(request.url, answer)
            headers = Headers(list(answer.headers.items()))
            kind = responsetypes.from_args(headers=headers, url=request.url, body=body)
            return kind(url=request.url, status=answer.status, headers=headers, body=body)

    async def _body(self, url: str, answer: aiohttp.ClientResponse) -> bytes:
        parts, size = [], 0
        async for chunk in answer.content.iter_chunked(_CHUNK):
            size += len(chunk)
            if size > self._most_bytes:
                raise PageTooLarge(f"{url}: more than {self._most_bytes:,} bytes (limits.page_bytes)")
            parts.append(chunk)
        return b"".join(parts)

    def _opened(self) -> aiohttp.ClientSession:
        if self._session is None:
            connector = aiohttp.TCPConnector(
                limit=0, resolver=GuardedResolver(self._allowed), keepalive_timeout=_KEPT_ALIVE,
                use_dns_cache=True, ttl_dns_cache=_RESOLVED_SECONDS,
            )  # fmt: skip
            self._session = aiohttp.ClientSession(
                connector=connector, cookie_jar=aiohttp.DummyCookieJar(), auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=None), skip_auto_headers=("Accept", "User-Agent", "Content-Type"),
            )  # fmt: skip
        return self._session

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()


def _headers(request: Request) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, values in request.headers.items() for value in values]
