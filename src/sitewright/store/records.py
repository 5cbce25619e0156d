"""Records, their pages and their figures in the database."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import Connection, Row, RowMapping, Select, delete, func, select, tuple_

from sitewright.domains import DEFAULT_DOMAIN, load_domain
from sitewright.errors import StoreError
from sitewright.parse import url_id
from sitewright.store import failures, frontier, leases, offers, pictures
from sitewright.store.entries import Collected, FillRate, PageLocation, RecordQuery, StoredPage, StoredRecord
from sitewright.store.schema import metrics, pages, records, sites
from sitewright.store.statements import one_of, parts, signature_of, site_id, site_ids, upsert
from sitewright.types import Page, Record, Value
from sitewright.values.as_json import json_of
from sitewright.values.moments import moment_of

_ALL = ""
"""The field under which a template's records themselves are counted."""
_Figures = dict[tuple[int, str, str, date], list[float]]
"""How much more records have a field, and the sum of their confidence; by site, template, field and day."""

_Row = Mapping[Any, Any]
_COUNTED = [records.c[name] for name in ("site_id", "id", "domain", "template", "day", "fields", "confidence")]


def commit(connection: Connection, batch: Sequence[Collected], now: datetime) -> set[tuple[str, str]]:
    """Store records with their pages, settle their links, bring the figures up to date; return which were there."""
    ids = site_ids(connection, (one.record.site for one in batch), lock=True)
    upsert(connection, pages, ("warc_file", "warc_offset"), _page_rows(batch, ids))
    rows = {(row["site_id"], row["id"]): row for row in (_record_row(one, ids, now) for one in batch)}
    figures: _Figures = defaultdict(lambda: [0.0, 0.0])
    there = set()
    replaced: list[RowMapping] = []
    names = {number: name for name, number in ids.items()}
    for known in _known(connection, rows):
        _count(figures, known, -1)
        replaced.append(known)
        there.add((names[known["site_id"]], known["id"]))
    for row in rows.values():
        _count(figures, row, 1)
    upsert(connection, records, ("site_id", "id"), list(rows.values()))
    _add_figures(connection, figures)
    _count_pictures(connection, replaced, list(rows.values()))
    if (due := offers.note(connection, batch, ids, now)) is not None:
        for number in ids.values():
            leases.make_due(connection, number, due)
    for name, number in ids.items():
        links = {signature_of(url) for one in batch if one.record.site == name for url in _links(one)}
        frontier.settle(connection, number, links, now)
        failures.forget(connection, number, links)
    return there


def add_page(connection: Connection, site: str, page: Page, location: PageLocation) -> None:
    """Store where a page lies that gave no record."""
    row = page_row(site_id(connection, site), page, location)
    upsert(connection, pages, ("warc_file", "warc_offset"), [row])


def chunk(connection: Connection, query: RecordQuery, after: StoredRecord | None, size: int) -> list[StoredRecord]:
    """Return the next records of a query."""
    wanted = _filtered(connection, query)
    place = (records.c.shown_at, records.c.number) if query.newest_first else (records.c.number,)
    if after is not None:
        values = (after.shown_at, after.number) if query.newest_first else (after.number,)
        here = tuple_(*place)
        wanted = wanted.where(here < tuple_(*values) if query.newest_first else here > tuple_(*values))
    order = [column.desc() for column in place] if query.newest_first else list(place)
    return [_stored(row) for row in connection.execute(wanted.order_by(*order).limit(size))]


def stored_after(connection: Connection, after: tuple[datetime, int] | None, size: int) -> list[StoredRecord]:
    """Return the next records in the order in which they were stored last, behind a moment and a number."""
    place = (records.c.stored_at, records.c.number)
    wanted = _select().order_by(*place).limit(size)
    if after is not None:
        wanted = wanted.where(tuple_(*place) > tuple_(*after))
    return [_stored(row) for row in connection.execute(wanted)]


def by_number(connection: Connection, numbers: Iterable[int]) -> list[StoredRecord]:
    """Return the records of these numbers that are there."""
    wanted = _select().where(one_of(connection, numbers)(records.c.number))
    return [_stored(row) for row in connection.execute(wanted)]


