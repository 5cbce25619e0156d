"""What is set for a site reaches its hosts and nobody else, and is kept nowhere."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fetch.recording import Server, serving

from sitewright.errors import AddressRefused, ConnectionFailed, SitewrightError
from sitewright.fetch import LiveWeb, retry
from sitewright.fetch.site_access import Access, cookies_for, storage_state
from sitewright.types import Cookie, FetchSettings, Page, SiteAccess

SECRET = "s3cr3t"  # noqa: S105
SESSION = Cookie(name="session", value=SECRET, domain="127.0.0.1")
MINE = SiteAccess(headers={"X-Key": SECRET, "User-Agent": "BeeBot"}, cookies=(SESSION,))


@pytest.fixture
def site() -> Iterator[Server]:
    with serving() as server:
        yield server


@pytest.fixture
def other() -> Iterator[Server]:
    with serving("127.0.0.2") as server:
        yield server


def fetched(*urls: str, access: SiteAccess = MINE, allowed: tuple[str, ...] = (), cache: str = "") -> list[Page]:
    settings = FetchSettings(
        allow_hosts=allowed or ("127.0.0.1", "127.0.0.2"), pause_seconds=0, cache=cache, sites={"127.0.0.1": access}
    )

    async def run() -> list[Page]:
        async with LiveWeb(settings) as web:
            return [await web.fetch(url, cached=True) for url in urls]

    return asyncio.run(run())


def test_headers_and_cookies_are_for_the_site_alone(site: Server, other: Server) -> None:
    site.leads["/out"] = other.url("/there")
    other.leads["/back"] = site.url("/home")
    fetched(site.url("/out"), other.url("/back"))
    assert site.headers_of("/out")["x-key"] == SECRET
    assert site.headers_of("/out")["cookie"] == f"session={SECRET}"
    assert site.headers_of("/out")["user-agent"] == "BeeBot"
    assert site.headers_of("/home")["x-key"] == SECRET
    assert other.headers_of("/there")["user-agent"].startswith("Sitewright/")
    assert SECRET not in str(other.asked)


def test_a_page_begins_with_the_cookies_of_the_file(site: Server) -> None:
    site.sets["/one"] = "session=new"
    one, two = fetched(site.url("/one"), site.url("/two"))
    assert site.headers_of("/two")["cookie"] == f"session={SECRET}"
    assert "Set-Cookie" not in one.headers
    assert "Set-Cookie" not in two.headers


def test_cookies_go_where_they_belong(site: Server) -> None:
    cookies = (
        Cookie(name="secure", value="1", domain="127.0.0.1", secure=True),
        Cookie(name="below", value="2", domain="127.0.0.1", path="/news"),
        Cookie(name="over", value="3", domain="127.0.0.1", expires=1.0),
        Cookie(name="lasts", value="4", domain="127.0.0.1", expires=4e9),
    )
    fetched(site.url("/"), site.url("/news/bees"), access=SiteAccess(cookies=cookies))
    assert site.headers_of("/")["cookie"] == "lasts=4"
    assert sorted(site.headers_of("/news/bees")["cookie"].split("; ")) == ["below=2", "lasts=4"]


def test_a_site_has_the_cookies_of_its_hosts_only() -> None:
    wide = Cookie(name="a", value="1", domain="example.com", secure=True, expires=9.0)
    held = (
        wide,
        Cookie(name="b", value="2", domain="example.com", host_only=True),
        Cookie(name="c", value="3", domain="de.news.example.com"),
        Cookie(name="d", value="4", domain="other.example"),
    )
    assert [(cookie.name, cookie.domain) for cookie in cookies_for("news.example.com", held)] == [
        ("a", "news.example.com"),
        ("c", "de.news.example.com"),
    ]
    assert [cookie.name for cookie in cookies_for("example.com", held)] == ["a", "b", "c"]


def test_nothing_is_kept_in_the_cache(site: Server, tmp_path: Path) -> None:
    fetched(site.url("/"), site.url("/"), cache=str(tmp_path))
    assert [path for path, _ in site.asked].count("/") == 2
    assert not any(SECRET.encode() in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_nothing_is_shown() -> None:
    settings = FetchSettings(sites={"a.example": SiteAccess(headers={"a": SECRET}, cookies=(SESSION,), proxy=SECRET)})
    shown = f"{settings!r} {settings} {SESSION} {Access(settings.sites)}"
    assert SECRET not in shown
    assert "a.example" in shown


def test_through_the_proxy_of_a_site(site: Server, other: Server) -> None:
    with serving("127.0.0.3", proxy=True) as proxy:
        through = SiteAccess(proxy=f"http://bee:sting@127.0.0.3:{proxy.server_port}")
        page, _ = fetched(site.url("/bees"), other.url("/"), access=through)
        assert b"dance" in bytes(page.body)  # type: ignore[arg-type]
        assert site.url("/bees") in [path for path, _ in proxy.asked]
        assert not any("127.0.0.2" in path for path, _ in proxy.asked)
        assert "proxy-authorization" not in site.headers_of("/bees")
        site.leads["/inside"] = f"http://127.0.0.1:{proxy.server_port}/"
        with pytest.raises(AddressRefused):  # the proxy is for what goes through it, and no place to fetch from
            fetched(proxy.url("/"), access=through)


def test_a_proxy_leads_to_no_private_network(site: Server) -> None:
    with serving("127.0.0.3", proxy=True) as proxy:
        through = SiteAccess(proxy=f"http://bee:sting@127.0.0.3:{proxy.server_port}")
        with pytest.raises(AddressRefused):
            fetched(site.url("/bees"), access=through, allowed=("127.0.0.2",))
        assert proxy.asked == []
    assert site.asked == []


@pytest.mark.parametrize("login", [f"{SECRET}:x@", ""])
def test_a_proxy_that_refuses_is_told_without_its_password(
    site: Server, login: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "_FIRST_PAUSE", 0.01)
    with serving("127.0.0.3", proxy=True) as proxy:
        address = f"http://{login}127.0.0.3:{proxy.server_port}"
        (page,) = fetched(site.url("/bees"), access=SiteAccess(proxy=address))
        assert page.status == 407
        assert SECRET not in str(page)
    with pytest.raises(SitewrightError, match="the proxy of its site") as error:
        fetched(site.url("/bees"), access=SiteAccess(proxy=address))
    assert isinstance(error.value, ConnectionFailed)
    assert SECRET not in str(error.value)


def test_for_a_browser() -> None:
    cookies = (
        Cookie(name="a", value="1", domain="example.com", http_only=True),
        Cookie(name="b", value="2", domain="example.com", host_only=True, expires=7.0),
    )
    state = storage_state(SiteAccess(cookies=cookies, storage={"https://example.com": {"token": "x"}}))
    assert [(cookie["domain"], cookie["expires"]) for cookie in state["cookies"]] == [
        (".example.com", -1),
        ("example.com", 7.0),
    ]
    assert state["origins"] == [{"origin": "https://example.com", "localStorage": [{"name": "token", "value": "x"}]}]
    assert storage_state(SiteAccess(proxy="http://a/")) is None
