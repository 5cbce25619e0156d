"""An address in, its Page out, for whoever reads one page."""

from sitewright.errors import UsageError
from sitewright.fetch import WebFetcher
from sitewright.parse.sites import front_page
from sitewright.types import FetchSettings, Page


def fetch_page(url: str, *, settings: FetchSettings | None = None) -> Page:
    """Fetch a page from the web: robots.txt is obeyed, private networks are refused; `FetchError` says why not.

    It works in notebooks, too. Who fetches many pages of a site uses `sitewright.collect`, or holds a
    `sitewright.fetch.WebFetcher` open, which remembers robots.txt and pauses between pages.
    """
    if not isinstance(url, str):
        raise UsageError(f"fetch_page() takes an address as str, not {type(url).__name__}")
    with WebFetcher(settings or FetchSettings()) as fetcher:
        return fetcher.fetch(front_page(url))
