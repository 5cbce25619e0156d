"""A database in, the same rows in another database (SQLite or PostgreSQL) out."""

from sitewright.actions.hold import all_held
from sitewright.actions.telling import Tell, nobody
from sitewright.errors import InputError
from sitewright.store.database import open_store
from sitewright.store.engine import make_engine
from sitewright.store.transfer import check_is_empty, copy_tables, count_rows, opened
from sitewright.values.words import counted


def move_store(address: str, target: str, *, dry_run: bool = False, tell: Tell = nobody) -> dict[str, int]:
    """Copy a store to an empty database; return the rows of each table.

    Nobody collects meanwhile: all sites are held. The old one stays as it is. It is one transaction, and compared with
    the old one before it is committed, so whoever is interrupted has changed nothing.
    """
    if make_engine(address, 1.0).url == make_engine(target, 1.0).url:
        raise InputError("both are the same store")
    if dry_run:
        check_is_empty(target)
        with opened(address) as source:
            return count_rows(source)
    with open_store(address) as store, all_held(store, [site.name for site in store.sites()], tell) as renew:

        def progress(table: str, rows: int) -> None:
            renew()
            tell(f"{table}: {counted(rows, 'row')}")

        with opened(address) as source, opened(target) as new:
            return copy_tables(source, new, progress)
