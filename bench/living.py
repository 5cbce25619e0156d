"""A day of three newspapers on a fast clock: is what was published what was collected, and does anything leak?

    python -m bench.living [--hours N] [--speed N] [--kinds static,scripted,feed]

The papers live on loopback; the collector learns them on first sight and watches them. Every hour of their time memory,
file handles and processes are noted; at the end what was collected is compared with what was published after a paper
was learned. At 300 times the speed 24 hours take five minutes. Ends with one line of JSON.
"""

import argparse
import asyncio
import json
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from sitewright.demo import LivingPaper, ServedPaper, serve_papers
from sitewright.parse.sites import site_name
from sitewright.store.database import Store
from sitewright.store.entries import RecordQuery, WatchedPage
from sitewright.types import FetchSettings
from sitewright.watch.clock import Clock
from sitewright.watch.collector import Collector, CollectorOptions, open_collector

START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
GRACE = timedelta(hours=1)


def megabytes(pid: int) -> float:
    """Return the resident memory of a process."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, IndexError):
        return 0.0


def family(pid: int) -> list[int]:
    """Return the processes that a process started, and those they started."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        try:
            own = [int(child) for child in (task / "children").read_text().split()]
        except OSError:
            continue
        found += own + [grandchild for child in own for grandchild in family(child)]
    return found


def state(collector: Collector, clock: Clock) -> dict[str, Any]:
    """Return what is held now."""
    children = family(os.getpid())
    return {
        "time": f"{clock.now():%d %H:%M}",
        "MB": round(megabytes(os.getpid())),
        "MB of workers": round(sum(map(megabytes, children))),
        "handles": len(list(Path("/proc/self/fd").iterdir())),
        "processes": len(children),
        "records": collector.tools.recorder.records,
    }


async def watch(papers: Sequence[ServedPaper], folder: str, clock: Clock, hours: float) -> dict[str, Any]:
    """Collect for some hours and return the figures."""
    hosts = tuple(paper.base_url.partition("//")[2] for paper in papers)
    options = CollectorOptions(
        store=f"sqlite:///{folder}/store.db",
        pages=f"{folder}/pages",
        fetch=FetchSettings(allow_hosts=hosts, pause_seconds=0.0),
    )
    async with open_collector(options, clock=clock) as collector:
        names = {paper.base_url: site_name(paper.base_url) for paper in papers}
        for base_url, name in names.items():
            collector.store.add_site(name, url=f"{base_url}/")
            collector.store.put_index_pages([WatchedPage(site=name, url=f"{base_url}/")])
        working = asyncio.create_task(collector.run())
        learned: dict[str, datetime] = {}
        end = clock.now() + timedelta(hours=hours)
        noted: list[dict[str, Any]] = []
        while clock.now() < end and not working.done():
            await clock.sleep(3600 / 4)
            for name in names.values():
                if name not in learned and collector.store.load_map(name) is not None:
                    learned[name] = clock.now()
            noted.append(state(collector, clock))
            print(noted[-1], flush=True)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        compared = [
            compare(collector.store, paper, learned.get(names[paper.base_url]), clock.now()) for paper in papers
        ]
    return {"papers": compared, "first": noted[len(noted) // 4], "last": noted[-1], "left": len(family(os.getpid()))}


def likeness(one: str, other: str) -> float:
    """Return how many words two texts share (F1)."""
    words, others = Counter(one.split()), Counter(other.split())
    return 2 * (words & others).total() / max(words.total() + others.total(), 1)


def compare(store: Store, served: ServedPaper, learned: datetime | None, now: datetime) -> dict[str, Any]:
    """Return what a paper published after it was learned, and what was collected of it."""
    site, paper, base = site_name(served.base_url), served.paper, served.base_url
    everything, withdrawn = paper.published(now), paper.withdrawn(now)
    wanted = paper.published(now - GRACE).keys() - paper.published(learned or now).keys() - withdrawn
    found = {
        stored.record.urls[0].removeprefix(base): stored.record for stored in store.records(RecordQuery(site=site))
    }
    known = [(record.fields, everything[path]) for path, record in found.items() if path in everything]
    titles = sum(fields["title"].value == truth.title for fields, truth in known)
    texts = sum(likeness(str(fields["text"].value), truth.text) for fields, truth in known) / max(len(known), 1)
    return {
        "kind": paper.kind,
        "learned after": str((learned or now) - START).partition(".")[0],
        "published since": len(wanted),
        "missed": len(wanted - found.keys()),
        "collected": len(found),
        "others": len(found.keys() - everything.keys()),
        "titles right": titles,
        "likeness of texts": round(texts, 3),
        "requests": sum(served.requests.values()),
        "304": sum(served.unchanged.values()),
        "stories fetched twice": sum(times > 1 for path, times in served.requests.items() if path in everything),
    }


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--speed", type=float, default=300.0)
    parser.add_argument("--kinds", default="static,scripted,feed")
    given = parser.parse_args()
    clock = Clock(speed=given.speed, start=START)
    makers = [
        partial(LivingPaper, number, kind=kind, start=START, before=60)
        for number, kind in enumerate(given.kinds.split(","), start=1)
    ]
    with serve_papers(makers, clock.now) as papers, tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(watch(papers, folder, clock, given.hours))
    for paper in figures["papers"]:
        print(paper)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
