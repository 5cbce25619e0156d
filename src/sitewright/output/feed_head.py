"""What a feed says about itself, and what it is called."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

_NAMED = 10
"""So many sites are named in the title of a feed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedHead:
    """What a feed says about itself."""

    title: str
    url: str
    """The page that it is about, and its name for ever."""
    updated: datetime
    """With a zone; where there are records, the newest of them counts if it is later."""
    description: str = ""
    feed_url: str = ""
    """Where the feed itself is published; empty: not known."""


def common_name(names: Mapping[str, int]) -> str:
    """Return what a feed of these sites is called: all of them by name, unless they are many.

    >>> common_name({"The Lantern": 3, "The Post": 1}), common_name({})
    ('The Lantern, The Post', 'No records')
    """
    if not names:
        return "No records"
    return ", ".join(names) if len(names) <= _NAMED else f"{len(names)} sites"
