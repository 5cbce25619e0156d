"""Stored pages in, the newest of each link out."""

from collections.abc import Iterable
from datetime import UTC, datetime

from sitewright.parse import signature
from sitewright.store.entries import StoredPage


def newest_pages(pages: Iterable[StoredPage], since: datetime | None = None) -> list[StoredPage]:
    """Return the newest page of each link, in the order of fetching; with `since` those fetched then or later."""
    newest: dict[str, StoredPage] = {}
    for page in pages:
        link = signature(page.url)
        if link not in newest or _fetched(page) >= _fetched(newest[link]):
            newest[link] = page
    wanted = (page for page in newest.values() if since is None or _fetched(page) >= since)
    return sorted(wanted, key=_fetched)


def _fetched(page: StoredPage) -> datetime:
    """Return when a page was fetched; where that is not known, before all others."""
    return page.fetched_at or datetime.min.replace(tzinfo=UTC)
