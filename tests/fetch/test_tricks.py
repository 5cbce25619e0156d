"""Ways to send a fetcher inside a private network: a table, each row run through every fetcher that it concerns.

A secret server on loopback counts its connections, and every connection that our own process begins is noted: those to
the one allowed site may pass, those to public addresses are refused by the test itself (no test leaves this machine),
all others are a breach. A last test allows the secret server, to show that the tricks are real ones.
"""

import asyncio
import html
import json
import re
import socket
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any, NamedTuple

import pytest
from tests import needs

from sitewright.errors import FetchError
from sitewright.fetch import LiveWeb, WebFetcher, retry
from sitewright.fetch.browser import BrowserFetcher, BrowserOptions
from sitewright.fetch.guard import why_refused
from sitewright.types import FetchSettings, Page

pytestmark = pytest.mark.slow

PUBLIC, PUBLIC_6 = "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"
HERE = re.compile(r"localhost|[\d.]+|[0-9a-f:.]*:[0-9a-f:.%lo]*")
REFUSALS = frozenset(("address_refused", "bad_url"))


class Secret:
    """A server that nothing may ever reach: at loopback's both families and as datagrams, on one port."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._listeners = [socket.create_server(("127.0.0.1", 0), backlog=128)]
        self.port: int = self._listeners[0].getsockname()[1]
        with suppress(OSError):  # no IPv6 here
            self._listeners.append(socket.create_server(("::1", self.port), family=socket.AF_INET6))
        self._datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagrams.bind(("127.0.0.1", self.port))
        for listener in self._listeners:
            threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:  # closed
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        self.seen.append("a connection")
        with connection, suppress(OSError):
            connection.settimeout(3)
            head = connection.recv(65536)
            self.seen[self.seen.index("a connection")] = (
                head.split(b"\r\n")[0].decode("latin-1") or "an empty connection"
            )
            kind = b"text/javascript" if b".js" in head else b"text/css" if b".css" in head else b"text/html"
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 8\r\nConnection: close\r\n"
                b"Content-Type: " + kind + b"\r\n\r\n/*SECRET"
            )

    def datagrams(self) -> int:
        self._datagrams.setblocking(False)
        with suppress(BlockingIOError):
            return len(self._datagrams.recv(2000)) + 1
        return 0

    def close(self) -> None:
        for listener in self._listeners:
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self._datagrams.close()


@dataclass
class Reply:
    body: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class Site(ThreadingHTTPServer):
    """The one host that is allowed; answers by a table."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Responder)
        self.replies: dict[str, Reply] = {}
        self.sent: list[str] = []
        """The names of the headers it got."""

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.server_port}{path}"

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Responder(BaseHTTPRequestHandler):
    server: Site
    timeout = 5

    def do_GET(self) -> None:
        self.server.sent.extend(self.headers)
        reply = self.server.replies.get(self.path, Reply("nothing here", 404))
        body = reply.body.encode()
        self.send_response(reply.status)
        for name, value in {"Content-Type": "text/html; charset=utf-8", **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


class Network:
    """Stands between our process and the network: looks up names by a table, notes and bounds connections."""

    def __init__(self) -> None:
        self.connected: list[tuple[str, int]] = []
        self.asked: list[str] = []
        self.strangers: list[str] = []
        """Names that no row has: something asks for them by itself."""
        self._connect = socket.socket.connect
        self._look_up = socket.getaddrinfo

    def look_up(self, host: bytes | str | None, port: Any, *rest: Any, **options: Any) -> list[Any]:
        name = host.decode() if isinstance(host, bytes) else str(host)
        answers = ANSWERS.get(name.lower())
        if answers is None:
            if not HERE.fullmatch(name):
                self.strangers.append(name)
                raise socket.gaierror(socket.EAI_NONAME, "the test knows no such name")
            return self._look_up(host, port, *rest, **options)
        addresses = answers[min(self.asked.count(name), len(answers) - 1)]
        self.asked.append(name)
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
            for one in addresses
        ]

    def connect(self, connection: socket.socket, address: Any) -> None:
        if connection.family not in {socket.AF_INET, socket.AF_INET6}:
            self._connect(connection, address)
            return
        self.connected.append((str(address[0]), int(address[1])))
        if not ip_address(str(address[0]).partition("%")[0]).is_loopback:
            raise ConnectionRefusedError(111, "the test lets nothing leave this machine")
        self._connect(connection, address)


ANSWERS: dict[str, tuple[tuple[str, ...], ...]] = {
    "public.example": ((PUBLIC,),),
    "inside.example": (("127.0.0.1",),),
    "inside6.example": (("::1",),),
    "mapped.example": (("::ffff:127.0.0.1",),),
    "translated.example": (("64:ff9b::7f00:1",),),
    "zone.example": (("fe80::1%lo",),),
    "zero.example": (("0.0.0.0",),),  # noqa: S104
    "metadata.example": (("169.254.169.254",),),
    "router.example": (("192.168.1.1",),),
    "both.example": ((PUBLIC, "127.0.0.1"),),
    "both-inside-first.example": (("127.0.0.1", PUBLIC),),
    "both-families.example": ((PUBLIC, PUBLIC_6, "::1"),),
    "127.0.0.1.nip.example": (("127.0.0.1",),),
    "xn--bcher-kva.example": (("127.0.0.1",),),
    "under_score.example": (("127.0.0.1",),),
    "localhost.localdomain": (("127.0.0.1",),),
    "a.localhost": (("127.0.0.1",),),
    "rebinding.example": ((PUBLIC,), ("127.0.0.1",)),
    "changing.example": ((PUBLIC,), ("127.0.0.1",)),
    "rebinding-later.example": ((PUBLIC,), (PUBLIC,), ("127.0.0.1",)),
    "rebinding-much-later.example": ((PUBLIC,), (PUBLIC,), (PUBLIC,), ("127.0.0.1",)),
    "rebinding-to-both.example": ((PUBLIC,), (PUBLIC, "127.0.0.1")),
}
"""What the names of the table stand for, at the first look-up, the second, and so on."""


