"""An engine in, the tables of this version in its database out."""

from sqlalchemy import Connection, Engine, inspect, text

from sitewright.errors import StoreError
from sitewright.store.engine import is_sqlite, reading, writing
from sitewright.store.schema import REVISION, VERSION_TABLE, metadata

_UPGRADE_LOCK = 0x73697465
"""PostgreSQL's advisory lock under which only one process makes or changes the tables."""


def prepare(engine: Engine) -> None:
    """Make the tables, or bring them up to date; refuse those of others and those of the future."""
    with reading(engine) as connection:
        if _revision_of(connection) == REVISION:
            return
    from sitewright.store.migrations import scripts, upgrade  # noqa: PLC0415 -- only a change of the tables pays for it

    known = {script.revision for script in scripts().walk_revisions()}
    with writing(engine) as connection:
        if not is_sqlite(connection):
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
        found = _revision_of(connection)
        if found and found not in known:
            told = f"a newer version of Sitewright wrote it (tables {found}, known up to {REVISION}); update Sitewright"
            raise StoreError(f"{engine.url.render_as_string()}: {told}")
        if not found and (others := set(inspect(connection).get_table_names()) & set(metadata.tables)):
            told = f"holds tables of something else ({', '.join(sorted(others))}); name another database"
            raise StoreError(f"{engine.url.render_as_string()}: {told}")
        upgrade(connection)


def _revision_of(connection: Connection) -> str:
    """Return the last migration that was run; empty where none was."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return ""
    return str(connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar() or "")  # noqa: S608 -- a constant
