"""Sites in, their news in the store out: what to look at next, which links to follow, what was collected."""

from sitewright.parse import clean_url, signature
from sitewright.watch.links import LinkRules, News, find_news
from sitewright.watch.timing.periods import (
    Look,
    Pace,
    SiteFlow,
    Timing,
    flow_of,
    initial_periods,
    observe,
    period,
    wait_after,
)
from sitewright.watch.timing.rhythm import Rhythm
from sitewright.watch.timing.schedule import SiteSchedule, pace_of
from sitewright.watch.traps import Traps

__all__ = [
    "LinkRules",
    "Look",
    "News",
    "Pace",
    "Rhythm",
    "SiteFlow",
    "SiteSchedule",
    "Timing",
    "Traps",
    "clean_url",
    "find_news",
    "flow_of",
    "initial_periods",
    "observe",
    "pace_of",
    "period",
    "signature",
    "wait_after",
]
