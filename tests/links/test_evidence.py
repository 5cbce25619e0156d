"""What links that are alike say of one another."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from sitewright.links.evidence import ALONE, COLUMNS, GROUPS, SiteLinks, beginnings, mean_of_others
from sitewright.links.model import load_model
from sitewright.links.page import LOCAL, PageLinks, read_page
from sitewright.parse import parse
from sitewright.types import Page

HOST = "https://www.example.com"
START = datetime(2025, 5, 18, 6, tzinfo=UTC)


def page(body: str, url: str = f"{HOST}/", hours: float | None = None) -> PageLinks:
    at = None if hours is None else START + timedelta(hours=hours)
    document = parse(Page(url=url, body=f"<!doctype html><body>{body}", fetched_at=at))
    return read_page(document, load_model().networks)


def site(*bodies: str) -> SiteLinks:
    return SiteLinks([page(body) for body in bodies])


def anchors(*hrefs: str) -> str:
    return "".join(f"<p><a href='{href}'>Tale {number}</a></p>" for number, href in enumerate(hrefs))


def column(links: SiteLinks, name: str) -> list[float]:
    return [round(value, 4) for value in links.table[:, COLUMNS.index(name)].tolist()]


def counted(links: SiteLinks, name: str) -> list[int]:
    """Return a column of logarithms as the numbers that they are of."""
    return [round(value) for value in np.expm1(links.table[:, COLUMNS.index(name)]).tolist()]


def test_the_columns_have_names_of_their_own() -> None:
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert COLUMNS[: len(LOCAL)] == LOCAL
    assert site(anchors("/a", "/b")).table.shape == (2, len(COLUMNS))


@pytest.mark.parametrize(
    ("values", "members", "means"),
    [
        ([0, 1, 0.5], ["x", "x", "x"], [0.75, 0.25, 0.5]),
        ([0, 1, 0.5], ["x", "x", "y"], [1, 0, ALONE]),
        ([0, 1], [None, None], [ALONE, ALONE]),
        ([], [], []),
    ],
)
def test_the_mean_of_the_others_leaves_the_link_out(
    values: list[float], members: list[str | None], means: list[float]
) -> None:
    assert mean_of_others(np.array(values, dtype=np.float32), members).tolist() == pytest.approx(means)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("https://example.com", []),
        ("https://example.com/a", ["https://example.com"]),
        ("https://example.com/a/b", ["https://example.com", "https://example.com/a"]),
        ("https://example.com/a?x=/b", ["https://example.com", "https://example.com/a?x="]),
        ("", []),
    ],
)
def test_an_address_goes_on_from_its_beginnings(address: str, expected: list[str]) -> None:
    assert list(beginnings(address)) == expected


def test_a_link_of_several_pages_counts_once_with_the_mean_of_what_they_say() -> None:
    both = site("<h2><a href=/a>Tale</a></h2><a href=/b>Sport</a>", "<p><a href=/a>Tale</a></p>")
    assert [fact.page for fact in both.facts] == [f"{HOST}/a", f"{HOST}/b"]
    assert column(both, "heading at most")[0] == 1
    assert column(both, "anchors") == [1, 1]


def test_evidence_of_a_page_that_is_read_twice_stays_as_it_is() -> None:
    body = anchors("/a/1", "/a/2", "/b")
    assert np.allclose(site(body).table, site(body, body).table)


@pytest.mark.parametrize(
    ("group", "hrefs", "sizes"),
    [
        ("shape", ["/x/why-bees-dance-so", "/y/how-ants-walk-on", "/about"], [2, 2, 1]),
        ("tail", ["/x/why-bees-dance-so", "/how-ants-walk-on", "/about"], [2, 2, 1]),
        ("host", ["/a", "https://www.example.com/b", "https://other.example/c"], [2, 2, 1]),
        ("branch", ["/sport/a", "/sport/b", "/world/c"], [2, 2, 1]),
        ("place", ["/a", "/b", "/c"], [3, 3, 3]),
        ("cluster", ["/a", "/b", "/c"], [0, 0, 0]),
    ],
)
def test_links_are_grouped_with_their_likes(group: str, hrefs: list[str], sizes: list[int]) -> None:
    assert group in GROUPS
    assert counted(site(anchors(*hrefs)), f"links of {group}") == sizes


def test_markup_makes_clusters() -> None:
    links = site("<a class=t href=/a>A</a><a class=t href=/b>B</a><a class=own href=/c>C</a>")
    assert counted(links, "links of cluster") == [2, 2, 0]
    assert column(links, "texts of cluster")[2] == ALONE


@pytest.mark.parametrize(
    ("name", "hrefs", "counts"),
    [
        ("begins others", ["/sport", "/sport/a", "/sport/b", "/sports"], [2, 0, 0, 0]),
        ("begins others", ["/", "/a"], [1, 0]),
        ("ending on others", ["/a/comments", "/b/comments", "/c"], [1, 1, 0]),
        ("like others but for numbers", ["/page/100", "/page/101", "/page/12"], [2, 2, 1]),
    ],
)
def test_addresses_are_compared(name: str, hrefs: list[str], counts: list[int]) -> None:
    assert counted(site(anchors(*hrefs)), name) == counts


def test_what_continues_a_story_is_told() -> None:
    links = site(anchors("/why-bees-dance-all-day", "/why-bees-dance-all-day/comments", "/sport", "/sport/golf"))
    story, comments, section, below = column(links, "continues a story")
    assert (story, section, below) == (ALONE, ALONE, ALONE)
    assert 0 <= comments <= 1


def test_a_number_that_links_share_is_told() -> None:
    story, talk = "/story/council-votes-to-keep-bees-on-the-roof-1234567", "/talk/1234567"
    links = site(
        f"<a href={story}>Council votes to keep bees on the roof of the town hall</a><a href={talk}>Talk</a>"
        "<a href=/story/how-ants-walk-7654321>How ants walk</a>"
    )
    assert column(links, "number in others") == [1, 1, 0]
    lead, behind, alone = column(links, "headline against its number")
    assert lead > 0 > behind
    assert lead == pytest.approx(-behind)
    assert alone == 0


def test_a_number_of_very_many_links_stays_cheap() -> None:
    links = site(anchors(*(f"/x{n}/1234567" for n in range(3_000))))
    assert max(column(links, "number in others")) <= 5


def test_the_same_text_on_other_links_is_counted() -> None:
    links = site("<a href=/a>Tale</a><a href=/b>Tale</a><a href=/c>Other</a><a href=/d></a>")
    assert column(links, "text on others") == [pytest.approx(np.log1p(1), abs=1e-3)] * 2 + [0, -1]


@pytest.mark.parametrize("href", ["/", "", "#top", HOST, f"{HOST}/#x"])
def test_links_to_the_page_itself_are_told(href: str) -> None:
    assert column(site(f"<a href='{href}'>Home</a><a href=/a>A</a>"), "own page") == [1, 0]


def test_lifetimes_are_those_of_the_snapshots() -> None:
    links = SiteLinks([page(anchors("/a"), hours=0), page(anchors("/a", "/b"), hours=6), page("", hours=12)])
    lives = {fact.page: fact.lifetime for fact in links.facts}
    assert [life.seen_hours for life in lives.values() if life] == [6, 0]
    assert lives[f"{HOST}/b"] is not None
    assert lives[f"{HOST}/b"].is_ephemeral


def test_pages_without_times_have_no_lifetimes() -> None:
    assert site(anchors("/a"), anchors("/b")).lifetimes == {}


@pytest.mark.parametrize("pages", [[], [""], ["", "<p>none</p>"]])
def test_no_links_make_an_empty_table(pages: list[str]) -> None:
    links = site(*pages)
    assert links.facts == []
    assert links.table.shape == (0, len(COLUMNS))


@pytest.mark.parametrize("url", ["http://[::1]:8080/", "http://127.0.0.1/", "file:///tmp/a.html", ""])
def test_pages_of_odd_addresses_are_compared(url: str) -> None:
    links = SiteLinks([page(anchors("https://a.example/x", "https://a.example/y", "http://[::1]/z"), url)])
    assert np.isfinite(links.table).all()
    assert len(links.facts) == 3


def test_an_address_of_very_many_folders_is_read() -> None:
    links = site(anchors("/" + "a/" * 20_000 + "b", "/a/a", "/a?" + "x=1&" * 20_000))
    assert counted(links, "begins others") == [0, 1, 0]


@pytest.mark.slow
def test_ten_thousand_links_are_compared() -> None:
    links = site("".join(f"<p class='c{n % 3000}x'><a class=t{n} href=/tale/{n}>T {n}</a></p>" for n in range(10_000)))
    assert links.table.shape == (10_000, len(COLUMNS))
    assert np.isfinite(links.table).all()
