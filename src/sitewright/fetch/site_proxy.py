"""The proxy of a site and where to go in, a connection through it out: for what a browser asks."""

import asyncio
import ssl
from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from sitewright.errors import ConnectionFailed, SettingsError
from sitewright.fetch.failures import explain
from sitewright.fetch.target import Target

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_PORTS = {"http": 80, "https": 443}
_CONNECT_SECONDS = 10.0
_WELL = b"200"


@dataclass(frozen=True, slots=True)
class SiteProxy:
    """A proxy, taken apart."""

    host: str
    port: int
    is_secure: bool
    """Whether one speaks TLS with the proxy itself."""
    authorization: bytes = field(default=b"", repr=False)
    """The header that says who asks, with its line break."""


def read_proxy(url: str) -> SiteProxy:
    """Take the address of a proxy apart; the error does not show it, since it may have a password.

    >>> read_proxy("http://proxy.example:3128").port
    3128
    """
    wrong = SettingsError("expected the address of a proxy like http://NAME:PASSWORD@HOST:PORT (or https://…)")
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        raise wrong from None
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
        raise wrong
    name, password = unquote(parts.username or ""), unquote(parts.password or "")
    said = f"Proxy-Authorization: Basic {b64encode(f'{name}:{password}'.encode()).decode()}\r\n" if name else ""
    return SiteProxy(parts.hostname, port or _PORTS[parts.scheme], parts.scheme == "https", said.encode())


async def connect_through(url: str, target: Target, *, is_tunnel: bool) -> Streams:
    """Connect to a proxy, and have it open a tunnel where one is wanted; `ConnectionFailed` where it does not."""
    proxy = read_proxy(url)
    secure = ssl.create_default_context() if proxy.is_secure else None
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(proxy.host, proxy.port, ssl=secure)
            if is_tunnel:
                await _open_tunnel(proxy, target, reader, writer)
            return reader, writer
    except (OSError, EOFError, asyncio.LimitOverrunError) as error:  # TimeoutError is an OSError
        failure = error if isinstance(error, OSError) else ConnectionResetError()
        raise ConnectionFailed(f"{target.host}: the proxy of its site: {explain(failure)}") from error


async def _open_tunnel(
    proxy: SiteProxy, target: Target, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    host = f"[{target.host}]" if ":" in target.host else target.host
    place = f"{host}:{target.port}".encode()
    is_open = False
    try:
        writer.write(b"CONNECT %s HTTP/1.1\r\nHost: %s\r\n%s\r\n" % (place, place, proxy.authorization))
        answer = await reader.readuntil(b"\r\n\r\n")
        status = answer.partition(b" ")[2][:3]
        is_open = status == _WELL
    finally:
        if not is_open:
            writer.close()
    if not is_open:
        said = status.decode("latin-1") if status.isdigit() else "something else"
        raise ConnectionFailed(
            f"{target.host}: the proxy of its site answers with {said}; check the proxy's address, name and password"
        )
