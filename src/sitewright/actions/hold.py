"""A site in, the same site out with nobody else at work on it."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

from sitewright.actions.telling import Tell, nobody
from sitewright.errors import InputError, StoreError
from sitewright.store.database import Store
from sitewright.watch.owners import is_gone, own_name

LEASE_SECONDS = 60.0
"""For so long a site is held without a sign of life, as collectors hold theirs."""
PATIENCE = 150.0
"""Seconds for which a site is waited for that a collector works on: its turn is over after two minutes."""
_POLL_SECONDS = 1.0


def _nothing() -> None:
    """Do nothing."""


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
def held(store: Store, site: str, tell: Tell = nobody, *, meanwhile: Callable[[], None] = _nothing) -> Iterator[Hold]:
    """Hold a site, so that no collector writes to it meanwhile; one that does is waited for, which `tell` is told.

    `meanwhile` is called now and then while that lasts. A process of this machine that was killed is not waited for.
    """
    owner = own_name()
    if not _leased(store, site, owner):
        tell(f"waiting for {_holder_of(store, site) or 'another process'}, who works on {site}")
        _wait(store, site, owner, meanwhile)
    taken = store.site(site)
    try:
        yield Hold(store, site, owner)
    finally:
        store.release_site(owner, site, not_before=taken.next_due if taken is not None else None)


@contextmanager
def all_held(store: Store, sites: Sequence[str], tell: Tell = nobody) -> Iterator[Callable[[], None]]:
    """Hold sites, each as soon as it is free; yields what is to be called now and then, as a sign of life for all."""
    holds: list[Hold] = []

    def renew() -> None:
        for hold in holds:
            hold.renew()

    with ExitStack() as stack:
        for site in sites:
            renew()
            holds.append(stack.enter_context(held(store, site, tell, meanwhile=renew)))
        yield renew


def _wait(store: Store, site: str, owner: str, meanwhile: Callable[[], None]) -> None:
    until = time.monotonic() + PATIENCE
    while not _leased(store, site, owner):
        if time.monotonic() > until:
            holder = _holder_of(store, site) or "another process"
            raise InputError(f"{site} is held by {holder}; end that process, or try again later")
        meanwhile()
        time.sleep(_POLL_SECONDS)


def _leased(store: Store, site: str, owner: str) -> bool:
    """Take a site that is free, or whose holder was killed; False where somebody works on it."""
    if store.lease_site(owner, site, seconds=LEASE_SECONDS):
        return True
    holder = _holder_of(store, site)
    if not holder or not is_gone(holder):
        return False
    store.release_sites(holder)
    return store.lease_site(owner, site, seconds=LEASE_SECONDS)


def _holder_of(store: Store, site: str) -> str:
    found = store.site(site)
    return (found.lease_owner if found is not None else None) or ""
