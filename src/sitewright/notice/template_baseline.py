"""Pages of one template in, what they usually are like out, and signals when that changes."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zlib import crc32

from sitewright.notice.evidence import Share
from sitewright.notice.field_baseline import LEARNING, FieldBaseline
from sitewright.notice.observation import Observation, Seen
from sitewright.notice.page_groups import PageGroup, PageGroups
from sitewright.notice.signals import Occurrence, Signal
from sitewright.notice.streams import Alarm, Stream, counts_of, finite
from sitewright.store.entries import IncidentKind

_REFRESHED = 16
_HALF_PAGES, _HALF_TIME = 500, 14 * 24 * 3600.0
_BUCKET, _BUCKETS = 20, 40
"""The fill rate over time: so many pages make a point of the picture, of so many points."""
_URLS = 32
_PROVEN = 10.0
"""Pages of a kind that have to be known to lack a field before it is no wonder that the tagger alone reads it."""
WHOLE_PAGES = 4
"""Pages before it is tested whether pages are read at all: that they are is what the map was learned for."""
_LEAST_READ = 0.5
"""Of what the map usually reads from a page; where it reads less, the page as a whole is at issue."""


@dataclass(slots=True)
class TemplateBaseline:
    """What pages of one template usually are like."""

    fields: dict[str, FieldBaseline] = field(default_factory=dict)
    handed: Stream = field(default_factory=lambda: Stream("handed over", Share()))
    """Pages of which the map reads next to nothing, and the tagger something."""
    groups: PageGroups = field(default_factory=PageGroups)
    urls: deque[int] = field(default_factory=lambda: deque(maxlen=_URLS))
    history: deque[list[Any]] = field(default_factory=lambda: deque(maxlen=_BUCKETS))
    """When twenty pages began, how many they are, and how many of them lack which field."""
    pages: int = 0
    refreshed_at: float = 0.0
    usually_read: float = 0.0
    """How many fields the map reads from a page."""

    def observe(
        self, page: Observation, template: str, *, only_learn: bool
    ) -> tuple[dict[str, IncidentKind], list[Signal]]:
        """Count a page; return which of its fields are not as usual, and what begins or ends with it."""
        met = self._meet(page, template, only_learn=only_learn)
        is_broken = self.is_broken(page)
        signals = self._judge_page(met, is_broken=is_broken)
        if is_broken or self.handed.alarm is not None:
            return {}, signals
        broken = self._judge_fields(page, met, signals)
        return broken, signals

    def is_broken(self, page: Observation) -> bool:
        """Tell whether the map reads so little of a page that the page as a whole is at issue."""
        return page.handed and (self.is_poor(page) or not page.found)

    def is_poor(self, page: Observation) -> bool:
        """Tell whether the map reads less than half of what it usually does, whoever else covers for that."""
        read = sum(self.fields[name].fill for name in page.found if name in self.fields)
        return read < _LEAST_READ * self.usually_read

    def alarms(self) -> dict[str, Alarm]:
        """Return the alarms that are on: by field, or under an empty name that of whole pages."""
        found = {name: one.alarm for name, one in self.fields.items() if one.alarm is not None}
        return found | ({"": self.handed.alarm} if self.handed.alarm is not None else {})

    def close(self, name: str) -> None:
        """End an alarm: of a field, or under an empty name that of whole pages."""
        if name:
            self.fields[name].close()
        else:
            self.handed.close()

    def forget(self, name: str) -> None:
        """Begin anew with a field, or under an empty name with all of them: what is now is normal."""
        if name:
            self.fields[name] = FieldBaseline()
        else:
            self.fields.clear()
            self.handed = Stream("handed over", Share())
        self.groups.clear()

    def clear(self) -> None:
        """Drop all evidence that has not led to an alarm."""
        for one in self.fields.values():
            if one.alarm is None:
                one.close()
        if self.handed.alarm is None:
            self.handed.close()

    def usual_fields(self) -> frozenset[str]:
        """Return the fields that most pages have."""
        return frozenset(name for name, one in self.fields.items() if one.fill > _LEAST_READ)

    def fill_over_time(self, name: str) -> list[tuple[float, float]]:
        """Return the share of pages that have a field (with an empty name: that the map reads), over time."""
        return [(start, 1 - missing.get(name, 0) / pages) for start, pages, missing in self.history if pages]

    def _meet(self, page: Observation, template: str, *, only_learn: bool) -> "_Met":
        self.pages += 1
        if self.pages % _REFRESHED == 0 or self.pages in (WHOLE_PAGES, LEARNING):
            self._refresh(page.at)
        if not page.found.keys() <= self.fields.keys():
            self._add_fields(page.found)
        if not self.history or self.history[-1][1] >= _BUCKET:
            self.history.append([page.at, 0, {}])
        self.history[-1][1] += 1
        kind = f"{page.section} {page.fingerprint:x}"
        return _Met(Occurrence(page.at, page.url), template, kind, self.groups.page(kind), only_learn)

    def _add_fields(self, names: Iterable[str]) -> None:
        """Add fields that are met for the first time: no page before had them."""
        before = max((one.pages for one in self.fields.values()), default=0.0)
        for name in names:
            if name not in self.fields:
                added = self.fields[name] = FieldBaseline()
                added.lost.pages = added.gap.pages = added.gap.hits = before

    def _refresh(self, now: float) -> None:
        """Let old pages fade: they count half after 500 pages or two weeks, whichever is later."""
        passed = max(now - self.refreshed_at, 0.0) / _HALF_TIME if self.refreshed_at else 0.0
        factor = 0.5 ** min(_REFRESHED / _HALF_PAGES, passed)
        for one in self.fields.values():
            one.refresh(factor)
        self.handed.test.fade(factor)
        self.groups.fade(factor)
        self.refreshed_at = now
        self.usually_read = sum(one.fill for one in self.fields.values())

    def _lacks(self, name: str) -> None:
        missing = self.history[-1][2]
        missing[name] = missing.get(name, 0) + 1

    def _judge_page(self, met: "_Met", *, is_broken: bool) -> list[Signal]:
        stream = self.handed
        if is_broken:
            for missing in ("", *self.fields):
                self._lacks(missing)
        if stream.alarm is not None:
            if stream.judge(is_bad=is_broken):
                return [Signal(what="closed", kind=stream.kind, template=met.template, at=met.page.at)]
            return [met.affected("", stream.kind)] if is_broken else []
        if met.only_learn or stream.test.pages < WHOLE_PAGES:
            stream.test.learn(hit=is_broken)
        elif not is_broken:
            self.groups.add_missing(stream.miss(), "")
        elif stream.hit(met.page, met.group.rate(""), met.kind):
            self.clear()
            return [Signal(what="opened", kind=stream.kind, template=met.template, pages=tuple(stream.suspects))]
        return []

    def _judge_fields(self, page: Observation, met: "_Met", signals: list[Signal]) -> dict[str, IncidentKind]:
        """Count all fields; return what is unusual about which."""
        address = crc32((page.address or page.url).encode("utf-8", "replace"))
        is_again = page.is_again or address in self.urls
        self.urls.append(address)
        broken: dict[str, IncidentKind] = {}
        for name, one in self.fields.items():
            seen = page.found.get(name)
            if seen is None:
                unusual = self._judge_missing(name, one, page.rescued.get(name), met)
            else:
                unusual = one.found(seen, met.page, is_again=is_again, only_learn=met.only_learn)
                if one.pending:
                    self.groups.add_missing(one.take_pending(), name)
            if unusual is not None:
                broken[name] = unusual
            elif seen is not None and one.alarm is None:
                continue  # all is well, as nearly always
            if one.alarm is not None:
                signals += _judged(name, one, seen or page.rescued.get(name), unusual, met)
            elif (breach := one.breach) is not None:
                signals.append(_breached(name, one, breach, met))
        return broken

    def _judge_missing(self, name: str, one: FieldBaseline, rescued: Seen | None, met: "_Met") -> IncidentKind | None:
        """Count a page that lacks a field; return what that is called, unless it is only learned from."""
        self._lacks(name)
        if one.alarm is None and (met.only_learn or one.pages < LEARNING):
            one.learn_missing(is_rescued=rescued is not None)
            met.group.add_missing(name)
            return None
        if one.alarm is None:
            is_sure = one.is_expected and met.group.always_has(name)
            rate = met.group.rate(name, _PROVEN if rescued is not None else 0.0)
            one.missing(rescued, met.page, rate, is_sure=is_sure)
            one.await_innocence(met.kind)
        met.group.doubt(name)
        return "lost"

    def to_state(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "fields": {name: one.to_state() for name, one in self.fields.items()},
            "handed": self.handed.to_state(),
            "contexts": self.groups.to_state(),
            "urls": list(self.urls),
            "history": [list(bucket) for bucket in self.history],
            "numbers": [self.pages, self.refreshed_at, self.usually_read],
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "TemplateBaseline":
        """Return what `to_state` wrote."""
        pages, refreshed_at, usually_read = finite(state["numbers"])
        made = cls(
            fields={str(name): FieldBaseline.from_state(one) for name, one in state["fields"].items()},
            groups=PageGroups.from_state(state["contexts"]),
            urls=deque(map(int, state["urls"]), maxlen=_URLS),
            history=deque(map(_bucket, state["history"]), maxlen=_BUCKETS),
            pages=int(pages),
            refreshed_at=refreshed_at,
            usually_read=usually_read,
        )
        made.handed.restore(state["handed"])
        return made


class _Met(NamedTuple):
    """A page that is being counted: of which template and kind it is."""

    page: Occurrence
    template: str
    kind: str
    group: PageGroup
    only_learn: bool

    def affected(self, name: str, kind: IncidentKind, value: str = "") -> Signal:
        """Say that the page is affected by what is wrong already."""
        page = self.page._replace(value=value)
        return Signal(what="affected", kind=kind, template=self.template, field=name, at=page.at, pages=(page,))


def _judged(
    name: str, one: FieldBaseline, seen: Seen | None, unusual: IncidentKind | None, met: _Met
) -> Iterator[Signal]:
    """Count a page for a field whose alarm is on; yield that it is affected, or that the alarm is over."""
    alarm = one.alarm
    if alarm is None:
        return
    is_bad = unusual is not None and (unusual in {alarm.kind, "lost"} or not one.is_usual(unusual))
    if alarm.judge(is_bad=is_bad):
        one.close()
        yield Signal(what="closed", kind=alarm.kind, template=met.template, field=name, at=met.page.at)
    elif is_bad and unusual is not None:
        yield met.affected(name, unusual, seen.example if seen is not None else "")


def _breached(name: str, one: FieldBaseline, kind: IncidentKind, met: _Met) -> Signal:
    one.open(kind)
    return Signal(
        what="opened",
        kind=kind,
        template=met.template,
        field=name,
        at=met.page.at,
        pages=tuple(one.suspects.get(kind, ())),
        old=tuple(one.examples),
    )


def _bucket(row: Sequence[Any]) -> list[Any]:
    start, pages, missing = row
    return [*finite([start]), int(pages), counts_of(missing)]
