"""The frozen values that cross folders; standard library only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Via = Literal["http", "browser", "archive"]
Render = Literal["static", "browser"]
PageKind = str
"""What a page is: an item (what its domain calls one: article, product), a list of items, or neither."""
Role = str
"""What a link leads to: an item (as its domain calls them), a list of items, the next page of this list, or neither."""
LIST, NEXT, OTHER = "list", "next", "other"
"""The kinds of pages and roles of links that all domains have; every other one is an item of its domain."""
TAKE_TEXT = "text"
"""What rules take where they do not say: the visible text of what they select."""
DEFAULT_DOMAIN = "news"
"""The domain of maps and records that name none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page as it was fetched or stored."""

    url: str
    body: bytes | str
    """Bytes as served; `str` where an archive kept decoded text (decoding it again would cost 40 % of a parse)."""
    final_url: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    fetched_at: datetime | None = None
    via: Via = "archive"

    @property
    def location(self) -> str:
        """Where the page was in the end, after redirects."""
        return self.final_url or self.url


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one page may cost; beyond it the page fails with a code and the run goes on."""

    page_bytes: int = 20_000_000
    """The largest of the 9,122 pages of the news corpus has 1.8 MB."""
    depth: int = 512
    """Blink stops nesting here, so no page that people read is deeper."""
    page_seconds: float = 10.0
    links: int = 20_000
    """Of an index page: so many take 4 s and 350 MB to judge. Pages of lists that people read have hundreds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cookie:
    """A cookie from a file; its value is shown nowhere."""

    name: str
    value: str = field(repr=False)
    domain: str
    """Without a dot before it."""
    host_only: bool = False
    """Whether it is not for the hosts below its domain."""
    path: str = "/"
    secure: bool = False
    http_only: bool = False
    expires: float | None = None
    """Seconds since 1970; None: with the session, which here means never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteAccess:
    """What the hosts of one site, and nobody else, are sent, and by which way; none of it is shown anywhere."""

    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    cookies: tuple[Cookie, ...] = field(default=(), repr=False)
    storage: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    """What browsers keep for scripts (`localStorage`), by origin."""
    proxy: str = field(default="", repr=False)
    """`http://NAME:PASSWORD@HOST:PORT`; empty: none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchSettings:
    """How pages are fetched from the web."""

    allow_hosts: tuple[str, ...] = ()
    """Hosts (`intranet.example`, `127.0.0.1:8000`) that are fetched from although they are inside a private network."""
    user_agent: str = ""
    """Who we say we are; empty: `Sitewright` and its version."""
    seconds: float = 30.0
    """How long a page may take, with all its redirects."""
    pause_seconds: float = 1.0
    """How long to wait between two pages of one host."""
    cache: str = ""
    """A folder in which pages that are learned from are kept for an hour; empty: one for each run."""
    browser: str = ""
    """The path of Chromium; empty: the system's."""
    sites: Mapping[str, SiteAccess] = field(default_factory=dict)
    """By host, which stands for all hosts below it, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSettings:
    """How often the sources of sites (index pages, feeds, sitemaps) are looked at, and when maps repair themselves."""

    minimum_seconds: float = 120.0
    """The shortest time between two looks at one source."""
    maximum_seconds: float = 21_600.0
    """The longest."""
    goal_seconds: float = 240.0
    """How long a new link may wait on average until it is seen; the less, the more is fetched."""
    sites_at_once: int = 32
    sure: float = 0.9
    """From this confidence on a repaired rule is adopted by itself; above 1: never."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSettings:
    """Where collected things are kept."""

    url: str = "sqlite:///sitewright.db"
    """The database: `sqlite:///FILE` or `postgresql://USER@HOST/NAME`."""
    pages: str = "sitewright-pages"
    """The folder of the web archive, with all pages as they were fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """Where pages for people are served, and to whom."""

    host: str = "127.0.0.1"
    """The address to listen on; any but this machine's own needs accounts or a token."""
    port: int = 8700
    names: tuple[str, ...] = ()
    """Hosts by which browsers may call this machine beside that address (`news.example`, `news.example:8443`)."""
    token: str = field(default="", repr=False)
    """Whoever sends it (`Authorization: Bearer …`) may do everything; empty: there is none."""
    pictures: bool = True
    """Whether pictures are shown; this machine fetches them, never the reader's."""
    url: str = ""
    """Where people find the pages (`https://news.example`), for links in mail; empty: where they are served."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSettings:
    """The server that mail is sent by, and what is written in it."""

    host: str = ""
    """Empty: no mail is sent."""
    port: int = 0
    """0: the usual one of how it is encrypted: 587, 465 or 25."""
    user: str = ""
    password: str = field(default="", repr=False)
    sender: str = ""
    """Who it is from (`Sitewright <news@example.com>`); empty: the user."""
    encryption: str = "starttls"
    """`starttls`, `tls` from the first byte, or `none`, which sends no password to another machine."""


@dataclass(frozen=True, slots=True)
class Support:
    """How well a rule is founded: found on `found` of `sampled` pages, agreeing with the tagger on `agreement`."""

    found: int
    sampled: int
    agreement: float | None = None
    length: int | None = None
    """The usual length of what it gives, in characters; of texts only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How one field is read: where to look, what to take, how to parse it."""

    field: str
    select: tuple[str, ...] = ()
    """CSS or XPath. With `many` all of them together, in document order; without, the first that gives a value."""
    remove: tuple[str, ...] = ()
    """Selectors of what is left out of the selected nodes."""
    take: str = TAKE_TEXT
    """`text`, `html`, `@attribute` or `jsonld:Type.path`."""
    many: bool = False
    match: str = ""
    """A regular expression over what was taken; its first group (or the whole match) is kept."""
    parse: str = ""
    """A value parser such as `date.v1`; empty: the one the domain names for this field."""
    fields: tuple["Rule", ...] = ()
    """Rules within each selected node: the value is then an object (with `many`, a list of them)."""
    support: Support | None = None
    edited: bool = False
    """A person wrote this rule: learning again leaves it alone."""
    fragile: bool = False
    """Rests on a position or a generated name, because nothing better was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartsRule:
    """Where the other pages of a story are, for stories of several pages."""

    links: tuple[str, ...] = ()
    """Selectors of the links to them."""
    url: str = ""
    """A pattern of their addresses: `{page}` is the first page's, `{n}` a number (or `{a}` a letter) that counts up."""
    most: int = 500
    """How many pages a story may have; 1: its other pages are none of it."""
    learned: bool = False
    """Nobody wrote it: on a page on which it finds nothing, what the page links as such counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One kind of page of a site: how to recognise it, and its rules."""

    name: str
    url: str = ""
    """A regular expression searched in the page's URL; empty: any."""
    probe: str = ""
    """A selector that finds something on every page of this kind; empty: none needed."""
    rules: tuple[Rule, ...] = ()
    """Several rules of one field are alternatives, tried in this order."""
    tagger: tuple[str, ...] = ()
    """Fields that the tagger reads on each page on which no rule gives them."""
    parts: PartsRule | None = None
    """Where the other pages of a story are; None: what a page links as such."""
    render: Render | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """A page that lists others, and the selectors of the links that matter on it."""

    url: str
    items: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    """Selectors of the links to further pages that list others: a shop's categories."""
    next: tuple[str, ...] = ()
    weight: int = 1
    seed: tuple[str, ...] = ()
    """Of its links only those with one of these parts are followed; none: as it is for the site."""
    banned: tuple[str, ...] = ()
    """Of its links none with one of these parts is followed."""
    category: str = ""
    """What stories that it lists are of, whatever their pages say besides."""
    render: Render | None = None
    says_articles: bool = field(default=False, compare=False)
    """Whether its map calls the items `articles`, as all maps once did; it goes on to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionMap:
    """All that is known about reading a site."""

    site: str
    domain: str = DEFAULT_DOMAIN
    version: int = 1
    learned_at: datetime | None = None
    language: str = ""
    timezone: str = ""
    date_formats: tuple[str, ...] = ()
    """`strptime` formats of this site's dates, tried before the general parser."""
    min_confidence: tuple[tuple[str, float], ...] = ()
    """Fields, each with how sure a value must be; what is less sure counts as not found."""
    templates: tuple[Template, ...] = ()
    index: tuple[IndexPage, ...] = ()
    render: Render = "static"

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The rules of all templates."""
        return tuple(rule for template in self.templates for rule in template.rules)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that there are rules for, each once, in the order of the rules."""
        return tuple(dict.fromkeys(rule.field for rule in self.rules))


