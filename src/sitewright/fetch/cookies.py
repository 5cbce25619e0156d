"""Requests in, the same out with the cookies that were set on the way to their page, or that are set for their site.

Many sites set a cookie and lead back to the page, again and again where it is not there. Nothing is kept beyond that:
each page starts with what a person set for its site, so what is read does not depend on what was read before. Scrapy's
own middleware keeps all cookies, and asks the web for the list of public suffixes, past the guard.
"""

from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.http import Response
from scrapy.http.cookies import CookieJar

from sitewright.errors import TooManyRedirects
from sitewright.fetch.site_access import SITES, Access, fill
from sitewright.fetch.time_limit import Stopped

if TYPE_CHECKING:
    from scrapy.crawler import Crawler as ScrapyCrawler

_JAR, _SENT, _FILLED = "sitewright_cookies", "sitewright_sent", "sitewright_filled"


class PageCookies:
    """Keeps the cookies of one page in the `meta` of its requests; a part of Scrapy's chain."""

    def __init__(self, access: Access) -> None:
        self._access = access

    @classmethod
    def from_crawler(cls, crawler: "ScrapyCrawler") -> Self:
        return cls(crawler.settings[SITES])

    def process_request(self, request: Request) -> None:
        """Send the cookies that the redirects before have set, and those of its site."""
        jar: CookieJar = request.meta.setdefault(_JAR, CookieJar())
        self._fill(jar, request)
        request.headers.pop("Cookie", None)
        jar.add_cookie_header(request)
        _refuse_loop(request)

    def _fill(self, jar: CookieJar, request: Request) -> None:
        """Begin with the cookies of a site, once; what was sent with them is not kept in the cache."""
        host = urlsplit(request.url).hostname or ""
        filled: set[str] = request.meta.setdefault(_FILLED, set())
        if self._access.is_set(host):
            request.meta["dont_cache"] = True
            if host not in filled:
                fill(jar, self._access.of(host).cookies)
        filled.add(host)

    def process_response(self, request: Request, response: Response) -> Response:
        jar: CookieJar = request.meta[_JAR]
        jar.extract_cookies(response, request)
        return response


def _refuse_loop(request: Request) -> None:
    """Stop where a page leads back to one that had the same cookies: it would lead on for ever."""
    url = request.url.partition("#")[0]
    sent: set[tuple[str, bytes, int]] = request.meta.setdefault(_SENT, set())
    asked = (url, request.headers.get("Cookie") or b"", request.meta.get("retry_times", 0))
    if asked in sent:
        first, *_ = request.meta["redirect_urls"]
        raise Stopped(TooManyRedirects(f"{first} leads back to {url}; it may want a login or cookies"))
    sent.add(asked)
