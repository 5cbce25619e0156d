"""What goes into the store and comes out of it, where `sitewright.types` has no word for it."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from sitewright.maps import parse_map
from sitewright.store.states import JsonRow, SiteState, SourceState
from sitewright.types import ExtractionMap, Failure, Page, Record

MadeBy = Literal["learned", "person", "healed"]
IndexKind = Literal["page", "feed", "sitemap"]
IncidentKind = Literal[
    "lost",
    "shorter",
    "longer",
    "other shape",
    "repeats",
    "disagrees",
    "handed over",
    "walled",
    "refused",
    "failing",
    "unlisted",
]
"""What became of a field: six ways; and of whole pages: the map reads next to nothing of them, a wall stands before
them, they are no articles any more, they cannot be fetched; and of sources: the map's selectors no longer find what
they list."""
ProposalState = Literal["waiting", "accepted", "rejected", "outdated"]
"""Outdated: a newer one took its place, or the map has changed since."""
AccountRole = Literal["reader", "editor", "admin"]
ROLES: tuple[AccountRole, ...] = ("reader", "editor", "admin")
"""What accounts may do, each more than the one before: read; change maps and sites; all, accounts too."""
HiddenKind = Literal["site", "topic"]
IncidentState = Literal["open", "healing", "waiting", "healed", "dismissed", "over"]
"""Waiting: for a person, or for the site. Over: all is well again, and nothing was changed for it."""


@dataclass(frozen=True, slots=True)
class PageLocation:
    """Where a page lies in the archive: file (in its folder), offset and length of its record, digest of its body."""

    file: str
    offset: int
    length: int
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSite:
    """A site that is collected, and which process works on it now."""

    name: str
    url: str
    domain: str
    added_at: datetime
    next_due: datetime | None = None
    """When there is something to do; None: there is nothing."""
    lease_owner: str | None = None
    lease_until: datetime | None = None
    state: SiteState = field(default_factory=SiteState)
    """What its collector remembers about it."""
    paused_at: datetime | None = None
    """Since when a person has it left alone; None: it is collected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMap:
    """One version of a site's map, as the text of its file."""

    site: str
    version: int
    made_by: MadeBy
    made_at: datetime
    text: str

    def parsed(self) -> ExtractionMap:
        """Return the map that the text describes."""
        return parse_map(self.text, f"{self.site} (version {self.version})")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteSummary:
    """What there is of a site, in numbers."""

    site: StoredSite
    records: int = 0
    last_record: datetime | None = None
    """When the newest of its records was published (where that is not known, extracted)."""
    sources: int = 0
    waiting: int = 0
    failures: int = 0
    map_version: int | None = None
    """None: it has no map yet."""
    map_made_by: MadeBy | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedPage:
    """An index page, feed or sitemap with its schedule."""

    site: str
    url: str
    kind: IndexKind = "page"
    weight: int = 1
    period_seconds: float = 3600.0
    last_fetched: datetime | None = None
    next_due: datetime | None = None
    """None: at once."""
    etag: str = ""
    last_modified: str = ""
    state: SourceState = field(default_factory=SourceState)
    """What the schedule remembers about it."""