@pytest.fixture(scope="module")
def network() -> Iterator[Network]:
    here = Network()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", here.look_up)
        patch.setattr(socket.socket, "connect", lambda *given: here.connect(*given))  # noqa: PLW0108 -- a method
        patch.setattr(retry, "_FIRST_PAUSE", 0.01)
        yield here


@pytest.fixture(scope="module")
def server() -> Iterator[Site]:
    with running() as started:
        yield started


@contextmanager
def running() -> Iterator[Site]:
    with Site() as site:
        thread = threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield site
        site.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def trap() -> Iterator[Secret]:
    started = Secret()
    yield started
    started.close()


class Fetchers:
    """One of each fetcher, for all rows: starting them takes most of the time."""

    def __init__(self, site: Site) -> None:
        self.settings = FetchSettings(allow_hosts=(f"127.0.0.1:{site.server_port}",), pause_seconds=0, seconds=120)
        self._runner = asyncio.Runner()
        self._web = WebFetcher(self.settings)
        self._browser = BrowserFetcher(self.settings, options=ALL_PARTS)
        self._runner.run(self._browser.__aenter__())

    def fetch(self, kind: str, url: str) -> Page:
        return self._web.fetch(url) if kind == "web" else self._runner.run(self._browser.fetch(url))

    def close(self) -> None:
        self._runner.run(self._browser.__aexit__())
        self._runner.close()
        self._web.close()


ALL_PARTS = BrowserOptions(quiet_seconds=0.15, settle_seconds=2.0, scrolls=0, blocked=frozenset(), requests=5000)


@pytest.fixture(scope="module")
def fetchers(server: Site, network: Network) -> Iterator[Fetchers]:
    started = Fetchers(server)
    yield started
    started.close()


@pytest.fixture
def site(server: Site, trap: Secret, network: Network) -> Iterator[Site]:
    """The allowed site, empty; behind it the check of all tests here."""
    server.replies.clear()
    server.sent.clear()
    network.connected.clear()
    network.asked.clear()
    network.strangers.clear()
    yield server
    assert trap.seen == []
    assert trap.datagrams() == 0
    assert network.strangers == []
    own = ("127.0.0.1", server.server_port)
    assert [one for one in set(network.connected) - {own} if why_refused(one[0])] == []


ALL = ("web", pytest.param("browser", marks=(needs.browser, needs.thorough)))
"""The two that connect: what is behind `LiveWeb` and `WebFetcher`, and the browser by itself."""


def refused(fetchers: Fetchers, kind: str, url: str) -> FetchError:
    with pytest.raises(FetchError) as caught:
        fetch_until_it_goes(fetchers, kind, url)
    return caught.value


def fetch_until_it_goes(fetchers: Fetchers, kind: str, url: str) -> None:
    """Fetch a page: on a busy machine a browser may be done with it before the page goes elsewhere."""
    for _ in range(20):
        assert "SECRET" not in str(fetchers.fetch(kind, url).body)


