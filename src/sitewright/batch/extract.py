"""Stored pages in, one output line a page out; the one place where an error becomes a Failure."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, TypeVar

from sitewright.batch.mapped import MapReader
from sitewright.batch.pool import BATCH_BYTES, Pool
from sitewright.errors import InputError, ModelError, PageError, SitewrightError
from sitewright.extract import Extractor
from sitewright.fetch import Place
from sitewright.parse import Document, parse
from sitewright.store import failure_row, json_of, row_of
from sitewright.tag import MceTagger, PageReader, Tagger
from sitewright.types import DEFAULT_DOMAIN, ExtractionMap, Failure, Limits

Outcome = TypeVar("Outcome")

ONLY_MAP = "none"
TAGGERS = ("network", "mce")
"""The taggers that have a name; a third kind is a folder."""
LOADING_SECONDS = 60.0
"""What a worker may take beside its first page to load a checkpoint: torch, transformers and a model of the base size
take 5 to 20 s, by the disk."""
_ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS")
"""What the libraries behind a checkpoint read when they are loaded: workers share the cores already."""


class Line(NamedTuple):  # a tuple, because these travel between processes and pickle twice as fast
    """A finished output line (JSON, without its line break), and the code of the failure it tells of, if any."""

    json: bytes
    failure: str = ""
    template: str = ""
    via: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractJob:
    """Reads pages with a map, or without one each page by itself, by a tagger."""

    extraction_map: ExtractionMap | None = None
    limits: Limits = field(default_factory=Limits)
    fields: frozenset[str] = frozenset()
    explain: bool = False
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    tagger: str = TAGGERS[0]
    """Without a map: `network`, `mce`, or a folder with a fine-tuned MarkupLM checkpoint. With a map: `network` reads
    what a learned map does not, `none` leaves it out."""
    domain: str = DEFAULT_DOMAIN
    """What kind of pages they are, without a map; a map names its own."""

    def start(self) -> Callable[[Place], Line]:
        """Compile the map or load the tagger, and return the function that reads one page."""
        reader = self.reader()
        unmapped = "page" if self.extraction_map is None else ""

        def read(document: Document) -> Line:
            record = reader.extract(document, self.now, self.fields)
            line = json_of(row_of(record, explain=self.explain))
            return Line(line, template=record.template or unmapped, via=record.via)

        return lambda place: work_on(place, self.limits, read, _failed)

    def reader(self) -> Extractor | MapReader | PageReader:
        """Return what reads the pages."""
        if self.extraction_map is not None:
            return Extractor(self.extraction_map) if self.tagger == ONLY_MAP else MapReader(self.extraction_map)
        return PageReader(self.domain, open_tagger(self.tagger, self.domain))

    @property
    def page_seconds(self) -> float:
        """How long a worker may be silent before its page counts as hanging."""
        return self.limits.page_seconds + (LOADING_SECONDS if self._is_slow else 0.0)

    @property
    def _is_slow(self) -> bool:
        return self.extraction_map is None and self.tagger not in TAGGERS

    def weigh(self, task: Place) -> int:
        """Return the size of a page; one that takes seconds fills a batch, so that it has its time for itself."""
        return BATCH_BYTES if self._is_slow else task.size

    def fail(self, task: Place, error: PageError) -> Line:
        """Return the line of a page that killed its worker or ran out of time."""
        return _failed(failure_of(task, error))


def open_tagger(name: str, domain: str = DEFAULT_DOMAIN) -> Tagger | None:
    """Return the tagger of this name or in this folder; None stands for the one of the domain."""
    if name == "network":
        return None
    if name == "mce":
        return MceTagger(domain)
    if not _is_folder(name):
        raise InputError(f"there is no tagger {name!r}; there are {', '.join(TAGGERS)} and folders with a checkpoint")
    for variable in _ONE_THREAD:
        os.environ.setdefault(variable, "1")
    from sitewright.tag.markuplm import MarkupLmTagger  # noqa: PLC0415 -- only who uses it pays for it

    return MarkupLmTagger(name, domain)


def check_tagger(name: str, domain: str = DEFAULT_DOMAIN) -> None:
    """Raise what opening a tagger raises, once, so that workers need not.

    A checkpoint is loaded in a process of its own: its libraries start threads, and what has threads cannot be forked.
    """
    if name in TAGGERS or not _is_folder(name):
        open_tagger(name, domain)
        return
    for error in Pool(_TaggerCheck(domain), 1, LOADING_SECONDS).run([name]):
        if error is not None:
            raise error


def _is_folder(name: str) -> bool:
    return bool(name) and Path(name).is_dir()


class _TaggerCheck:
    """Opens taggers and gives the errors back."""

    def __init__(self, domain: str) -> None:
        self._domain = domain

    def start(self) -> Callable[[str], SitewrightError | None]:
        return lambda name: _error_of_opening(name, self._domain)

    def weigh(self, task: str) -> int:  # noqa: ARG002 -- the interface's
        return 1

    def fail(self, task: str, error: PageError) -> SitewrightError | None:
        return ModelError(f"{task} cannot be loaded: {error}")


def _error_of_opening(name: str, domain: str) -> SitewrightError | None:
    try:
        open_tagger(name, domain)
    except SitewrightError as error:
        return error
    return None


def work_on(
    place: Place,
    limits: Limits,
    work: Callable[[Document], Outcome],
    failed: Callable[[Failure], Outcome],
    working: str = "extract",
) -> Outcome:
    """Load and parse a page and work on it; whatever goes wrong is a failure of this page, at the stage `working`."""
    url, stage = place.name, "fetch"
    try:
        page = place.load()
        url, stage = page.url or url, "parse"
        document = parse(page, limits)
        stage = working
        return work(document)
    except SitewrightError as error:
        return failed(Failure(url, stage, error.code, str(error)))
    except Exception as error:  # noqa: BLE001 -- the worker's last resort: this page fails, the run goes on
        return failed(Failure(url, stage, "internal_error", f"{type(error).__name__}: {error}"))


def failure_of(place: Place, error: PageError, working: str = "extract") -> Failure:
    """Return the failure of a page that killed its worker or ran out of time."""
    return Failure(_url_of(place), working, error.code, str(error))


def _failed(failure: Failure) -> Line:
    return Line(json_of(failure_row(failure)), failure.code)


def _url_of(place: Place) -> str:
    """Return the URL of a page that could not be worked on; reading the line again is safe, parsing it was not."""
    try:
        return place.load().url or place.name
    except SitewrightError:
        return place.name
