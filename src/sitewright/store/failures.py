"""Failures in the database: what has no record, and why."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select

from sitewright.store import frontier
from sitewright.store.entries import FailedTry, StoredFailure
from sitewright.store.schema import failures
from sitewright.store.statements import one_of, signature_of, site_id, upsert
from sitewright.types import Failure

_KEYS = ("site_id", "signature", "stage")


def add(connection: Connection, site: str, tries: Sequence[FailedTry], now: datetime) -> None:
    """Store what went wrong; settle the links that are tried no more, postpone those that are tried again."""
    number = site_id(connection, site, lock=True)
    signatures = [signature_of(failure.url) for failure, _, _ in tries]
    rows = [_row(number, one, failure, now) for one, (failure, _, _) in zip(signatures, tries, strict=True)]
    upsert(connection, failures, _KEYS, rows, ("url", "code", "detail", "at"), ("times",))
    settled = [one for one, (_, is_settled, _) in zip(signatures, tries, strict=True) if is_settled]
    again = [(one, moment) for one, (_, _, moment) in zip(signatures, tries, strict=True) if moment]
    frontier.settle(connection, number, settled, now)
    frontier.postpone(connection, number, again)


def of_site(connection: Connection, site: str) -> list[StoredFailure]:
    """Return the failures of a site, the latest first."""
    own = failures.c.site_id == site_id(connection, site)
    rows = connection.execute(select(failures).where(own).order_by(failures.c.at.desc(), failures.c.url))
    return [
        StoredFailure(
            site=site,
            failure=Failure(row.url, row.stage, row.code, row.detail),
            first_at=row.first_at,
            at=row.at,
            times=row.times,
        )
        for row in rows
    ]


def forget(connection: Connection, site: int, signatures: Iterable[int]) -> None:
    """Drop the failures of links that have a record now."""
    is_stored = one_of(connection, set(signatures))(failures.c.signature)
    connection.execute(delete(failures).where(failures.c.site_id == site, is_stored))


def _row(site: int, signature: int, failure: Failure, now: datetime) -> dict[str, Any]:
    return {
        "site_id": site,
        "signature": signature,
        "stage": failure.stage,
        "url": failure.url,
        "code": failure.code,
        "detail": failure.detail,
        "first_at": now,
        "at": now,
        "times": 1,
    }
