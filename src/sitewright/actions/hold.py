"""A site in, the same site out with nobody else at work on it."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sitewright.actions.telling import Tell, nobody
from sitewright.errors import InputError, StoreError
from sitewright.store.database import Store

LEASE_SECONDS = 60.0
"""For so long a site is held without a sign of life, as collectors hold theirs."""
PATIENCE = 150.0
"""Seconds for which a site is waited for that a collector works on: its turn is over after two minutes."""
_POLL_SECONDS = 1.0


class Hold:
    """A site that is held, as long as there are signs of life."""

    def __init__(self, store: Store, site: str, owner: str) -> None:
        """Begin with the lease that was just taken."""
        self._store = store
        self._site = site
        self._owner = owner
        self._renewed = time.monotonic()

    def renew(self) -> None:
        """Give a sign of life, where it is time for one; `StoreError` where another has taken the site over."""
        if time.monotonic() - self._renewed < LEASE_SECONDS / 3:
            return
        if self._site not in self._store.renew_sites(self._owner, seconds=LEASE_SECONDS):
            raise StoreError(f"another process took over {self._site} meanwhile; run this again")
        self._renewed = time.monotonic()


@contextmanager
def held(store: Store, site: str, tell: Tell = nobody) -> Iterator[Hold]:
    """Hold a site, so that no collector writes to it meanwhile; one that does is waited for, which `tell` is told."""
    owner = f"{socket.gethostname()}:{os.getpid()}:command"
    if not store.lease_site(owner, site, seconds=LEASE_SECONDS):
        tell(f"waiting for {_holder_of(store, site)}, who works on {site}")
        _wait(store, site, owner)
    taken = store.site(site)
    try:
        yield Hold(store, site, owner)
    finally:
        store.release_site(owner, site, not_before=taken.next_due if taken is not None else None)


def _wait(store: Store, site: str, owner: str) -> None:
    until = time.monotonic() + PATIENCE
    while not store.lease_site(owner, site, seconds=LEASE_SECONDS):
        if time.monotonic() > until:
            raise InputError(f"{site} is held by {_holder_of(store, site)}; end that process, or try again later")
        time.sleep(_POLL_SECONDS)


def _holder_of(store: Store, site: str) -> str:
    found = store.site(site)
    return (found.lease_owner if found is not None else None) or "another process"
