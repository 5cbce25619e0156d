"""A store, its archive and an age in; the store without what is older, and files without the pages of it, out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from sitewright.actions.sites import known_sites
from sitewright.actions.telling import Tell, nobody
from sitewright.store.agreement import check_folder
from sitewright.store.compaction import compact, keeping_house, plan, planned_files
from sitewright.store.database import Store
from sitewright.values.words import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """What is to go."""

    before: datetime | None = None
    """What was published (where that is not known, fetched) before; None: nothing but what is planned already."""
    sites: Sequence[str] = ()
    """Empty: all."""
    pages_only: bool = False
    """Records stay, only their pages go."""


@dataclass(slots=True)
class Pruned:
    """What went, or would."""

    rows: dict[str, int] = field(default_factory=dict)
    files: int = 0
    """How many files of the archive were written anew, or removed."""
    saved: int = 0
    """Bytes."""
    busy: list[str] = field(default_factory=list)
    """Files that somebody writes to, whose pages go the next time."""
    missing: list[str] = field(default_factory=list)
    """Files that are not there, perhaps on another machine: what lies in them stays."""


def prune(store: Store, folder: Path, wanted: Retention, *, dry_run: bool = False, tell: Tell = nobody) -> Pruned:
    """Remove what is too old. Whoever is interrupted runs it again: what was begun is finished then."""
    if wanted.sites:
        known_sites(store, wanted.sites)
    done = Pruned()
    check_folder(store.archive_files(), folder)
    if wanted.before is not None:
        done.rows = store.count_expired(wanted.before, wanted.sites, pages_only=wanted.pages_only)
    if dry_run:
        planned = set(planned_files(folder))
        if wanted.before is not None:
            planned |= set(store.files_of_expired(wanted.before, wanted.sites, pages_only=wanted.pages_only))
        done.missing = sorted(file for file in planned if not (folder / file).exists())
        done.files = len(planned) - len(done.missing)
        return done
    with keeping_house(folder):
        if wanted.before is not None:
            plan(folder, store.files_of_expired(wanted.before, wanted.sites, pages_only=wanted.pages_only))
            gone = 0
            while removed := store.expire(wanted.before, wanted.sites, pages_only=wanted.pages_only):
                gone += removed
                tell(f"{counted(gone, 'row')} removed")
        finish(store, folder, done, tell)
    return done


def finish(store: Store, folder: Path, done: Pruned, tell: Tell = nobody) -> None:
    """Write files anew from which pages went, and the database without what was removed."""
    for file, new in planned_files(folder).items():
        tell(file)
        if not any((folder / name).exists() for name in (file, new)):
            done.missing.append(file)
        saved = compact(store, folder, file)
        if saved is None:
            done.busy.append(file)
        elif file in done.missing:
            continue
        else:
            done.files += 1
            done.saved += saved
    store.give_back_room()
