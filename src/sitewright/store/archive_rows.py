"""What the database says of the archive: which files there are, which pages lie in them, and where they lie now."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any

from sqlalchemy import Connection, and_, delete, select, tuple_, update

from sitewright.store import frontier, leases
from sitewright.store.entries import FoundLink, PageLocation, StoredPage
from sitewright.store.records import page_row
from sitewright.store.schema import failures, pages, records, sites
from sitewright.store.statements import one_of, parts, signature_of, upsert
from sitewright.types import Page

_KEY = (pages.c.warc_file, pages.c.warc_offset)


def files(connection: Connection) -> dict[str, int]:
    """Return the files that pages lie in, each with the end of its last page; a step a file, however many pages."""
    found: dict[str, int] = {}
    last = ""
    while True:
        query = select(pages.c.warc_file, pages.c.warc_offset, pages.c.warc_length).where(pages.c.warc_file > last)
        first = connection.execute(query.order_by(*_KEY).limit(1)).first()
        if first is None:
            return found
        last = first.warc_file
        own = query.where(pages.c.warc_file == last).order_by(pages.c.warc_offset.desc()).limit(1)
        end = connection.execute(own).one()
        found[last] = end.warc_offset + end.warc_length


def in_file(connection: Connection, file: str) -> list[StoredPage]:
    """Return the pages that lie in a file, in their order."""
    named = select(pages, sites.c.name.label("site")).join_from(pages, sites)
    rows = connection.execute(named.where(pages.c.warc_file == file).order_by(pages.c.warc_offset)).mappings()
    return [
        StoredPage(
            site=row["site"],
            url=row["url"],
            status=row["status"],
            fetched_at=row["fetched_at"],
            location=PageLocation(row["warc_file"], row["warc_offset"], row["warc_length"], row["digest"]),
        )
        for row in rows
    ]


def drop(connection: Connection, locations: Sequence[PageLocation]) -> None:
    """Forget where pages lie; their records stay."""
    for part in parts([(place.file, place.offset) for place in locations]):
        mine = tuple_(records.c.warc_file, records.c.warc_offset).in_(part)
        connection.execute(update(records).where(mine).values(warc_file=None, warc_offset=None))
        connection.execute(delete(pages).where(tuple_(*_KEY).in_(part)))


def ask_again(connection: Connection, lost: Iterable[StoredPage], now: datetime) -> None:
    """Forget where pages lie that cannot be read, and have their links wait, to be fetched once more."""
    by_site: dict[str, list[StoredPage]] = {}
    for page in lost:
        by_site.setdefault(page.site, []).append(page)
    for name, gone in by_site.items():
        number = connection.execute(select(sites.c.id).where(sites.c.name == name)).scalar_one()
        drop(connection, [page.location for page in gone])
        if frontier.unsettle(connection, number, [page.url for page in gone], now):
            leases.make_due(connection, number, now)


def move(connection: Connection, moved: Sequence[tuple[PageLocation, PageLocation]]) -> None:
    """Say of pages that they lie elsewhere now, with their records."""
    names = [column.name for column in pages.c]
    for part in parts(moved):
        places = {(old.file, old.offset): new for old, new in part}
        rows = connection.execute(select(pages).where(tuple_(*_KEY).in_(list(places)))).mappings().all()
        upsert(connection, pages, ("warc_file", "warc_offset"), [_moved(names, row, places) for row in rows])
        for (file, offset), new in places.items():
            mine = and_(records.c.warc_file == file, records.c.warc_offset == offset)
            connection.execute(update(records).where(mine).values(warc_file=new.file, warc_offset=new.offset))
        connection.execute(delete(pages).where(tuple_(*_KEY).in_(list(places))))


def adopt(connection: Connection, site: int, found: Sequence[tuple[Page, PageLocation]], now: datetime) -> int:
    """Take pages in whose links are neither seen nor wait, and that lie nowhere else, and have their links wait."""
    unknown = {signature_of(page.url) for page, _ in found}
    unknown -= frontier.known(connection, site, unknown)
    own = (pages.c.site_id == site, one_of(connection, unknown)(pages.c.signature))
    unknown -= set(connection.execute(select(pages.c.signature).where(*own)).scalars())
    taken = [(page, place) for page, place in found if signature_of(page.url) in unknown]
    rows = [page_row(site, page, place) for page, place in taken]
    upsert(connection, pages, ("warc_file", "warc_offset"), rows)
    if frontier.add(connection, site, [FoundLink(page.url) for page, _ in taken], now):
        leases.make_due(connection, site, now)
    return len(taken)


def ask_for_unread(connection: Connection, site: int, now: datetime) -> int:
    """Have the links of pages wait that have neither a record nor a failure; return how many.

    In a database of which rows were lost these are the pages whose records went.
    """
    mine = and_(records.c.warc_file == pages.c.warc_file, records.c.warc_offset == pages.c.warc_offset)
    read = select(pages.c.signature).join(records, mine).where(pages.c.site_id == site)
    failed = select(failures.c.signature).where(failures.c.site_id == site)
    own = (pages.c.site_id == site, pages.c.status < HTTPStatus.BAD_REQUEST)
    unread = (pages.c.signature.not_in(read), pages.c.signature.not_in(failed))
    urls = connection.execute(select(pages.c.url).where(*own, *unread).distinct()).scalars().all()
    waiting = frontier.unsettle(connection, site, urls, now)
    if waiting:
        leases.make_due(connection, site, now)
    return waiting


def _moved(names: Iterable[str], row: Any, places: dict[tuple[str, int], PageLocation]) -> dict[str, Any]:
    new = places[row["warc_file"], row["warc_offset"]]
    return {name: row[name] for name in names} | {"warc_file": new.file, "warc_offset": new.offset}
