"""From nothing but addresses: the map of a site, records of pages, links; and a cache that spares the site."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from tests.program import Program, clean_environment

from sitewright.demo import LivingPaper, ServedPaper, serve_papers
from sitewright.maps import load_map

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="papers need 127.0.0.2")
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]


@dataclass(frozen=True)
class Visit:
    """A paper, and what calls of the command line made of it in one folder."""

    served: ServedPaper
    folder: Path
    program: Program

    @property
    def host(self) -> str:
        return self.served.base_url.removeprefix("http://")

    @property
    def stories(self) -> list[str]:
        return [f"{self.served.base_url}{path}" for path in self.served.paper.published(NOW)]

    def call(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        settings = {
            "SITEWRIGHT_FETCH_ALLOW_HOSTS": self.host.partition(":")[0],
            "SITEWRIGHT_FETCH_PAUSE_SECONDS": "0",
            "SITEWRIGHT_FETCH_BROWSER": "/nowhere",
        }
        return self.program.call(*words, folder=self.folder, environment=clean_environment(settings))


@pytest.fixture(scope="module")
def visit(tmp_path_factory: pytest.TempPathFactory, program: Program) -> Iterator[Visit]:
    paper = partial(LivingPaper, 3, kind="static", start=NOW, stories=50, before=40, hours=4)
    with serve_papers([paper], lambda: NOW) as (served,):
        yield Visit(served, tmp_path_factory.mktemp("visit"), program)


@pytest.fixture(scope="module")
def learned(visit: Visit) -> subprocess.CompletedProcess[bytes]:
    return visit.call("map", visit.host, "-o", "paper.map.yaml", "--report", "paper.html", "--limit", "12")


def rows(done: subprocess.CompletedProcess[bytes]) -> list[dict[str, str]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_map_is_learned_from_a_bare_host(visit: Visit, learned: subprocess.CompletedProcess[bytes]) -> None:
    assert learned.returncode == 0, learned.stderr.decode()
    told = learned.stderr.decode()
    assert f"looking at {visit.served.base_url}/" in told
    assert "12 articles to learn from" in told
    extraction_map = load_map(visit.folder / "paper.map.yaml")
    assert extraction_map.site == "127.0.0.2"
    assert f"{visit.served.base_url}/" in {entry.url for entry in extraction_map.index if entry.items}
    assert (visit.folder / "paper.html").stat().st_size > 1000


@pytest.mark.usefixtures("learned")
def test_addresses_are_read_with_the_map(visit: Visit) -> None:
    done = visit.call("extract", *visit.stories[:4], f"{visit.served.base_url}/gone", "--map", "paper.map.yaml")
    assert done.returncode == 1
    read = rows(done)
    assert [row["url"] for row in read] == [*visit.stories[:4], f"{visit.served.base_url}/gone"]
    truths = list(visit.served.paper.published(NOW).values())
    assert [row["title"] for row in read[:4]] == [truth.title for truth in truths[:4]]
    assert "error_page: " in done.stderr.decode()


def test_a_list_is_read_once_an_hour_with_a_cache(visit: Visit) -> None:
    (visit.folder / "list.txt").write_text("# some\n" + "\n".join(visit.stories[:3]), "utf-8")
    first = visit.call("extract", "--from", "list.txt", "--cache", "cache")
    asked = visit.served.requests.total()
    again = visit.call("extract", "--from", "list.txt", "--cache", "cache")
    assert first.returncode == again.returncode == 0
    assert rows(first) == rows(again)
    assert len(rows(first)) == 3
    stories = [path.removeprefix(visit.served.base_url) for path in visit.stories[:3]]
    assert visit.served.requests.total() - asked <= 1  # robots.txt
    assert all(visit.served.requests[path] for path in stories)


def test_several_addresses_are_pages_to_learn_from(visit: Visit) -> None:
    done = visit.call("map", *visit.stories[:4], "-q")
    assert done.returncode == 0, done.stderr.decode()
    assert "#: Learned from 4 pages" in done.stdout.decode()


def test_links_of_a_bare_host(visit: Visit) -> None:
    done = visit.call("links", visit.host, "-q")
    (row,) = rows(done)
    assert row["url"] == f"{visit.served.base_url}/"
