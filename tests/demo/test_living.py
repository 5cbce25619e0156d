"""What a living paper serves at a moment: what was published by then, and nothing else."""

import asyncio
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from http.client import HTTPConnection
from itertools import pairwise
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

import pytest
import turbohtml
from tests import needs

from sitewright.demo import (
    CLASSIC,
    REBUILT,
    RENAMED,
    Design,
    LivingPaper,
    PaperKind,
    ServedPaper,
    SitePage,
    generate_site,
    serve_papers,
)
from sitewright.extract import Extractor
from sitewright.fetch.browser import BrowserFetcher, BrowserOptions
from sitewright.fetch.data_calls import data_calls
from sitewright.fetch.fingerprint import Level, needs_rendering
from sitewright.maps import parse_map
from sitewright.parse import parse
from sitewright.types import ExtractionMap, FetchSettings, Page

pytestmark = pytest.mark.slow

BASE = "http://127.0.0.2:8000"
START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
MIDDLE = START + timedelta(hours=20)
END = START + timedelta(hours=80)
"""All is published, and all that is ever withdrawn is gone."""
NOONS = (START, START + timedelta(minutes=90), MIDDLE, END)
MINUTE = timedelta(minutes=1)
KINDS: tuple[PaperKind, ...] = ("static", "scripted", "feed")
DESIGNS = {design.name: design for design in (CLASSIC, RENAMED, REBUILT)}
CODECS = {"utf-8": "utf-8", "windows-1251": "cp1251"}
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="papers need 127.0.0.2")


@cache
def paper(
    kind: PaperKind = "static", language: str = "en", stories: int = 90, before: int = 30, design: str = "classic"
) -> LivingPaper:
    return LivingPaper(
        3,
        kind=kind,
        language=language,
        base_url=BASE,
        start=START,
        stories=stories,
        before=before,
        design=DESIGNS[design],
    )


@cache
def map_of(design: str) -> ExtractionMap:
    """Return the map that a design's papers are read with."""
    return parse_map(generate_site(3, stories=10, base_url=BASE, design=DESIGNS[design]).map_text)


def shown(of: LivingPaper, now: datetime) -> list[str]:
    """Return the paths of what is to be seen, the newest first."""
    gone = of.withdrawn(now)
    return [path for path in of.published(now) if path not in gone]


def decode(page: SitePage | None) -> str:
    assert page is not None
    return page.html.decode(CODECS[page.content_type.partition("charset=")[2]])


def paths_in(page: SitePage | None) -> set[str]:
    """Return what a page links to on its own site."""
    assert page is not None
    if not page.content_type.startswith("text/html"):
        return set()
    tree = turbohtml.parse(decode(page))
    base = tree.select_one("base")
    start = str(base.attrs["href"]) if base is not None else BASE + page.path
    names = [str(link.attrs[name]) for name in ("href", "src") for link in tree.select(f"[{name}]")]
    urls = [urlsplit(urljoin(start, name)) for name in names]
    return {url.path for url in urls if url.netloc == urlsplit(BASE).netloc}


def reached(of: LivingPaper, now: datetime, *starts: str) -> set[str]:
    """Return all paths that links lead to; each has a page."""
    found, waiting = set[str](), [*starts]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            page = of.page(path, now)
            assert page is not None, f"nothing at {path}"
            waiting += paths_in(page)
    return found


def latest(of: LivingPaper, now: datetime, design: str = "classic") -> list[str]:
    """Return the stories of the list of the latest, page by page, as the map finds them."""
    index = map_of(design).index[-1]
    found: list[str] = []
    path: str | None = "/latest/"
    while path:
        tree = turbohtml.parse(decode(of.page(path, now)))
        found += [str(link.attrs["href"]) for link in tree.select(", ".join(index.items))]
        following = tree.select_one(", ".join(index.next))
        path = str(following.attrs["href"]) if following is not None else None
    return found


def feed(of: LivingPaper, now: datetime) -> list[str]:
    tree = ElementTree.fromstring(decode(of.page("/feed.xml", now)))  # noqa: S314 - our own text
    return [urlsplit(str(item.findtext("guid"))).path for item in tree.iter("item")]


def sitemap(of: LivingPaper, now: datetime) -> set[str]:
    tree = ElementTree.fromstring(decode(of.page("/sitemap.xml", now)))  # noqa: S314 - our own text
    return {urlsplit(str(element.text)).path for element in tree.iter() if element.tag.endswith("}loc")}


