"""A site collected in one line, by a script as people write them, in a notebook, and for a time."""

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.program import clean_environment

import sitewright
from sitewright.demo import generate_site, serve
from sitewright.errors import BadUrl, UsageError
from sitewright.store.database import open_store
from sitewright.types import FetchSettings

FETCH = FetchSettings(allow_hosts=("127.0.0.1",), pause_seconds=0.0, browser="/nowhere")
SCRIPT = """\
import sys, sitewright
(site,) = sitewright.collect(sys.argv[1], "news.db", pages="pages", workers=1, say=print, fetch=sitewright.FetchSettings(
    allow_hosts=("127.0.0.1",), pause_seconds=0.0, browser="/nowhere"))
print("collected", site.name, site.new, site.records, site.failures, site.error)
"""
"""As people write it: nothing keeps a worker that would import it from collecting, too."""


@pytest.fixture
def front() -> Iterator[str]:
    with serve(lambda base_url: generate_site(3, stories=10, base_url=base_url)) as base_url:
        yield f"{base_url}/"


def know(file: Path, front: str) -> None:
    """Put the site into a store with its map, so that nothing has to be learned."""
    site = generate_site(3, stories=10, base_url=front)
    with open_store(f"sqlite:///{file}") as store:
        store.add_site("127.0.0.1", url=front)
        store.save_map(site.map_text.replace(f"site: {site.host}", "site: 127.0.0.1"), "person")


@pytest.mark.slow
def test_a_script_collects_a_site(front: str, tmp_path: Path) -> None:
    know(tmp_path / "news.db", front)
    (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
    done = subprocess.run(
        [sys.executable, "script.py", front],
        cwd=tmp_path,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = [line for line in done.stdout.splitlines() if line.startswith("collected")]
    assert said == ["collected 127.0.0.1 10 10 0 None"]
    assert list((tmp_path / "pages").iterdir())
    with sitewright.open_store(tmp_path / "news.db") as store:
        assert sum("title" in record for record in store.records("127.0.0.1")) == 10


def test_it_is_awaited_where_a_loop_runs_and_ends_in_time(front: str, tmp_path: Path) -> None:
    async def notebook() -> list[sitewright.CollectedSite]:
        with pytest.raises(UsageError, match=r"await sitewright\.acollect"):
            sitewright.collect(front, tmp_path / "news.db")
        assert not (tmp_path / "news.db").exists()
        return await sitewright.acollect(
            front, tmp_path / "news.db", pages=tmp_path / "pages", once=False, seconds=0.0, fetch=FETCH
        )

    (site,) = asyncio.run(notebook())
    assert (site.name, site.url, site.new, site.records) == ("127.0.0.1", front, 0, 0)
    assert site.error is not None
    assert site.error.code == "learn_error"


def test_what_is_no_address_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadUrl):
        sitewright.collect("not an address", tmp_path / "news.db")
    with pytest.raises(BadUrl):
        sitewright.collect([], tmp_path / "news.db")
    with pytest.raises(UsageError, match="since is a date"):
        sitewright.collect("https://example.com/", tmp_path / "news.db", since="soon")
    assert list(tmp_path.iterdir()) == []


def test_both_take_the_same() -> None:
    assert sitewright.collect.__name__ == "collect"
    assert inspect.signature(sitewright.collect) == inspect.signature(sitewright.acollect)
