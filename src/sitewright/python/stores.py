"""The address of a store in, its sites and records out, as a program asks for them."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from types import TracebackType
from typing import Any, Self

from sitewright.actions.known_store import open_known_store
from sitewright.actions.maps import stored_map
from sitewright.actions.sites import known_sites
from sitewright.parse.sites import is_of_site, site_name
from sitewright.python.arguments import Moment, StoreName, moment_in, store_address
from sitewright.python.records import Record, restored
from sitewright.python.site_map import SiteMap
from sitewright.store.database import DEFAULT_STORE, Store
from sitewright.store.entries import RecordQuery, SiteSummary, StoredFailure
from sitewright.values.as_json import plain_of


class RecordStore:
    """What was collected. Open it with `open_store`, and close it with `with` or `close`."""

    def __init__(self, store: Store) -> None:
        self.store = store
        """The store itself, for all that is not asked for here."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self.store.close()

    def sites(self) -> list[SiteSummary]:
        """Return what there is of each site, in numbers; `summary.site.name` is its name."""
        return self.store.site_summaries()

    def records(
        self,
        site: str | Iterable[str] = (),
        *,
        since: Moment | None = None,
        until: Moment | None = None,
        search: str = "",
        limit: int | None = None,
    ) -> Iterator[Record]:
        """Yield records, the newest first, as they are asked for: of all sites or those named.

        `since` and `until` bound when they were published (where that is not known, fetched); what is of the moment
        `until` is no longer among them. `search` names words that all have to stand somewhere in a record.
        """
        query = self._query(site, since, until)
        words = search.casefold().split()
        found = (restored(stored.record) for stored in self.store.records(query))
        return islice((record for record in found if not words or _mentions(record, words)), limit)

    def count(self, site: str | Iterable[str] = (), *, since: Moment | None = None, until: Moment | None = None) -> int:
        """Count the records that `records` yields."""
        return self.store.count_records(self._query(site, since, until))

    def record(self, url: str) -> Record | None:
        """Return the record of an address, in whatever spelling; None where there is none."""
        names = [known.name for known in self.store.sites() if is_of_site(site_name(url), known.name)]
        found = (self.store.find_record(name, url) for name in names)
        return next((restored(stored.record) for stored in found if stored is not None), None)

    def map(self, site: str, version: int | None = None) -> SiteMap:
        """Return the map of a site, the newest or an earlier one."""
        known_sites(self.store, [site])
        return SiteMap(stored_map(self.store, site, version).parsed())

    def failures(self, site: str) -> list[StoredFailure]:
        """Return the pages of a site that have no record, and why; the latest first."""
        known_sites(self.store, [site])
        return self.store.failures(site)

    def _query(self, site: str | Iterable[str], since: Moment | None, until: Moment | None) -> RecordQuery:
        names: Sequence[str] = [site] if isinstance(site, str) else list(site)
        if names:
            known_sites(self.store, names)
        return RecordQuery(
            sites=tuple(dict.fromkeys(names)),
            shown_since=moment_in(since, "since"),
            shown_before=moment_in(until, "until"),
            newest_first=True,
        )


def open_store(store: StoreName = DEFAULT_STORE) -> RecordStore:
    """Open what was collected: by the address of its database, or by its file; one that is not there is an error."""
    return RecordStore(open_known_store(store_address(store)))


def _mentions(record: Record, words: Sequence[str]) -> bool:
    text = "\n".join(_texts(plain_of({name: record[name] for name in record}))).casefold()
    return all(word in text for word in words)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
