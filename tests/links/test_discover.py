from datetime import UTC, datetime

import pytest

from sitewright.demo import generate_site
from sitewright.links.discover import (
    could_be_feed,
    feeds_of_page,
    newest_in,
    should_follow,
    sitemaps_of_robots,
    sitemaps_to_follow,
    usual_places,
)
from sitewright.links.feeds import SitemapLink
from sitewright.parse import parse
from sitewright.types import Page

URL = "https://www.example.com/news/"


def feeds(body: str) -> list[str]:
    found = feeds_of_page(parse(Page(url=URL, body=body)))
    return [url.removeprefix("https://www.example.com") for url in found]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<link rel="alternate" type="application/rss+xml" href="/a">', ["/a"]),
        ('<link rel="alternate" type="application/atom+xml; charset=utf-8" href="/a">', ["/a"]),
        ('<link rel="ALTERNATE home" type="Application/RDF+XML" href="/a">', ["/a"]),
        ('<link rel="alternate" type="application/feed+json" href="/a">', ["/a"]),
        ('<link rel="feed" href="/a">', ["/a"]),
        ('<link rel="alternate" type="application/json" href="/feed.json">', ["/feed.json"]),
        ('<link rel="alternate" type="text/xml" href="/rss.xml">', ["/rss.xml"]),
        ('<link rel="alternate" type="application/json" href="/wp-json/wp/v2/posts/7">', []),
        ('<link rel="alternate" type="application/json+oembed" href="/oembed?url=/feed">', []),
        ('<link rel="alternate" hreflang="de" href="/de/feed">', []),
        ('<link rel="stylesheet" type="application/rss+xml" href="/a">', []),
        ('<base href="/b/"><link rel="alternate" type="application/rss+xml" href="a">', ["/b/a"]),
        ('<link rel="alternate" type="application/rss+xml" href="https://feeds.example.net/x">', ["https://feeds.example.net/x"]),
        ('<link rel="alternate" type="application/rss+xml" href="">', []),
        ('<link rel="alternate" type="application/rss+xml">', []),
        ('<a href="/sport/rss">RSS</a>', ["/sport/rss"]),
        ('<a href="/sport.rss">RSS</a>', ["/sport.rss"]),
        ('<a href="feed/">RSS</a>', ["/news/feed/"]),
        ('<a href="/?feed=rss2">RSS</a>', ["/?feed=rss2"]),
        ('<a href="/index.xml">RSS</a>', ["/index.xml"]),
        ('<a href="https://feeds.example.com/all.atom">RSS</a>', ["https://feeds.example.com/all.atom"]),
        ('<a href="https://example.com/rss">RSS</a>', ["https://example.com/rss"]),
        ('<a href="https://other.example/rss">RSS</a>', []),
        ('<a href="/feedback">Write to us</a><a href="/rss-explained">What?</a><a href="/news">News</a>', []),
        ('<a href="/bees/comments/feed/">Comments</a>', []),
        ('<a href="javascript:rss">RSS</a><a href="http://[rss">RSS</a>', []),
    ],
)  # fmt: skip
def test_the_feeds_of_a_page(body: str, expected: list[str]) -> None:
    assert feeds(body) == expected


def test_stated_feeds_come_first_and_those_of_comments_last() -> None:
    body = """
    <a href="/rss">RSS</a>
    <link rel="alternate" type="application/rss+xml" title="Lantern » Comments" href="/c">
    <link rel="alternate" type="application/rss+xml" href="/comments/feed/">
    <link rel="alternate" type="application/rss+xml" href="/feed/">
    <link rel="alternate" type="application/atom+xml" href="/feed/">
    """
    assert feeds(body) == ["/feed/", "/rss", "/c", "/comments/feed/"]


def test_the_feeds_of_the_demo_site() -> None:
    site = generate_site(stories=10)
    front = site.pages["/"]
    assert f"{site.base_url}/feed.xml" in feeds_of_page(parse(Page(url=f"{site.base_url}/", body=front.html)))
    robots = site.pages["/robots.txt"].html.decode()
    assert sitemaps_of_robots(robots, f"{site.base_url}/robots.txt") == (f"{site.base_url}/sitemap.xml",)


@pytest.mark.parametrize(
    "url",
    [
        "/rss",
        "/rss2",
        "/feeds/",
        "/a.rdf",
        "/news/rss.xml",
        "/latest-news.xml",
        "/xml/World.xml",
        "/x?format=atom",
        "/FEED",
    ],
)
def test_what_could_be_a_feed(url: str) -> None:
    assert could_be_feed(url)