HOSTS = {
    "loopback": "127.0.0.1",
    "another address of loopback": "127.0.0.2",
    "the last address of loopback": "127.255.255.254",
    "decimal": "2130706433",
    "decimal, beyond 32 bits": "6425673729",
    "octal": "0177.0.0.1",
    "octal in one": "017700000001",
    "octal with many zeros": "0000000177.0.0.01",
    "hexadecimal": "0x7f.0.0.1",
    "hexadecimal in one": "0x7f000001",
    "hexadecimal in capitals": "0X7F.0x0.0X0.0x1",
    "hexadecimal, padded": "0x0000007f.1",
    "short": "127.1",
    "short, three parts": "127.0.1",
    "mixed": "0x7f.0.1",
    "mixed, three ways": "0177.0x0.1",
    "one zero": "0",
    "hexadecimal zero": "0x",
    "unspecified": "0.0.0.0",  # noqa: S104
    "this network": "0.1.2.3",
    "a part too large": "383.0.0.1",
    "five parts": "127.0.0.1.1",
    "trailing dot": "127.0.0.1.",
    "trailing dots": "127.0.0.1..",
    "short with a dot": "127.1.",
    "localhost": "localhost",
    "localhost in capitals": "LOCALHOST",
    "localhost with a dot": "localhost.",
    "localhost, long": "localhost.localdomain",
    "below localhost": "a.localhost",
    "percent-encoded": "%31%32%37.0.0.1",
    "percent-encoded twice": "%2531%2532%2537.0.0.1",
    "percent-encoded dots": "127%2e0%2e0%2e1",
    "an end in the middle": "127.0.0.1%00.public.example",
    "full-width digits": "１２７.０.０.１",
    "circled digits": "①②⑦.⓪.⓪.①",
    "mathematical digits": "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
    "superscript digits": "¹²⁷.0.0.1",
    "ideographic dots": "127。0。0。1",
    "full-width dots": "127．0．0．1",
    "half-width dots": "127｡0｡0｡1",
    "circled letters": "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
    "a soft hyphen": "127.0.0\u00ad.1",
    "a zero-width space": "127.0.0\u200b.1",
    "a joiner": "local\u2060host",
    "a tab": "127.0.\t0.1",
    "a line break": "127.0.\n0.1",
    "loopback of IPv6": "[::1]",
    "loopback of IPv6, long": "[0:0:0:0:0:0:0:1]",
    "loopback of IPv6, padded": "[0000::0001]",
    "loopback of IPv6, in part": "[0:0::0:1]",
    "unspecified of IPv6": "[::]",
    "unspecified of IPv6, long": "[0:0:0:0:0:0:0:0]",
    "mapped": "[::ffff:127.0.0.1]",
    "mapped in hexadecimal": "[::ffff:7f00:1]",
    "mapped in capitals": "[0:0:0:0:0:FFFF:7F00:0001]",
    "compatible": "[::127.0.0.1]",
    "compatible in hexadecimal": "[::7f00:1]",
    "translated, old": "[::ffff:0:127.0.0.1]",
    "translated (NAT64)": "[64:ff9b::127.0.0.1]",
    "translated, local": "[64:ff9b:1::7f00:1]",
    "tunnelled (6to4)": "[2002:7f00:1::1]",
    "tunnelled (Teredo)": "[2001:0:7f00:1:8000:63bf:80ff:fffe]",
    "a zone": "[::1%25lo]",
    "a bare zone": "[::1%lo]",
    "a zone of the link": "[fe80::1%25eth0]",
    "brackets around IPv4": "[127.0.0.1]",
    "a future address": "[v1.127.0.0.1]",
    "local link": "169.254.1.1",
    "local link of IPv6": "[fe80::1]",
    "metadata": "169.254.169.254",
    "metadata, decimal": "2852039166",
    "metadata, mapped": "[::ffff:a9fe:a9fe]",
    "metadata of containers": "169.254.170.2",
    "metadata of AWS by IPv6": "[fd00:ec2::254]",
    "metadata of Google by IPv6": "[fd20:ce::254]",
    "metadata of Azure": "168.63.129.16",
    "metadata of Alibaba": "100.100.100.200",
    "metadata of Oracle": "192.0.0.192",
    "private, ten": "10.0.0.1",
    "private, 172": "172.16.0.1",
    "private, 172, the end": "172.31.255.254",
    "private, 192": "192.168.0.1",
    "private of IPv6": "[fc00::1]",
    "private of IPv6, old": "[fec0::1]",
    "a provider's own": "100.64.0.1",
    "measurements": "198.18.0.1",
    "documentation": "192.0.2.1",
    "documentation of IPv6": "[2001:db8::1]",
    "discarded": "[100::1]",
    "multicast": "224.0.0.1",
    "multicast, neighbours": "239.255.255.250",
    "multicast of IPv6": "[ff02::1]",
    "broadcast": "255.255.255.255",
    "no use so far": "240.0.0.1",
    "a name inside": "inside.example",
    "a name inside, in capitals": "INSIDE.Example",
    "a name inside with a dot": "inside.example.",
    "a name inside by IPv6": "inside6.example",
    "a name that is mapped": "mapped.example",
    "a name that is translated": "translated.example",
    "a name on the local link": "zone.example",
    "a name without address": "zero.example",
    "a name of metadata": "metadata.example",
    "a name of a router": "router.example",
    "a name that looks like an address": "127.0.0.1.nip.example",
    "a name in another script": "bücher.example",
    "a name in full width": "ｉｎｓｉｄｅ.example",
    "a name with an underscore": "under_score.example",
    "a name with both": "both.example",
    "a name with both, inside first": "both-inside-first.example",
    "a name with both families": "both-families.example",
}
"""Spellings of hosts inside; each is asked for directly and as the end of a redirect."""

ADDRESSES = {
    "a user name": "http://public.example@127.0.0.1:{port}/",
    "a password": "http://public.example:80@127.0.0.1:{port}/",
    "two user names": "http://a@public.example@127.0.0.1:{port}/",
    "a user name that is allowed": "http://127.0.0.1:{own}@127.0.0.1:{port}/",
    "a user name that looks like a path": "http://public.example%2F@127.0.0.1:{port}/",
    "a backslash before the at": "http://public.example\\@127.0.0.1:{port}/",
    "a backslash behind the host": "http://127.0.0.1:{port}\\@public.example/",
    "backslashes for slashes": "http:\\\\127.0.0.1:{port}/",
    "one slash": "http:/127.0.0.1:{port}/",
    "no slash": "http:127.0.0.1:{port}/",
    "three slashes": "http:///127.0.0.1:{port}/",
    "a fragment with an at": "http://127.0.0.1:{port}#@public.example/",
    "a query with an at": "http://127.0.0.1:{port}?@public.example/",
    "a fragment in the host": "http://public.example#@127.0.0.1:{port}/",
    "two ports": "http://127.0.0.1:{port}:80/",
    "a port with zeros": "http://127.0.0.1:000{port}/",
    "a port in full width": "http://127.0.0.1：{port}/",
    "a space before the host": "http:// 127.0.0.1:{port}/",
    "spaces around": "  http://127.0.0.1:{port}/  ",
    "line breaks within": "ht\ntp://127.0.\r\n0.1:{port}/",
    "a control character before": "\x01http://127.0.0.1:{port}/",
    "capitals": "HTTP://127.0.0.1:{port}/",
    "TLS": "https://127.0.0.1:{port}/",
    "no scheme": "//127.0.0.1:{port}/",
    "no scheme, host first": "127.0.0.1:{port}/",
    "a semicolon": "http://127.0.0.1:{port};public.example/",
    "a comma": "http://public.example,127.0.0.1:{port}/",
    "file": "file:///etc/passwd",
    "file with a host": "file://127.0.0.1/etc/passwd",
    "file in capitals": "FILE:///etc/passwd",
    "ftp": "ftp://127.0.0.1:{port}/",
    "gopher": "gopher://127.0.0.1:{port}/_GET%20/",
    "dict": "dict://127.0.0.1:{port}/x",
    "ldap": "ldap://127.0.0.1:{port}/",
    "data": "data:text/html,<script>location='http://127.0.0.1:{port}/'</script>",
    "javascript": "javascript:fetch('http://127.0.0.1:{port}/')",
    "view-source": "view-source:http://127.0.0.1:{port}/",
    "blob": "blob:http://127.0.0.1:{port}/1",
    "filesystem": "filesystem:http://127.0.0.1:{port}/temporary/",
    "ws": "ws://127.0.0.1:{port}/",
    "wss": "wss://127.0.0.1:{port}/",
    "about": "about:blank",
    "chrome": "chrome://version/",
    "chrome-extension": "chrome-extension://aapocclcgogkmnckokdopfmhonfmgoek/",
    "devtools": "devtools://devtools/bundled/inspector.html?ws=127.0.0.1:{port}/",
    "jar": "jar:http://127.0.0.1:{port}/!/",
    "s3": "s3://127.0.0.1:{port}/",
    "unix": "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
}
"""Spellings of whole addresses, which are asked for directly and as the end of a redirect."""


