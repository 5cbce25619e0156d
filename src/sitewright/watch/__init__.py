"""Sources of sites and what they list in, what to look at next and which links to follow out; no I/O, no clock."""

from sitewright.watch.links import LinkRules, News, find_news
from sitewright.watch.periods import Look, Pace, SiteFlow, Timing, flow_of, initial_periods, observe, period, wait_after
from sitewright.watch.rhythm import Rhythm
from sitewright.watch.schedule import (
    HostState,
    Schedule,
    SiteState,
    Snapshot,
    Source,
    SourceKind,
    SourceState,
    restore,
)
from sitewright.watch.signatures import clean_url, signature
from sitewright.watch.traps import Traps

__all__ = [
    "HostState",
    "LinkRules",
    "Look",
    "News",
    "Pace",
    "Rhythm",
    "Schedule",
    "SiteFlow",
    "SiteState",
    "Snapshot",
    "Source",
    "SourceKind",
    "SourceState",
    "Timing",
    "Traps",
    "clean_url",
    "find_news",
    "flow_of",
    "initial_periods",
    "observe",
    "period",
    "restore",
    "signature",
    "wait_after",
]