def there(connection: Connection, numbers: Iterable[int]) -> set[int]:
    """Return those of the numbers that are of records."""
    query = select(records.c.number).where(one_of(connection, numbers)(records.c.number))
    return set(connection.execute(query).scalars())


def find(connection: Connection, site: str, url: str) -> StoredRecord | None:
    """Return the record of a URL, in whatever spelling."""
    query = _select().where(records.c.site_id == site_id(connection, site), records.c.id == url_id(url))
    row = connection.execute(query).first()
    return _stored(row) if row else None


def find_all(connection: Connection, site: str, urls: Iterable[str]) -> list[StoredRecord]:
    """Return the records of those URLs that have one, in whatever spelling."""
    own = _select().where(records.c.site_id == site_id(connection, site))
    names = sorted({url_id(url) for url in urls})
    return [_stored(row) for part in parts(names) for row in connection.execute(own.where(records.c.id.in_(part)))]


def find_by_id(connection: Connection, name: str, sites_asked: Sequence[str]) -> list[StoredRecord]:
    """Return the records of an id, of which each of these sites may have one, in the order of the store."""
    own = _select().where(records.c.site_id.in_(site_ids(connection, sites_asked).values()), records.c.id == name)
    return [_stored(row) for row in connection.execute(own.order_by(records.c.number))]


def numbered(connection: Connection, numbers: Sequence[int]) -> list[StoredRecord]:
    """Return the records of these numbers that are there, in this order."""
    query = _select().where(records.c.number.in_(numbers))
    found = {stored.number: stored for stored in map(_stored, connection.execute(query))}
    return [found[number] for number in numbers if number in found]


def count(connection: Connection, query: RecordQuery) -> int:
    """Count the records of a query."""
    found = _filtered(connection, query).with_only_columns(records.c.number).subquery()
    return int(connection.execute(select(func.count()).select_from(found)).scalar_one())


def page_chunk(
    connection: Connection, site: str, after: PageLocation | None, since: datetime | None, size: int
) -> list[StoredPage]:
    """Return the next pages of a site, in the order of the archive."""
    place = (pages.c.warc_file, pages.c.warc_offset)
    query = select(pages).where(pages.c.site_id == site_id(connection, site)).order_by(*place).limit(size)
    if after is not None:
        query = query.where(tuple_(*place) > tuple_(after.file, after.offset))
    if since is not None:
        query = query.where(pages.c.fetched_at >= since)
    return [
        StoredPage(
            site=site, url=row.url, status=row.status, fetched_at=row.fetched_at, location=_location(row._mapping)
        )
        for row in connection.execute(query)
    ]


def fill_rates(connection: Connection, site: str, since: date | None) -> list[FillRate]:
    """Return how often each field was filled, by template."""
    query = select(
        metrics.c.template, metrics.c.field, func.sum(metrics.c.filled), func.sum(metrics.c.confidence)
    ).where(metrics.c.site_id == site_id(connection, site))
    if since is not None:
        query = query.where(metrics.c.day >= since)
    rows = list(connection.execute(query.group_by(metrics.c.template, metrics.c.field)))
    totals = {template: int(filled) for template, field, filled, _ in rows if field == _ALL}
    return sorted(
        (
            FillRate(
                template=template,
                field=field,
                records=totals[template],
                filled=int(filled),
                confidence=confidence / filled,
            )
            for template, field, filled, confidence in rows
            if field != _ALL and filled
        ),
        key=lambda rate: (rate.template, -rate.filled, rate.field),
    )


def daily_fills(connection: Connection, site: str, since: date) -> list[tuple[str, str, date, int]]:
    """Return how many records of which day have which field."""
    query = select(metrics.c.template, metrics.c.field, metrics.c.day, metrics.c.filled)
    own = (metrics.c.site_id == site_id(connection, site), metrics.c.day >= since)
    return [(row.template, row.field, row.day, row.filled) for row in connection.execute(query.where(*own))]


def _links(one: Collected) -> Iterable[str]:
    """Return all addresses under which the page may be met again."""
    return filter(None, (*one.record.urls, one.page.url, one.page.final_url, one.link))


