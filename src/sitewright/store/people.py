"""People in the database: accounts and log-ins, what each marked, saved, hid and chose, and what they changed."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, Select, delete, func, select

from sitewright.store.engine import reading, writing
from sitewright.store.entries import (
    Account,
    AccountRole,
    Change,
    HiddenKind,
    Login,
    Mark,
    SavedSearch,
)
from sitewright.store.schema import (
    accounts,
    alerts,
    changes,
    hidden,
    logins,
    marks,
    preferences,
    records,
    saved_searches,
)
from sitewright.store.statements import insert_into, one_of, upsert


class People:
    """What a store knows of people; every method is one transaction."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        """Keep the engine of a store; see `Store.people`."""
        self._engine = engine
        self._clock = clock

    # Accounts

    def put_account(self, name: str, role: AccountRole, secret: str) -> None:
        """Add an account, or give one another role and password."""
        row = {"name": name, "role": role, "made_at": self._clock(), "secret": secret}
        with writing(self._engine) as connection:
            upsert(connection, accounts, ("name",), [row], ("role", "secret"))

    def accounts(self) -> list[Account]:
        """Return all accounts, by name."""
        with reading(self._engine) as connection:
            rows = connection.execute(select(accounts).order_by(accounts.c.name)).mappings()
            return [Account(**row) for row in rows]

    def account(self, name: str) -> Account | None:
        """Return an account; None where there is none of the name."""
        with reading(self._engine) as connection:
            row = connection.execute(select(accounts).where(accounts.c.name == name)).mappings().first()
            return Account(**row) if row is not None else None

    def forget_account(self, name: str) -> bool:
        """Remove an account with all that is its own; False where there is none of the name."""
        with writing(self._engine) as connection:
            for table in (logins, marks, hidden, saved_searches, alerts, preferences):
                connection.execute(delete(table).where(table.c.account == name))
            return connection.execute(delete(accounts).where(accounts.c.name == name)).rowcount > 0

    # Log-ins

    def add_login(self, digest: str, account: str, seconds: float, label: str = "") -> None:
        """Remember that a browser, or a program, is logged in."""
        now = self._clock()
        row = {"id": digest, "account": account, "made_at": now, "label": label}
        with writing(self._engine) as connection:
            connection.execute(delete(logins).where(logins.c.expires_at < now))
            connection.execute(logins.insert().values(row | {"expires_at": now + timedelta(seconds=seconds)}))

    def login(self, digest: str) -> Login | None:
        """Return who is logged in by it; None where nobody is (any more)."""
        query = _logins().where(logins.c.id == digest, logins.c.expires_at > self._clock())
        with reading(self._engine) as connection:
            row = connection.execute(query).mappings().first()
            return Login(**row) if row is not None else None

    def logins(self, account: str) -> list[Login]:
        """Return where an account is logged in, the latest first."""
        query = _logins().where(logins.c.account == account, logins.c.expires_at > self._clock())
        with reading(self._engine) as connection:
            return [Login(**row) for row in connection.execute(query.order_by(logins.c.made_at.desc())).mappings()]

    def forget_logins(self, account: str, digests: Collection[str] = ()) -> None:
        """Log an account out: everywhere, or where it is named."""
        which = delete(logins).where(logins.c.account == account)
        with writing(self._engine) as connection:
            connection.execute(which.where(logins.c.id.in_(digests)) if digests else which)

    # What they changed

    def note_change(self, account: str, what: str, about: str, detail: Mapping[str, Any] | None = None) -> None:
        """Remember who changed what."""
        row = {"at": self._clock(), "account": account, "what": what, "about": about, "detail": dict(detail or {})}
        with writing(self._engine) as connection:
            connection.execute(changes.insert().values(row))

    def changes(self, *, limit: int = 100, before: int | None = None) -> list[Change]:
        """Return what was changed, the latest first."""
        query = select(changes).order_by(changes.c.number.desc()).limit(limit)
        with reading(self._engine) as connection:
            rows = connection.execute(query if before is None else query.where(changes.c.number < before)).mappings()
            return [Change(**row) for row in rows]

    # Marks

    def marks(self, account: str, numbers: Iterable[int]) -> dict[int, Mark]:
        """Return what an account marked of some records, by their numbers."""
        with reading(self._engine) as connection:
            wanted = one_of(connection, numbers)(marks.c.record)
            rows = connection.execute(_marks().where(marks.c.account == account, wanted)).mappings()
            return {row["record"]: Mark(**row) for row in rows}

    def mark(self, account: str, wanted: Sequence[Mark]) -> list[Mark]:
        """Set the marks of records, and return what they were before, so that it can be undone."""
        with writing(self._engine) as connection:
            chosen = one_of(connection, [one.record for one in wanted])
            sites = {
                row.number: row.site_id
                for row in connection.execute(
                    select(records.c.number, records.c.site_id).where(chosen(records.c.number))
                )
            }
            known = {
                row["record"]: Mark(**row)
                for row in connection.execute(
                    _marks().where(marks.c.account == account, chosen(marks.c.record))
                ).mappings()
            }
            there = [one for one in wanted if one.record in sites]
            rows = [
                {
                    "account": account,
                    "record": one.record,
                    "site_id": sites[one.record],
                    "read_at": one.read_at,
                    "starred_at": one.starred_at,
                    "apart_at": one.apart_at,
                }
                for one in there
            ]
            upsert(connection, marks, ("account", "record"), rows)
            return [known.get(one.record) or Mark(record=one.record) for one in there]

    def starred(self, account: str, *, limit: int, before: datetime | None = None) -> list[Mark]:
        """Return the records with a star, the latest first."""
        query = _marks().where(marks.c.account == account, marks.c.starred_at.is_not(None))
        if before is not None:
            query = query.where(marks.c.starred_at < before)
        with reading(self._engine) as connection:
            rows = connection.execute(query.order_by(marks.c.starred_at.desc()).limit(limit)).mappings()
            return [Mark(**row) for row in rows]

    # What they hide, keep and prefer

    def hide(self, account: str, kind: HiddenKind, what: str) -> None:
        """Show nothing of a site, or of a topic, any more."""
        row = {"account": account, "kind": kind, "what": what, "at": self._clock()}
        with writing(self._engine) as connection:
            upsert(connection, hidden, ("account", "kind", "what"), [row])

    def show(self, account: str, kind: HiddenKind, what: str) -> None:
        """Show it again."""
        own = (hidden.c.account == account, hidden.c.kind == kind, hidden.c.what == what)
        with writing(self._engine) as connection:
            connection.execute(delete(hidden).where(*own))

    def hidden(self, account: str) -> list[tuple[HiddenKind, str]]:
        """Return what an account does not want to see, the latest first."""
        query = select(hidden.c.kind, hidden.c.what).where(hidden.c.account == account).order_by(hidden.c.at.desc())
        with reading(self._engine) as connection:
            return [(row.kind, row.what) for row in connection.execute(query)]

    def save_search(self, account: str, label: str, query: str) -> int:
        """Keep a view; return its number."""
        row = {"account": account, "label": label, "query": query, "made_at": self._clock()}
        with writing(self._engine) as connection:
            made = insert_into(connection, saved_searches).values(row).returning(saved_searches.c.number)
            return int(connection.execute(made).scalar_one())

    def saved_searches(self, account: str) -> list[SavedSearch]:
        """Return the views that an account keeps, by name."""
        columns = [column for column in saved_searches.c if column.name != "account"]
        query = select(*columns).where(saved_searches.c.account == account)
        with reading(self._engine) as connection:
            rows = connection.execute(query.order_by(func.lower(saved_searches.c.label))).mappings()
            return [SavedSearch(**row) for row in rows]

    def forget_search(self, account: str, number: int) -> bool:
        """Keep a view no longer; False where there is none of the number."""
        own = (saved_searches.c.account == account, saved_searches.c.number == number)
        with writing(self._engine) as connection:
            return connection.execute(delete(saved_searches).where(*own)).rowcount > 0

    def preferences(self, account: str) -> dict[str, Any]:
        """Return what an account prefers."""
        with reading(self._engine) as connection:
            query = select(preferences.c.chosen).where(preferences.c.account == account)
            return dict(connection.execute(query).scalar() or {})

    def prefer(self, account: str, chosen: Mapping[str, Any]) -> None:
        """Keep what an account prefers."""
        with writing(self._engine) as connection:
            upsert(connection, preferences, ("account",), [{"account": account, "chosen": dict(chosen)}])


def _logins() -> Select[Any]:
    return select(logins, accounts.c.role).join_from(logins, accounts, logins.c.account == accounts.c.name)


def _marks() -> Select[Any]:
    return select(marks.c.record, marks.c.read_at, marks.c.starred_at, marks.c.apart_at)
