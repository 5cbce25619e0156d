"""URL or archive in, Pages out."""

from sitewright.fetch.archive import Archive, FailedPlace, PagePlace, Place, open_archive, page_from_line
from sitewright.fetch.browser import BrowserOptions
from sitewright.fetch.live_web import LiveWeb
from sitewright.fetch.memory_web import MemoryWeb
from sitewright.fetch.page_fetcher import Fetcher, PageFetcher, WebFetcher
from sitewright.fetch.retry_after import retry_after_of
from sitewright.fetch.web import Rendering, Validators, Web

__all__ = [
    "Archive",
    "BrowserOptions",
    "FailedPlace",
    "Fetcher",
    "LiveWeb",
    "MemoryWeb",
    "PageFetcher",
    "PagePlace",
    "Place",
    "Rendering",
    "Validators",
    "Web",
    "WebFetcher",
    "open_archive",
    "page_from_line",
    "retry_after_of",
]