def spelled(name: str, site: Site, trap: Secret) -> str:
    template = ADDRESSES.get(name) or f"http://{HOSTS[name]}:{{port}}/"
    return template.replace("{port}", str(trap.port)).replace("{own}", str(site.server_port))


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("name", [*HOSTS, *ADDRESSES])
def test_an_address(fetchers: Fetchers, site: Site, trap: Secret, network: Network, kind: str, name: str) -> None:
    error = refused(fetchers, kind, spelled(name, site, trap))
    if name in HOSTS:
        assert error.code in REFUSALS | {"host_not_found"}
        assert network.connected == []


STAYS = frozenset({"one slash", "no slash", "three slashes", "backslashes for slashes", "no scheme, host first"})
"""What is another path of the same host when a page leads there."""


@pytest.mark.parametrize("name", [*HOSTS, *ADDRESSES])
def test_a_redirect(fetchers: Fetchers, site: Site, trap: Secret, name: str) -> None:
    location = spelled(name, site, trap).replace("\n", "").replace("\r", "").strip()
    site.replies["/"] = Reply("", 302, {"Location": location.encode().decode("latin-1")})
    try:
        page = fetchers.fetch("web", site.url())
    except FetchError:
        return
    assert name in STAYS | {"a control character before", "a port in full width"}
    assert page.final_url.startswith(site.url())


class Lead(NamedTuple):
    """How an answer leads on; `{url}` is an address inside."""

    headers: Mapping[str, str]
    status: int = 200
    body: str = ""
    follows: tuple[str, ...] = ("web", "browser")
    """The fetchers that follow it; others take the page as it is."""


LEADS = {
    "301": Lead({"Location": "{url}"}, 301),
    "302": Lead({"Location": "{url}"}, 302),
    "303": Lead({"Location": "{url}"}, 303),
    "307": Lead({"Location": "{url}"}, 307),
    "308": Lead({"Location": "{url}"}, 308),
    "without a scheme": Lead({"Location": "//127.0.0.1:{port}/"}, 302),
    "without a scheme, with more slashes": Lead({"Location": "////127.0.0.1:{port}/"}, 302),
    "by TLS": Lead({"Location": "https://127.0.0.1:{port}/"}, 302),
    "to a number": Lead({"Location": "http://2130706433:{port}/"}, 302),
    "to a name": Lead({"Location": "http://inside.example:{port}/"}, 302),
    "to a name that changes": Lead({"Location": "http://changing.example:{port}/"}, 302),
    "to a user name": Lead({"Location": "http://a:b@127.0.0.1:{port}/"}, 302),
    "to metadata": Lead({"Location": "http://169.254.169.254/latest/meta-data/"}, 302),
    "to a file": Lead({"Location": "file:///etc/passwd"}, 302),
    "to data": Lead({"Location": "data:text/html,<p>SECRET"}, 302),
    "to chrome": Lead({"Location": "chrome://version/"}, 302),
    "to gopher": Lead({"Location": "gopher://127.0.0.1:{port}/"}, 302),
    "with a cookie": Lead({"Location": "{url}", "Set-Cookie": "a=b; Domain=127.0.0.1"}, 302),
    "by markup": Lead({}, body="<meta http-equiv=refresh content='0; url={url}'>"),
    "by markup, without quotes": Lead({}, body="<meta http-equiv=REFRESH content=0;URL={url}>"),
    "by a header": Lead({"Refresh": "0; url={url}"}, follows=("browser",)),
    "by a script": Lead({}, body="<script>location = '{url}'</script>", follows=("browser",)),
    "by a script, replacing": Lead({}, body="<script>location.replace('{url}')</script>", follows=("browser",)),
    "by a script, later": Lead(
        {}, body="<script>setTimeout(() => { location.href = '{url}' }, 30)</script>", follows=("browser",)
    ),
    "by a link that is clicked": Lead(
        {}, body="<a id=a href='{url}'>a</a><script>a.click()</script>", follows=("browser",)
    ),
    "by a form": Lead(
        {}, body="<form id=f method=post action='{url}'></form><script>f.submit()</script>", follows=("browser",)
    ),
    "by a base": Lead(
        {}, body="<base href='{url}'><a id=a href=x>a</a><script>a.click()</script>", follows=("browser",)
    ),
    "by a frame that leads its parent": Lead(
        {}, body="<iframe srcdoc=\"<script>top.location = '{url}'</script>\"></iframe>", follows=("browser",)
    ),
}


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("name", LEADS)
def test_a_page_that_leads_on(fetchers: Fetchers, site: Site, trap: Secret, kind: str, name: str) -> None:
    lead = LEADS[name]

    def named(text: str) -> str:
        return text.replace("{url}", f"http://127.0.0.1:{trap.port}/{kind}").replace("{port}", str(trap.port))

    headers = {field: named(value) for field, value in lead.headers.items()}
    site.replies["/"] = Reply("<p>Bees</p>" + named(lead.body), lead.status, headers)
    site.replies["/start"] = Reply("", 302, {"Location": "/"})  # a chain: an allowed step first
    if kind in lead.follows:
        assert refused(fetchers, kind, site.url("/start")).code in REFUSALS | {"connection_failed", "render_failed"}
    else:
        assert "SECRET" not in str(fetchers.fetch(kind, site.url("/start")).body)


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("name", [name for name in ANSWERS if name.startswith("rebinding")])
def test_a_name_that_changes(
    fetchers: Fetchers, site: Site, trap: Secret, network: Network, kind: str, name: str
) -> None:
    """The connection goes to the address that was checked, however often the name is looked up."""
    refused(fetchers, kind, f"http://{name}:{trap.port}/")
    assert set(network.connected) <= {(PUBLIC, trap.port)}
    assert name in network.asked


