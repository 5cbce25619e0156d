"""Index pages through the job, one by one and in a pool, and what is decided about their links together."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitewright.errors import PageCrashed
from sitewright.fetch import PagePlace, Place, open_archive
from sitewright.processes.links import LinksJob
from sitewright.processes.pool import Pool
from sitewright.reading.index import SNAPSHOTS, JudgedPages, ReadPage, judge_pages, learn_indexes, site_of
from sitewright.types import ExtractionMap, Failure, IndexPage, Limits, LinkSet, Page

STORIES = "Harbour bridge closes again|Night train is sold out|School kitchens drop the turnip|Bakers walk out".split(
    "|"
)
MAP = ExtractionMap(site="example.com", index=(IndexPage(url="https://example.com/", items=("h2 a",)),))
LIMITS = Limits()


def front(numbers: Sequence[int], *, name: str = "teaser") -> str:
    cards = "".join(
        f'<h2 class="{name}"><a href="/2024/05/06/a-story-of-the-day-{n + 10000}.html">{STORIES[n % 4]} in week {n}</a></h2>'
        for n in numbers
    )
    menu = "".join(f'<li><a href="/{word}/">{word}</a></li>' for word in ("world", "sport", "culture", "imprint"))
    return f"<html lang=en><body><nav><ul>{menu}</ul></nav><main>{cards}</main></body></html>"


def place(html: str, url: str = "https://example.com/", *, day: int = 0, status: int = 200) -> Place:
    time = datetime(2024, 5, day, tzinfo=UTC) if day else None
    return PagePlace(Page(url=url, body=html, fetched_at=time, status=status))


def judged(places: Sequence[Place], *, keep: bool = True) -> JudgedPages:
    read = LinksJob(keep_places=keep).start()
    return judge_pages([read(place) for place in places])


def outcomes(places: Sequence[Place]) -> list[LinkSet | Failure]:
    return list(judged(places).outcomes())


def articles(outcome: LinkSet | Failure) -> list[str]:
    assert isinstance(outcome, LinkSet), outcome
    return [link.url for link in outcome.links if link.role == "article"]


def test_a_page_is_read_and_judged() -> None:
    (found,) = outcomes([place(front(range(8)), day=6)])
    assert isinstance(found, LinkSet)
    assert (found.url, found.time) == ("https://example.com/", datetime(2024, 5, 6, tzinfo=UTC))
    assert articles(found) == [f"https://example.com/2024/05/06/a-story-of-the-day-{n + 10000}.html" for n in range(8)]
    assert [link.text for link in found.links][:4] == ["world", "sport", "culture", "imprint"]


@pytest.mark.parametrize(
    ("page", "stage", "code"),
    [
        ("nonsense", "fetch", "bad_page_line"),
        ({"url": "https://example.com/a", "html": front(range(30))}, "parse", "page_too_large"),
        ({"url": "https://example.com/a", "html": "<div>" * 50}, "parse", "page_too_deep"),
        ({"url": "https://example.com/a", "html": "x", "headers": {"content-type": "image/png"}}, "parse", "not_html"),
        ({"url": "https://example.com/a", "html": "<p>Words"}, "links", "no_links"),
        ({"url": "https://example.com/a", "html": "<a href='mailto:a@example.com'>Mail</a>"}, "links", "no_links"),
        ({"url": "https://example.com/a", "html": "<urlset></urlset>"}, "links", "no_links"),
        ({"url": "https://example.com/a", "html": "<rss>" + "x" * 2000}, "parse", "page_too_large"),
        ({"url": "https://example.com/a", "html": '{"version": "jsonfeed.org", '}, "links", "not_feed"),
    ],
)
@pytest.mark.parametrize("extraction_map", [None, MAP])
def test_an_error_has_stage_and_code(
    tmp_path: Path, page: object, stage: str, code: str, extraction_map: ExtractionMap | None
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(page if isinstance(page, str) else json.dumps(page), "utf-8")
    (where,) = open_archive(str(path)).places()
    job = LinksJob(limits=Limits(page_bytes=1500, depth=20), extraction_map=extraction_map)
    failure = job.start()(where).failure
    assert failure is not None
    assert (failure.stage, failure.code, bool(failure.detail)) == (stage, code, True)
    assert failure.url == ("https://example.com/a" if isinstance(page, dict) else f"{path}:1")


@pytest.mark.parametrize("html", [front(range(8)), "<rss><channel><item><link>/a</link></item></channel></rss>"])
def test_an_error_of_the_server_is_none_of_its_links(html: str) -> None:
    (failure,) = outcomes([place(html, status=503)])
    assert isinstance(failure, Failure)
    assert (failure.code, failure.detail) == ("error_page", "the server answered 503")


def test_the_failure_of_a_page_that_killed_its_worker() -> None:
    failure = LinksJob().fail(place("x"), PageCrashed("died")).failure
    assert failure == Failure("https://example.com/", "links", "page_crashed", "died")


def test_a_map_decides_by_its_selectors_alone() -> None:
    read = LinksJob(extraction_map=MAP).start()
    page = read(place(front(range(3)) + "<h2><a href='/imprint/'>Imprint</a></h2>"))
    assert page.links is None
    assert page.finished is not None
    assert len(articles(page.finished)) == 4
    assert list(judge_pages([page]).outcomes()) == [page.finished]


def test_a_map_without_selectors_decides_nothing() -> None:
    failure = LinksJob(extraction_map=ExtractionMap(site="example.com")).start()(place(front(range(3)))).failure
    assert failure is not None
    assert failure.code == "no_links"


def test_outcomes_come_in_the_order_of_the_pages_whatever_they_are() -> None:
    feed = "<rss><channel><item><link>/a</link></item></channel></rss>"
    places = [
        place(front(range(5)), "https://one.example/"),
        place("<p>none", "https://one.example/none"),
        place(front(range(9)), "https://other.example/"),
        place(feed, "https://one.example/rss"),
        place(front(range(3, 7)), "https://one.example/world/"),
        place(front(range(2)), ""),
        place(front(range(4)), "https://other.example/world/"),
    ]
    found = outcomes(places)
    assert [outcome.url for outcome in found] == [where.name for where in places]
    assert [type(outcome).__name__ for outcome in found] == ["LinkSet", "Failure", *["LinkSet"] * 3, "Failure", "LinkSet"]  # fmt: skip
    assert [link.url for link in found[3].links] == ["https://one.example/a"]  # type: ignore[union-attr]
    assert len(found[6].links) == 4 + 4  # type: ignore[union-attr]


def test_a_pool_gives_what_one_process_gives() -> None:
    places = [place(front(range(n % 9, n % 9 + 5)), f"https://example.com/{n}/") for n in range(80)]
    together = judge_pages(Pool(LinksJob(), 2).run(places))
    assert list(together.outcomes()) == outcomes(places)


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("https://www.example.com/", "http://example.com:8080/a", True),
        ("https://sport.example.com/", "https://example.com/", False),
        ("file:///a.html", "file:///b.html", False),
        ("", "", True),
    ],
)
def test_what_is_judged_together(one: str, other: str, together: bool) -> None:
    assert (site_of(one) == site_of(other)) is together


def test_nothing_in_nothing_out() -> None:
    empty = judge_pages([])
    assert (list(empty.outcomes()), empty.clusters(), learn_indexes(empty, LIMITS)) == ([], {}, [])


def test_links_that_are_marked_up_alike_have_the_selector_of_their_cluster() -> None:
    clusters = judged([place(front(range(12)))]).clusters()
    stories = {selector for page, selector in clusters.items() if "a-story-of-the-day" in page}
    assert len(stories) == 1
    assert ".teaser" in stories.pop()


def test_selectors_are_learned_for_each_index_page() -> None:
    pages = [place(front(range(9))), place(front(range(5, 14), name="item"), "https://example.com/world/")]
    learned = {index.entry.url: index for index in learn_indexes(judged(pages), LIMITS)}
    assert list(learned) == ["https://example.com/", "https://example.com/world/"]
    for index in learned.values():
        assert index.entry.items
        assert (index.precision, index.recall) == (1.0, 1.0)


def test_selectors_are_learned_from_the_latest_snapshots() -> None:
    old = [place(front(range(n, n + 9), name="before"), day=1 + n) for n in range(SNAPSHOTS)]
    new = [place(front(range(n, n + 9), name="since"), day=11 + n) for n in range(SNAPSHOTS)]
    undated = place(front(range(9), name="undated"))
    ((entry, _, recall),) = [
        (index.entry, index.precision, index.recall) for index in learn_indexes(judged([*new, undated, *old]), LIMITS)
    ]
    assert recall == 1.0
    read = LinksJob(extraction_map=ExtractionMap(site="example.com", index=(entry,))).start()
    tomorrow = read(place(front(range(30, 39), name="since"), day=20)).finished
    assert tomorrow is not None
    assert len(articles(tomorrow)) == 9
    assert not [selector for selector in entry.items if "before" in selector or "undated" in selector]


def test_places_are_kept_only_where_they_are_needed() -> None:
    places = [place(front(range(9)))]
    assert [page.place for page in judged(places).pages] == places
    without = judged(places, keep=False)
    assert [page.place for page in without.pages] == [None]
    assert learn_indexes(without, LIMITS) == []
    assert ReadPage(failure=Failure("u", "links", "no_links", "d")).place is None