@dataclass(frozen=True, slots=True)
class Value:
    """A field's value, how sure it is (0..1) and the rule it came from (`template/field#n`, n from 0)."""

    value: object
    confidence: float
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Photo:
    """One picture of a page or a photo set."""

    url: str
    caption: str = ""
    credit: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A picture that a photo set does not have, though the story's pages show it, and the code of the reason."""

    url: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoSet:
    """Pictures in order, with what was written about them."""

    site: str
    urls: tuple[str, ...]
    title: str = ""
    text: str = ""
    photos: tuple[Photo, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    version: int = 1
    """How often it was stored with something new; the store counts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What was read from one story; any value can be explained by its rule and the map version.

    Its id is derived from its first URL (`parse.url_id`) by those who need one, not by every extraction.
    """

    site: str
    urls: tuple[str, ...]
    fields: Mapping[str, Value]
    domain: str = DEFAULT_DOMAIN
    language: str = ""
    kind: PageKind | None = None
    """What the page is; None where a map read it, whose templates say so."""
    template: str = ""
    via: Literal["", "tagger", "map, tagger"] = ""
    """Empty where one reader gave all of it; else that a map handed the page, or some of its fields, to the tagger."""
    map_version: int | None = None
    extracted_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """An opinion: this value, which a node displays or the page's metadata states, is this field."""

    field: str
    value: object
    """As records hold it; of lists one entry."""
    score: float
    """How likely it is right, 0..1."""
    node: int | None = None
    """The number of the element that displays it."""
    source: str = ""
    """Where metadata states it (`jsonld:headline`), or more than it (`part of jsonld:headline`)."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line that a page displays, the number of its element, and how likely it belongs to the page's text."""

    text: str
    node: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedPage:
    """A page with scored labels, and all its lines in document order."""

    url: str
    kind: PageKind
    kind_score: float
    """How likely it is an item, where that is its kind; where not, how likely it is none."""
    labels: tuple[Label, ...] = ()
    lines: tuple[TextLine, ...] = ()
    given: tuple[Label, ...] = ()
    """What the page's record holds when it is read by itself, the text aside, and how sure of that the reader is."""
    least: Mapping[str, float] = field(default_factory=dict)
    """How likely a value of each field must be for the reader to give it, where that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link of an index page, what it leads to and why we think so."""

    url: str
    text: str = ""
    role: Role = OTHER
    score: float = 0.0
    """How likely it leads to an item, 0..1."""
    reason: str = ""
    published: datetime | None = None
    """When what it leads to was published, where a feed or a sitemap says so."""

    @property
    def is_item(self) -> bool:
        """Whether it leads to an item of its domain.

        >>> Link(url="/a", role="product").is_item, Link(url="/b", role="next").is_item
        (True, False)
        """
        return self.role not in (LIST, NEXT, OTHER)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSet:
    """The links of one index page, at one time."""

    url: str
    time: datetime | None = None
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a page has no record: the stage that gave up, a stable code, and the detail for a person."""

    url: str
    stage: str
    code: str
    detail: str
