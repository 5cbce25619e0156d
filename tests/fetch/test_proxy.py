"""The proxy without a browser: plain bytes in, and what reaches a server on loopback."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from sitewright.fetch.proxy import GuardedProxy

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbees"


def talk(
    request: Callable[[int], bytes], *, allowed: bool = True, most_bytes: int = 10_000
) -> tuple[bytes, bytes, GuardedProxy]:
    """Send bytes to a proxy; return the answer, what the server behind it received, and the proxy."""
    received = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        received.extend(await reader.readuntil(b"\r\n\r\n"))
        writer.write(ANSWER)
        await writer.drain()
        try:
            async with asyncio.timeout(0.3):
                while block := await reader.read(1000):
                    received.extend(block)
        except TimeoutError:
            pass
        writer.close()

    async def run() -> tuple[bytes, bytes, GuardedProxy]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, GuardedProxy({f"127.0.0.1:{port}"} if allowed else (), most_bytes) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rpartition(":")[2]))
            writer.write(request(port))
            answer = await within(reader.read())
            writer.close()
            await writer.wait_closed()
            return answer, bytes(received), proxy

    return asyncio.run(run())


async def within(answer: Awaitable[bytes]) -> bytes:
    async with asyncio.timeout(5):
        return await answer


def test_a_request_is_passed_on_as_servers_expect_it() -> None:
    answer, received, proxy = talk(
        lambda port: (
            f"GET http://127.0.0.1:{port}/a?b=c HTTP/1.1\r\nHost: x\r\nProxy-Connection: keep-alive\r\n\r\n".encode()
        )
    )
    assert answer == ANSWER
    assert received == b"GET /a?b=c HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n"
    assert proxy.traffic.received == len(ANSWER)
    assert proxy.traffic.refused == {}


def test_a_tunnel() -> None:
    answer, received, _ = talk(lambda port: f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\nhello\r\n\r\n".encode())
    assert answer == b"HTTP/1.1 200 Connection established\r\n\r\n" + ANSWER
    assert received == b"hello\r\n\r\n"


@pytest.mark.parametrize("line", ["GET http://127.0.0.1:{}/ HTTP/1.1", "CONNECT 127.0.0.1:{} HTTP/1.1"])
def test_a_refused_address_is_not_connected_to(line: str) -> None:
    answer, received, proxy = talk(lambda port: f"{line.format(port)}\r\n\r\n".encode(), allowed=False)
    assert (answer, received) == (b"", b"")
    assert [error.code for error in proxy.traffic.refused.values()] == ["address_refused"]


def test_a_second_request_of_a_connection_reaches_no_server() -> None:
    """It may be meant for another host, which would have to be checked."""
    first = "POST http://127.0.0.1:{}/ HTTP/1.1\r\nContent-Length: 2\r\n\r\nab"
    second = "GET http://169.254.169.254/ HTTP/1.1\r\n\r\n"
    answer, received, _ = talk(lambda port: (first.format(port) + second).encode())
    assert answer == ANSWER
    assert received.endswith(b"\r\n\r\nab")


def test_no_more_bytes_than_allowed() -> None:
    answer, _, proxy = talk(lambda port: f"GET http://127.0.0.1:{port}/ HTTP/1.1\r\n\r\n".encode(), most_bytes=10)
    assert answer == b""
    assert proxy.traffic.is_spent


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET file:///etc/passwd HTTP/1.1\r\n\r\n",
        b"CONNECT \r\n\r\n",
        b"CONNECT [::1 HTTP/1.1\r\n\r\n",
        b"\xff" * 200_000 + b"\r\n\r\n",
        b"GET http://user:word@127.0.0.1/ HTTP/1.1\r\n\r\n",
        b"GET http://169.254.169.254/latest/meta-data/ HTTP/1.1\r\n\r\n",
    ],
)
def test_anything_else_is_hung_up_on(request_bytes: bytes) -> None:
    async def run() -> bytes:
        async with GuardedProxy((), 100) as proxy:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(proxy.url.rpartition(":")[2]))
            writer.write(request_bytes)
            try:
                return await within(reader.read())
            except ConnectionError:
                return b""
            finally:
                writer.close()

    assert asyncio.run(run()) == b""
