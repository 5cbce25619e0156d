"""What somebody has already is looked over first, and added when they say so."""

from pathlib import Path

import pytest

from sitewright.actions.bring_sites import bring_in, look_over
from sitewright.store.database import open_store

OPML = """<opml version="2.0"><body>
<outline text="Old paper" xmlUrl="https://old.example/feed.xml"/>
<outline text="New paper" xmlUrl="https://new.example/feed.xml" htmlUrl="https://new.example/"/>
<outline text="None" xmlUrl="nonsense"/>
</body></opml>"""
SITEMAP = """{"_id": "paper", "startUrl": ["https://paper.example/news"], "selectors": [
{"id": "title", "type": "SelectorText", "parentSelectors": ["_root"], "selector": "h1", "multiple": false, "regex": ""}]}"""
FTR = "title: //h1\nbody: //article\nprune: no\n"


@pytest.mark.parametrize(
    ("text", "file", "ready", "known", "refused"),
    [
        (OPML, "feeds.opml", ["new.example"], ["old.example"], ["feeds.opml:4"]),
        ("a.example\nb.example/news # b\nno\n", "sites.txt", ["a.example", "b.example"], [], ["sites.txt:3"]),
        (SITEMAP, "sitemap.json", ["paper.example"], [], []),
        (FTR, "letters.example.txt", ["letters.example"], [], []),
        ("<opml><body", "feeds.opml", [], [], ["feeds.opml:1"]),
    ],
)
def test_what_it_brings(
    tmp_path: Path, text: str, file: str, ready: list[str], known: list[str], refused: list[str]
) -> None:
    with open_store(f"sqlite:///{tmp_path}/a.db") as store:
        store.add_site("old.example", url="https://old.example/")
        found = look_over(store, text, file)
        assert (list(found.ready), list(found.known)) == (ready, known)
        assert [line.partition(": ")[0] for line in found.refused] == refused
        assert [site.name for site in store.sites()] == ["old.example"], "nothing is stored by looking"
        bring_in(store, text, file)
        assert sorted(site.name for site in store.sites()) == sorted(["old.example", *ready])
        if found.map is not None:
            stored = store.load_map(found.map.site)
            assert stored is not None
            assert stored.parsed().rules[0].field == "title"
