"""A store and settings in, the verbs that an assistant may use out; pages are fetched as collectors fetch them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sitewright.actions.add_sites import SiteOptions, add_site, front_pages
from sitewright.actions.catalogues import Library
from sitewright.actions.explain import explain
from sitewright.actions.incidents import list_incidents
from sitewright.actions.learn_map import LearnOptions
from sitewright.actions.learn_site import SiteOptions as LookOptions
from sitewright.actions.learn_site import learn_site
from sitewright.actions.maps import stored_map
from sitewright.actions.show_page import record_of
from sitewright.actions.status import status_of
from sitewright.domains import DEFAULT_DOMAIN, domain_names
from sitewright.errors import NotThere
from sitewright.fetch import WebFetcher
from sitewright.maps import dump_map
from sitewright.mcp.protocol import Tool
from sitewright.mcp.untrusted import Told
from sitewright.notice.words import told
from sitewright.output.rows import row_of
from sitewright.parse.sites import front_page, site_name
from sitewright.python.links import find_links
from sitewright.python.read import read
from sitewright.store.catalogue.card import Card
from sitewright.store.catalogue.catalogue import CardQuery
from sitewright.types import FetchSettings, Page

_MOST_ROWS, _USUAL_ROWS = 50, 10
_MOST_LINKS = 200
Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the verbs work on."""

    library: Library
    fetch: FetchSettings = field(default_factory=FetchSettings)
    jobs: int = 1

    # Pages of the web

    def read_page(self, given: Given) -> Told:
        """Read a page of the web, by the stored map of its site where there is one."""
        page = self._fetched(given["url"])
        stored = self.library.store.load_map(site_name(page.url))
        record = read(page, map=stored.parsed()) if stored is not None else read(page, domain=_domain(given))
        own = {"read_by": f"map version {stored.version}" if stored is not None else "the tagger, without a map"}
        return Told(own=own, found={"record": row_of(record)})

    def find_links(self, given: Given) -> Told:
        """Tell the links of a page that lead to items from others."""
        links = find_links(self._fetched(given["url"]), domain=_domain(given))
        wanted = [link for link in links if link.is_item or given.get("all")]
        rows = [{"url": one.url, "text": one.text, "role": one.role, "score": one.score} for one in wanted]
        return Told(own={"links": len(links), "shown": len(rows[:_MOST_LINKS])}, found={"links": rows[:_MOST_LINKS]})

    def learn_map(self, given: Given) -> Told:
        """Learn the map of a site from some of its pages; it is shown, not stored."""
        options = LearnOptions(domain=_domain(given), jobs=self.jobs, limits=self.library.limits)
        found = learn_site(front_page(given["url"]), options, LookOptions(fetch=self.fetch))
        return Told(own={"stored": False}, found={"map": dump_map(found.extraction_map)})

    def _fetched(self, url: str) -> Page:
        with WebFetcher(self.fetch, self.library.limits) as fetcher:
            return fetcher.fetch(front_page(url))

    # The store

    def list_sites(self, given: Given) -> Told:  # noqa: ARG002 -- as all verbs
        """Return all sites with their health."""
        rows = [
            {
                "site": one.summary.site.name,
                "url": one.summary.site.url,
                "domain": one.summary.site.domain,
                "records": one.summary.records,
                "told": one.words,
                "paused": one.summary.site.paused_at is not None,
                "map_version": one.newest_map.version if one.newest_map is not None else None,
            }
            for one in status_of(self.library.store)
        ]
        return Told(own={"sites": len(rows)}, found={"sites": rows})

    def add_site(self, given: Given) -> Told:
        """Have a site be learned and collected by whoever watches."""
        ((name, front),) = front_pages([given["url"]]).items()
        add_site(self.library.store, front, SiteOptions(domain=_domain(given)))
        self.library.store.people.note_change("mcp", "site added", name, {"address": front})
        return Told(own={"site": name, "next": "it is learned by: sitewright watch"})

    def show_map(self, given: Given) -> Told:
        """Return the stored map of a site, as YAML."""
        self._known(given["site"])
        stored = stored_map(self.library.store, given["site"], given.get("version"))
        return Told(own={"version": stored.version, "made_by": stored.made_by}, found={"map": stored.text})

    def search_records(self, given: Given) -> Told:
        """Find records by words, site and language, the best first where there are words."""
        self.library.catalogue.catch_up()
        words, site = given.get("words", ""), given.get("site", "")
        query = CardQuery(
            words=words, sites=(site,) if site else (), language=given.get("language", ""), best_first=bool(words)
        )
        page = self.library.catalogue.page(query, given.get("limit", _USUAL_ROWS))
        return Told(
            own={"found": self.library.catalogue.count(query)}, found={"records": [_row(one) for one in page.cards]}
        )

    def get_record(self, given: Given) -> Told:
        """Return a record, whole."""
        stored = record_of(self.library.store, given["site"], given["id"])
        return Told(found={"record": row_of(stored.record)})

    def explain_value(self, given: Given) -> Told:
        """Say of each value of a record which rule gave it, how sure it is, and what is read there now."""
        record_of(self.library.store, given["site"], given["id"])
        fields: Sequence[str] = [given["field"]] if given.get("field") else []
        own = self.library
        found = explain(own.store, own.folder, given["id"], site=given["site"], fields=fields, limits=own.limits)
        rows = [
            {
                "field": one.name,
                "value": one.stored.value,
                "rule": one.stored.rule,
                "confidence": one.stored.confidence,
                "state": one.state,
                "sources": [{"take": source.take, "path": source.path} for source in one.sources],
            }
            for one in found.explanation.fields
        ]
        return Told(own={"same_today": found.is_same, "map_version": found.read_by.version}, found={"fields": rows})

    def incidents(self, given: Given) -> Told:
        """Return what is no longer as it was."""
        site = given.get("site", "")
        if site:
            self._known(site)
        found = list_incidents(self.library.store, [site] if site else [], closed_too=bool(given.get("closed")))
        rows = [
            {"number": one.number, "site": one.site, "state": one.state, "since": one.since, "told": told(one)}
            for one in found[:_MOST_ROWS]
        ]
        return Told(own={"incidents": len(found)}, found={"incidents": rows})

    def _known(self, site: str) -> None:
        if self.library.store.site(site) is None:
            raise NotThere(f"there is no site {site} in the store")


