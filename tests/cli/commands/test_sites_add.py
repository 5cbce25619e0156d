"""`sitewright sites add` and `sitewright sites export`: lists of sites in and out."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sitewright.fetch.lists import ListedAddress, read_addresses
from sitewright.store.database import Store, open_store

Call = Callable[..., Any]
OPML = """<opml version="2.0"><body><outline text="All">
<outline text="Bees" type="rss" xmlUrl="https://bees.example/feed.xml" htmlUrl="https://bees.example/"/>
<outline text="Wasps" type="rss" xmlUrl="https://wasps.example/rss"/>
</outline></body></opml>"""


def test_a_list_in_and_out_again(call: Call, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    Path("feeds.opml").write_text(OPML, "utf-8")
    Path("more.txt").write_text("# more\nants.example\nhttps://bees.example/\n", "utf-8")
    done = call("sites", "add", "--from", "feeds.opml", "--from", "more.txt", "--max-age", "30d", "moths.example")
    assert (done.status, done.err) == (0, "4 sites added, 0 there already; collect with: sitewright watch\n")
    with open_store("sqlite:///sitewright.db") as store:
        sites = {site.name: site for site in store.sites()}
        assert sites["bees.example"].url == "https://bees.example/"
        assert sites["wasps.example"].url == "https://wasps.example/rss"
        assert sites["bees.example"].state.title == "Bees"
        assert sites["ants.example"].state.max_age == timedelta(days=30).total_seconds()
        assert {page.url for page in store.index_pages("ants.example")} == {"https://ants.example/"}
    assert call("sites", "add", "ants.example").err.startswith("0 sites added, 1 there already")
    listed = read_addresses(call("sites", "export").out.decode(), "out")
    assert ListedAddress("https://wasps.example/rss", "Wasps", "feed") in listed
    assert len(listed) == 4
    assert call("sites", "export", "-o", "sites.txt", "bees.example").status == 0
    assert Path("sites.txt").read_text("utf-8") == "https://bees.example/  # Bees\n"
    assert call("sites", "--store", "sqlite:///sitewright.db", "export", "--format", "txt").out.count(b"\n") == 4


def test_bad_lists_change_nothing(call: Call, store: Store) -> None:
    Path("bad.txt").write_text("good.example\nhello\n\n???\n", "utf-8")
    done = call("sites", "add", "--from", "bad.txt")
    assert done.status == 2
    assert "error[bad_list]: bad.txt:2: 'hello'" in done.err
    assert "\nbad.txt:4: " in done.err
    assert store.site("good.example") is None
    assert call("sites", "add").status == 2
    assert "no address in" in call("sites", "add", "--from", "/dev/null").err
    assert call("sites", "add", "a.example", "--max-age", "soon").status == 2


def test_a_bad_address_among_good_ones(call: Call, store: Store) -> None:
    done = call("sites", "add", "good.example", "htp://bad")
    assert done.status == 1
    assert store.site("good.example") is not None


def test_another_address_of_a_site_is_told(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("sites", "add", "https://example.com/", "https://example.com/sport", "https://www.example.com")
    assert done.err.count("is collected from") == 1
    assert "example.com is collected from https://example.com/, and not from https://example.com/sport" in done.err
    assert "is collected from" not in call("sites", "add", "http://example.com").err
    done = call("sites", "add", "example.com/feed.xml")
    assert done.status == 0
    assert "and not from https://example.com/feed.xml: a host is one site" in done.err
