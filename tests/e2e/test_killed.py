"""A collector that is killed fifty times, at any moment: nothing is lost, nothing comes twice, no record is torn."""

import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from sitewright.demo import LivingPaper, serve_papers
from sitewright.fetch import open_archive
from sitewright.parse.sites import site_name
from sitewright.store.database import open_store
from sitewright.store.entries import RecordQuery, WatchedPage
from sitewright.store.warc import WarcStore
from sitewright.watch.clock import Clock

KILLS = 50
SPEED = 40.0
START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)


def test_fifty_kills(tmp_path: Path) -> None:
    clock = Clock(speed=SPEED, start=START)
    store, pages = f"sqlite:///{tmp_path}/store.db", tmp_path / "pages"
    paper_of = partial(LivingPaper, 5, kind="static", start=START, stories=240, before=40, hours=4)
    with serve_papers([paper_of], clock.now) as (served,):
        site = site_name(served.base_url)
        with open_store(store, clock=clock.now) as opened:
            opened.add_site(site, url=f"{served.base_url}/")
            opened.put_index_pages([WatchedPage(site=site, url=f"{served.base_url}/")])
        program = [sys.executable, str(Path(__file__).with_name("collecting.py")), store, str(pages)]
        arguments = [str(SPEED), clock.now().isoformat(), str(KILLS), "1", site]
        done = subprocess.run([*program, *arguments], check=True, capture_output=True, text=True, timeout=600)
        lines = done.stdout.splitlines()
        assert sum(line.startswith("killed") for line in lines) == KILLS
        mapped, ended = (datetime.fromisoformat(line.split()[1]) for line in lines if not line.startswith("killed"))

        with open_store(store) as opened, WarcStore(pages) as archive:
            found = list(opened.records(RecordQuery(site=site)))
            for stored in found:
                assert stored.location is not None
                assert archive.read(stored.location).url
            failures = opened.failures(site)
        got = Counter(stored.record.urls[0].removeprefix(served.base_url) for stored in found)
        published = served.paper.published(clock.now())  # the two clocks are some minutes apart
        asked_for = served.requests.keys() & published.keys()
        newest = list(served.paper.published(ended - timedelta(minutes=20)))[:8]  # they are still on the front page
        withdrawn = served.paper.withdrawn(clock.now())

    assert len(asked_for - served.paper.published(mapped).keys()) > 5
    assert got.keys() <= published.keys()
    assert max(got.values()) == 1
    assert (asked_for | set(newest)) - withdrawn <= got.keys(), [failure.failure for failure in failures]
    for path, truth in published.items():
        titles = [stored.record.fields["title"].value for stored in found if stored.record.urls[0].endswith(path)]
        assert titles in ([], [truth.title])
    for file in sorted(pages.glob("*.warc.gz")):
        archived = [place.load() for place in open_archive(str(file)).places()]
        assert archived
        assert all(page.body for page in archived)