@pytest.mark.parametrize(
    "location", ["http://127.0.0.1:{port}/robots.txt", "//inside.example:{port}/", "http://2130706433:{port}/"]
)
def test_a_robots_txt_that_leads_inside(fetchers: Fetchers, trap: Secret, location: str) -> None:
    with running() as other:  # the fetchers remember the robots.txt of a site
        other.replies["/robots.txt"] = Reply("", 302, {"Location": location.replace("{port}", str(trap.port))})
        with suppress(FetchError):
            fetchers.fetch("web", other.url("/"))
    assert trap.seen == []


def test_what_robots_feeds_and_sitemaps_name(fetchers: Fetchers, site: Site, trap: Secret) -> None:
    """Whoever reads them fetches what they name; that is refused like all else, and the fetchers read none themselves."""
    inside = f"http://127.0.0.1:{trap.port}"
    site.replies["/robots.txt"] = Reply(f"User-agent: *\nSitemap: {inside}/sitemap.xml\n")
    site.replies["/feed.xml"] = Reply(f"<rss><channel><item><link>{inside}/item</link></item></channel></rss>")
    site.replies["/"] = Reply("", headers={"Link": f"<{inside}/feed.xml>; rel=alternate"})
    for path in ("/robots.txt", "/feed.xml", "/"):
        assert fetchers.fetch("web", site.url(path)).status == 200
    for path in ("/sitemap.xml", "/item", "/feed.xml"):
        assert refused(fetchers, "web", inside + path).code == "address_refused"


@pytest.mark.parametrize("variable", ["http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"])
def test_a_proxy_of_the_environment(
    fetchers: Fetchers, site: Site, trap: Secret, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, f"http://name:password@127.0.0.1:{trap.port}")

    site.replies["/"] = Reply("Bees")
    with WebFetcher(fetchers.settings) as new:
        page = new.fetch(site.url())
    assert page.body == b"Bees"
    assert not any(name.lower().startswith("proxy") for name in site.sent)


@pytest.mark.parametrize("domain", ["127.0.0.1", "example.co.uk", "co.uk", ".", "localhost"])
def test_a_cookie(fetchers: Fetchers, site: Site, domain: str) -> None:
    """Whoever keeps cookies must know which suffixes are public; they are not asked for past the guard."""
    site.replies["/"] = Reply("Bees", headers={"Set-Cookie": f"a=b; Domain={domain}"})
    assert fetchers.fetch("web", site.url()).body == b"Bees"


@pytest.mark.parametrize(
    ("allowed", "url"),
    [
        (("127.0.0.1:{own}",), "http://127.0.0.1:{port}/"),
        (("127.0.0.1:{own}",), "http://localhost:{own}/"),
        (("localhost:{own}",), "http://localhost:{port}/"),
        (("localhost:{own}",), "http://127.0.0.1:{own}/"),
        (("localhost",), "http://127.0.0.1:{port}/"),
        (("localhost",), "http://localhost.localdomain:{port}/"),
        (("localhost",), "http://a.localhost:{port}/"),
        (("127.0.0.2",), "http://127.0.0.1:{port}/"),
        (("127.0.0.1",), "http://[::ffff:127.0.0.1]:{port}/"),
        (("127.0.0.1",), "http://2130706433:{port}/"),
        (("127.0.0.1",), "http://inside.example:{port}/"),
        (("[::1]:1",), "http://[::1]:{port}/"),
        (("inside.example:1",), "http://inside.example:{port}/"),
        (("example",), "http://inside.example:{port}/"),
        (("inside",), "http://inside.example:{port}/"),
        (("*",), "http://127.0.0.1:{port}/"),
        (("*.example",), "http://inside.example:{port}/"),
        (("127.0.0.0/8",), "http://127.0.0.1:{port}/"),
        (("",), "http://127.0.0.1:{port}/"),
    ],
)
@pytest.mark.parametrize("kind", ALL)
def test_a_host_that_is_allowed_opens_no_other(
    network: Network, site: Site, trap: Secret, kind: str, allowed: tuple[str, ...], url: str
) -> None:
    def named(text: str) -> str:
        return text.replace("{port}", str(trap.port)).replace("{own}", str(site.server_port))

    settings = FetchSettings(allow_hosts=tuple(map(named, allowed)), pause_seconds=0, seconds=120)

    async def ask() -> None:
        async with LiveWeb(settings) as web, BrowserFetcher(settings) as browser:
            await (web.fetch if kind == "web" else browser.fetch)(named(url))

    with pytest.raises(FetchError) as caught:
        asyncio.run(ask())
    assert caught.value.code in REFUSALS
    assert network.connected == []