class TestClock:
    def test_some_stories_are_there_at_the_start_and_all_at_the_end(self) -> None:
        assert len(paper().published(START)) == 30
        assert len(paper().published(START + timedelta(hours=48))) == 90
        assert paper().published(START - timedelta(days=1)) == paper().published(START)

    def test_stories_are_dated_when_they_appear(self) -> None:
        truths = list(paper().published(END).values())
        assert [truth.published for truth in truths] == sorted((truth.published for truth in truths), reverse=True)
        assert {truth.published for truth in truths if truth.published > START} <= set(paper().moments())
        assert all(truth.modified is None or truth.modified <= max(truth.published, START) for truth in truths)

    def test_nights_are_quiet_and_mornings_busy(self) -> None:
        moments = [truth.published for truth in paper(stories=300).published(END).values()]
        night = [moment for moment in moments if moment.hour < 5]
        morning = [moment for moment in moments if 7 <= moment.hour < 10]
        assert len(morning) > 5 * len(night)

    def test_some_are_withdrawn_after_they_could_be_seen(self) -> None:
        before, after = set[str](), set[str]()
        for moment in paper().moments():
            after = paper().withdrawn(moment)
            for path in after - before:
                appeared = max(paper().published(moment)[path].published, START)
                assert timedelta(hours=6) <= moment - appeared <= timedelta(hours=15)
            before = after
        assert len(after) == 90 // 15
        assert paper().withdrawn(START) == set()

    @pytest.mark.parametrize("kind", KINDS)
    def test_something_changes_at_moments_and_only_then(self, kind: PaperKind) -> None:
        def seen(now: datetime) -> list[SitePage | None]:
            paths = ["/", "/latest/", "/latest/page/3/", "/feed.xml", "/sitemap.xml", "/data/latest/index.json"]
            return [paper(kind).page(path, now) for path in (*paths, *shown(paper(kind), now))]

        for moment, following in pairwise(paper(kind).moments()[:12]):
            assert seen(moment) != seen(moment - MINUTE)
            assert seen(moment) == seen(following - timedelta(seconds=1))

    def test_the_same_seed_gives_the_same_paper(self) -> None:
        again = LivingPaper(3, base_url=BASE, start=START, stories=90)
        other = LivingPaper(4, base_url=BASE, start=START, stories=90)
        assert again.published(END) == paper().published(END)
        assert again.moments() == paper().moments() != other.moments()
        for path in reached(paper(), MIDDLE, "/"):
            assert again.page(path, MIDDLE) == paper().page(path, MIDDLE)

    def test_kinds_tell_the_same_stories(self) -> None:
        assert paper("feed").published(MIDDLE) == paper("scripted").published(MIDDLE) == paper().published(MIDDLE)

    @pytest.mark.parametrize(
        ("wrong", "complaint"),
        [
            ({"before": 3}, "at least 10"),
            ({"stories": 20, "before": 21}, "at most all"),
            ({"hours": 1, "stories": 200}, "too short"),
            ({"start": datetime(2026, 3, 2)}, "time zone"),
            ({"language": "tlh"}, "no words"),
        ],
    )
    def test_what_cannot_be_is_refused(self, wrong: dict[str, object], complaint: str) -> None:
        with pytest.raises(ValueError, match=complaint):
            LivingPaper(1, **{"base_url": BASE, "start": START, **wrong})  # type: ignore[arg-type]

    def test_a_design_may_change_with_time(self) -> None:
        def design(now: datetime) -> Design:
            return CLASSIC if now < MIDDLE else REBUILT

        redesigned = LivingPaper(3, base_url=BASE, start=START, stories=90, design=design)
        for path in ("/", *shown(paper(), MIDDLE)[-3:]):
            assert redesigned.page(path, MIDDLE - MINUTE) == paper().page(path, MIDDLE - MINUTE)
            assert redesigned.page(path, MIDDLE) == paper(design="rebuilt").page(path, MIDDLE)


