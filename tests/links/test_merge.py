"""What feeds and sitemaps list, together with the links of an index page."""

from datetime import UTC, datetime

import pytest

from sitewright.links.feeds import Feed, FeedEntry, FeedKind, SitemapLink
from sitewright.links.merge import ARTICLE_SCORE, UNKNOWN_SCORE, links_of_feed, merge_feeds
from sitewright.types import Link, LinkSet, Role

HOST = "https://www.example.com"
FEED = f"{HOST}/feed.xml"
AT = datetime(2025, 5, 18, 17, 5, tzinfo=UTC)
STORY = f"{HOST}/news/why-bees-dance-all-day"


def page(*links: Link) -> LinkSet:
    return LinkSet(url=f"{HOST}/", time=AT, links=links)


def feed(kind: FeedKind, *entries: FeedEntry) -> Feed:
    return Feed(kind=kind, entries=entries)


def link(url: str, role: Role = "article", score: float = 0.8, text: str = "Bees") -> Link:
    return Link(url=url, text=text, role=role, score=score, reason="headline text 0.90")


@pytest.mark.parametrize("url", [STORY, f"{STORY}/", f"{STORY}#top", f"{STORY}/#x"])
def test_what_both_have_is_one_link_with_both_reasons(url: str) -> None:
    (found,) = merge_feeds(page(link(STORY)), [(FEED, feed("rss", FeedEntry(url=url, title="B", published=AT)))]).links
    assert (found.url, found.text, found.role) == (STORY, "Bees", "article")
    assert found.score == ARTICLE_SCORE
    assert found.published == AT
    assert found.reason == "headline text 0.90; also in the feed /feed.xml, published 2025-05-18 17:05"


@pytest.mark.parametrize("kind", ["rss", "atom", "json"])
@pytest.mark.parametrize("role", ["other", "list", "article"])
def test_what_a_feed_lists_is_an_article(kind: FeedKind, role: Role) -> None:
    (found,) = merge_feeds(page(link(STORY, role, 0.1)), [(FEED, feed(kind, FeedEntry(url=STORY)))]).links
    assert (found.role, found.score) == ("article", ARTICLE_SCORE)


def test_a_score_is_never_lowered() -> None:
    (found,) = merge_feeds(page(link(STORY, score=0.999)), [(FEED, feed("rss", FeedEntry(url=STORY)))]).links
    assert found.score == 0.999


def test_the_next_page_stays_what_it_is() -> None:
    (found,) = merge_feeds(page(link(STORY, "next", 0.1)), [(FEED, feed("rss", FeedEntry(url=STORY)))]).links
    assert (found.role, found.score) == ("next", 0.1)


def test_a_link_without_words_takes_those_of_the_feed() -> None:
    entry = FeedEntry(url=STORY, title="Why bees dance")
    (found,) = merge_feeds(page(link(STORY, text="")), [(FEED, feed("atom", entry))]).links
    assert found.text == "Why bees dance"


def test_what_only_the_feed_has_is_added_behind() -> None:
    entries = [FeedEntry(url=f"{HOST}/{name}", title=name) for name in ("ants", "wasps")]
    found = merge_feeds(page(link(STORY)), [(FEED, feed("rss", *entries))]).links
    assert [one.url for one in found] == [STORY, f"{HOST}/ants", f"{HOST}/wasps"]
    assert (found[1].text, found[1].role, found[1].published) == ("ants", "article", None)
    assert found[1].reason == "listed in the feed /feed.xml"


@pytest.mark.parametrize(
    ("kind", "title", "role"),
    [("sitemap", "Why bees dance", "article"), ("sitemap", "", "other"), ("text", "", "other"), ("text", "x", "other")],
)
def test_only_news_sitemaps_make_articles(kind: FeedKind, title: str, role: Role) -> None:
    (found,) = merge_feeds(page(), [(FEED, feed(kind, FeedEntry(url=STORY, title=title)))]).links
    assert found.role == role
    assert found.reason.startswith("listed in the sitemap /feed.xml")


