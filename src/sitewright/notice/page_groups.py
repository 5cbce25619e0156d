"""Kinds of pages in, what they usually lack out: videos have no text, and that is nothing new."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sitewright.notice.streams import counts_of, finite

_MOST_GROUPS = 24
_PRIOR_PAGES = 4.0
_SURE_PAGES, _SURE_RATE = 20.0, 0.02


@dataclass(slots=True)
class PageGroup:
    """A kind of page: how many there were, how many lacked which field, and of how many that is in doubt."""

    pages: float = 0.0
    missing: dict[str, float] = field(default_factory=dict)
    doubtful: dict[str, float] = field(default_factory=dict)
    """Pages that lacked a field under suspicion: until that is gone they say nothing."""

    def rate(self, name: str, proven: float = 0.0) -> float:
        """Return how often pages of this kind lack a field; 0 where no more than `proven` are known to."""
        missing = self.missing.get(name, 0.0)
        known = self.pages - self.doubtful.get(name, 0.0)
        return missing / (known + _PRIOR_PAGES) if missing > proven else 0.0

    def always_has(self, name: str) -> bool:
        """Tell whether all pages of this kind had it, and there were many."""
        known = self.pages - self.doubtful.get(name, 0.0)
        return known >= _SURE_PAGES and self.missing.get(name, 0.0) <= _SURE_RATE * known

    def add_missing(self, name: str) -> None:
        """Count a page that lacks a field."""
        self.missing[name] = self.missing.get(name, 0.0) + 1

    def doubt(self, name: str) -> None:
        """Count a page that lacks a field under suspicion."""
        self.doubtful[name] = self.doubtful.get(name, 0.0) + 1

    def faded(self, factor: float) -> "PageGroup":
        """Return it with what was learned counting for less."""
        missing = {name: count * factor for name, count in self.missing.items()}
        doubtful = {name: count * factor for name, count in self.doubtful.items() if count > _PRIOR_PAGES / 100}
        return PageGroup(self.pages * factor, missing, doubtful)


class PageGroups(dict[str, PageGroup]):
    """The kinds of pages that are met most, by name."""

    def page(self, kind: str) -> PageGroup:
        """Count a page of a kind."""
        group = self.get(kind)
        if group is None:
            group = self[kind] = PageGroup()
        group.pages += 1
        return group

    def add_missing(self, kinds: list[str], name: str) -> None:
        """Count pages of these kinds that lack a field, now that there is no doubt."""
        for kind in kinds:
            group = self.get(kind)
            if group is not None:
                group.add_missing(name)
                group.doubtful[name] = max(group.doubtful.get(name, 0.0) - 1, 0.0)

    def fade(self, factor: float) -> None:
        """Let what was learned count for less, and drop the kinds that are met least."""
        kept = sorted(self.items(), key=lambda item: item[1].pages, reverse=True)[:_MOST_GROUPS]
        self.clear()
        for kind, group in kept:
            self[kind] = group.faded(factor)

    def to_state(self) -> dict[str, Any]:
        """Return them as JSON."""
        return {
            kind: [round(one.pages, 2), _rounded(one.missing), _rounded(one.doubtful)] for kind, one in self.items()
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> "PageGroups":
        """Return what `to_state` wrote."""
        groups = cls()
        for kind, (pages, missing, doubtful) in state.items():
            groups[str(kind)] = PageGroup(finite([pages])[0], counts_of(missing), counts_of(doubtful))
        return groups


def _rounded(counts: Mapping[str, float]) -> dict[str, float]:
    return {name: round(count, 2) for name, count in counts.items() if count}