class TestPages:
    @pytest.mark.parametrize("design", DESIGNS)
    @pytest.mark.parametrize("now", NOONS)
    def test_lists_show_what_is_published_and_not_withdrawn(self, now: datetime, design: str) -> None:
        of = paper(design=design)
        there = shown(of, now)
        assert latest(of, now, design) == there
        assert feed(of, now) == there[:20]
        assert {path for path in sitemap(of, now) if path in of.published(END)} == set(there)
        assert reached(of, now, "/") & of.published(END).keys() == set(there)

    @pytest.mark.parametrize("design", DESIGNS)
    @pytest.mark.parametrize("now", NOONS)
    def test_the_front_page_shows_the_newest(self, now: datetime, design: str) -> None:
        there = shown(paper(), now)
        on_front = paths_in(paper(design=design).page("/", now)) & paper().published(END).keys()
        assert {*there[:7]} <= on_front <= {*there[:20]}
        assert len(on_front) >= 15

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_story_comes_and_may_go(self, kind: PaperKind) -> None:
        for path, truth in paper(kind).published(END).items():
            appeared = max(truth.published, START)
            if appeared > START:
                assert paper(kind).page(path, appeared - MINUTE) is None
            assert paper(kind).page(path, appeared) is not None
            assert (paper(kind).page(path, END) is None) == (path in paper(kind).withdrawn(END))

    @pytest.mark.parametrize("design", DESIGNS)
    def test_every_page_tells_the_truth_when_it_appears(self, design: str) -> None:
        extractor = Extractor(map_of(design))
        for path, truth in paper().published(END).items():
            now = max(truth.published, START)
            page = paper(design=design).page(path, now)
            assert page is not None
            headers = {"Content-Type": page.content_type}
            record = extractor.extract(parse(Page(url=BASE + path, body=page.html, headers=headers)), now)
            found = {name: value.value for name, value in record.fields.items()}
            assert found["title"] == truth.title
            assert found["text"] == truth.text
            assert found["published"] == truth.published
            assert found.get("modified") == truth.modified

    @pytest.mark.parametrize("design", DESIGNS)
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("now", [START, MIDDLE])
    def test_no_page_knows_the_future(self, kind: PaperKind, now: datetime, design: str) -> None:
        of = paper(kind, design=design)
        data = {f"/data{path}.json" for path in shown(of, now)} if kind == "scripted" else set()
        for path in {*reached(of, now, "/"), *shown(of, now), *data}:
            page = of.page(path, now)
            if page is not None and page.kind not in {"image", "asset"}:
                dates = re.findall(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[+-]\d\d:\d\d|Z)", decode(page))
                assert all(datetime.fromisoformat(date) <= now for date in dates), path

    def test_all_languages_live(self) -> None:
        russian = paper(language="ru")
        assert latest(russian, MIDDLE) == shown(russian, MIDDLE)
        assert russian.name == "Маяк и Берег"


class TestFeedPaper:
    @pytest.mark.parametrize("design", DESIGNS)
    @pytest.mark.parametrize("now", NOONS)
    def test_no_link_leads_to_a_story(self, now: datetime, design: str) -> None:
        of = paper("feed", design=design)
        everywhere = reached(of, now, "/")
        assert "/latest/" in everywhere
        assert not everywhere & of.published(END).keys()
        for path in shown(of, now):
            assert paths_in(of.page(path, now)) & of.published(END).keys() == {path}, "its canonical link"

    def test_only_the_feed_names_the_stories(self) -> None:
        of = paper("feed")
        assert feed(of, MIDDLE) == shown(of, MIDDLE)[:20]
        assert of.page("/sitemap.xml", MIDDLE) is None
        assert "Sitemap" not in decode(of.page("/robots.txt", MIDDLE))
        alternate = turbohtml.parse(decode(of.page("/", MIDDLE))).select_one("link[rel=alternate]")
        assert alternate is not None
        assert alternate.attrs["href"] == f"{BASE}/feed.xml"

    def test_its_stories_are_plain_pages(self) -> None:
        for path, truth in list(paper("feed").published(MIDDLE).items())[:10]:
            assert truth.title in turbohtml.parse(decode(paper("feed").page(path, MIDDLE))).text


