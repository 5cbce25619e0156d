"""Work that one process at a time does for all in: whose turn it is out."""

from datetime import datetime

from sqlalchemy import Connection, update

from sitewright.store.schema import refreshes
from sitewright.store.statements import insert_into


def take(connection: Connection, what: str, owner: str, span: tuple[datetime, datetime]) -> bool:
    """Tell whether an owner may do it from now until then; nobody else does so before it is done, or time is up."""
    now, until = span
    row = {"what": what, "owner": "", "until": now}
    connection.execute(insert_into(connection, refreshes).values(row).on_conflict_do_nothing())
    taken = update(refreshes).where(refreshes.c.what == what, (refreshes.c.until <= now) | (refreshes.c.owner == owner))
    return connection.execute(taken.values(owner=owner, until=until)).rowcount > 0


def finish(connection: Connection, what: str, owner: str, now: datetime, made_at: datetime | None = None) -> None:
    """Let others do it again; with `made_at` it is done as of that moment."""
    done = {"until": now} | ({"made_at": made_at} if made_at is not None else {})
    connection.execute(update(refreshes).where(refreshes.c.what == what, refreshes.c.owner == owner).values(done))
