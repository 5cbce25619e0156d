"""Requests in, the same out with the cookies that were set on the way to their page; each page starts with none.

Many sites set a cookie and lead back to the page, again and again where it is not there. Nothing is kept beyond that:
what is read does not depend on what was read before. Scrapy's own middleware keeps all cookies, and asks the web for
the list of public suffixes, past the guard.
"""

from scrapy import Request
from scrapy.http import Response
from scrapy.http.cookies import CookieJar

_JAR = "sitewright_cookies"


class PageCookies:
    """Keeps the cookies of one page in the `meta` of its requests; a part of Scrapy's chain."""

    def process_request(self, request: Request) -> None:
        """Send the cookies that the redirects before have set."""
        jar: CookieJar = request.meta.setdefault(_JAR, CookieJar())
        request.headers.pop("Cookie", None)
        jar.add_cookie_header(request)

    def process_response(self, request: Request, response: Response) -> Response:
        """Note the cookies that are set."""
        jar: CookieJar = request.meta[_JAR]
        jar.extract_cookies(response, request)
        return response