class TestScriptedPaper:
    @pytest.mark.parametrize("design", DESIGNS)
    def test_without_scripts_there_is_nothing(self, design: str) -> None:
        of = paper("scripted", design=design)
        there = shown(of, MIDDLE)
        truths = [of.published(MIDDLE)[path] for path in there]
        for path in ("/", "/latest/", "/latest/page/2/", *there[:20]):
            html = decode(of.page(path, MIDDLE))
            main = turbohtml.parse(html).select_one("main, [role=main]")
            assert main is not None
            assert main.text.strip() == ""
            assert not any(truth.title in html or truth.text[:40] in html for truth in truths)
            assert "<title>The Daily Lantern</title>" in html
            assert "og:" not in html
            assert "ld+json" not in html
            assert not paths_in(of.page(path, MIDDLE)) & of.published(END).keys() - {path}

    def test_the_data_is_structured(self) -> None:
        of = paper("scripted")
        for path in shown(of, MIDDLE):
            truth = of.published(MIDDLE)[path]
            story = json.loads(decode(of.page(f"/data{path}{'index' * path.endswith('/')}.json", MIDDLE)))
            assert (story["title"], story["subtitle"], story["path"]) == (truth.title, truth.subtitle, path)
            assert datetime.fromisoformat(story["published"]) == truth.published
            assert {tag["name"] for tag in story["tags"]} == {*truth.tags}
            texts = [block["text"] for block in story["body"] if block["type"] == "paragraph"]
            assert texts
            assert all(text in truth.text for text in texts)

    def test_lists_come_in_two_halves(self) -> None:
        of = paper("scripted")
        first = json.loads(decode(of.page("/data/latest/page/2/index.json", MIDDLE)))
        second = json.loads(decode(of.page(first["more"], MIDDLE)))
        assert [story["path"] for story in first["stories"] + second["stories"]] == shown(of, MIDDLE)[6:12]
        assert (first["previous"], first["next"]) == ("/latest/", "/latest/page/3/")

    def test_data_of_what_is_not_there_is_missing(self) -> None:
        of = paper("scripted")
        path = min(path for path in of.withdrawn(END) if not path.endswith("/"))
        assert of.page(f"/data{path}.json", START) is not None or path not in of.published(START)
        assert of.page(f"/data{path}.json", END) is None


