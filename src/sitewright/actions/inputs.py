"""Names of archives in, the places of their pages out, one archive after the other."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from sitewright.fetch import Archive, Place, open_archive


class Inputs:
    """Several archives, one after the other."""

    def __init__(self, sources: Sequence[str], open_one: Callable[[str], Archive] = open_archive) -> None:
        """Open all, so that a mistyped name is told before any work is done."""
        self._archives: list[Archive] = [open_one(source) for source in sources]

    def places(self) -> Iterator[Place]:
        """Yield the places of all pages."""
        return chain.from_iterable(archive.places() for archive in self._archives)

    def progress(self) -> float | None:
        """Return the share read, each archive counting the same; None where one has no known end."""
        shares = [archive.progress() for archive in self._archives]
        known = [share for share in shares if share is not None]
        return sum(known) / len(known) if len(known) == len(shares) else None
