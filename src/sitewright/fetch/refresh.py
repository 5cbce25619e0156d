"""A page that leads on by its markup in, the request for where it leads out; not one that loads itself anew."""

from scrapy import Request
from scrapy.downloadermiddlewares.redirect import MetaRefreshMiddleware
from scrapy.http import Response

LONGEST_SECONDS = 10
"""Pages that lead on do so at once, or say that they have moved; front pages load themselves anew after minutes."""


class MetaRefresh(MetaRefreshMiddleware):
    """Follows `<meta http-equiv=refresh>`; a part of Scrapy's chain."""

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        try:
            found = super().process_response(request, response)
        except (LookupError, ValueError):  # an encoding or an address that there is not: the page is all there is
            return response
        return response if isinstance(found, Request) and found.url == request.url else found