class Clock:
    """A clock that stands until it is set."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@contextmanager
def serving(
    clock: Clock, *kinds: PaperKind, language: str = "en", design: Design = CLASSIC
) -> Iterator[tuple[ServedPaper, ...]]:
    common = {"language": language, "start": START, "stories": 90, "design": design}
    makers = [partial(LivingPaper, 3, kind=kind, **common) for kind in kinds]
    with serve_papers(makers, clock) as served:
        yield served


@contextmanager
def connected(served: ServedPaper) -> Iterator[Callable[..., tuple[int, dict[str, str], bytes]]]:
    """Open one connection, and ask everything on it."""
    connection = HTTPConnection(urlsplit(served.base_url).netloc, timeout=600)

    def ask(path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, dict(response.headers.items()), response.read()

    try:
        connection.connect()
        yield ask
    finally:
        connection.close()


@on_linux
class TestServer:
    def test_every_paper_has_an_address_of_its_own(self) -> None:
        with serving(Clock(START), *KINDS) as served:
            assert [urlsplit(paper.base_url).hostname for paper in served] == ["127.0.0.2", "127.0.0.3", "127.0.0.4"]
            assert [of.paper.kind for of in served] == [*KINDS]
            for of in served:
                with connected(of) as ask:
                    status, headers, body = ask("/")
                    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
                    assert f'rel="canonical" href="{of.base_url}/"'.encode() in body

    def test_the_clock_decides_what_is_served(self) -> None:
        clock = Clock(START)
        with serving(clock, "static") as (served,), connected(served) as ask:
            path, truth = next(iter(served.paper.published(END).items()))
            gone = min(served.paper.withdrawn(END))
            assert ask(path)[0] == 404
            clock.now = truth.published
            status, _, body = ask(path + "?utm_source=x")
            assert (status, truth.title.encode() in body) == (200, True)
            clock.now = END
            status, _, body = ask(gone)
            assert (status, b"gone out with the tide" in body) == (404, True)

    def test_what_has_not_changed_is_not_sent_again(self) -> None:
        clock = Clock(START)
        with serving(clock, "static") as (served,), connected(served) as ask:
            tag = ask("/")[1]["ETag"]
            clock.now = served.paper.moments()[0] - MINUTE
            status, headers, body = ask("/", **{"If-None-Match": tag})
            assert (status, headers["ETag"], body) == (304, tag, b"")
            clock.now = served.paper.moments()[0]
            assert ask("/", **{"If-None-Match": tag})[0] == 200
            assert served.requests == {"/": 3}
            assert served.unchanged == {"/": 1}

    def test_requests_are_counted_by_path(self) -> None:
        with serving(Clock(START), "static", "feed") as (first, second), connected(first) as ask:
            for path in ("/latest/", "/latest/?page=2", "/nowhere"):
                ask(path)
            assert first.requests == {"/latest/": 2, "/nowhere": 1}
            assert [request.status for request in first.log] == [200, 200, 404]
            assert [request.seconds for request in first.log] == sorted(request.seconds for request in first.log)
            assert not second.requests

    def test_no_thread_stays_though_a_connection_does(self) -> None:
        before = set(threading.enumerate())
        with serving(Clock(START), "static") as (served,):
            open_one = connected(served)
            ask = open_one.__enter__()
            assert ask("/")[1]["ETag"]
            assert len(threading.enumerate()) == len(before) + 2
        assert set(threading.enumerate()) == before
        open_one.__exit__(None, None, None)


@on_linux
@needs.browser
@needs.thorough
@pytest.mark.parametrize(
    ("language", "design"),
    [("en", CLASSIC), ("ru", CLASSIC), ("en", RENAMED), ("en", REBUILT)],
    ids=lambda value: getattr(value, "name", value),
)
def test_a_browser_shows_the_scripted_paper_as_the_static_one(language: str, design: Design) -> None:
    with serving(Clock(MIDDLE), "static", "scripted", language=language, design=design) as (static, scripted):
        there = shown(scripted.paper, MIDDLE)
        stories = {kind_of(path): path for path in reversed(there)}
        assert len(stories) == 4
        author = min(path for path in sitemap(static.paper, MIDDLE) if path.startswith("/authors/"))
        levels: dict[str, Level] = {"/": "index", "/latest/page/2/": "list", author: "list"}
        levels.update((path, "item") for path in stories.values())
        if (language, design) != ("en", CLASSIC):  # the other kinds of pages differ in the same way
            levels = {"/": "index", next(iter(stories.values())): "item"}
        # Where a link is a whole teaser, no single string of the data is what it says.
        asyncio.run(compare(static, scripted, levels, has_whole_links=design is REBUILT))


async def compare(
    static: ServedPaper, scripted: ServedPaper, levels: dict[str, Level], *, has_whole_links: bool
) -> None:
    settings = FetchSettings(allow_hosts=tuple(urlsplit(of.base_url).netloc for of in (static, scripted)))
    options = BrowserOptions(quiet_seconds=0.2, settle_seconds=5.0)
    async with BrowserFetcher(settings, options=options) as fetcher:
        for path, level in levels.items():
            rendering = await fetcher.render(scripted.base_url + path)
            document = parse(rendering.page)
            plain = scripted.paper.page(path, MIDDLE)
            meant = static.paper.page(path, MIDDLE)
            assert plain is not None
            assert meant is not None
            shell = parse(Page(url=document.url, body=plain.html, headers={"Content-Type": plain.content_type}))
            assert needs_rendering(shell, document, level).choice == "browser"
            if level == "item" or not has_whole_links:
                assert data_calls(rendering.calls, document, level), "a call that holds what the page shows"
            assert isinstance(rendering.page.body, bytes)
            compare_markup(rendering.page.body.decode(), decode(meant), static.base_url)
            if level == "item":
                truth = scripted.paper.published(MIDDLE)[path]
                text = " ".join(turbohtml.parse(rendering.page.body.decode()).text.split())
                assert truth.title in text
                assert all(cell in text for line in truth.text.split("\n") for cell in line.split(" | "))


def kind_of(path: str) -> str:
    first = path.split("/")[1]
    return first if first in {"photos", "video", "live"} else "article"


def compare_markup(rendered: str, meant: str, base_url: str) -> None:
    """Check that the same elements with the same classes, links and texts stand in the same order."""
    found, wanted = outline(rendered, base_url), outline(meant, base_url)
    assert len(wanted) > 30
    assert found == wanted


def outline(html: str, base_url: str) -> list[tuple[str, str, str, str]]:
    tree = turbohtml.parse(html)
    base = tree.select_one("base")
    start = str(base.attrs["href"]) if base is not None else base_url
    main = tree.select_one("[data-source]") or tree.select_one("main, [role=main]")
    assert main is not None
    return [
        (
            element.tag,
            str(element.attrs.get("class", "")),
            urlsplit(urljoin(start, str(element.attrs["href"]))).path if "href" in element.attrs else "",
            "".join(element.text.split()),
        )
        for element in main.select("*")
        if element.tag not in {"noscript", "img"}
    ]
