"""Files and addresses as a person names them in, the places of their pages out, one after the other."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path

from sitewright.errors import FetchError, InputError, PageError
from sitewright.fetch import Archive, FailedPlace, Fetcher, PagePlace, Place, open_archive
from sitewright.parse.sites import is_address, is_registered

_SCHEMES = ("http://", "https://")
_HOST = re.compile(r"(?P<host>[\w-]+(?:\.[\w-]+)*)\.?(?P<port>:\d+)?(?:[/?#]\S*)?", re.ASCII | re.IGNORECASE)


def address_of(source: str) -> str:
    """Return the address on the web that a source is, as a person may write it; empty for what is a file.

    >>> address_of("https://example.com/news"), address_of("example.com/news"), address_of("localhost:8000")
    ('https://example.com/news', 'https://example.com/news', 'http://localhost:8000')
    >>> address_of("pages.jsonl"), address_of("pages"), address_of("-")
    ('', '', '')
    """
    if source.lower().startswith(_SCHEMES):
        return source
    found = _HOST.fullmatch(source)
    if found is None or Path(source).exists():
        return ""
    if is_registered(found["host"]):
        return f"https://{source}"
    return f"http://{source}" if found["port"] or is_address(found["host"]) else ""


class Inputs:
    """Stored pages and pages of the web, in the order in which they were named."""

    def __init__(self, sources: Sequence[str], fetcher: Fetcher | None = None, limit: int | None = None) -> None:
        """Open all files, so that a mistyped name is told before any work is done; fetch nothing yet.

        Of addresses no more than `limit` are fetched.
        """
        self._archives: list[Archive] = []
        for is_web, some in groupby(sources, lambda source: fetcher is not None and bool(address_of(source))):
            if is_web and fetcher is not None:
                self._archives.append(_WebPages([address_of(source) for source in some][:limit], fetcher))
            else:
                self._archives.extend(map(_opened, some))
        self._sources = sources

    def places(self) -> Iterator[Place]:
        """Yield the places of all pages; `InputError` where there is none."""
        first = True
        for place in chain.from_iterable(archive.places() for archive in self._archives):
            first = False
            yield place
        if first:
            named = ", ".join("standard input" if source == "-" else source for source in self._sources)
            raise InputError(f"there is no page in {named}")

    def progress(self) -> float | None:
        """Return the share read, each archive counting the same; None where one has no known end."""
        shares = [archive.progress() for archive in self._archives]
        known = [share for share in shares if share is not None]
        return sum(known) / len(known) if len(known) == len(shares) else None


def _opened(source: str) -> Archive:
    if source != "-" and not Path(source).exists():
        raise InputError(f"there is no file {source}; the address of a page begins with http:// or https://")
    return open_archive(source)


class _WebPages:
    """Pages that are fetched when it is their turn."""

    def __init__(self, addresses: Sequence[str], fetcher: Fetcher) -> None:
        self._addresses = addresses
        self._fetcher = fetcher
        self._done = 0

    def places(self) -> Iterator[Place]:
        """Yield the pages, or in place of one why it cannot be had."""
        for address, outcome in zip(self._addresses, self._fetcher.fetch_each(self._addresses), strict=True):
            self._done += 1
            if isinstance(outcome, (FetchError, PageError)):
                yield FailedPlace(address, outcome)
            else:
                yield PagePlace(outcome)

    def progress(self) -> float | None:
        """Return the share that was fetched."""
        return self._done / max(len(self._addresses), 1)
