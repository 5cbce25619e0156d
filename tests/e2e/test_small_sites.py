"""Small sites in plain markup whose addresses say nothing: from an unknown front page to a map and to records."""

import subprocess
import sys
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

import pytest
from tests.e2e.servers import Answer, Reply, SiteServer, serving

from sitewright.demo import Truth
from sitewright.maps import load_map
from sitewright.store.database import open_store
from sitewright.store.entries import RecordQuery

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="each site has a loopback address")
HOST = "127.0.0.38"
QUICKLY = {"SITEWRIGHT_FETCH_ALLOW_HOSTS": HOST, "SITEWRIGHT_FETCH_PAUSE_SECONDS": "0"}
STORIES = 16
FORMS = ("/?p={}", "/node/{}", "/3f{:06x}b")
MENU = ("About", "Archive", "Contact", "Links", "Guestbook")


def front(stories: Mapping[str, Truth], menu: str) -> str:
    items = "".join(
        f"<div><h2><a href='{path}'>{escape(story.title)}</a></h2><p>{escape(story.text.split(chr(10))[0][:140])}</p></div>"
        for path, story in stories.items()
    )
    return f"<!doctype html><title>Our town</title>{menu}{items}{menu}"


def page(story: Truth, menu: str) -> str:
    paragraphs = "".join(f"<p>{escape(line)}</p>" for line in story.text.split("\n"))
    byline = f"<p>{story.published:%d.%m.%Y} by {escape(' and '.join(story.authors))}</p>"
    heading = f"<h1>{escape(story.title)}</h1>{byline}"
    return f"<!doctype html><title>{escape(story.title)}</title>{menu}<div>{heading}<div>{paragraphs}</div></div>{menu}"


def small_site(server: SiteServer, form: str) -> tuple[Answer, dict[str, Truth]]:
    """Return what a small site answers, and its stories by path; pages of its menu are numbered like stories."""
    told = [story for story in server.paper.truth.values() if len(story.text) > 600][:STORIES]
    stories = {form.format(31 + 2 * number): story for number, story in enumerate(told)}
    others = {form.format(2 + 2 * number): name for number, name in enumerate(MENU)}
    menu = "<ul>" + "".join(f"<li><a href='{path}'>{name}</a></li>" for path, name in others.items()) + "</ul>"
    pages = {
        "/": front(stories, menu),
        **{path: page(story, menu) for path, story in stories.items()},
        **{path: f"<title>{name}</title>{menu}<h1>{name}</h1><p>Write to us." for path, name in others.items()},
    }
    return lambda path: Reply(pages[path]) if path in pages else Reply("nothing here", 404), stories


@pytest.mark.parametrize("form", FORMS)
def test_a_small_site_is_learned_and_collected(sitewright: Sitewright, tmp_path: Path, form: str) -> None:
    server = SiteServer(HOST, stories=40)
    server.answer, stories = small_site(server, form)
    with serving(server):
        learned = sitewright("map", server.url, "-o", "small.map.yaml", env=QUICKLY)
        assert learned.returncode == 0, learned.stderr.decode()
        assert {"title", "text", "published"} <= set(load_map(tmp_path / "small.map.yaml").fields)
        collected = sitewright("collect", server.url, "--once", env=QUICKLY)
        assert collected.returncode == 0, collected.stderr.decode()
    with open_store(f"sqlite:///{tmp_path}/sitewright.db") as store:
        records = [stored.record for stored in store.records(RecordQuery())]
    by_path = {record.urls[0].removeprefix(server.url.rstrip("/")): record for record in records}
    missed = stories.keys() - by_path.keys()
    assert len(missed) <= 1, sorted(missed)
    assert len(by_path.keys() - stories.keys()) <= 1, "pages of the menu are no stories"
    right = [by_path[path].fields["title"].value == story.title for path, story in stories.items() if path in by_path]
    assert sum(right) >= 0.9 * len(right)
