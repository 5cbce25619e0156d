"""The values of one field in, what they usually are like out, and what is unusual about one."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any

from sitewright.notice.evidence import LIMIT, Gap, Share, UsualLength
from sitewright.notice.observation import Seen
from sitewright.notice.signals import Occurrence
from sitewright.notice.streams import MOST_PENDING, Alarm, alarm_of, counts_of, finite, kind_of, occurrence_of, remember
from sitewright.store.entries import IncidentKind

LEARNING = 20
"""Pages before it is tested whether a field is lost; first sight brings 24. That whole pages are not read is tested
sooner: of few pages it is not known yet which fields they may lack."""
_KNOWING = 60
"""Values before they are tested: how they vary takes longer to learn than that there are any."""
_KNOWN, _LEARNED = 200, 3
"""From so many pages on every third value is enough to keep up with lengths and shapes."""
_REMEMBERED = 16
"""Values that a new one is compared with: one that is among them repeats."""
_EXAMPLES, _RENEWED = 3, 32
_RARE, _VERY_RARE = 0.05, 0.015
"""A shape that fewer values have is unusual; one that was usual stays so for longer."""
_FAR = 1.5
"""A length so many standard deviations away counts as unusual; how many are, is learned."""
_ALWAYS = 0.1
"""A field that fewer pages lack is expected on every page."""
_HALF, _NEARLY_ALL = 0.5, 0.9
_VALUES: tuple[IncidentKind, ...] = ("repeats", "other shape", "disagrees", "shorter", "longer")
"""In what ways a value may be unusual; if in several, the first of these is told."""


_LENGTHS: frozenset[IncidentKind] = frozenset(("shorter", "longer"))


def _value_shares() -> dict[IncidentKind, Share]:
    """Return tests of values: half of them have changed, or of their lengths, which vary by weekday, nearly all."""
    return {kind: Share(part=_NEARLY_ALL if kind in _LENGTHS else _HALF) for kind in _VALUES}


@dataclass(slots=True)
class FieldBaseline:
    """How often a field is there, how long it is, what it looks like, whether it repeats; and what speaks for a change.

    While an alarm is on, nothing is learned.
    """

    lost: Share = field(default_factory=Share)
    """Pages on which the field is to be seen and the map does not read it."""
    gap: Gap = field(default_factory=Gap)
    """Pages on which it just is not there."""
    values: dict[IncidentKind, Share] = field(default_factory=_value_shares)
    """Pages with an unusual value, by what is unusual about it; the pages of each are counted when it is needed."""
    valued: float = 0.0
    """Pages with a value."""
    suspected: set[IncidentKind] = field(default_factory=set)
    """What values are suspected of."""
    lengths: UsualLength = field(default_factory=UsualLength)
    shapes: dict[str, float] = field(default_factory=dict)
    usual: frozenset[str] = frozenset()
    """The shapes that are not rare."""
    digests: deque[int] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))
    examples: deque[Occurrence] = field(default_factory=lambda: deque(maxlen=_EXAMPLES))
    suspects: dict[IncidentKind, list[Occurrence]] = field(default_factory=dict)
    """The pages that speak for a change, by its kind."""
    pending: list[str] = field(default_factory=list)
    """The kinds of pages that lacked the field since it is under suspicion."""
    alarm: Alarm | None = None

    @property
    def pages(self) -> float:
        """How many pages were counted, less what has faded."""
        return self.lost.pages

    @property
    def fill(self) -> float:
        """The share of pages from which the map reads the field."""
        missing = self.lost.hits + self.gap.hits
        return max(1 - missing / self.lost.pages, 0.0) if self.lost.pages else 0.0

    @property
    def is_expected(self) -> bool:
        """Whether nearly every page has it."""
        return self.gap.hits < _ALWAYS * self.gap.pages

    def found(self, seen: Seen, page: Occurrence, *, is_again: bool, only_learn: bool) -> IncidentKind | None:
        """Count a page that has the field; return what is unusual about its value.

        `is_again`: the page was met before, so it is no wonder that its values repeat.
        """
        unusual = self._unusual(seen, is_again=is_again)
        if not is_again:
            self.digests.append(seen.digest)
        if self.alarm is not None:
            return self._worst(unusual)
        lost, pages = self.lost, self.lost.pages
        if only_learn or pages < LEARNING:
            lost.learn(hit=False)
            self.gap.learn(hit=False)
        else:
            if lost.pending:
                lost.miss()
            else:
                lost.pages += 1
            self.gap.miss()
        is_tested = not only_learn and self.valued >= _KNOWING
        if unusual or self.suspected:
            self._count_unusual(unusual, is_tested=is_tested)
        self.valued += 1
        if self.valued < _KNOWN or seen.digest % _LEARNED == 0:
            self._learn_value(seen, is_odd=is_tested and "other shape" in unusual)
        if "lost" in self.suspects and not lost.pending and not self.gap.score:
            del self.suspects["lost"]
        if unusual and is_tested:
            self._suspect(unusual, Occurrence(page.at, page.url, seen.example))
            return self._worst(unusual)
        if len(self.examples) < _EXAMPLES or not self.valued % _RENEWED:
            self.examples.append(Occurrence(page.at, page.url, seen.example))
        return None

    def missing(self, seen: Seen | None, page: Occurrence, rate: float, *, is_sure: bool) -> None:
        """Count a page that lacks the field, or from which only the tagger reads it (`seen`).

        `rate` is how often pages of this kind lack it; `is_sure`: all others of this kind have it.
        """
        if seen is not None or is_sure:
            self.lost.hit(rate)
        else:
            self.lost.pages += 1
        if seen is not None:
            self.gap.pages += 1
        elif self.is_expected or self.gap.pages >= _KNOWING:
            self.gap.hit(rate)
        else:
            self.gap.learn(hit=True)
        self._suspect(("lost",), Occurrence(page.at, page.url, seen.example if seen is not None else ""))

    def learn_missing(self, *, is_rescued: bool) -> None:
        """Count a page that lacks the field, without a test."""
        self.lost.learn(hit=is_rescued)
        self.gap.learn(hit=not is_rescued)

    @property
    def breach(self) -> IncidentKind | None:
        """The change for which there is enough evidence."""
        if self.gap.score >= LIMIT or (self.lost.pending and self.lost.is_alarm):
            return "lost"
        if not self.suspected:
            return None
        return next((kind for kind in self.suspected if self.values[kind].is_alarm), None)

    def is_usual(self, kind: IncidentKind) -> bool:
        """Tell whether values are so now and then when all is well."""
        return kind in _LENGTHS or (kind in self.values and self.values[kind].rate > _ALWAYS)

    def open(self, kind: IncidentKind) -> None:
        """Begin an alarm."""
        usual = self.gap.rate if kind == "lost" else self.values[kind].rate
        affected = len(self.suspects.get(kind, ()))
        watched = max(self.lost.watched, self.gap.watched) if kind == "lost" else self.values[kind].watched
        self.alarm = Alarm(kind, usual, max(affected, int(watched)), affected)
        self._clear()

    def close(self) -> None:
        """End the alarm, or the suspicion; what was learned before goes on."""
        self.alarm = None
        self._clear()
        self.suspects.clear()

    def refresh(self, factor: float) -> None:
        """Let what was learned count for less, and see which shapes are usual now."""
        tests: tuple[Share | Gap | UsualLength, ...] = (self.lost, self.gap, self.lengths, *self.values.values())
        for test in tests:
            test.fade(factor)
        self.valued *= factor
        self.shapes = {shape: count * factor for shape, count in self.shapes.items() if count > 0.01}
        total, before = sum(self.shapes.values()), self.usual
        self.usual = frozenset(
            shape for shape, count in self.shapes.items() if count >= (_VERY_RARE if shape in before else _RARE) * total
        )

    def await_innocence(self, kind_of_page: str) -> None:
        """Remember that a kind of page lacked the field, to be learned when the suspicion is gone."""
        if len(self.pending) < MOST_PENDING:
            self.pending.append(kind_of_page)

    def take_pending(self) -> list[str]:
        """Return the kinds of pages that may be learned now."""
        if self.lost.pending or self.gap.score:
            return []
        taken, self.pending = self.pending, []
        return taken

    def to_state(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "tests": [_numbers(test) for test in (self.lost, self.gap, self.lengths)],
            "values": {kind: _numbers(share) for kind, share in self.values.items()},
            "shapes": {shape: round(count, 2) for shape, count in self.shapes.items()},
            "usual": sorted(self.usual),
            "valued": round(self.valued, 2),
            "digests": list(self.digests),
            "examples": [list(one) for one in self.examples],
            "suspects": {kind: [list(one) for one in pages] for kind, pages in self.suspects.items()},
            "pending": self.pending,
            "alarm": list(astuple(self.alarm)) if self.alarm is not None else None,
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "FieldBaseline":
        """Return what `to_state` wrote."""
        lost, gap, lengths = (finite(values) for values in state["tests"])
        return cls(
            lost=Share(*lost),
            gap=Gap(*gap),
            lengths=UsualLength(*lengths),
            values={kind: Share(*finite(state["values"][kind])) for kind in _VALUES},
            shapes=counts_of(state["shapes"]),
            usual=frozenset(map(str, state["usual"])),
            valued=finite([state["valued"]])[0],
            suspected={kind for kind in _VALUES if finite(state["values"][kind])[2]},
            digests=deque(map(int, state["digests"]), maxlen=_REMEMBERED),
            examples=deque(map(occurrence_of, state["examples"]), maxlen=_EXAMPLES),
            suspects={kind_of(name): list(map(occurrence_of, pages)) for name, pages in state["suspects"].items()},
            pending=list(map(str, state["pending"])),
            alarm=alarm_of(state["alarm"]),
        )

    def _unusual(self, seen: Seen, *, is_again: bool) -> Sequence[IncidentKind]:
        """Tell what is unusual about a value."""
        repeats = seen.digest in self.digests and not is_again
        is_odd = seen.shape not in self.usual and bool(self.usual)
        distance = self.lengths.distance(seen.length)
        if not (repeats or is_odd or seen.agrees is False) and -_FAR < distance < _FAR:
            return ()
        is_so = (repeats, is_odd, seen.agrees is False, distance <= -_FAR, distance >= _FAR)
        return [kind for kind, so in zip(_VALUES, is_so, strict=True) if so]

    def _worst(self, unusual: Sequence[IncidentKind]) -> IncidentKind | None:
        """Return what the alarm is about, if it is among them; else what is not usual now and then."""
        if self.alarm is not None and self.alarm.kind in unusual:
            return self.alarm.kind
        return next((kind for kind in unusual if not self.is_usual(kind)), unusual[0] if unusual else None)

    def _count_unusual(self, unusual: Sequence[IncidentKind], *, is_tested: bool) -> None:
        """Test what is unusual about a value, and what was about those before it."""
        for kind in self.suspected.difference(unusual):
            share = self._share(kind)
            share.miss()
            if not share.pending:
                self.suspected.discard(kind)
                self.suspects.pop(kind, None)
        for kind in unusual:
            share = self._share(kind)
            if is_tested:
                share.hit()
            else:
                share.learn(hit=True)
            if share.pending:
                self.suspected.add(kind)

    def _share(self, kind: IncidentKind) -> Share:
        share = self.values[kind]
        share.pages = self.valued
        return share

    def _learn_value(self, seen: Seen, *, is_odd: bool) -> None:
        """Learn a value's length and shape; what is under suspicion does not become usual by the way."""
        if not any(self.values[kind].is_serious for kind in self.suspected & _LENGTHS):
            self.lengths.add(seen.length)
        if not is_odd:
            self.shapes[seen.shape] = self.shapes.get(seen.shape, 0.0) + 1

    def _suspect(self, kinds: Sequence[IncidentKind], page: Occurrence) -> None:
        for kind in kinds:
            known = self.suspects.get(kind)
            if known is None:
                self.suspects[kind] = [page]
            else:
                remember(known, page)

    def _clear(self) -> None:
        tests: tuple[Share | Gap, ...] = (self.lost, self.gap, *self.values.values())
        for test in tests:
            test.clear()
        self.pending.clear()
        self.suspected.clear()


def _numbers(test: Share | Gap | UsualLength) -> list[float]:
    return [round(number, 4) for number in astuple(test)]
