"""Events as pages and programs send them in, stored out: each once, at a time that can be right, by pseudonym."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sitewright.store.clicks import FORGOTTEN, EventKind, ReaderEvent, ReaderSource
from sitewright.store.database import Store
from sitewright.values.words import counted

_LATEST = timedelta(days=30)
"""Events that come later than that are left out: nothing is made of them any more."""
_AHEAD = timedelta(minutes=5)
"""So far clocks of programs may be ahead without being told of."""
_REASONS = {
    "unknown_item": "of records that are not there",
    "repeated": "sent before",
    "too_many": "by readers who do more than people can",
    "too_old": "older than 30 days when they came",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SentEvent:
    """Something that a reader did, as it is sent."""

    event: str
    what: EventKind
    record: int
    at: datetime | None = None
    """By the clock of the sender; None: just now."""
    reader: str | None = None
    """What a program calls a reader of its own; None: whoever sends it."""
    shown_in: str = ""
    place: int | None = None
    viewed: int | None = None
    total: int | None = None


def take_events(
    store: Store, sender: str, events: Sequence[SentEvent], sent_at: datetime | None = None
) -> Counter[str]:
    """Store events; return how many were `taken`, and how many not for which reason.

    `sent_at` is the time of the sender's clock when it sent them: what it is wrong by, all its times are wrong by.
    """
    now = datetime.now(UTC)
    told: Counter[str] = Counter()
    called = _pseudonyms(store, sender, events)
    kept: dict[tuple[str, str], ReaderEvent] = {}
    for one in events:
        at, is_corrected = _happened(one.at, sent_at, now)
        told["clock_ahead"] += is_corrected
        if now - at > _LATEST:
            told["too_old"] += 1
            continue
        reader = called[_source(one), one.reader or sender]
        made = _event(one, reader, at)
        told["repeated"] += (made.event, reader) in kept
        kept[made.event, reader] = made
    return store.clicks.take_in(list(kept.values()), +told)


def forget_reader(store: Store, account: str) -> int:
    """Remove what an account did, and its pseudonym; return how many events that were."""
    pseudonym = store.clicks.pseudonym("account", account)
    return store.clicks.forget(pseudonym) if pseudonym is not None else 0


def left_out_in_words(counts: Counter[str]) -> list[str]:
    """Say how many events were left out, and why.

    >>> left_out_in_words(Counter(unknown_item=2, forgotten=3))
    ['2 events left out: of records that are not there', '3 events were removed, as their readers are forgotten']
    """
    said = [f"{counted(counts[why], 'event')} left out: {reason}" for why, reason in _REASONS.items() if counts[why]]
    if ahead := counts["clock_ahead"]:
        said.append(f"{counted(ahead, 'event')} came from clocks that are ahead, and count as of when they came")
    if gone := counts[FORGOTTEN]:
        said.append(f"{counted(gone, 'event')} were removed, as their readers are forgotten")
    return said


def _source(one: SentEvent) -> ReaderSource:
    return "account" if one.reader is None else "sent"


def _pseudonyms(
    store: Store, sender: str, events: Sequence[SentEvent]
) -> dict[tuple[ReaderSource, str], str]:  # fmt: skip
    names: dict[ReaderSource, set[str]] = {"account": set(), "sent": set()}
    for one in events:
        names[_source(one)].add(one.reader or sender)
    return {
        (source, name): called
        for source, some in names.items()
        if some
        for name, called in store.clicks.pseudonyms(source, some).items()
    }


def _happened(at: datetime | None, sent_at: datetime | None, now: datetime) -> tuple[datetime, bool]:
    """Return when something happened by our clock, and whether the sender's said that it is yet to happen."""
    if at is None:
        return now, False
    moment = _in_utc(at)
    if sent_at is not None:
        moment += now - _in_utc(sent_at)
    return min(moment, now), moment > now + _AHEAD


def _in_utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _event(one: SentEvent, reader: str, at: datetime) -> ReaderEvent:
    total = one.total if one.viewed is not None and one.total else None
    return ReaderEvent(
        event=one.event,
        reader=reader,
        what=one.what,
        record=one.record,
        at=at,
        shown_in=one.shown_in,
        place=one.place,
        viewed=min(one.viewed, total) if one.viewed is not None and total is not None else None,
        total=total,
    )
