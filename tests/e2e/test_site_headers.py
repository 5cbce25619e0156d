"""A browser sends what was set for a site to its hosts, through all redirects, and to nobody else."""

import asyncio

from tests import needs
from tests.fetch.recording import serving

from sitewright.fetch import LiveWeb
from sitewright.types import Cookie, FetchSettings, Page, SiteAccess

pytestmark = needs.browser

SECRET = "s3cr3t"  # noqa: S105


def test_headers_cookies_and_proxy_in_a_browser() -> None:
    async def render(*urls: str) -> list[Page]:
        async with LiveWeb(settings) as web:
            return [await web.fetch(url, "browser") for url in urls]

    with serving() as site, serving("127.0.0.2") as other, serving("127.0.0.3", proxy=True) as proxy:
        session = Cookie(name="session", value=SECRET, domain="127.0.0.1")
        access = SiteAccess(
            headers={"X-Key": SECRET},
            cookies=(session,),
            storage={site.url("").rstrip("/"): {"token": "t"}},
            proxy=f"http://bee:sting@127.0.0.3:{proxy.server_port}",
        )
        settings = FetchSettings(allow_hosts=("127.0.0.1", "127.0.0.2"), pause_seconds=0, sites={"127.0.0.1": access})
        site.leads |= {"/out": other.url("/there"), "/inside": "/home"}
        site.sets["/home"] = "session=another"
        home, _, _ = asyncio.run(render(site.url("/inside"), site.url("/out"), other.url("/plain")))
        for path in ("/inside", "/home", "/out"):
            assert site.headers_of(path)["x-key"] == SECRET
            assert site.headers_of(path)["cookie"] == f"session={SECRET}"
        assert {"/there", "/plain"} <= {path for path, _ in other.asked}
        assert SECRET not in str(other.asked)
        assert site.url("/home") in [path for path, _ in proxy.asked]
        assert "set-cookie" not in home.headers