PARTS = {
    "frame": "<iframe src='{url}'></iframe>",
    "nested frame": "<iframe srcdoc=\"<iframe srcdoc='&lt;iframe src={url}>'></iframe>\"></iframe>",
    "frame of data": "<iframe src=\"data:text/html,<script src='{url}'></script>\"></iframe>",
    "frame of javascript": "<iframe src=\"javascript:'<script src={url}></script>'\"></iframe>",
    "frame, lazy": "<iframe loading=lazy src='{url}'></iframe>",
    "frame, sandboxed": "<iframe sandbox=allow-scripts srcdoc=\"<script>fetch('{url}')</script>\"></iframe>",
    "frame, later": "<iframe id=i></iframe><script>i.contentWindow.location = '{url}'</script>",
    "object": "<object data='{url}'></object>",
    "embed": "<embed src='{url}'>",
    "script": "<script src='{url}.js'></script>",
    "script, module": "<script type=module src='{url}.js'></script>",
    "script, import": "<script type=module>import '{url}.js'</script>",
    "script, dynamic import": "<script>import('{url}.js').catch(() => 0)</script>",
    "script, import map": '<script type=importmap>{{"imports": {{"a": "{url}.js"}}}}</script><script type=module>import "a"</script>',
    "script, written": "<script>document.write('<script src={url}.js><\\/script>')</script>",
    "script, of a decimal address": "<script src='http://2130706433:{port}/decimal.js'></script>",
    "script, made": "<script>const s = document.createElement('script'); s.src = '{url}.js'; document.head.append(s)</script>",
    "picture": "<img src='{url}'>",
    "picture of a set": "<img srcset='{url} 1x'>",
    "picture of a source": "<picture><source srcset='{url}'><img></picture>",
    "picture, made": "<script>new Image().src = '{url}'</script>",
    "picture of a button": "<input type=image src='{url}'>",
    "picture of a film": "<video poster='{url}'></video>",
    "picture of a body": "<body background='{url}'>x",
    "picture of a drawing": "<svg><image href='{url}'/></svg>",
    "picture of a filter": "<svg width=9 height=9><filter id=f><feImage href='{url}'/></filter><rect width=9 height=9 filter='url(#f)'/></svg>",
    "use of a drawing": "<svg><use href='{url}#a'/></svg>",
    "film": "<video src='{url}' autoplay muted></video>",
    "film of a source": "<video autoplay muted><source src='{url}'></video>",
    "sound": "<audio src='{url}' preload=auto></audio>",
    "subtitles": "<video crossorigin><track id=t default src='{url}'></video><script>t.track.mode = 'showing'</script>",
    "stylesheet": "<link rel=stylesheet href='{url}.css'>",
    "stylesheet, import": "<style>@import '{url}.css';</style>",
    "stylesheet, picture": "<p style='background: url({url})'>x",
    "stylesheet, content": "<style>p::before {{content: url({url})}}</style><p>x",
    "stylesheet, cursor": "<p style='cursor: url({url}), auto'>x",
    "stylesheet, mask": "<p style='mask-image: url({url}); width: 9px'>x",
    "stylesheet, set": "<p style='background: image-set(url({url}) 1x)'>x",
    "font": "<style>@font-face {{font-family: f; src: url({url})}} p {{font-family: f}}</style><p>x",
    "font, made": "<script>new FontFace('f', 'url({url})').load().catch(() => 0)</script>",
    "fetch": "<script>fetch('{url}').catch(() => 0)</script>",
    "fetch, kept alive": "<script>fetch('{url}', {{keepalive: true, method: 'POST'}}).catch(() => 0)</script>",
    "fetch, by TLS": "<script>fetch('{tls}').catch(() => 0)</script>",
    "fetch, by a name": "<script>fetch('http://inside.example:{port}/name').catch(() => 0)</script>",
    "fetch, by a name of this machine": "<script>fetch('http://localhost:{port}/localhost').catch(() => 0)</script>",
    "fetch, by IPv6": "<script>fetch('http://[::1]:{port}/six').catch(() => 0)</script>",
    "fetch, by a redirect": "<script>fetch('/to-the-secret?' + encodeURIComponent('{url}')).catch(() => 0)</script>",
    "XHR": "<script>const x = new XMLHttpRequest(); x.open('GET', '{url}'); x.send()</script>",
    "XHR, waiting": "<script>const x = new XMLHttpRequest(); x.open('GET', '{url}', false); try {{ x.send() }} catch {{}}</script>",
    "beacon": "<script>navigator.sendBeacon('{url}', 'x')</script>",
    "ping": "<a id=a href='#x' ping='{url}'>a</a><script>a.click()</script>",
    "event source": "<script>new EventSource('{url}')</script>",
    "socket": "<script>new WebSocket('ws://127.0.0.1:{port}/socket')</script>",
    "socket, by TLS": "<script>new WebSocket('wss://127.0.0.1:{port}/socket')</script>",
    "worker": "<script>new Worker(URL.createObjectURL(new Blob([\"fetch('{url}').catch(() => 0)\"])))</script>",
    "worker, scripts": "<script>new Worker(URL.createObjectURL(new Blob([\"importScripts('{url}.js')\"])))</script>",
    "worker, module": "<script>new Worker(URL.createObjectURL(new Blob([\"import '{url}.js'\"], {{type: 'text/javascript'}})), {{type: 'module'}})</script>",
    "worker, socket": "<script>new Worker(URL.createObjectURL(new Blob([\"new WebSocket('ws://127.0.0.1:{port}/w')\"])))</script>",
    "worker, shared": "<script>new SharedWorker(URL.createObjectURL(new Blob([\"fetch('{url}').catch(() => 0)\"])))</script>",
    "worker, of a service": "<script>navigator.serviceWorker.register('/service.js').catch(() => 0)</script>",
    "worklet": "<script>CSS.paintWorklet.addModule('{url}.js').catch(() => 0)</script>",
    "worklet of sound": "<script>new AudioContext().audioWorklet.addModule('{url}.js').catch(() => 0)</script>",
    "assembly": "<script>WebAssembly.compileStreaming(fetch('{url}')).catch(() => 0)</script>",
    "cache": "<script>caches.open('c').then(cache => cache.add('{url}')).catch(() => 0)</script>",
    "form": "<form target=sent method=post action='{url}' id=f></form><iframe name=sent></iframe><script>f.submit()</script>",
    "form of a button": "<form id=f><button id=b formaction='{url}' formtarget=clicked></button></form><iframe name=clicked></iframe><script>b.click()</script>",
    "window": "<script>open('{url}')</script>",
    "window without a way back": "<script>open('{url}', '_blank', 'noopener')</script>",
    "link to a window": "<a id=a target=_blank href='{url}'>a</a><script>a.click()</script>",
    "download": "<a id=a download href='{url}'>a</a><script>a.click()</script>",
    "location": "<script>location = '{url}'</script>",
    "location by markup": "<meta http-equiv=refresh content='0; url={url}'>",
    "preload": "<link rel=preload as=fetch crossorigin href='{url}'>",
    "preload of a module": "<link rel=modulepreload href='{url}.js'>",
    "prefetch": "<link rel=prefetch href='{url}'>",
    "preconnect": "<link rel=preconnect href='{url}'>",
    "look-up in advance": "<link rel=dns-prefetch href='//inside.example:{port}'>",
    "icon": "<link rel=icon href='{url}'>",
    "manifest": "<link rel=manifest href='{url}'>",
    "dictionary": "<link rel=compression-dictionary href='{url}'>",
    "speculation": '<script type=speculationrules>{{"prefetch": [{{"urls": ["{url}"]}}], "prerender": [{{"urls": ["{url}"]}}]}}</script>',
    "attribution": "<img attributionsrc='{url}' src='data:,'>",
    "sign-in": "<script>navigator.credentials.get({{identity: {{providers: [{{configURL: '{tls}', clientId: 'a'}}]}}}}).catch(() => 0)</script>",
    "payment": "<script>try {{ new PaymentRequest([{{supportedMethods: '{tls}'}}], {{total: {{label: 'a', amount: {{currency: 'EUR', value: '1'}}}}}}).canMakePayment().catch(() => 0) }} catch {{}}</script>",
    "peers": "<iframe id=i></iframe><script>for (const scope of [window, i.contentWindow]) try {{"
    " const peer = new scope.RTCPeerConnection({{iceServers: [{{urls: ['stun:127.0.0.1:{port}']}},"
    " {{urls: ['turn:127.0.0.1:{port}?transport=tcp', 'turn:127.0.0.1:{port}'], username: 'a', credential: 'b'}}]}});"
    " peer.createDataChannel('x'); peer.createOffer().then(offer => peer.setLocalDescription(offer)) }} catch {{}}</script>",
    "transport": "<iframe id=i></iframe><script>for (const scope of [window, i.contentWindow]) try {{ new scope.WebTransport('{tls}') }} catch {{}}</script>",
    "transport of a worker": "<script>new Worker(URL.createObjectURL(new Blob([\"new WebTransport('{tls}')\"])))</script>",
    "style of a document": "<iframe src='/styled.xml'></iframe>",
}
"""What a browser loads; each in a frame of its own. `{url}` is an address inside."""

