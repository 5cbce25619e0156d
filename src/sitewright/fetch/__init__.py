"""URL or archive in, Pages out."""

from sitewright.fetch.archive import Archive, FailedPlace, PagePlace, Place, open_archive, page_from_line
from sitewright.fetch.web import Fetcher, WebFetcher

__all__ = ["Archive", "FailedPlace", "Fetcher", "PagePlace", "Place", "WebFetcher", "open_archive", "page_from_line"]
