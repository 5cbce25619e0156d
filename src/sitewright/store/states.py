"""What collectors remember of a site and of its sources in, rows of JSON out, and back.

What cannot be read (a damaged row) is as at the beginning; what a later version wrote stays in `others`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from sitewright.values.moments import moment_of

JsonRow = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderCheck:
    """When pages of a level were fetched both ways last, and how often that spoke against the choice since."""

    checked: datetime
    doubts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairNote:
    """When a repair of the map was tried last, for what, how often in vain, and the version a person took back."""

    at: datetime | None = None
    keys: tuple[str, ...] = ()
    tries: int = 0
    refused: int | None = None
    """The version that a person rolled back: repairs are proposed from then on, and not adopted by themselves."""
    asked: datetime | None = None
    """When known articles were last asked for again, because new ones were hardly read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteState:
    """What the collector of a site remembers from one visit to the next.

    >>> state = SiteState(seed=("/news/",), repair=RepairNote(tries=2))
    >>> state.to_row()
    {'seed': ['/news/'], 'healing': {'tries': 2}}
    >>> SiteState.from_row(state.to_row()) == state
    True
    """

    seed: tuple[str, ...] = ()
    """Only links with one of these parts are followed; none: all are."""
    banned: tuple[str, ...] = ()
    category: str = ""
    """What its stories are of, where their source has no category of its own."""
    title: str = ""
    """What a person's list calls it."""
    within: tuple[str, ...] = ()
    """Only items of categories of these names are collected; none: all are."""
    max_age: int = 0
    """Seconds; stories published longer ago are not collected. 0: all are."""
    rhythm: str = ""
    """At which hours there is news, as `Rhythm` writes it."""
    traps: tuple[Any, ...] = ()
    """Patterns of addresses that look endless, as `Traps` writes them."""
    calls: tuple[JsonRow, ...] = ()
    """Calls of scripts that bring the content of pages."""
    rendering: Mapping[str, RenderCheck] = field(default_factory=dict)
    """By the level of pages."""
    past: JsonRow | None = None
    """What is left to do to fill in the site's past; None: nothing."""
    repair: RepairNote = RepairNote()
    reread: Mapping[str, datetime] = field(default_factory=dict)
    """Since when the rules of which field were wrong: pages fetched since then are to be read once more."""
    others: JsonRow = field(default_factory=dict)

    @classmethod
    def from_row(cls, row: object) -> Self:
        """Read what `to_row` wrote."""
        known = row if isinstance(row, Mapping) else {}
        read = {entry.name: entry.read(known[entry.key]) for entry in _ENTRIES if entry.key in known}
        keys = {entry.key for entry in _ENTRIES}
        others = {key: value for key, value in known.items() if key not in keys}
        return cls(**{name: value for name, value in read.items() if value is not None}, others=others)

    def to_row(self) -> dict[str, Any]:
        """Write what is not as at the beginning."""
        written = {entry.key: entry.write(getattr(self, entry.name)) for entry in _ENTRIES}
        return {**self.others, **{key: value for key, value in written.items() if value}}


