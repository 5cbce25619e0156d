"""An address on the web in, the answer of its server out: one request, one connection, a bound on time and size."""

import http.client
import io
import re
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from email.message import Message
from ipaddress import IPv4Address, IPv6Address
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

from sitewright.errors import BadUrl, ConnectionFailed, FetchTimeout, PageTooLarge
from sitewright.fetch.failures import explain
from sitewright.fetch.guard import Endpoint, names_of
from sitewright.parse.compression import unpack_deflate, unpack_gzip

_CONNECT_SECONDS = 10.0
"""How long one address may take to accept a connection, before the next is tried."""
_BLOCK = 1 << 16
_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_NUMERIC = re.compile(r"(?:.*\.)?(?:0x[0-9a-f]*|\d+)")
"""Hosts that end in a number: addresses, and `127.1`, `0x7f.1`, `2130706433`, which some programs read as addresses."""
_SAFE = "%/:;=@&!$'()*+,~[]-._"
REDIRECTS = frozenset((301, 302, 303, 307, 308))
ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,application/feed+json;q=0.9,*/*;q=0.8"
ENCODINGS = "gzip, deflate"
OF_THE_TRANSFER = frozenset(("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"))
"""Headers that describe how the body came, not what it is."""


@dataclass(frozen=True, slots=True)
class Target:
    """A web address, taken apart."""

    scheme: str
    host: str
    port: int
    path: str
    """With the query, in ASCII."""

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """The host, and the port where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def names(self) -> frozenset[str]:
        """What a list of hosts may call it: with or without its port."""
        return names_of(self.host, self.port)

    @property
    def url(self) -> str:
        """The whole address."""
        return self.origin + self.path

    def leads_to(self, location: str) -> "Target":
        """Return where a redirect leads."""
        try:
            return read_target(urljoin(self.url, location))
        except ValueError as error:
            raise BadUrl(f"{self.url} leads to {location}: {error}") from error


def read_target(url: str) -> Target:
    """Take a web address apart; `BadUrl` where it is none, or one with a password.

    >>> read_target("HTTPS://Bücher.example:443/a b?q=é#top").url
    'https://xn--bcher-kva.example/a%20b?q=%C3%A9'
    """
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError as error:
        raise BadUrl(f"{url}: {error}") from error
    if parts.scheme not in _PORTS:
        raise BadUrl(f"{url}: only http and https addresses are fetched")
    if parts.username is not None:
        raise BadUrl(f"{url}: addresses with a user name are not fetched")
    path = quote(parts.path or "/", safe=_SAFE, errors="replace")
    query = f"?{quote(parts.query, safe=f'{_SAFE}?', errors='replace')}" if parts.query else ""
    return Target(parts.scheme, _read_host(host, url), port or _PORTS[parts.scheme], path + query)


def _read_host(host: str, url: str) -> str:
    try:
        if ":" in host and "%" not in host:
            return str(IPv6Address(host))
        name = host if host.isascii() else host.encode("idna").decode("ascii")
    except ValueError as error:
        raise BadUrl(f"{url}: {host} is not a host: {error}") from error
    if not _HOST.fullmatch(name) or (_NUMERIC.fullmatch(name) and not _is_address(name)):
        raise BadUrl(f"{url}: {host or 'nothing'} is not a host")
    return name


def _is_address(name: str) -> bool:
    """Tell whether a host is an address in its one plain spelling; others are read differently here and there."""
    try:
        return str(IPv4Address(name)) == name
    except ValueError:
        return False


class Deadline:
    """The moment by which a page must be there."""

    def __init__(self, seconds: float) -> None:
        """Count from now."""
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return the seconds left; `FetchTimeout` where there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise FetchTimeout(f"took longer than {self._seconds:g} s; try again later, or raise fetch.seconds")
        return left


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    location: str = ""
    """Where a redirect leads, as written."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a server, and what the answer may cost."""

    target: Target
    user_agent: str
    deadline: Deadline
    most_bytes: int
    cut: bool = False
    """Whether the first `most_bytes` are enough, as they are of a robots.txt."""

    def encode(self) -> bytes:
        """Return the bytes to send."""
        lines = (
            f"GET {self.target.path} HTTP/1.1",
            f"Host: {self.target.authority}",
            f"User-Agent: {self.user_agent}",
            f"Accept: {ACCEPT}",
            f"Accept-Encoding: {'identity' if self.cut else ENCODINGS}",
            "Connection: close",
        )
        return "\r\n".join((*lines, "", "")).encode("ascii", "replace")


def exchange(request: Request, endpoints: Sequence[Endpoint]) -> Answer:
    """Ask a server at one of its addresses, the first that can be reached."""
    host = request.target.host
    try:
        with _connect(request, endpoints) as connection:
            connection.settimeout(request.deadline.left())
            connection.sendall(request.encode())
            with http.client.HTTPResponse(_Wire(connection, request.deadline), method="GET") as response:  # type: ignore[arg-type]
                response.begin()
                if response.status < 200:
                    raise ConnectionFailed(f"{host}: answers {response.status} and nothing after it; try again later")
                return _answer(response, request)
    except TimeoutError as error:
        request.deadline.left()  # says so itself if the time is over
        raise FetchTimeout(f"{host}: {error}; try again later") from error
    except http.client.RemoteDisconnected as error:
        raise ConnectionFailed(f"{host}: {explain(error)}") from error
    except http.client.HTTPException as error:
        raise ConnectionFailed(
            f"{host}: the answer cannot be understood ({type(error).__name__} {error}); check the address, which may "
            "not be that of a web server"
        ) from error
    except OSError as error:
        raise ConnectionFailed(f"{host}: {explain(error)}") from error


class _Wire:
    """What `HTTPResponse` needs of a socket."""

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self._reader = _TimedReader(connection, deadline)

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return the stream to read the answer from."""
        return io.BufferedReader(self._reader, _BLOCK)


class _TimedReader(io.RawIOBase):
    """Reads from a socket until the deadline; a timeout of the socket alone would begin anew with every byte."""

    def __init__(self, connection: socket.socket, deadline: Deadline) -> None:
        self._connection = connection
        self._deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        self._connection.settimeout(self._deadline.left())
        return self._connection.recv_into(buffer)


def _connect(request: Request, endpoints: Sequence[Endpoint]) -> socket.socket:
    """Connect to the first address that accepts."""
    failure = OSError("it has no address")
    for endpoint in endpoints:
        try:
            return _connect_to(endpoint, request)
        except OSError as error:
            failure = error
    raise failure


def _connect_to(endpoint: Endpoint, request: Request) -> socket.socket:
    with ExitStack() as stack:
        connection = stack.enter_context(socket.socket(endpoint.family, socket.SOCK_STREAM))
        connection.settimeout(min(_CONNECT_SECONDS, request.deadline.left()))
        connection.connect((endpoint.address, endpoint.port))
        if request.target.scheme == "https":
            connection = _secure(connection, request)
        stack.pop_all()  # it is open, and stays so
    return connection


def _secure(connection: socket.socket, request: Request) -> ssl.SSLSocket:
    connection.settimeout(request.deadline.left())
    return ssl.create_default_context().wrap_socket(connection, server_hostname=request.target.host)


def _answer(response: http.client.HTTPResponse, request: Request) -> Answer:
    location = _location(response.headers) if response.status in REDIRECTS else ""
    body = b"" if location else _body(response, request)
    headers = {name: value for name, value in response.headers.items() if name.lower() not in OF_THE_TRANSFER}
    return Answer(response.status, headers, body, location)


def _location(headers: Message) -> str:
    """Return where a redirect leads; servers write UTF-8 where headers are read as Latin-1."""
    written = str(headers.get("Location", "")).strip()
    return written.encode("latin-1", "replace").decode("utf-8", "replace")


def _body(response: http.client.HTTPResponse, request: Request) -> bytes:
    most_bytes, promised = request.most_bytes, response.length or 0
    if promised > most_bytes and not request.cut:
        raise too_large(f"{request.target.url} has {promised:,} bytes", most_bytes)
    body = bytearray()
    while len(body) <= most_bytes and (block := response.read(_BLOCK)):
        body += block
    if len(body) > most_bytes:
        if not request.cut:
            raise too_large(f"{request.target.url} has more bytes than it may", most_bytes)
        del body[most_bytes:]
    elif response.length:
        raise ConnectionFailed(f"the answer ends {response.length:,} bytes before its end; try again later")
    return unpacked(bytes(body), response.headers.get("Content-Encoding", ""), request.target.url, most_bytes)


def too_large(what: str, most_bytes: int) -> PageTooLarge:
    """Return the error of a page that is too large."""
    return PageTooLarge(f"{what}; to read more than {most_bytes:,}, raise limits.page_bytes")


_UNPACK = {"gzip": unpack_gzip, "x-gzip": unpack_gzip, "deflate": unpack_deflate}
_UNWANTED = frozenset(("br", "zstd", "compress", "x-compress"))


def unpacked(body: bytes, encodings: str, url: str, most_bytes: int) -> bytes:
    """Undo the encodings of a body, the last one first."""
    for encoding in reversed([name.strip().lower() for name in encodings.split(",")]):
        if encoding in _UNWANTED:
            raise ConnectionFailed(f"{url}: the answer is encoded as {encoding}, which was not asked for")
        unpack = _UNPACK.get(encoding)
        if not body or unpack is None:  # some servers name the charset here, or nonsense
            continue
        try:
            body = unpack(body, most_bytes)
        except ValueError as error:
            raise ConnectionFailed(
                f"{url}: the answer is said to be packed as {encoding}, but cannot be unpacked; try again later"
            ) from error
        except PageTooLarge as error:
            raise too_large(f"{url} unpacks to more bytes than it may have", most_bytes) from error
    return body