def _page_rows(batch: Sequence[Collected], ids: Mapping[str, int]) -> list[dict[str, Any]]:
    return [page_row(ids[one.record.site], one.page, one.location) for one in batch if one.location is not None]


def page_row(site: int, page: Page, location: PageLocation) -> dict[str, Any]:
    """Return what is kept of a page."""
    return {
        "warc_file": location.file,
        "warc_offset": location.offset,
        "warc_length": location.length,
        "digest": location.digest,
        "site_id": site,
        "signature": signature_of(page.url),
        "url": page.url,
        "status": page.status,
        "fetched_at": page.fetched_at,
    }


def _published(record: Record) -> Value | None:
    """Return when it was published, by the field of its domain, or one of its own that is called as in news."""
    names = (load_domain(name).published for name in (record.domain, DEFAULT_DOMAIN))
    return next((record.fields[name] for name in names if name in record.fields), None)


def _record_row(one: Collected, ids: Mapping[str, int], now: datetime) -> dict[str, Any]:
    record = one.record
    published = _published(record)
    read_at = moment_of(one.page.fetched_at or record.extracted_at) or now
    row = {
        "site_id": ids[record.site],
        "id": url_id(record.urls[0]),
        "url": record.urls[0],
        "urls": list(record.urls),
        "domain": record.domain,
        "language": record.language,
        "kind": record.kind,
        "template": record.template,
        "via": record.via,
        "map_version": record.map_version,
        "fields": {name: value.value for name, value in record.fields.items()},
        "confidence": {name: value.confidence for name, value in record.fields.items()},
        "rules": {name: value.rule for name, value in record.fields.items()},
        "day": read_at.astimezone(UTC).date(),
        "shown_at": (moment_of(published.value) if published else None) or read_at,
        "extracted_at": record.extracted_at,
        "stored_at": now,
        "warc_file": one.location.file if one.location else None,
        "warc_offset": one.location.offset if one.location else None,
    }
    return row | {"checksum": checksum_of(row)}


def checksum_of(row: Mapping[str, Any] | RowMapping) -> str:
    """Return a checksum of what a record holds, by which damage is noticed: databases have none of their own."""
    held = json_of({name: row[name] for name in ("urls", "fields", "confidence", "rules")})
    return hashlib.blake2b(held, digest_size=16).hexdigest()


def forget(connection: Connection, numbers: Sequence[int]) -> None:
    """Remove records, and count them no more; their pages and links stay."""
    for part in parts(numbers):
        own = records.c.number.in_(part)
        figures: _Figures = defaultdict(lambda: [0.0, 0.0])
        gone = connection.execute(select(*_COUNTED).where(own)).mappings().all()
        for row in gone:
            _count(figures, row, -1)
        connection.execute(delete(records).where(own))
        _add_figures(connection, figures)
        _count_pictures(connection, gone, [])
    connection.execute(delete(metrics).where(metrics.c.filled <= 0))


def forget_pages(connection: Connection, site: int, urls: Iterable[str]) -> None:
    """Remove the records of pages that turned out to be further pages of a story."""
    own = (records.c.site_id == site, records.c.id.in_([url_id(url) for url in urls]))
    forget(connection, list(connection.execute(select(records.c.number).where(*own)).scalars()))


def figures_agree(connection: Connection, site: int) -> bool:
    """Tell whether the figures of a site are those of its records."""
    query = select(metrics).where(metrics.c.site_id == site, metrics.c.filled != 0)
    kept = {(site, row.template, row.field, row.day): row.filled for row in connection.execute(query)}
    return kept == {key: int(filled) for key, (filled, _) in _counted(connection, site).items()}


def recount(connection: Connection, site: int) -> None:
    """Make the figures of a site those of its records."""
    connection.execute(delete(metrics).where(metrics.c.site_id == site))
    _add_figures(connection, _counted(connection, site))


def _counted(connection: Connection, site: int) -> _Figures:
    figures: _Figures = defaultdict(lambda: [0.0, 0.0])
    for row in connection.execute(select(*_COUNTED).where(records.c.site_id == site)).mappings():
        _count(figures, row, 1)
    return figures