HEADERS = {
    "preload by a header": {"Link": "<{url}>; rel=preload; as=image"},
    "prefetch by a header": {"Link": "<{url}>; rel=prefetch"},
    "stylesheet by a header": {"Link": "<{url}.css>; rel=stylesheet"},
    "report of a policy": {"Content-Security-Policy": "img-src 'none'; report-uri {url}"},
    "report by an endpoint": {
        "Reporting-Endpoints": 'e="{url}"',
        "Content-Security-Policy": "img-src 'none'; report-to e",
    },
    "another service": {"Alt-Svc": 'h2="127.0.0.1:{port}"; ma=9, h3="127.0.0.1:{port}"; ma=9'},
    "leading on by a header": {"Refresh": "0; url={url}"},
}
"""What a browser loads because of the headers of a frame."""

UNLOADED = frozenset(
    (
        "look-up in advance", "icon", "manifest", "dictionary", "speculation", "attribution", "sign-in", "payment",
        "peers", "transport", "transport of a worker", "worker, of a service", "report by an endpoint", "another service",
        "ping", "download", "preconnect", "stylesheet by a header", "use of a drawing", "style of a document",
    )
)  # fmt: skip
"""What Chromium does not load, or not so that it shows, even if it may."""


def lay(site: Site, port: int) -> dict[str, str]:
    """Lay out all tricks, each on a page of its own, and one page with all of them in frames; return their paths."""
    paths = {name: f"/{number}" for number, name in enumerate([*PARTS, *HEADERS])}
    for name, path in paths.items():
        inside = {"url": f"http://127.0.0.1:{port}{path}", "tls": f"https://127.0.0.1:{port}{path}", "port": port}
        headers = {field: value.format(**inside) for field, value in HEADERS.get(name, {}).items()}
        site.replies[f"{path}.html"] = Reply(PARTS.get(name, "<img src=/x.png>").format(**inside), headers=headers)
        moved = f"/to-the-secret?{inside['url'].replace(':', '%3A').replace('/', '%2F')}"
        site.replies[moved] = Reply("", 302, {"Location": str(inside["url"])})
    site.replies["/service.js"] = Reply(
        f"fetch('http://127.0.0.1:{port}/service')", headers={"Content-Type": "text/javascript"}
    )
    styled = f"<?xml-stylesheet type='text/css' href='http://127.0.0.1:{port}/styled.css'?><a>x</a>"
    site.replies["/styled.xml"] = Reply(styled, headers={"Content-Type": "text/xml"})
    frames = "".join(f"<iframe src='{html.escape(path)}.html'></iframe>" for path in paths.values())
    site.replies["/all"] = Reply(f"<p>Bees</p>{frames}")
    return paths


