"""The counts of a run in, one JSON object for those who watch over it out; its keys are stable."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from sitewright.watch.tally import SiteTally

COUNTS = ("new", "updated", "failed", "incidents")


def summary_of(
    command: str, sites: Mapping[str, SiteTally], unlearned: Collection[str], *, started: datetime, status: int
) -> dict[str, Any]:
    """Return what a run did; `seconds` of sites overlap, since many are worked on at once."""
    ended = datetime.now(UTC)
    rows = [_site(name, tally, is_learned=name not in unlearned) for name, tally in sites.items()]
    return {
        "sitewright": version("sitewright"),
        "command": command,
        "status": status,
        "started": started,
        "ended": ended,
        "seconds": round((ended - started).total_seconds(), 3),
        **{count: sum(row[count] for row in rows) for count in COUNTS},
        "sites": rows,
    }


def _site(name: str, tally: SiteTally, *, is_learned: bool) -> dict[str, Any]:
    counts = {count: getattr(tally, count) for count in COUNTS}
    return {"site": name, "learned": is_learned, **counts, "seconds": round(tally.seconds, 3)}
