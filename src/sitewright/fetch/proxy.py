"""What a browser asks for in, what the web answers out: a proxy on loopback that connects only where the guard allows.

The browser knows no other way out. So every request of a page is checked where the connection is made, whatever asked
for it (frame, script, picture, WebSocket, redirect, worker) and whatever its name stood for a moment ago.
"""

import asyncio
import ssl
from collections.abc import Collection, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field

from sitewright.errors import BadUrl, ConnectionFailed, FetchError
from sitewright.fetch.failures import explain
from sitewright.fetch.guard import Endpoint, look_up
from sitewright.fetch.site_access import Access
from sitewright.fetch.site_proxy import connect_through, read_proxy
from sitewright.fetch.target import Target, read_target

_HEAD_BYTES = 65_536
_HEAD_SECONDS = 20.0
_CONNECT_SECONDS = 10.0
_BLOCK = 1 << 16
_OF_THE_HOP = frozenset((b"proxy-connection", b"proxy-authorization", b"connection", b"keep-alive"))


@dataclass(slots=True)
class Traffic:
    """What a page has cost so far, and where it was not let."""

    most_bytes: int
    received: int = 0
    refused: dict[str, FetchError] = field(default_factory=dict)
    """The errors by host and port."""

    @property
    def is_spent(self) -> bool:
        """Whether the page has had all the bytes it may have."""
        return self.received > self.most_bytes


class GuardedProxy:
    """An HTTP proxy for one page, to the public web and the hosts named; `async with` opens and closes it."""

    def __init__(self, allowed: Collection[str], most_bytes: int, access: Access | None = None) -> None:
        self._allowed = frozenset(allowed)
        self._access = access or Access({})
        self._server: asyncio.Server | None = None
        self._talks: set[asyncio.Task[None]] = set()
        self.traffic = Traffic(most_bytes)

    async def __aenter__(self) -> "GuardedProxy":
        """Listen on a free port of loopback."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, limit=_HEAD_BYTES)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.close()
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()

    @property
    def url(self) -> str:
        """Where it listens."""
        if self._server is None:
            raise RuntimeError("the proxy is not open")
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def check(self, target: Target) -> tuple[Endpoint, ...]:
        """Return the addresses of a target that may be connected to; `FetchError` where there are none."""
        allowed = not self._allowed.isdisjoint(target.names)
        return await look_up(target.host, target.port, _CONNECT_SECONDS, allowed=allowed)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.get_running_loop().create_task(self._serve(reader, writer))
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection of the browser: one request, or one tunnel."""
        try:
            async with asyncio.timeout(_HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            await self._answer(head, reader, writer)
        except (OSError, EOFError, ssl.SSLError, TimeoutError, asyncio.LimitOverrunError):
            pass  # to the browser a connection that ends says enough
        finally:
            await _close(writer)

    async def _answer(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line, _, rest = head.partition(b"\r\n")
        method, _, asked = line.decode("latin-1").partition(" ")
        address = asked.rpartition(" ")[0]
        is_tunnel = method == "CONNECT"
        try:
            target = read_target(f"https://{address}" if is_tunnel else address)
            upstream = await self._connect(target, is_tunnel=is_tunnel)
        except FetchError as error:
            self._note(address, error)
            return
        try:
            if is_tunnel:
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                sending = _copy(reader, upstream[1])
            else:
                upstream[1].write(_head(method, target, rest, self._access.of(target.host).proxy))
                sending = _copy_body(reader, upstream[1], _body_length(rest))
            await self._pass_back(upstream[0], writer, sending)
        finally:
            await _close(upstream[1])

    def _note(self, address: str, error: FetchError) -> None:
        try:
            target = read_target(address if "//" in address else f"https://{address}")
        except BadUrl:
            self.traffic.refused[address] = error
        else:
            self.traffic.refused[f"{target.host}:{target.port}"] = error

    async def _connect(self, target: Target, *, is_tunnel: bool) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first checked address that accepts, or to the proxy of its site."""
        if self.traffic.is_spent:
            raise ConnectionFailed(f"{target.host}: the page has loaded more than {self.traffic.most_bytes:,} bytes")
        through = self._access.of(target.host).proxy
        if through:
            if self._allowed.isdisjoint(target.names):
                await self.check(target)  # the proxy looks it up once more
            return await connect_through(through, target, is_tunnel=is_tunnel)
        failure: OSError = OSError("it has no address")
        for endpoint in await self.check(target):
            try:
                async with asyncio.timeout(_CONNECT_SECONDS):
                    return await asyncio.open_connection(endpoint.address, endpoint.port, family=endpoint.family)
            except OSError as error:  # TimeoutError is one
                failure = error
        raise ConnectionFailed(f"{target.host}: {explain(failure)}")

    async def _pass_back(
        self, upstream: asyncio.StreamReader, writer: asyncio.StreamWriter, sending: Coroutine[None, None, None]
    ) -> None:
        """Pass bytes back until the server has no more, or the page may have no more, while others are sent."""
        task = asyncio.get_running_loop().create_task(sending)
        try:
            while block := await upstream.read(_BLOCK):
                self.traffic.received += len(block)
                if self.traffic.is_spent:
                    break
                writer.write(block)
                await writer.drain()
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on all that comes through a tunnel, and close it where nothing more will."""
    while block := await reader.read(_BLOCK):
        writer.write(block)
        await writer.drain()
    writer.close()


async def _copy_body(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, length: int) -> None:
    """Pass on the body of one request, and nothing of the next: that may be meant for another host."""
    while length and (block := await reader.read(min(length, _BLOCK))):
        length -= len(block)
        writer.write(block)
        await writer.drain()


def _body_length(head: bytes) -> int:
    """Return how many bytes follow a head.

    >>> _body_length(b"Host: a\\r\\ncontent-length: 12\\r\\n"), _body_length(b"Content-Length: x")
    (12, 0)
    """
    fields = (line.partition(b":") for line in head.split(b"\r\n"))
    written = next((value.strip() for name, _, value in fields if name.strip().lower() == b"content-length"), b"0")
    return int(written) if written.isdigit() else 0


async def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):  # closed by the other side
        await writer.wait_closed()


def _head(method: str, target: Target, rest: bytes, through: str) -> bytes:
    """Return the head as a server (or the proxy of its site) expects it: one request a connection, each is checked."""
    lines = [line for line in rest.split(b"\r\n") if line.partition(b":")[0].strip().lower() not in _OF_THE_HOP]
    asked = target.url if through else target.path
    first = f"{method} {asked} HTTP/1.1".encode("latin-1", "replace")
    said = read_proxy(through).authorization.removesuffix(b"\r\n") if through else b""
    return b"\r\n".join((first, b"Connection: close", *([said] if said else []), *lines))