@needs.thorough
@needs.browser
class TestWhatABrowserLoads:
    def test_from_an_allowed_page(self, fetchers: Fetchers, site: Site, trap: Secret) -> None:
        lay(site, trap.port)
        body = str(fetchers.fetch("browser", site.url("/all")).body)
        assert "Bees" in body
        assert "SECRET" not in body

    def test_of_hosts_in_every_spelling(self, fetchers: Fetchers, site: Site, trap: Secret) -> None:
        urls = [spelled(name, site, trap) for name in (*HOSTS, *ADDRESSES) if name not in STAYS]
        listed = json.dumps(urls).replace("</", "<\\/")
        script = (
            f"for (const url of {listed}) {{ try {{ fetch(url).catch(() => 0) }} catch {{}} new Image().src = url }}"
        )
        site.replies["/"] = Reply(f"<p>Bees</p><script>{script}</script>")
        assert "Bees" in str(fetchers.fetch("browser", site.url()).body)

    def test_where_the_environment_would_have_it_otherwise(
        self, site: Site, trap: Secret, fetchers: Fetchers, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Proxies, and Playwright's switch to let a browser reach this machine directly."""
        for variable in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(variable, f"http://127.0.0.1:{trap.port}")
        monkeypatch.setenv("PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK", "1")
        lay(site, trap.port)

        async def render() -> Page:
            async with BrowserFetcher(fetchers.settings, options=ALL_PARTS) as browser:
                return await browser.fetch(site.url("/all"))

        assert "Bees" in str(asyncio.run(render()).body)

    @pytest.mark.usefixtures("network")
    def test_the_tricks_are_real(self, server: Site) -> None:
        """With the secret allowed, the same page does reach it; else the tests above would show nothing."""
        allowed = Secret()
        server.replies.clear()
        paths = lay(server, allowed.port)
        hosts = ("127.0.0.1", "localhost", "inside.example", "[::1]")
        settings = FetchSettings(allow_hosts=hosts, pause_seconds=0, seconds=120)

        async def render() -> Page:
            async with BrowserFetcher(settings, options=ALL_PARTS) as browser:
                return await browser.fetch(server.url("/all"))

        special = {
            "script, of a decimal address": "/decimal.js", "fetch, by a name": "/name", "fetch, by TLS": "\x16\x03",
            "fetch, by a name of this machine": "/localhost", "fetch, by IPv6": "/six", "socket": "/socket",
            "socket, by TLS": "\x16\x03", "worker, socket": "/w ", "preconnect": "an empty connection",
        }  # fmt: skip
        missing = set(paths) - UNLOADED
        for _ in range(10):  # on a busy machine a page may be taken before all its parts are asked for
            asyncio.run(render())
            seen = " ".join(allowed.seen)
            missing = {
                name
                for name in missing
                if special.get(name, f" {paths[name]} ") not in seen
                and special.get(name, f" {paths[name]}.") not in seen
            }
            if not missing:
                break
        allowed.close()
        assert missing == set()


def test_rendering_through_the_one_seam(network: Network, site: Site, trap: Secret) -> None:
    """`LiveWeb` asks robots.txt first, which is refused already."""

    async def run() -> None:
        settings = FetchSettings(pause_seconds=0, seconds=120)
        async with LiveWeb(settings) as web:
            for render in ("static", "browser") if web.can_render else ("static",):
                with pytest.raises(FetchError) as caught:
                    await web.fetch(f"http://127.0.0.1:{trap.port}/", render)  # type: ignore[arg-type]
                assert caught.value.code == "address_refused"

    asyncio.run(run())


def test_the_table_is_long_enough() -> None:
    assert len(HOSTS) + len(ADDRESSES) + len(LEADS) + len(PARTS) + len(HEADERS) > 60
