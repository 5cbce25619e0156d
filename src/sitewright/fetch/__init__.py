"""URL or archive in, Pages out."""

from sitewright.fetch.archive import Archive, Place, open_archive, page_from_line

__all__ = ["Archive", "Place", "open_archive", "page_from_line"]