def _known(connection: Connection, keys: Iterable[tuple[int, str]]) -> Iterator[RowMapping]:
    """Yield what was counted of the records with these keys."""
    by_site: dict[int, list[str]] = defaultdict(list)
    for site, name in keys:
        by_site[site].append(name)
    for site, names in by_site.items():
        for part in parts(names):
            query = select(*_COUNTED).where(records.c.site_id == site, records.c.id.in_(part))
            yield from connection.execute(query).mappings()


def _count(figures: _Figures, row: Mapping[str, Any] | RowMapping, sign: int) -> None:
    place = (row["site_id"], row["template"])
    figures[*place, _ALL, row["day"]][0] += sign
    for field, value in (row["fields"] or {}).items():
        if value not in (None, "", [], {}):
            entry = figures[*place, field, row["day"]]
            entry[0] += sign
            entry[1] += sign * (row["confidence"] or {}).get(field, 0.0)


def _count_pictures(connection: Connection, before: Sequence[_Row], now: Sequence[_Row]) -> None:
    """Count the stories that show pictures, after records were replaced or removed."""
    for site in {row["site_id"] for row in (*before, *now)}:
        pictures.count(connection, site, _shown(before, site), _shown(now, site))


def _shown(rows: Sequence[_Row], site: int) -> list[pictures.Shown]:
    return [pictures.shown_by(row["domain"], row["fields"] or {}) for row in rows if row["site_id"] == site]


def _add_figures(connection: Connection, figures: _Figures) -> None:
    keys = ("site_id", "template", "field", "day")
    rows = [
        dict(zip(keys, key, strict=True)) | {"filled": int(filled), "confidence": confidence}
        for key, (filled, confidence) in sorted(figures.items())
        if filled or confidence
    ]
    upsert(connection, metrics, keys, rows, (), ("filled", "confidence"))


def _select() -> Select[Any]:
    return (
        select(records, sites.c.name.label("site"), pages.c.warc_length, pages.c.digest)
        .join_from(records, sites, records.c.site_id == sites.c.id)
        .outerjoin(pages, (pages.c.warc_file == records.c.warc_file) & (pages.c.warc_offset == records.c.warc_offset))
    )


def _filtered(connection: Connection, query: RecordQuery) -> Select[Any]:
    wanted = _select()
    if names := [*filter(None, [query.site]), *query.sites]:
        wanted = wanted.where(records.c.site_id.in_(site_ids(connection, names).values()))
    if query.template is not None:
        wanted = wanted.where(records.c.template == query.template)
    if query.map_version is not None:
        wanted = wanted.where(records.c.map_version == query.map_version)
    if query.shown_since is not None:
        wanted = wanted.where(records.c.shown_at >= query.shown_since)
    if query.shown_before is not None:
        wanted = wanted.where(records.c.shown_at < query.shown_before)
    if query.stored_since is not None:
        wanted = wanted.where(records.c.stored_at >= query.stored_since)
    return wanted


def _stored(row: Row[Any]) -> StoredRecord:
    held = row._mapping
    if any(held[name] is None for name in ("urls", "fields", "confidence", "rules")):
        raise StoreError(f"the record of {held['url']} is damaged; run: sitewright store check --repair")
    record = Record(
        site=held["site"],
        urls=tuple(held["urls"]),
        fields={
            name: Value(value, held["confidence"][name], held["rules"][name]) for name, value in held["fields"].items()
        },
        domain=held["domain"],
        language=held["language"],
        kind=held["kind"],
        template=held["template"],
        via=held["via"],
        map_version=held["map_version"],
        extracted_at=held["extracted_at"],
    )
    return StoredRecord(
        number=held["number"],
        id=held["id"],
        record=record,
        shown_at=held["shown_at"],
        stored_at=held["stored_at"],
        location=_location(held) if held["warc_file"] else None,
    )


def _location(held: Mapping[Any, Any]) -> PageLocation:
    return PageLocation(held["warc_file"], held["warc_offset"], held["warc_length"], held["digest"])
