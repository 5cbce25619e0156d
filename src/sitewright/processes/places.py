"""A place in the archive in, the page that lies there out."""

from typing import NamedTuple

from sitewright.store.entries import PageLocation
from sitewright.store.warc import read_page
from sitewright.types import Page


class StoredPlace(NamedTuple):
    """Where a page of an archive lies: its folder, its place there, and its address."""

    folder: str
    location: PageLocation
    url: str

    def load(self) -> Page:
        """Read the page; `StoreError` where it is gone or damaged."""
        return read_page(self.folder, self.location)
