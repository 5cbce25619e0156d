"""Answers in, the same answers out for an hour: Scrapy's cache in a folder, which never stands in the way of a page."""

from contextlib import suppress

from scrapy import Request, Spider
from scrapy.extensions.httpcache import FilesystemCacheStorage
from scrapy.http import Response

LASTS = 3600
"""Seconds."""


class PageCache(FilesystemCacheStorage):
    """Scrapy's storage; where an answer cannot be kept, it is fetched again."""

    def store_response(self, spider: Spider, request: Request, response: Response) -> None:
        with suppress(OSError):
            super().store_response(spider, request, response)
