"""The address of a database in, what is wrong with it out; and where that is wanted, put right."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from sqlalchemy import Engine

from sitewright.errors import InputError, StoreError
from sitewright.store.database import Now, now_in_utc, open_store
from sitewright.store.engine import make_engine, read_leniently, sqlite_file
from sitewright.store.integrity import Fault, faults_of, mend
from sitewright.store.salvage import salvage
from sitewright.watch.owners import is_gone

FindingState = Literal["found", "repaired", "harmless"]
_WAIT_SECONDS = 30.0
_MOST_ROUNDS = 5
"""With a table back, more may be seen; what is not whole after so many rounds will not be."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: a stable word for what, where, in a sentence, and what became of it."""

    kind: str
    where: str
    detail: str
    state: FindingState = "found"


@dataclass(slots=True)
class LookedAt:
    """What a look at the database brought."""

    findings: list[Finding] = field(default_factory=list)
    is_anew: bool = False
    """Whether it was written anew, so that some of what was in it may be gone."""


def check_database(address: str, *, repair: bool, is_ours: bool, clock: Now = now_in_utc) -> LookedAt:
    """Look at all of a database; `is_ours`: an archive speaks for it even where the file is none or not there.

    What is written anew is dated by the `clock`.
    """
    file = sqlite_file(address)
    if file is not None and not file.exists():
        return _made_anew(file, repair=repair and is_ours)
    if not repair:
        with _engine(address) as engine:
            return LookedAt([_found(fault) for fault in faults_of(engine)])
    _refuse_while_collected(address, clock)
    looked = LookedAt()
    for _ in range(_MOST_ROUNDS):
        if not _repair(address, file if is_ours else None, looked, clock):
            break
    return looked


def _made_anew(file: Path, *, repair: bool) -> LookedAt:
    if not repair:
        raise InputError(f"there is no store {file}; begin with: sitewright collect URL")
    told = f"{file} is not there; it is made anew from the archive"
    return LookedAt([Finding("database_damaged", "database", told, "repaired")], is_anew=True)


def _refuse_while_collected(address: str, clock: Now) -> None:
    """Refuse to repair what others write to; nobody collects into a database that cannot be asked."""
    try:
        with open_store(address, clock=clock) as store:
            held = [site for site in store.leased_sites() if site.lease_owner and not is_gone(site.lease_owner)]
    except StoreError:
        return
    if held:
        raise InputError(f"{held[0].name} is being collected by {held[0].lease_owner}; end that process first")


def _repair(address: str, file: Path | None, looked: LookedAt, clock: Now) -> bool:
    """Put right what is found now; False where nothing is left that can be."""
    with _engine(address) as engine:
        faults = faults_of(engine)
    if not any(fault.kind == "database_damaged" for fault in faults):
        with _engine(address) as engine:
            read_leniently(engine)
            left = mend(engine, faults, clock())
            new = [_found(fault, "found" if fault in left else "repaired") for fault in faults]
            looked.findings += [finding for finding in new if finding not in looked.findings]
            return len(left) < len(faults)
    if file is None or looked.is_anew:
        looked.findings += map(_found, faults)
        return False
    done = salvage(file, clock())
    kept = f"; it was written anew, and the damaged file kept as {done.kept.name}"
    looked.findings += [Finding(one.kind, one.where, one.detail + kept, "repaired") for one in faults]
    looked.findings += [Finding("table_torn", name, "not all of it could be read", "repaired") for name in done.torn]
    looked.is_anew = True
    return True


def _found(fault: Fault, state: FindingState = "found") -> Finding:
    return Finding(fault.kind, fault.where, fault.detail, state)


@contextmanager
def _engine(address: str) -> Iterator[Engine]:
    engine = make_engine(address, _WAIT_SECONDS)
    try:
        yield engine
    finally:
        engine.dispose()
