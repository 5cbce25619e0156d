"""A store and its archive in, what is wrong with them out; and where that is wanted, put right."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sitewright.actions.check_database import Finding, check_database
from sitewright.actions.telling import Tell, nobody
from sitewright.errors import BadUrl, MapError
from sitewright.parse.sites import front_page, site_name
from sitewright.store.agreement import FileState, check_folder, compare
from sitewright.store.database import Now, Store, now_in_utc, open_store
from sitewright.store.entries import PageLocation, StoredPage, StoredSite, WatchedPage
from sitewright.store.parts import mend_page
from sitewright.store.warc import WarcStore, archive_files, read_page
from sitewright.types import Page
from sitewright.values.words import counted

_FATAL = ("database_damaged", "table_missing", "row_unreadable")


@dataclass(slots=True)
class Checked:
    """What a check found."""

    sites: int = 0
    records: int = 0
    files: int = 0
    bytes: int = 0
    pages: int = 0
    """Whole pages of which the database knows."""
    spare: int = 0
    """Whole pages of which it does not: no harm."""
    findings: list[Finding] = field(default_factory=list)

    @property
    def is_well(self) -> bool:
        """Whether nothing is wrong any more."""
        return all(finding.state != "found" for finding in self.findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """What is to be put right."""

    wanted: bool = False
    forget_missing: bool = False
    """Whether pages are fetched again whose files are not there; they may be on another machine."""


def check_store(
    address: str, folder: Path, repair: Repair = Repair(), tell: Tell = nobody, *, clock: Now = now_in_utc
) -> Checked:
    """Look at every row of the database and every byte of the archive, and whether they agree.

    To repair them, nobody may be collecting. Nothing that can be read is removed. `clock` is the one of the store.
    """
    checked = Checked()
    tell("the database")
    looked = check_database(address, repair=repair.wanted, is_ours=bool(archive_files(folder)), clock=clock)
    checked.findings += looked.findings
    if any(finding.kind in _FATAL and finding.state == "found" for finding in looked.findings):
        return checked  # what the database says of the archive cannot be asked
    with open_store(address, clock=clock) as store:
        _ArchiveCheck(store, folder, checked, repair, tell).run(with_sites=looked.is_anew)
        if looked.is_anew:
            checked.findings += _unread(store)
        checked.sites, checked.records = len(store.sites()), store.count_records()
    return checked


def _unread(store: Store) -> Iterator[Finding]:
    """Have pages collected again whose records were lost with the rows that could not be read."""
    for site in store.sites():
        if not store.index_pages(site.name):
            store.put_index_pages(_sources(store, site))
        if number := store.ask_for_unread(site.name):
            told = (
                f"{counted(number, 'page')} without a record; they are fetched again, `re-extract` reads them at once"
            )
            yield Finding("records_lost", site.name, told, "repaired")


def _sources(store: Store, site: StoredSite) -> list[WatchedPage]:
    """Return the sources of a site by its map, or where that is lost its front page."""
    try:
        stored = store.load_map(site.name)
        urls = [entry.url for entry in stored.parsed().index] if stored is not None else []
    except MapError:
        urls = []
    return [WatchedPage(site=site.name, url=url) for url in urls or [site.url]]


class _ArchiveCheck:
    """Reads the files of the archive beside what the database says of them."""

    def __init__(self, store: Store, folder: Path, checked: Checked, repair: Repair, tell: Tell) -> None:
        self._store = store
        self._folder = folder
        self._checked = checked
        self._repair = repair
        self._tell = tell

    def run(self, *, with_sites: bool) -> None:
        """Check all files; with `with_sites` sites that the database has forgotten are known by their pages."""
        named = self._store.archive_files()
        there = {path.name: path for path in archive_files(self._folder)}
        check_folder(named, self._folder)
        if self._repair.wanted:
            WarcStore(self._folder, ends=named).close()  # what was half written is cut off
        for name in sorted(named.keys() | there.keys()):
            self._tell(name)
            self._check(name, with_sites=with_sites)

    def _check(self, name: str, *, with_sites: bool) -> None:
        path, rows = self._folder / name, self._store.pages_in(name)
        if not path.exists():
            self._missing(name, rows)
            return
        state = compare(path, rows)
        mended: set[PageLocation] = set()
        if self._repair.wanted:
            mended = {row.location for row in state.lost if mend_page(path, row.location)}
            self._store.ask_again([row for row in state.lost if row.location not in mended])
            self._adopt(state, with_sites=with_sites)
        self._note(state, mended)

    def _missing(self, name: str, rows: Sequence[StoredPage]) -> None:
        told = f"{counted(len(rows), 'page')} should be in it, of {', '.join(sorted({row.site for row in rows}))}"
        if self._repair.wanted and self._repair.forget_missing:
            self._store.ask_again(rows)
            told = f"{told}; records stay, and pages are fetched again"
            self._checked.findings.append(Finding("file_missing", name, told, "repaired"))
        else:
            self._checked.findings.append(Finding("file_missing", name, told))

    def _note(self, state: FileState, mended: set[PageLocation]) -> None:
        checked, findings = self._checked, self._checked.findings
        checked.files += 1
        checked.bytes += state.bytes
        checked.pages += state.pages + len(mended)
        checked.spare += len(state.spare)
        for row in state.lost:
            place = f"{state.file}, byte {row.location.offset:,}"
            if row.location in mended:
                findings.append(Finding("page_damaged", place, f"{row.url}: mended", "repaired"))
            elif self._repair.wanted:
                told = f"{row.url}: damaged; its record stays, and it is fetched again"
                findings.append(Finding("page_lost", place, told, "repaired"))
            else:
                findings.append(Finding("page_lost", place, f"{row.url}: damaged"))
        for gap in state.gaps:
            told = f"{counted(gap.location.length, 'byte')} are no page, and the database misses none there"
            findings.append(Finding("gap", f"{state.file}, byte {gap.location.offset:,}", told, "harmless"))

    def _adopt(self, state: FileState, *, with_sites: bool) -> None:
        """Take in pages of which the database knows nothing, not even that their links were seen."""
        by_site: dict[str, list[tuple[Page, PageLocation]]] = {}
        for place in state.spare:
            page = replace(read_page(self._folder, place), body=b"")
            by_site.setdefault(_site_of(page), []).append((page, place))
        known = {site.name for site in self._store.sites()}
        for name, found in by_site.items():
            if name not in known and with_sites and name:
                self._store.add_site(name, url=front_page(found[0][0].url))
                self._store.make_due(name)
            elif name not in known:
                continue
            if taken := self._store.adopt_pages(name, found):
                told = f"{counted(taken, 'page')} of {name} that the database had forgotten"
                self._checked.findings.append(Finding("pages_forgotten", state.file, told, "repaired"))


def _site_of(page: Page) -> str:
    try:
        return site_name(page.url)
    except BadUrl:
        return ""
