"""url.v1: an absolute web address without tracking parameters."""

from turbohtml import Element

from sitewright.parse import absolute_url, normalise_url
from sitewright.values.value import Context, Parsed, Taken, string_of


def parse_url(item: Taken, context: Context) -> Parsed | None:
    """Read an address: of a link or picture where the item is one, else of its text."""
    address = _address_of(item)
    resolved = absolute_url(address, context.base_url) if address else ""
    return Parsed(normalise_url(resolved)) if resolved else None


def _address_of(item: Taken) -> str:
    if isinstance(item, Element):
        link = item if item.attr("href") or item.attr("src") else item.select_one("[href], [src]")
        return (link.attr("href") or link.attr("src") or "") if link is not None else string_of(item)
    if isinstance(item, dict):
        return string_of(item.get("url") or item.get("@id"))
    return string_of(item)
