"""A site in, a workbench out on which a person changes its map: each change shown at once on stored pages."""

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, NamedTuple

from sitewright.actions.catalogues import Library
from sitewright.actions.hold import held
from sitewright.actions.maps import PutMap, put_map, stored_map
from sitewright.errors import MapChanged, NotThere, SitewrightError
from sitewright.extract import Extractor
from sitewright.induce.pointing import Place, Pointed, propose_inside, propose_selectors
from sitewright.induce.tree import PageTree
from sitewright.maps import dump_map, parse_map
from sitewright.maps.convert import OWN, Conversion, guess_format, read_foreign
from sitewright.maps.diff import Change, compare_maps
from sitewright.maps.edits import Edit, apply_edit
from sitewright.maps.file import with_heading
from sitewright.output.frame import FramedPage, frame_of
from sitewright.parse import Document, parse
from sitewright.reading.preview import Before, PageShown, elements_of, preview, read_before
from sitewright.store.database import Store
from sitewright.store.entries import RecordQuery, StoredMap, StoredRecord
from sitewright.store.warc import read_page
from sitewright.types import ExtractionMap

PAGES = 10
"""So many stored pages show at once what a change does."""
_LATELY = 200
"""They are chosen among so many of the latest records."""
_DRAFTS = 20
"""So many drafts are kept as maps: those that Undo leads back to, too."""


class BenchPage(NamedTuple):
    """A stored page on the workbench, and the record that was read of it."""

    record: str
    url: str
    title: str
    document: Document


class Tried(NamedTuple):
    """What a draft does: its text and rules, and what it reads of every page and where of one."""

    text: str
    draft: ExtractionMap
    pages: Sequence[PageShown]
    outlines: Mapping[str, Sequence[int]]


@dataclass(slots=True)
class Workbench:
    """The newest map of a site, and some of its pages, parsed once."""

    stored: StoredMap
    pages: Sequence[BenchPage]
    newest: ExtractionMap = field(init=False)
    """What the stored text says."""
    _trees: list[PageTree] = field(default_factory=list)
    _before: list[Before] = field(default_factory=list)
    _drafts: OrderedDict[str, ExtractionMap] = field(default_factory=OrderedDict)
    """The drafts that were tried last, by their texts: the next edit is of one of them."""
    _lock: Lock = field(default_factory=Lock)
    """Reading takes parts of a tree out for a moment: one reads at a time."""

    def __post_init__(self) -> None:
        """Read the stored map once."""
        self.newest = self.stored.parsed()

    def try_edits(self, text: str, edits: Sequence[Edit], record: str) -> Tried:
        """Return what a draft does after some edits; `record` names the page that its outlines are of."""
        draft = self._draft(text)
        for edit in edits:
            draft = apply_edit(draft, edit)
        changed = dump_map(draft, like=text) if edits else text
        draft = self._draft(changed)  # what cannot be a map is told with its line
        Extractor(draft)
        with self._lock:
            documents = [page.document for page in self.pages]
            if not self._before:
                self._before += read_before(self.newest, documents)
            shown = preview(draft, self._before, documents)
            outlines = elements_of(draft, self.page(record).document)
        return Tried(changed, draft, shown, outlines)

    def _draft(self, text: str) -> ExtractionMap:
        """Return the map that a text describes; to read it takes as long as to read ten pages by it."""
        with self._lock:
            found = self._drafts.pop(text, None)
        found = found or parse_map(text)
        with self._lock:
            self._drafts[text] = found
            while len(self._drafts) > _DRAFTS:
                self._drafts.popitem(last=False)
        return found

    def propose(self, wanted: Sequence[Place], unwanted: Collection[Place]) -> list[Pointed]:
        """Return selectors for elements that a person points at."""
        with self._lock:
            return propose_selectors(self._parsed(), wanted, unwanted)

    def propose_inside(self, items: Sequence[str], place: Place) -> list[Pointed]:
        """Return selectors for what a person points at inside of one of the items that selectors find."""
        with self._lock:
            return propose_inside(self._parsed(), items, place)

    def _parsed(self) -> Sequence[PageTree]:
        if not self._trees:
            self._trees = [PageTree(page.document) for page in self.pages]
        return self._trees

    def page(self, record: str) -> BenchPage:
        """Return one of the pages."""
        return self.pages[self.number_of(record)]

    def number_of(self, record: str) -> int:
        """Return the place of a page among the others."""
        for number, page in enumerate(self.pages):
            if page.record == record:
                return number
        raise NotThere(f"the page of record {record} is not on the workbench; load the editor again")

    def frame(self, record: str) -> FramedPage:
        """Return a page as it may be shown, each element with its number."""
        with self._lock:
            return frame_of(self.page(record).document, {}, numbered=True)

    def changes(self, draft: ExtractionMap) -> list[Change]:
        """Return how a draft differs from the stored map."""
        return compare_maps(self.newest, draft)


