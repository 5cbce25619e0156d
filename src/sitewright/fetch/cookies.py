"""Requests in, the same out with the cookies that were set on the way to their page; each page starts with none.

Many sites set a cookie and lead back to the page, again and again where it is not there. Nothing is kept beyond that:
what is read does not depend on what was read before. Scrapy's own middleware keeps all cookies, and asks the web for
the list of public suffixes, past the guard.
"""

from scrapy import Request
from scrapy.http import Response
from scrapy.http.cookies import CookieJar

from sitewright.errors import TooManyRedirects
from sitewright.fetch.time_limit import Stopped

_JAR, _SENT = "sitewright_cookies", "sitewright_sent"


class PageCookies:
    """Keeps the cookies of one page in the `meta` of its requests; a part of Scrapy's chain."""

    def process_request(self, request: Request) -> None:
        """Send the cookies that the redirects before have set."""
        jar: CookieJar = request.meta.setdefault(_JAR, CookieJar())
        request.headers.pop("Cookie", None)
        jar.add_cookie_header(request)
        _refuse_loop(request)

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
