"""The feeds and sitemaps of a site, found on a web that is a table."""

import gzip
from collections.abc import Mapping
from itertools import islice

import pytest

from sitewright.errors import ConnectionFailed, PageTooLarge, RobotsForbid, SitewrightError
from sitewright.fetch import MemoryWeb, PageFetcher
from sitewright.fetch.memory_web import Reply
from sitewright.parse import Document, parse
from sitewright.parse.compression import GZIP_MAGIC
from sitewright.reading.feeds import FetchOnce, find_feeds
from sitewright.types import Page

HOME = "https://example.com/"
RSS = b"<rss><channel><item><title>Bees</title><link>/bees</link></item></channel></rss>"
SITEMAP = b"<urlset><url><loc>https://example.com/a</loc></url><url><loc>https://example.com/b</loc></url></urlset>"


def web_of(replies: Mapping[str, Reply]) -> MemoryWeb:
    return MemoryWeb({f"https://example.com{path}": reply for path, reply in replies.items()})


def asked(web: MemoryWeb) -> list[str]:
    return [url.removeprefix("https://example.com") for url in web.asked]


def home(*feeds: str) -> Document:
    stated = "".join(f'<link rel="alternate" type="application/rss+xml" href="{path}">' for path in feeds)
    return parse(Page(url=HOME, body=f"<html><head>{stated}</head><body><a href=/a>A</a></body></html>"))


def index(*paths: str) -> bytes:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{path}</loc></sitemap>' for path in paths)}</sitemapindex>".encode()


def found(document: Document, web: MemoryWeb, most: int = 20) -> tuple[list[str], list[str]]:
    """Return the paths of what was found, and what was told."""
    told: list[str] = []
    with PageFetcher(web) as fetcher:
        feeds = [url.removeprefix("https://example.com") for url, _ in find_feeds(document, fetcher, told.append, most)]
    return feeds, told


def test_what_page_and_robots_name_is_read_and_the_usual_places_are_left_alone() -> None:
    web = web_of({"/robots.txt": b"User-agent: *\nSitemap: /s.xml\nSitemap: /rss", "/rss": RSS, "/s.xml": SITEMAP})
    feeds, told = found(home("/rss"), web)
    assert feeds == ["/rss", "/s.xml"]
    assert told == ["https://example.com/rss: 1 entry", "https://example.com/s.xml: 2 entries"]
    assert asked(web) == ["/robots.txt", "/rss", "/s.xml"]


@pytest.mark.parametrize(
    "robots", [b"User-agent: *\nDisallow: /x", 404, 503, ConnectionFailed("no"), RobotsForbid("no")]
)
def test_the_usual_places_are_tried_where_nothing_is_named(robots: bytes | int | SitewrightError) -> None:
    web = web_of({"/robots.txt": robots, "/feed": RSS})
    feeds, told = found(home(), web)
    assert feeds == ["/feed"]
    assert {"/sitemap.xml", "/rss.xml"} <= set(asked(web))
    assert "https://example.com/sitemap.xml: the server answered 404" in told


def test_a_robots_file_that_is_an_error_page_names_nothing() -> None:
    broken = Page(url="https://example.com/robots.txt", body=b"Sitemap: /s.xml", status=500)
    web = web_of({"/robots.txt": broken, "/s.xml": SITEMAP, "/rss": RSS})
    assert found(home("/rss"), web)[0] == ["/rss"]
    assert "/s.xml" not in asked(web)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (404, "the server answered 404"),
        (503, "the server answered 503"),
        (ConnectionFailed("example.com: Connection refused"), "Connection refused"),
        (PageTooLarge("30,000,000 bytes"), "30,000,000 bytes"),
        (b"<!doctype html><title>Not here</title>", "neither a feed nor a sitemap"),
        (b"", "neither a feed nor a sitemap"),
        (GZIP_MAGIC + b"nonsense", "compressed"),
    ],
    ids=["missing", "out of order", "no connection", "too large", "a page", "nothing", "broken gzip"],
)
def test_what_cannot_be_read_is_told_and_the_others_go_on(answer: bytes | int | SitewrightError, words: str) -> None:
    feeds, told = found(home("/bad", "/rss"), web_of({"/bad": answer, "/rss": RSS}))
    assert feeds == ["/rss"]
    assert told[0].startswith("https://example.com/bad: ")
    assert words in told[0]
    assert len(told) == 2


def test_the_sitemaps_of_an_index_come_before_what_else_waits_those_of_news_first() -> None:
    web = web_of(
        {
            "/robots.txt": b"Sitemap: /index.xml\nSitemap: /last.xml",
            "/index.xml": index("/sitemap-2019.xml", "/sitemap-2024-05.xml", "/news.xml.gz", "/tags.xml"),
            "/sitemap-2019.xml": SITEMAP,
            "/sitemap-2024-05.xml": SITEMAP,
            "/news.xml.gz": gzip.compress(SITEMAP),
            "/last.xml": SITEMAP,
        }
    )
    feeds, told = found(home(), web)
    assert feeds == ["/index.xml", "/news.xml.gz", "/sitemap-2024-05.xml", "/sitemap-2019.xml", "/last.xml"]
    assert told[0] == "https://example.com/index.xml: 4 sitemaps"


def test_an_index_that_names_itself_is_read_once() -> None:
    web = web_of({"/robots.txt": b"Sitemap: /a.xml", "/a.xml": index("/b.xml", "/a.xml"), "/b.xml": index("/a.xml")})
    feeds, told = found(home(), web)
    assert feeds == ["/a.xml", "/b.xml"]
    assert asked(web) == ["/robots.txt", "/a.xml", "/b.xml"]
    assert not [line for line in told if "not looked at" in line]


def test_only_so_many_are_looked_at() -> None:
    names = [f"/s{n}.xml" for n in range(50)]
    web = web_of({"/robots.txt": b"Sitemap: /index.xml", "/index.xml": index(*names)} | dict.fromkeys(names, SITEMAP))
    feeds, told = found(home(), web, most=4)
    assert feeds == ["/index.xml", "/s0.xml", "/s1.xml", "/s2.xml"]
    assert told[-1] == "47 more feeds and sitemaps are not looked at (at most 4)"


def test_nothing_is_fetched_before_it_is_asked_for() -> None:
    web = web_of({"/rss": RSS, "/feed": RSS})
    with PageFetcher(web) as fetcher:
        feeds = find_feeds(home("/rss", "/feed"), fetcher, lambda _line: None)
        assert asked(web) == []
        assert [url for url, _ in islice(feeds, 1)] == ["https://example.com/rss"]
        assert asked(web) == ["/robots.txt", "/rss"]


def test_an_address_is_fetched_once_unless_it_failed() -> None:
    web = web_of({"/rss": RSS, "/no": ConnectionFailed("no")})
    with PageFetcher(web) as fetcher:
        once = FetchOnce(fetcher)
        assert once.fetch("https://example.com/rss") is once.fetch("https://example.com/rss")
        for _ in range(2):
            with pytest.raises(ConnectionFailed):
                once.fetch("https://example.com/no")
    assert asked(web) == ["/rss", "/no", "/no"]