def open_workbench(library: Library, site: str, wanted: Collection[str] = ()) -> Workbench:
    """Open the newest map of a site with some pages of each template, those of the `wanted` records first."""
    stored = stored_map(library.store, site)
    pages = [page for record in _chosen(library.store, site, wanted) if (page := _opened(library, record))]
    if not pages:
        raise NotThere(f"no page of {site} was kept, so nothing can be shown of its map; collect some pages first")
    return Workbench(stored, pages)


def _chosen(store: Store, site: str, wanted: Collection[str]) -> list[StoredRecord]:
    """Return records with pages, of all templates in turn, the latest first."""
    latest = store.records(RecordQuery(site=site, newest_first=True, limit=_LATELY))
    there = [one for one in latest if one.location is not None]
    asked = [one for name in wanted for one in store.find_records_by_id(name, [site]) if one.location is not None]
    groups: dict[str, list[StoredRecord]] = {}
    for one in there:
        groups.setdefault(one.record.template, []).append(one)
    turns = [one for turn in range(PAGES) for group in groups.values() for one in group[turn : turn + 1]]
    known = {one.id: one for one in (*asked, *turns)}
    return list(known.values())[:PAGES]


def _opened(library: Library, stored: StoredRecord) -> BenchPage | None:
    """Return a stored page, parsed; None where it cannot be read any more."""
    if stored.location is None:
        return None
    try:
        document = parse(read_page(library.folder, stored.location), library.limits)
    except SitewrightError:
        return None
    heading = next((str(value.value) for value in stored.record.fields.values()), "")
    return BenchPage(stored.id, stored.record.urls[0], heading, document)


def save_draft(store: Store, text: str, based_on: int, reason: str = "") -> PutMap:
    """Store a draft as the next version of its site's map; one that was stored meanwhile is not overwritten."""
    site = parse_map(text).site
    with held(store, site):
        before = stored_map(store, site)
        if before.version != based_on:
            raise MapChanged(
                f"version {before.version} was stored while you worked on version {based_on}; compare before you save"
            )
        return PutMap(put_map(store, with_heading(text, reason), "the editor"), before)


def bring_map(stored: StoredMap, text: str, name: str) -> Conversion[str]:
    """Return a map of our own or a foreign format as a draft for a stored map's site, and what was lost on the way.

    `name` is that of its file. What only our own maps say (the pages that list others, the kind of site) stays.
    """
    own, kind = stored.parsed(), guess_format(text, name)
    if kind == OWN:
        return Conversion(dump_map(replace(parse_map(text, name), site=own.site, version=own.version)), ())
    brought = read_foreign(text, kind, own.site)
    draft = replace(own, templates=brought.result.templates)
    return Conversion(dump_map(draft), brought.lost)


def read_edits(plain: Any) -> list[Edit]:
    """Read the edits that an editor sends."""
    return [Edit.read(one) for one in plain] if isinstance(plain, list) else [Edit.read(plain)]