_OF_SOURCES = frozenset(("listed", "unlisted", "trail", "found_on", "turned"))
"""The entries of a source's row beside its pace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """What is remembered of an index page, feed or sitemap from one look to the next.

    >>> SourceState(pace={"failures": 2}, listed=("a",)).to_row()
    {'failures': 2, 'listed': ['a']}
    >>> SourceState.from_row({"failures": 2, "listed": ["a"]}).failures
    2
    """

    listed: tuple[str, ...] = ()
    """Signatures of the articles that it listed."""
    unlisted: tuple[float, ...] = ()
    """The last looks in a row at which its selectors did not find what it lists."""
    pace: JsonRow = field(default_factory=dict)
    """How often it has news, as the schedule writes it."""
    trail: tuple[str, ...] = ()
    """Of a list that was found on the way down: the names of the levels that lead to it, its own last."""
    found_on: str = ""
    """The page that links it; empty of those that were learned with the site."""
    turned: int = 0
    """Of a further page of a list: how many pages of the list are before it."""

    @classmethod
    def from_row(cls, row: object) -> Self:
        """Read what `to_row` wrote."""
        known = row if isinstance(row, Mapping) else {}
        pace = {key: value for key, value in known.items() if key not in _OF_SOURCES}
        looks = tuple(look for look in _list(known.get("unlisted")) or () if isinstance(look, int | float))
        return cls(
            listed=_texts(known.get("listed")) or (),
            unlisted=looks,
            pace=pace,
            trail=_texts(known.get("trail")) or (),
            found_on=_text(known.get("found_on")) or "",
            turned=_whole(known.get("turned")) or 0,
        )

    def to_row(self) -> dict[str, Any]:
        """Write it flat, as all versions did."""
        own: dict[str, Any] = {"listed": list(self.listed), "unlisted": list(self.unlisted), "trail": list(self.trail)}
        own |= {"found_on": self.found_on, "turned": self.turned}
        return {**self.pace, **{key: value for key, value in own.items() if value}}

    @property
    def failures(self) -> int:
        """How many looks in a row failed."""
        known = self.pace.get("failures")
        return known if isinstance(known, int) else 0


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry of a site's row: its name here and there, and how it is read (None: it cannot be) and written."""

    name: str
    key: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


def _list(value: Any) -> tuple[Any, ...] | None:
    return tuple(value) if isinstance(value, list | tuple) else None


def _texts(value: Any) -> tuple[str, ...] | None:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _row(value: Any) -> JsonRow | None:
    return value if isinstance(value, Mapping) else None


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _checks(value: Any) -> dict[str, RenderCheck] | None:
    return dict(_read_checks(value)) if isinstance(value, Mapping) else None


def _read_checks(rows: JsonRow) -> Iterator[tuple[str, RenderCheck]]:
    for level, row in rows.items():
        checked = moment_of(row.get("checked")) if isinstance(row, Mapping) else None
        if checked is not None:
            yield level, RenderCheck(checked=checked, doubts=_whole(row.get("doubts")) or 0)


def _check_rows(checks: Mapping[str, RenderCheck]) -> dict[str, Any]:
    return {level: {"checked": one.checked.isoformat(), "doubts": one.doubts} for level, one in checks.items()}


def _moments(value: Any) -> dict[str, datetime] | None:
    if not isinstance(value, Mapping):
        return None
    return {name: moment for name, text in value.items() if (moment := moment_of(text)) is not None}


def _moment_rows(moments: Mapping[str, datetime]) -> dict[str, str]:
    return {name: moment.isoformat() for name, moment in moments.items()}


def _note(value: Any) -> RepairNote | None:
    if not isinstance(value, Mapping):
        return None
    return RepairNote(
        at=moment_of(value.get("at")),
        keys=_texts(value.get("keys")) or (),
        tries=_whole(value.get("tries")) or 0,
        refused=_whole(value.get("refused")),
        asked=moment_of(value.get("asked")),
    )


def _note_row(note: RepairNote) -> dict[str, Any]:
    at, asked = (moment.isoformat() if moment is not None else None for moment in (note.at, note.asked))
    row = {"at": at, "keys": list(note.keys), "tries": note.tries, "refused": note.refused, "asked": asked}
    return {key: value for key, value in row.items() if value}


_ENTRIES = (
    _Entry("seed", "seed", _texts, list),
    _Entry("banned", "banned", _texts, list),
    _Entry("category", "category", _text, _same),
    _Entry("within", "within", _texts, list),
    _Entry("title", "title", _text, _same),
    _Entry("max_age", "max_age", _whole, _same),
    _Entry("rhythm", "rhythm", _text, _same),
    _Entry("traps", "traps", _list, list),
    _Entry("calls", "calls", _list, list),
    _Entry("rendering", "rendering", _checks, _check_rows),
    _Entry("past", "backfill", _row, _same),
    _Entry("repair", "healing", _note, _note_row),
    _Entry("reread", "reread", _moments, _moment_rows),
)
