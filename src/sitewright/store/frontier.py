"""Links in the database: those that were seen, and those that wait to be collected."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Column, Connection, bindparam, delete, func, select, union_all, update

from sitewright.store.entries import FoundLink, WaitingLink
from sitewright.store.schema import seen_links, waiting_links
from sitewright.store.statements import one_of, signature_of, upsert

_KEYS = ("site_id", "signature")
_WAITING = [waiting_links.c[name] for name in ("url", "source", "found_at", "due", "tries", "published")]
_POSTPONING = (
    update(waiting_links)
    .where(waiting_links.c.site_id == bindparam("site"), waiting_links.c.signature == bindparam("link"))
    .values(tries=waiting_links.c.tries + 1, due=bindparam("again_at"))
)


def known(connection: Connection, site: int, signatures: Iterable[int]) -> set[int]:
    """Return those of the signatures whose links were seen or wait."""
    is_asked = one_of(connection, set(signatures))
    both = (
        select(table.c.signature).where(table.c.site_id == site, is_asked(table.c.signature))
        for table in (seen_links, waiting_links)
    )
    return set(connection.execute(union_all(*both)).scalars())


def known_urls(connection: Connection, site: int, urls: Iterable[str]) -> set[str]:
    """Return those of the links that were seen or wait, in the spelling they are asked for."""
    signatures = {url: signature_of(url) for url in urls}
    found = known(connection, site, signatures.values())
    return {url for url, signature in signatures.items() if signature in found}


def waiting(connection: Connection, site: int, urls: Iterable[str]) -> dict[str, datetime]:
    """Return when those of the links are due that wait, in the spelling they are asked for."""
    return _moments(connection, waiting_links.c.due, site, urls)


def first_seen(connection: Connection, site: int, urls: Iterable[str]) -> dict[str, datetime]:
    """Return since when those of the links count as seen that do, in the spelling they are asked for."""
    return _moments(connection, seen_links.c.first_seen, site, urls)


def _moments(connection: Connection, column: Column[datetime], site: int, urls: Iterable[str]) -> dict[str, datetime]:
    signatures = {url: signature_of(url) for url in urls}
    table = column.table
    asked = one_of(connection, set(signatures.values()))(table.c.signature)
    rows = connection.execute(select(table.c.signature, column).where(table.c.site_id == site, asked))
    moments: dict[int, datetime] = {row[0]: row[1] for row in rows}
    return {url: moments[signature] for url, signature in signatures.items() if signature in moments}


def add(
    connection: Connection, site: int, links: Sequence[FoundLink], now: datetime, source: str = ""
) -> list[FoundLink]:
    """Have links wait that were neither seen nor wait; return them in their order, each in its first spelling."""
    by_signature: dict[int, FoundLink] = {}
    for link in links:
        by_signature.setdefault(signature_of(link.url), link)
    new = by_signature.keys() - known(connection, site, by_signature)
    rows = [
        {
            "site_id": site,
            "signature": signature,
            "url": by_signature[signature].url,
            "source": by_signature[signature].source or source,
            "found_at": now,
            "due": by_signature[signature].due or now,
            "tries": 0,
            "published": by_signature[signature].published,
        }
        for signature in sorted(new)
    ]
    if rows:
        connection.execute(waiting_links.insert(), rows)
    return [link for signature, link in by_signature.items() if signature in new]


def due(connection: Connection, site: int, now: datetime, limit: int) -> list[WaitingLink]:
    """Return the links of a site that are due, the longest due first."""
    own = (waiting_links.c.site_id == site, waiting_links.c.due <= now)
    query = select(*_WAITING).where(*own).order_by(waiting_links.c.due, waiting_links.c.signature).limit(limit)
    return [WaitingLink(**row) for row in connection.execute(query).mappings()]


def settle(connection: Connection, site: int, signatures: Iterable[int], now: datetime) -> None:
    """Remember that links were seen; they wait no longer."""
    ordered = sorted(set(signatures))
    rows = [{"site_id": site, "signature": one, "first_seen": now, "stored_at": now} for one in ordered]
    upsert(connection, seen_links, _KEYS, rows, ("stored_at",))
    is_settled = one_of(connection, ordered)(waiting_links.c.signature)
    connection.execute(delete(waiting_links).where(waiting_links.c.site_id == site, is_settled))


def unsettle(connection: Connection, site: int, urls: Sequence[str], now: datetime, source: str = "") -> int:
    """Have links wait that were seen, as if they were new; return how many wait now that did not."""
    signatures = {signature_of(url) for url in urls}
    is_meant = one_of(connection, signatures)(seen_links.c.signature)
    connection.execute(delete(seen_links).where(seen_links.c.site_id == site, is_meant))
    return len(add(connection, site, [FoundLink(url) for url in urls], now, source))


def postpone(connection: Connection, site: int, moments: Sequence[tuple[int, datetime]]) -> None:
    """Have links that wait, by signature, wait until another moment, after one more try in vain."""
    rows = [{"site": site, "link": signature, "again_at": moment} for signature, moment in moments]
    if rows:
        connection.execute(_POSTPONING, rows)


def count_seen(connection: Connection, site: int) -> int:
    """Count the links of a site that were seen."""
    return int(connection.execute(select(func.count()).where(seen_links.c.site_id == site)).scalar_one())


def count_waiting(connection: Connection, site: int) -> int:
    """Count the links of a site that wait."""
    return int(connection.execute(select(func.count()).where(waiting_links.c.site_id == site)).scalar_one())
