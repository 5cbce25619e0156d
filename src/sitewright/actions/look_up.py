"""What a person calls a record (an address, an id) in, the one stored record that is meant out."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from sitewright.actions.sites import known_sites
from sitewright.errors import InputError
from sitewright.parse import clean_url, host_of, is_of_site, signature
from sitewright.store.database import Store
from sitewright.store.entries import StoredRecord
from sitewright.store.pages import newest_pages
from sitewright.store.warc import read_page

_ID = re.compile(r"[0-9a-f]{16}", re.IGNORECASE)
_COMPARED, _NEAR = 5_000, 0.8
"""So many addresses are looked through for near ones, in half a second; so alike they have to be."""
_SHOWN = 3


def look_up(store: Store, wanted: str, site: str | None, folder: Path) -> StoredRecord:
    """Return the record of an address, in whatever spelling, or of an id; where it is none or several, say so."""
    names = [known.name for known in known_sites(store, [site] if site is not None else [])]
    is_id = _ID.fullmatch(wanted) is not None
    found = store.find_records_by_id(wanted.lower(), names) if is_id else _of_address(store, names, wanted, folder)
    if not found:
        raise InputError(_unknown(store, names, wanted, f"of {site}" if site is not None else "in the store"))
    if len(found) > 1:
        several = ", ".join(f"{one.record.urls[0]} of {one.record.site}" for one in found)
        raise InputError(f"{wanted} may be any of {several}; choose a site with --site, or name the id of one")
    return found[0]


def _of_address(store: Store, names: Sequence[str], wanted: str, folder: Path) -> list[StoredRecord]:
    """Return the records of an address as it is written; if there is none, of its spellings; of where it led to."""
    exact = [stored for name in names if (stored := store.find_record(name, wanted)) is not None]
    if exact:
        return exact
    spellings = spellings_of(wanted)
    spelled = [one for name in names for one in store.find_records(name, spellings)]
    if spelled:
        return spelled
    return [one for name in _own_sites(names, wanted) for one in _redirected(store, name, wanted, folder)]


def spellings_of(address: str) -> list[str]:
    """Return the addresses that lead to the same page: with and without `www.`, a slash at the end, encryption.

    >>> spellings_of("example.com/a/")[:3]
    ['https://example.com/a', 'https://example.com/a/', 'https://www.example.com/a']
    """
    place = clean_url(_whole(address)).partition("://")[2].removeprefix("www.")
    path, mark, query = place.partition("?")
    bare = path.rstrip("/")
    return [
        f"{scheme}://{host}{bare}{slash}{mark}{query}"
        for scheme in ("https", "http")
        for host in ("", "www.")
        for slash in ("", "/")
    ]


def _whole(address: str) -> str:
    return address if "://" in address else f"https://{address}"


def _own_sites(names: Sequence[str], address: str) -> list[str]:
    """Return the sites that the host of an address belongs to; if only one site is asked, that one."""
    return [name for name in names if len(names) == 1 or is_of_site(host_of(_whole(address)), name)]


def _redirected(store: Store, site: str, wanted: str, folder: Path) -> list[StoredRecord]:
    """Return the record of the page that an address led to."""
    link = signature(_whole(wanted))
    pages = newest_pages(page for page in store.pages(site) if signature(page.url) == link)
    places = [read_page(folder, page.location).location for page in pages]
    return [found for place in places if (found := store.find_record(site, place)) is not None]


def _unknown(store: Store, names: Sequence[str], wanted: str, where: str) -> str:
    """Tell that there is no record: why, if that is known, and what there is of a similar name."""
    if _ID.fullmatch(wanted):
        return f"there is no record with the id {wanted} {where}"
    told = f"there is no record of {wanted} {where}"
    link = signature(_whole(wanted))
    for name in _own_sites(names, wanted):
        for left_out in store.failures(name):
            if signature(left_out.failure.url) == link:
                return f"{told}; its page was left out: {left_out.failure.code}: {left_out.failure.detail}"
    near = [address for name in _own_sites(names, wanted) for address in _near(store, name, wanted)]
    return f"{told}; near to it are {', '.join(near[:_SHOWN])}" if near else told


def _near(store: Store, site: str, wanted: str) -> list[str]:
    """Return addresses of records that are written much the same, the nearest first."""
    addresses = [page.url for page in islice(store.pages(site), _COMPARED)]
    near = get_close_matches(_whole(wanted), addresses, _SHOWN, _NEAR)
    stored = {stored.record.urls[0] for stored in store.find_records(site, near)}
    return [address for address in dict.fromkeys(near) if address in stored]