@dataclass(frozen=True, slots=True)
class FoundLink:
    """A link that is to be collected."""

    url: str
    source: str = ""
    """The address of the index page that listed it; empty where none did."""
    published: datetime | None = None
    due: datetime | None = None
    """None: at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingLink:
    """A link that waits to be collected: since when, until when, and how often it was tried in vain."""

    url: str
    source: str
    found_at: datetime
    due: datetime
    tries: int
    published: datetime | None


FailedTry = tuple[Failure, bool, datetime | None]
"""What went wrong, whether that settles the link, and if not when it is tried again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """A page that was read: its record, the page, and where it lies in the archive (None: pages are not kept)."""

    record: Record
    page: Page
    location: PageLocation | None = None
    link: str = ""
    """The address under which it waited, which may lead elsewhere; empty where it did not wait."""
    unstated: bool = False
    """Whether the page says that it does not state a price ("on request")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRecord:
    """A record as it came back: its values are those of JSON (dates are texts, pictures objects)."""

    number: int
    """Its place in the order in which records were first stored."""
    id: str
    record: Record
    shown_at: datetime
    """When it was published; where that is not known, when it was extracted."""
    stored_at: datetime
    location: PageLocation | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """A page in the archive."""

    site: str
    url: str
    status: int
    fetched_at: datetime | None
    location: PageLocation


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFailure:
    """Why a page has no record, since when, and how often it was tried."""

    site: str
    failure: Failure
    first_at: datetime
    at: datetime
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FillRate:
    """How many records of a template have a field, and how sure its values are on average."""

    template: str
    field: str
    records: int
    filled: int
    confidence: float

    @property
    def rate(self) -> float:
        """The share of records that have the field."""
        return self.filled / self.records if self.records else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordQuery:
    """Which records are wanted; what is left empty does not matter."""

    site: str = ""
    sites: tuple[str, ...] = ()
    """Any of these; with `site` that one, too."""
    template: str | None = None
    map_version: int | None = None
    shown_since: datetime | None = None
    shown_before: datetime | None = None
    stored_since: datetime | None = None
    newest_first: bool = False
    """By date of publication; otherwise in the order in which they were first stored."""
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Sighting:
    """A page, when it was fetched, and the beginning of a field's value on it (empty: none)."""

    at: datetime
    url: str
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incident:
    """Something about a site that is no longer as it was, and the evidence."""

    site: str
    kind: IncidentKind
    since: datetime
    """When the first affected page was fetched."""
    opened_at: datetime
    template: str = ""
    field: str = ""
    """Empty where it is about whole pages."""
    state: IncidentState = "open"
    closed_at: datetime | None = None
    number: int | None = None
    """None: it is not in the store yet."""
    pages: int = 0
    """How many pages are affected so far."""
    affected: tuple[Sighting, ...] = ()
    """The first of them and the last, with the new values."""
    before: tuple[Sighting, ...] = ()
    """Pages from before, with the old values."""
    fill: tuple[tuple[datetime, float], ...] = ()
    """The share of pages that have the field, over time."""
    also: tuple[IncidentKind, ...] = ()
    """In what other ways the field is wrong."""
    diagnosis: str = ""
    """What seems to have happened, in a sentence."""
    answer: str = ""
    """What is done about it: `heal`, `new template`, `incident` (a person has to look), `wait`."""

    @property
    def is_open(self) -> bool:
        """Whether it is not over yet."""
        return self.closed_at is None


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A field on one page, before and after; both as text."""

    url: str
    before: str
    after: str
    remembered: bool
    """Whether `before` is what the record held; else it is what the old rules give now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedField:
    """What becomes of a field by a proposal, and how sure that is."""

    field: str
    confidence: float
    """How right the new rules are on pages that they were not learned from, 0..1."""
    before: float
    """How right the old rules are on the pages as they are now."""
    tagger: float
    """How right the tagger is there."""
    judged: int
    """On how many pages with remembered values that was seen; none: by the tagger's view alone."""
    changed: bool
    sure: bool
    """Whether it may change by itself."""
    distinct: int = 0
    """How many different values were remembered: one that all pages share may as well be the template's."""
    edited: bool = False
    """Whether rules that a person wrote are changed."""
    lost: bool = False
    """Whether its remembered values are no longer on the pages: it has no rules any more."""
    shown: tuple[ShownValue, ...] = ()

    @property
    def runner_up(self) -> float:
        """How right the best other way is to read the field."""
        return max(self.before, self.tagger)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredProposal:
    """A repaired map, made by itself, and what a person needs to decide about it."""

    site: str
    based_on: int
    """The version of the map that it repairs."""
    text: str
    """The repaired map, as the text of its file."""
    made_at: datetime
    fields: tuple[ProposedField, ...] = ()
    reason: str = ""
    """What seems to have happened to the site."""
    since: datetime | None = None
    """Pages fetched since then are read once more when it is accepted."""
    warnings: tuple[str, ...] = ()
    state: ProposalState = "waiting"
    decided_at: datetime | None = None
    number: int | None = None
    """None: it is not in the store yet."""

    def parsed(self) -> ExtractionMap:
        """Return the map that the text describes."""
        return parse_map(self.text, f"{self.site} (proposal {self.number})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Somebody who may log in."""

    name: str
    role: AccountRole
    made_at: datetime
    secret: str = field(repr=False)
    """Their password, as scrypt leaves it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """A browser or a program that is logged in."""

    id: str
    """A digest of what it sends; of no use to who would log in."""
    account: str
    role: AccountRole
    made_at: datetime
    expires_at: datetime
    label: str = ""
    """What a person calls a program's; empty: a browser's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Something that a person changed."""

    at: datetime
    account: str
    what: str
    about: str
    detail: JsonRow = field(default_factory=dict)
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What a person did with a record: since when it is read, has a star, is shown apart from its story."""

    record: int
    read_at: datetime | None = None
    starred_at: datetime | None = None
    apart_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSearch:
    """A view that a person keeps, as the query of its address."""

    label: str
    query: str
    made_at: datetime
    number: int | None = None