@pytest.mark.parametrize("url", ["/", "/news", "/press", "/sitemap.xml", "/x?format=html", "/a.opml", "http://[x/rss"])
def test_what_could_not(url: str) -> None:
    assert not could_be_feed(url)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("User-agent: *\nDisallow: /", ()),
        ("Sitemap: https://example.com/a.xml", ("https://example.com/a.xml",)),
        ("sitemap:/a.xml\r\nSITEMAP : b.xml # c\r\n", ("https://example.com/a.xml", "https://example.com/b.xml")),
        ("\ufeffSitemap: /a.xml\nSitemap: /a.xml", ("https://example.com/a.xml",)),
        ("# Sitemap: /a.xml\nSitemap:\nSitemap: ftp://example.com/a.xml", ()),
        ("Sitemap: /a.xml?b#c", ("https://example.com/a.xml?b#c",)),
    ],
)
def test_the_sitemaps_of_robots(text: str, expected: tuple[str, ...]) -> None:
    assert sitemaps_of_robots(text, "https://example.com/robots.txt") == expected


def test_usual_places_are_at_the_root_of_the_site() -> None:
    places = usual_places("https://example.com:8443/a/b?c=1")
    assert places[0] == "https://example.com:8443/sitemap.xml"
    assert {"https://example.com:8443/feed", "https://example.com:8443/news-sitemap.xml"} <= set(places)
    assert len(places) == len(set(places)) <= 12
    assert usual_places("not a url") == ()


@pytest.mark.parametrize(
    ("name", "newest"),
    [
        ("sitemap.xml", None),
        ("post-sitemap12.xml", None),
        ("sitemap-12345678.xml", None),
        ("sitemap-2024.xml", "2024-12-31"),
        ("sitemap-2024-02.xml", "2024-02-29"),
        ("sitemap_202402.xml", "2024-02-29"),
        ("2024/02/03.xml", "2024-02-03"),
        ("sitemap-20240203.xml", "2024-02-03"),
        ("sitemap-20240231.xml", "2024-02-29"),
        ("2024-February.xml", "2024-02-29"),
        ("sitemap.xml?yyyy=2024&mm=02&dd=03", "2024-02-03"),
        ("sitemap.xml?from=2024-02-03", "2024-02-03"),
    ],
)
def test_the_newest_day_by_name(name: str, newest: str | None) -> None:
    found = newest_in(f"https://news2019.example.com/{name}")
    assert (found.date().isoformat() if found else None) == newest


def test_a_change_long_after_its_time_does_not_make_a_sitemap_new() -> None:
    changed = datetime(2024, 5, 6, tzinfo=UTC)
    assert newest_in("https://example.com/2019.xml", changed) == datetime(2019, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert newest_in("https://example.com/2024.xml", changed) == changed


@pytest.mark.parametrize(
    ("name", "followed"),
    [
        ("sitemap-news.xml", True),
        ("post-sitemap2.xml", True),
        ("wp-sitemap-posts-post-1.xml", True),
        ("sitemap.xml?page=3", True),
        ("sitemap-page-3.xml", True),
        ("articles/2024-05.xml", True),
        ("homepages.xml", True),
        ("stages.xml", True),
        ("image-sitemap-1.xml", False),
        ("author-sitemap.xml", False),
        ("wp-sitemap-users-1.xml", False),
        ("post_tag-sitemap.xml", False),
        ("category-sitemap.xml", False),
        ("wp-sitemap-taxonomies-category-1.xml", False),
        ("page-sitemap.xml", False),
        ("wp-sitemap-posts-page-1.xml", False),
        ("sitemap.xml?type=Images", False),
    ],
)
def test_which_sitemaps_may_name_articles(name: str, followed: bool) -> None:
    assert should_follow(f"https://images.example.com/{name}") is followed


def test_only_sitemaps_that_are_new_enough_are_followed() -> None:
    since = datetime(2024, 5, 1, tzinfo=UTC)
    assert should_follow("https://example.com/2024-05.xml", None, since)
    assert not should_follow("https://example.com/2024-04.xml", None, since)
    assert not should_follow("https://example.com/a.xml", datetime(2024, 4, 30, tzinfo=UTC), since)
    assert should_follow("https://example.com/a.xml", None, since)


def test_news_and_the_newest_come_first() -> None:
    def day(number: int) -> datetime:
        return datetime(2024, 5, number, tzinfo=UTC)

    sitemaps = [
        SitemapLink("https://news.example.com/undated.xml"),
        SitemapLink("https://news.example.com/2022.xml", day(9)),
        SitemapLink("https://news.example.com/a.xml", day(3)),
        SitemapLink("https://news.example.com/tags.xml", day(9)),
        SitemapLink("https://news.example.com/b.xml", day(7)),
        SitemapLink("https://news.example.com/news-2021-03.xml"),
        SitemapLink("https://news.example.com/news.xml"),
        SitemapLink("https://news.example.com/other.xml"),
    ]
    names = [sitemap.url.rpartition("/")[2] for sitemap in sitemaps_to_follow(sitemaps)]
    assert names == ["news.xml", "b.xml", "a.xml", "2022.xml", "news-2021-03.xml", "undated.xml", "other.xml"]
    assert [sitemap.url.rpartition("/")[2] for sitemap in sitemaps_to_follow(sitemaps, day(4))] == [
        "news.xml",
        "b.xml",
        "undated.xml",
        "other.xml",
    ]
