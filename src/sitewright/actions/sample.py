"""Records of a query and how many are wanted in, which of them out: the same ones for the same seed."""

from collections.abc import Iterable
from hashlib import blake2b
from heapq import nsmallest
from operator import itemgetter

from sitewright.store.entries import StoredRecord


def sampled(records: Iterable[StoredRecord], size: int, seed: int) -> frozenset[int]:
    """Return the numbers of a sample of records, in which each is as likely as any other.

    Chosen are those whose hash (of seed, site and id) is smallest. So the order of the store does not matter, a larger
    sample holds the smaller one, and records that come later only take the place of some.
    """
    hashed = ((_hash(seed, stored.record.site, stored.id), stored.number) for stored in records)
    return frozenset(number for _, number in nsmallest(size, hashed, key=itemgetter(0)))


def _hash(seed: int, site: str, name: str) -> bytes:
    """Return a number between 0 and 2**128 that looks as if drawn by lot.

    >>> _hash(1, "example.com", "a") == _hash(1, "example.com", "a"), _hash(2, "example.com", "a")[:2].hex()
    (True, 'e245')
    """
    return blake2b(f"{seed}\0{site}\0{name}".encode(), digest_size=16).digest()
