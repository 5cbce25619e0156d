"""What came of a site's pages in, whether its host is to be left alone for some time out."""

from sitewright.types import Failure
from sitewright.watch.retries import speaks_of_host

_MOST = 5
"""So many failures in a row speak of the host."""


class HostTrouble:
    """Counts failures in a row that speak of the host."""

    def __init__(self) -> None:
        self._in_a_row = 0

    def count(self, failure: Failure | None, status: int) -> None:
        """Take note of what came of a page, and the status the server gave (0: it gave none)."""
        self._in_a_row = self._in_a_row + 1 if failure is not None and speaks_of_host(failure, status) else 0

    @property
    def is_too_much(self) -> bool:
        """Whether more questions would not help."""
        return self._in_a_row >= _MOST
