"""The report of links: complete, closed in itself, and deaf to what hostile pages say."""

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import OutputError
from sitewright.output.link_report import write_link_report
from sitewright.types import Failure, Link, LinkSet, Role

EVIL = "</style></title>\"'><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"
HOME = "https://example.com/"


class Reader(HTMLParser):
    """Collects what a browser would make of the file."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.links: list[str | None] = []
        self.open: list[str] = []
        self.groups: list[tuple[str, bool]] = []
        self.rows: list[str] = []
        self.tiles: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.links += [value for name, value in attrs if name in {"href", "src"}]
        if tag == "details":
            self.groups.append(("", "open" in dict(attrs)))
        if ("class", "tile") in attrs:
            self.tiles.append("")
        if tag == "tr":
            self.rows.append("")
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "summary" in self.open:
            name, is_open = self.groups.pop()
            self.groups.append((name + data, is_open))
        if "div" in self.open and "section" in self.open:
            self.tiles[-1] += data
        if "tr" in self.open:
            self.rows[-1] += data


def link(number: int, role: Role = "article", score: float = 0.9, **more: str) -> Link:
    given = {"text": f"Story {number}", "reason": f"reason {number}"} | more
    return Link(url=f"{HOME}{number}", role=role, score=score, **given)


def page(*links: Link, url: str = HOME) -> LinkSet:
    return LinkSet(url=url, links=links)


def written(tmp_path: Path, *outcomes: LinkSet | Failure, clusters: dict[str, str] | None = None) -> Reader:
    target = tmp_path / "r.html"
    write_link_report(str(target), outcomes, clusters or {})
    return Reader(target.read_text("utf-8"))


def figures(report: Reader) -> dict[str, int]:
    """Return the figures at the top by their names."""
    return {name: int(number.replace(",", "")) for number, _, name in (tile.partition(" ") for tile in report.tiles)}


def test_nothing_at_all_has_a_report(tmp_path: Path) -> None:
    report = written(tmp_path)
    assert figures(report)["pages"] == 0
    assert report.open == []


def test_the_head_counts_each_link_once(tmp_path: Path) -> None:
    first = page(link(1), link(2, score=0.7), link(3, "list", 0.1), link(4, "next", 0.0), link(5, "other", 0.3))
    again = page(link(1), link(6), url=f"{HOME}world/")
    failure = Failure("x.jsonl:3", "fetch", "bad_page_line", "not JSON")
    assert figures(written(tmp_path, first, again, failure)) == {
        "pages": 2,
        "links": 6,
        "articles": 3,
        "sections": 1,
        "next pages": 1,
        "other": 1,
        "unsure": 2,
        "failed": 1,
    }


def test_a_link_shows_its_role_how_sure_that_is_and_why(tmp_path: Path) -> None:
    report = written(tmp_path, page(link(1, score=0.876), link(2, "other", 0.0, text="")))
    assert report.rows == [
        "article0.88Story 1https://example.com/1reason 1",
        "other0.00(no text)https://example.com/2reason 2",
    ]
    assert ("style", "width:88%") in report.attributes


def test_links_are_grouped_by_cluster_those_with_articles_first_and_open(tmp_path: Path) -> None:
    links = [link(1, "other", 0.1), link(2, "list", 0.1), link(3), link(4), link(5, score=0.95), link(6, "other", 0.0)]
    clusters = {f"{HOME}1": "nav a", f"{HOME}2": "nav a", f"{HOME}3": "h2 > a", f"{HOME}5": "h2 > a", f"{HOME}6": "i a"}
    report = written(tmp_path, page(*links), clusters=clusters)
    assert report.groups == [
        ("h2 > a: 2 links, 2 of them articles", True),
        ("nav a: 2 links, no article", False),
        ("i a: 1 link, no article", False),
        ("In no cluster: 1 link, 1 of them articles", True),
    ]
    assert [row.partition("Story ")[2][0] for row in report.rows] == ["5", "3", "1", "2", "6", "4"]


@pytest.mark.parametrize("spelling", ["1", "1/", "1#top"])
def test_a_cluster_is_found_however_the_address_is_spelled(tmp_path: Path, spelling: str) -> None:
    links = LinkSet(url=HOME, links=(Link(url=f"{HOME}{spelling}", role="article", score=0.9),))
    assert written(tmp_path, links, clusters={f"{HOME}1": "h2 > a"}).groups[0][0].startswith("h2 > a")


def test_snapshots_of_a_page_are_one_part(tmp_path: Path) -> None:
    report = written(tmp_path, page(link(1), link(2)), page(link(2), link(3)), page(link(9), url=f"{HOME}world/"))
    assert report.tags.count("article") == 2
    assert "2 snapshots" in report.text
    assert len(report.rows) == 4


def test_failures_are_told_with_code_and_detail(tmp_path: Path) -> None:
    report = written(tmp_path, Failure("https://example.com/x", "parse", "not_html", "served as image/png"))
    assert "not_html (parse) served as image/png" in report.text
    assert "https://example.com/x" in report.links


def test_of_a_huge_group_some_are_shown(tmp_path: Path) -> None:
    report = written(tmp_path, page(*(link(n, score=0.5 + n / 10_000) for n in range(1000))))
    assert len(report.rows) == 400
    assert "Story 999" in report.rows[0]
    assert "and 600 more" in report.text


def test_what_pages_say_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    links = page(Link(url=f"{HOME}{EVIL}", text=EVIL, role="article", score=0.9, reason=EVIL), url=EVIL)
    hostile = Failure(EVIL, "parse", "not_html", EVIL)
    report = written(tmp_path, links, hostile, clusters={f"{HOME}{EVIL}": EVIL})
    assert not {"script", "img", "iframe", "link", "base", "object"} & set(report.tags)
    assert not [name for name, _ in report.attributes if name.startswith("on")]
    assert report.text.count("<script>alert(1)</script>") >= 5
    assert report.open == []


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//x", "http://[bad", ""]
)
def test_only_web_pages_can_be_followed(tmp_path: Path, url: str) -> None:
    links = LinkSet(url=url, links=(Link(url=url, role="article", score=0.9),))
    assert written(tmp_path, links, Failure(url, "fetch", "x", "y")).links == []


def test_the_report_loads_nothing(tmp_path: Path) -> None:
    write_link_report(str(tmp_path / "r.html"), [page(link(1))], {})
    text = (tmp_path / "r.html").read_text("utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"url\(|@import|src=", text)


@given(st.text(max_size=60), st.text(max_size=60), st.floats(allow_nan=False))
def test_any_text_and_score_gives_a_well_formed_page(
    tmp_path_factory: pytest.TempPathFactory, text: str, selector: str, score: float
) -> None:
    links = LinkSet(url=text, links=(Link(url=f"{HOME}a", text=text, role="article", score=score, reason=text),))
    assert written(tmp_path_factory.mktemp("r"), links, clusters={f"{HOME}a": selector}).open == []


@pytest.mark.parametrize("target", ["no/such/folder/r.html", "."])
def test_where_nothing_can_be_written(tmp_path: Path, target: str) -> None:
    with pytest.raises(OutputError, match="cannot write"):
        write_link_report(str(tmp_path / target), [], {})


def test_site_date_and_warnings_stand_first(tmp_path: Path) -> None:
    seen = LinkSet(url=HOME, links=(link(1), link(2, score=0.5)), time=datetime(2026, 3, 2, 6, 30, tzinfo=UTC))
    failure = Failure(f"{HOME}x", "links", "no_links", "there are none")
    report = written(tmp_path, seen, page(link(3, "other", 0.1), url=f"{HOME}barren"), failure).text
    start = report.index("3 warnings")
    assert f"{urlsplit(HOME).hostname}: which links lead to articles" in report[:start]
    assert "2026-03-02 06:30 UTC" in report[:start]
    told = report[start : report.index("2 pages")]
    assert "1 page of 3 failed: no_links 1" in told
    assert f"No link to an article on: {HOME}barren" in told
    assert "Unsure of 1 link" in told
    assert "0.50unsure" in report
