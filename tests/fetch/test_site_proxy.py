"""Proxies of sites: their addresses, and the way of a browser through one."""

import asyncio

import pytest
from tests.fetch.recording import serving

from sitewright.errors import ConnectionFailed, SettingsError
from sitewright.fetch.proxy import GuardedProxy
from sitewright.fetch.site_access import Access
from sitewright.fetch.site_proxy import connect_through, read_proxy
from sitewright.fetch.target import read_target
from sitewright.types import SiteAccess


@pytest.mark.parametrize(
    "url", ["", "proxy:1", "socks5://a:1", "http://", "http://a:x/", "http://a/path", "http://a/?q"]
)
def test_what_is_no_proxy(url: str) -> None:
    with pytest.raises(SettingsError):
        read_proxy(url)


def test_a_proxy_taken_apart() -> None:
    proxy = read_proxy("https://b%65e:st%3Aing@proxy.example")
    assert (proxy.host, proxy.port, proxy.is_secure) == ("proxy.example", 443, True)
    assert proxy.authorization == b"Proxy-Authorization: Basic YmVlOnN0OmluZw==\r\n"
    assert "YmVl" not in repr(proxy)


async def answered(answer: bytes) -> tuple[bytes, bytes]:
    """Open a tunnel through a proxy that says this; return what it was asked, and the first bytes of the tunnel."""
    heads = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(talk, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        target = read_target("https://example.com/")
        reader, writer = await connect_through(f"http://bee:sting@127.0.0.1:{port}", target, is_tunnel=True)
        first = await reader.read()
        writer.close()
        return heads[0], first


def test_a_tunnel() -> None:
    head, first = asyncio.run(answered(b"HTTP/1.1 200 Fine\r\n\r\nhello"))
    assert head.splitlines() == [
        b"CONNECT example.com:443 HTTP/1.1",
        b"Host: example.com:443",
        b"Proxy-Authorization: Basic YmVlOnN0aW5n",
        b"",
    ]
    assert first == b"hello"


@pytest.mark.parametrize(
    ("answer", "message"), [(b"HTTP/1.1 407 No\r\n\r\n", "answers with 407"), (b"", "proxy of its")]
)
def test_a_proxy_that_does_not(answer: bytes, message: str) -> None:
    with pytest.raises(ConnectionFailed, match=message) as error:
        asyncio.run(answered(answer))
    assert "sting" not in str(error.value)


def test_what_a_browser_asks_goes_through_the_proxy_of_its_site() -> None:
    async def ask(through: str, url: str) -> bytes:
        access = Access({"127.0.0.1": SiteAccess(proxy=through)})
        async with GuardedProxy(["127.0.0.1", "127.0.0.2"], 10**6, access) as guarded:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(guarded.url.rpartition(":")[2]))
            writer.write(f"GET {url} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            answer = await reader.read()
            writer.close()
            return answer

    with serving() as site, serving("127.0.0.2") as other, serving("127.0.0.3", proxy=True) as proxy:
        through = f"http://bee:sting@127.0.0.3:{proxy.server_port}"
        assert b"They dance" in asyncio.run(ask(through, site.url("/bees")))
        assert b"They dance" in asyncio.run(ask(through, other.url("/bees")))
        assert [path for path, _ in proxy.asked] == [site.url("/bees")]
        assert "proxy-authorization" not in site.headers_of("/bees")
