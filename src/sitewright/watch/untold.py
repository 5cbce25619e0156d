"""What a process was about to write when it ended in, what became of it out: events, as the store knows of them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain

from sitewright.parse import signature, url_id
from sitewright.store.database import Store
from sitewright.watch.events import Event, Foreseen, failure_event, incident_event, record_event

_EVER = datetime.min.replace(tzinfo=UTC)


def what_became(store: Store, foreseen: Sequence[Foreseen]) -> list[Event]:
    """Return what is in the store of what was foreseen; what was not written any more is not told."""
    by_site: dict[str, list[Foreseen]] = defaultdict(list)
    for one in foreseen:
        by_site[one.site].append(one)
    known = {site.name for site in store.sites()}
    return list(chain.from_iterable(_of_site(store, site, own) for site, own in by_site.items() if site in known))


def _of_site(store: Store, site: str, foreseen: Sequence[Foreseen]) -> Iterator[Event]:
    since = {url: at for url, at in _with_stories(store, site, foreseen) if url}
    yield from _records(store, site, since)
    yield from _failures(store, site, since)
    for one in foreseen:
        if not one.url:
            yield from _incidents(store, site, one.at or _EVER)


def _with_stories(store: Store, site: str, foreseen: Iterable[Foreseen]) -> Iterator[tuple[str, datetime]]:
    """Yield addresses, and those of the stories of which they are pages: their records are written with them."""
    for one in foreseen:
        yield one.url, one.at or _EVER
        if one.url and (part := store.part_of(site, one.url)) is not None:
            yield part.story, one.at or _EVER


def _records(store: Store, site: str, since: dict[str, datetime]) -> Iterator[Event]:
    moments = {url_id(url): at for url, at in since.items()}
    first_seen = {url_id(url): at for url, at in store.seen_since(site, since).items()}
    for stored in store.find_records(site, since):
        begun = moments[stored.id]
        if stored.stored_at >= begun:
            yield record_event(stored.record, stored.stored_at, is_new=first_seen.get(stored.id, begun) >= begun)


def _failures(store: Store, site: str, since: dict[str, datetime]) -> Iterator[Event]:
    moments = {signature(url): at for url, at in since.items()}
    again = {page.url: page.next_due for page in store.index_pages(site)} | store.waiting_until(site, since)
    for stored in store.failures(site):
        begun = moments.get(signature(stored.failure.url))
        if begun is not None and stored.at >= begun:
            yield failure_event(site, stored.failure, stored.at, again_at=again.get(stored.failure.url))


def _incidents(store: Store, site: str, since: datetime) -> Iterator[Event]:
    for incident in store.incidents(site, open_only=False):
        if (at := incident.closed_at or incident.opened_at) >= since:
            yield incident_event(incident, at)