_LINE = {"type": "string", "minLength": 1, "maxLength": 300}
_URL = {"url": {"type": "string", "minLength": 1, "maxLength": 2000, "description": "A web address."}}
_SITE = {"site": _LINE | {"description": "The name of a site, as list_sites has it."}}
_ID = {"id": _LINE | {"description": "The id of a record, as search_records has it."}}
_KIND = f"What kind of site it is; {DEFAULT_DOMAIN} where nothing is said."
_PAGE = _URL | {"domain": {"enum": domain_names(), "description": _KIND}}
_LINKS = _PAGE | {"all": {"type": "boolean", "description": "Other links, too."}}
_VERSION = {"version": {"type": "integer", "minimum": 1, "description": "Without it the newest."}}
_VALUE = _SITE | _ID | {"field": _LINE}
_OF_INCIDENTS = _SITE | {"closed": {"type": "boolean", "description": "Closed ones, too."}}
_SLOW = "It takes a minute or more; the map is shown, not stored."
_OF_SEARCHES = {
    "words": {"type": "string", "maxLength": 300},
    **_SITE,
    "language": {"type": "string", "maxLength": 20},
    "limit": {"type": "integer", "minimum": 1, "maximum": _MOST_ROWS},
}


def tools_of(desk: Desk) -> list[Tool]:
    """Return the verbs."""
    return [
        _tool(desk.read_page, "Read a page of the web: title, text, authors, dates, or what a product costs.", _PAGE),
        _tool(
            desk.find_links,
            "Find the links of a front page, section or feed that lead to articles or products.",
            _LINKS,
        ),
        _tool(desk.learn_map, f"Learn the extraction map of a site from its pages. {_SLOW}", _PAGE),
        _tool(desk.list_sites, "List the sites of the store with their health.", {}),
        _tool(
            desk.add_site, "Add a site to the store by its address, to be learned and collected.", _PAGE, changes=True
        ),
        _tool(desk.show_map, "Show the stored map of a site: its selectors, as YAML.", _SITE | _VERSION),
        _tool(desk.search_records, "Search the collected records by words, site and language.", _OF_SEARCHES, needs=()),
        _tool(desk.get_record, "Get a collected record with its whole text.", _SITE | _ID),
        _tool(desk.explain_value, "Say by which rule each value of a record was read, where, and how sure.", _VALUE),
        _tool(
            desk.incidents,
            "List what changed about sites so that records are not as they were.",
            _OF_INCIDENTS,
            needs=(),
        ),
    ]


def _tool(
    does: Callable[[Given], Told],
    about: str,
    takes: Mapping[str, Any],
    *,
    needs: Sequence[str] = ("url", "site", "id"),
    changes: bool = False,
) -> Tool:
    """Make a tool of a verb; `needs` are the arguments that have to be there, of those that it takes."""
    needed = [entry for entry in needs if entry in takes]
    schema = {"type": "object", "properties": dict(takes), "required": needed, "additionalProperties": False}
    asks_web = "url" in takes and not changes
    return Tool(called=does.__name__, about=about, takes=schema, does=does, changes=changes, asks_web=asks_web)


def _domain(given: Given) -> str:
    return str(given.get("domain", DEFAULT_DOMAIN))


def _row(card: Card) -> dict[str, Any]:
    return {
        "site": card.site,
        "id": card.id,
        "url": card.url,
        "heading": card.heading,
        "summary": card.summary,
        "shown_at": card.shown_at,
    }
