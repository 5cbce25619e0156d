"""What happens to a site while it is collected in (a record, a failure, an incident), one JSON object each out."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, Protocol
from uuid import uuid4

from sitewright.output.rows import row_of
from sitewright.parse import url_id
from sitewright.store.entries import Incident
from sitewright.types import Failure, Record

What = Literal["record", "failure", "incident"]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened."""

    what: What
    change: str
    """Of a record `new` or `updated`, of an incident its state, of a failure `again` (it is tried again) or `final`."""
    site: str
    at: datetime
    about: Mapping[str, Any]

    def to_row(self) -> dict[str, Any]:
        """Return it as JSON, with a name of its own, by which who hears of it twice knows that."""
        head = {"event": self.what, "change": self.change, "event_id": uuid4().hex, "site": self.site, "time": self.at}
        return {**head, **self.about}


@dataclass(frozen=True, slots=True)
class Foreseen:
    """Something that is about to be written: what is at an address of a site, or without one its incidents."""

    site: str
    url: str = ""
    at: datetime | None = None
    """From when on what is in the store is what was written; None: from now on."""


Hear = Callable[[Sequence[Event]], None]
"""Is told what happened as soon as it is in the store, from any thread, and returns at once."""


def hear_nothing(_events: Sequence[Event]) -> None:
    """Do not listen."""


class Keeper(Protocol):
    """Keeps events for those who are not there now; also those whose teller ends before it tells them."""

    def foresee(self, about: Collection[Foreseen]) -> int:
        """Remember what is about to be written; return a number under which it is."""

    def keep(self, events: Sequence[Event], foreseen: int) -> None:
        """Keep events, and forget what was foreseen under a number."""


@dataclass(frozen=True, slots=True)
class Ears:
    """Who is told of events: who counts them, and who keeps them for others."""

    hear: Hear = hear_nothing
    keeper: Keeper | None = None

    @contextmanager
    def telling(self, about: Collection[Foreseen]) -> Iterator[list[Event]]:
        """Tell of the events that are added to the list, once what is done meanwhile is in the store.

        What is about to be written is foreseen: where this process ends before it tells, the next looks in the store.
        """
        number = self.keeper.foresee(about) if self.keeper is not None else 0
        events: list[Event] = []
        yield events
        self.hear(events)
        if self.keeper is not None:
            self.keeper.keep(events, number)


def record_event(record: Record, at: datetime, *, is_new: bool) -> Event:
    """Return that a record was stored, or written over itself."""
    about = {"id": url_id(record.urls[0]), "url": record.urls[0], "record": row_of(record)}
    return Event("record", "new" if is_new else "updated", record.site, at, about)


def failure_event(site: str, failure: Failure, at: datetime, *, again_at: datetime | None = None) -> Event:
    """Return that there is no record, and why."""
    about = {
        "url": failure.url,
        "stage": failure.stage,
        "code": failure.code,
        "detail": failure.detail,
        "again_at": again_at,
    }
    return Event("failure", "final" if again_at is None else "again", site, at, about)


def incident_event(incident: Incident, at: datetime) -> Event:
    """Return that something is no longer as it was, or is again."""
    about = {
        "number": incident.number,
        "kind": incident.kind,
        "template": incident.template,
        "field": incident.field,
        "since": incident.since,
        "pages": incident.pages,
        "diagnosis": incident.diagnosis,
        "answer": incident.answer,
    }
    return Event("incident", incident.state, incident.site, at, about)
