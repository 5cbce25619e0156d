"""The name of a site in, a store and an archive without it out."""

from pathlib import Path
from typing import NamedTuple

from sitewright.actions.hold import held
from sitewright.actions.prune_store import Pruned, finish
from sitewright.actions.sites import known_sites
from sitewright.actions.telling import Tell, nobody
from sitewright.store.agreement import check_folder
from sitewright.store.compaction import keeping_house, plan
from sitewright.store.database import Store
from sitewright.store.entries import RecordQuery


class SiteSize(NamedTuple):
    """What there is of a site."""

    records: int
    pages: int
    files: int
    """Of the archive, in which its pages lie."""


def size_of(store: Store, name: str) -> SiteSize:
    """Return what would be removed."""
    known_sites(store, [name])
    files = [page.location.file for page in store.pages(name)]
    return SiteSize(store.count_records(RecordQuery(site=name)), len(files), len(set(files)))


def remove_site(store: Store, name: str, folder: Path | None = None, tell: Tell = nobody) -> Pruned:
    """Remove a site with all that the store has of it, and its pages from the archive; None: they stay there.

    Returns what became of the archive: its pages go from files that somebody writes to with the next `store prune`. So
    they do where this is interrupted.
    """
    known_sites(store, [name])
    done = Pruned()
    if folder is None:
        with held(store, name, tell):
            store.forget_site(name)
        return done
    check_folder({page.location.file for page in store.pages(name)} and store.archive_files(), folder)
    with keeping_house(folder):
        with held(store, name, tell):
            plan(folder, sorted({page.location.file for page in store.pages(name)}))
            store.forget_site(name)
        finish(store, folder, done)
    return done