@pytest.mark.parametrize(
    ("scores", "role", "score", "reason"),
    [
        ((0.9, 0.95, 1.0), "article", 0.95, "address like 3 links of the page (/w/slug)"),
        ((0.1, 0.0, 0.2), "other", 0.1, "address like 3 links of the page (/w/slug)"),
        ((0.9, 0.95), "other", UNKNOWN_SCORE, "address like none of the page's links"),
        ((), "other", UNKNOWN_SCORE, "address like none of the page's links"),
    ],
)
def test_a_plain_sitemap_is_judged_by_the_links_of_the_page(
    scores: tuple[float, ...], role: Role, score: float, reason: str
) -> None:
    known = [link(f"{HOST}/news/how-some-ants-walk-{'on' * (n + 1)}", score=one) for n, one in enumerate(scores)]
    found = merge_feeds(page(*known), [(FEED, feed("sitemap", FeedEntry(url=STORY)))]).links[-1]
    assert (found.role, found.score) == (role, pytest.approx(score))
    assert found.reason.endswith(reason)


def test_a_plain_sitemap_does_not_change_a_decision() -> None:
    (found,) = merge_feeds(page(link(STORY, "other", 0.2)), [(FEED, feed("sitemap", FeedEntry(url=STORY)))]).links
    assert (found.role, found.score) == ("other", 0.2)
    assert found.reason == "headline text 0.90; also in the sitemap /feed.xml"


def test_several_feeds_add_up() -> None:
    feeds = [
        (FEED, feed("rss", FeedEntry(url=STORY))),
        (f"{HOST}/map.xml", feed("sitemap", FeedEntry(url=STORY, published=AT))),
    ]
    (found,) = merge_feeds(page(), feeds).links
    assert found.reason == "listed in the feed /feed.xml; also in the sitemap /map.xml, published 2025-05-18 17:05"
    assert found.published == AT


def test_what_the_page_is_stays() -> None:
    given = page(link(STORY))
    assert merge_feeds(given, []) == given
    merged = merge_feeds(given, [(FEED, feed("rss"))])
    assert (merged.url, merged.time, merged.links) == (given.url, given.time, given.links)


def test_a_feed_by_itself_is_a_set_of_links() -> None:
    listed = Feed(kind="atom", entries=(FeedEntry(url=STORY, title="Bees", published=AT),), next=f"{FEED}?page=2")
    found = links_of_feed(listed, FEED, AT)
    assert (found.url, found.time) == (FEED, AT)
    assert [(one.url, one.role) for one in found.links] == [(STORY, "article"), (f"{FEED}?page=2", "next")]


def test_the_sitemaps_of_an_index_are_lists() -> None:
    listed = Feed(kind="index", feeds=(SitemapLink(f"{HOST}/a.xml"), SitemapLink(f"{HOST}/b.xml", AT)))
    found = links_of_feed(listed, f"{HOST}/sitemap.xml").links
    assert [(one.url, one.role, one.reason) for one in found] == [
        (f"{HOST}/a.xml", "list", "a sitemap of this index"),
        (f"{HOST}/b.xml", "list", "a sitemap of this index"),
    ]


def test_an_empty_feed_has_no_links() -> None:
    assert links_of_feed(Feed(kind="rss"), FEED).links == ()


@pytest.mark.parametrize(
    ("url", "named"),
    [(f"{HOST}/a/feed?x=1", "/a/feed"), (HOST, HOST), ("http://[broken", "http://[broken"), ("", "")],
)  # fmt: skip
def test_a_feed_is_named_by_its_path(url: str, named: str) -> None:
    (found,) = links_of_feed(feed("rss", FeedEntry(url=STORY)), url).links
    assert found.reason == f"listed in the feed {named}"


@pytest.mark.parametrize("url", ["http://[broken", "http://[::1]/x", f"{HOST}/\ud800", f"{HOST}/go?u=http://[broken"])
def test_odd_addresses_are_merged(url: str) -> None:
    found = merge_feeds(page(link(url)), [(FEED, feed("text", FeedEntry(url=url), FeedEntry(url=STORY)))]).links
    assert [one.url for one in found] == [url, STORY]
