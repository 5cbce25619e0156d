import gzip
import json
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.demo import LANGUAGES, generate_site
from sitewright.errors import NotFeed, PageTooLarge
from sitewright.links.feeds import Feed, FeedEntry, SitemapLink, is_feed, read_feed

URL = "https://example.com/feeds/all.xml"
NINE = datetime(2024, 5, 6, 9, 0, tzinfo=UTC)
TEN = datetime(2024, 5, 6, 10, 0, tzinfo=UTC)

RSS_2 = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
<channel><title>The Lantern</title><link>https://example.com/</link>
<atom:link href="https://example.com/feeds/all.xml" rel="self" type="application/rss+xml"/>
<atom:link href="?page=2" rel="next"/>
<image><title>Logo</title><url>https://example.com/logo.png</url><link>https://example.com/</link></image>
<item><title>Bees dance</title><link>https://example.com/bees</link><guid isPermaLink="false">7</guid>
<media:title>A picture</media:title><pubDate>Mon, 06 May 2024 09:00:00 GMT</pubDate>
<atom:updated>2024-05-06T10:00:00Z</atom:updated></item>
<item><title>Wasps</title><link>/wasps</link></item>
</channel></rss>"""

RSS_1 = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
 xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel rdf:about="https://example.com/"><title>The Lantern</title><link>https://example.com/</link>
<items><rdf:Seq><rdf:li rdf:resource="https://example.com/bees"/></rdf:Seq></items></channel>
<item rdf:about="https://example.com/bees"><title>Bees dance</title><link>https://example.com/bees</link>
<dc:date>2024-05-06T11:00:00+02:00</dc:date></item>
<item rdf:about="https://example.com/wasps"><title>Wasps</title></item></rdf:RDF>"""

RSS_091 = """<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd">
<rss version="0.91"><channel><title>The Lantern</title><item><title>Bees dance</title><link>https://example.com/bees</link></item>
</channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">The &lt;b&gt;Lantern&lt;/b&gt;</title>
<link rel="self" href="https://example.com/atom"/><link rel="next" href="/atom?page=2"/>
<entry><title>Bees dance</title><id>tag:example.com,2024:7</id>
<link rel="replies" type="text/html" href="https://example.com/bees#comments"/>
<link rel="alternate" type="application/json" href="https://example.com/bees.json"/>
<link rel="alternate" type="text/html" href="https://example.com/bees"/>
<published>2024-05-06T09:00:00Z</published><updated>2024-05-06T10:00:00Z</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><title>no</title><link href="https://example.com/no"/></div></content>
</entry>
<entry><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Was<i>ps</i></div></title><link href="wasps"/></entry>
</feed>"""

JSON = json.dumps(
    {
        "items": [
            {"id": "7", "url": "https://example.com/bees", "title": "Bees dance", "date_published": "2024-05-06T09:00:00Z",
             "date_modified": "2024-05-06T10:00:00Z"},
            {"id": "8", "external_url": "https://example.org/wasps", "url": None},
            {"id": "https://example.com/ants"},
            {"id": "9"},
            "nonsense",
        ],
        "next_url": "/feed.json?page=2",
        "title": "The Lantern",
        "version": "https://jsonfeed.org/version/1.1",
    }
)  # fmt: skip

SITEMAP = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>
 https://example.com/bees </loc><lastmod>2024-05-06T10:00:00Z</lastmod><changefreq>daily</changefreq>
<image:image><image:loc>https://example.com/bees.jpg</image:loc><image:title>No</image:title></image:image></url>
<url><image:image><image:loc>https://example.com/no.jpg</image:loc></image:image><loc>/wasps</loc><lastmod>2024-05</lastmod></url>
<url><loc></loc></url><url><loc>https://example.com/bees</loc></url></urlset>"""

NEWS = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>https://example.com/bees</loc>
<n:news><n:publication><n:name>The Lantern</n:name><n:language>en</n:language></n:publication>
<n:publication_date>2024-05-06T09:00:00+00:00</n:publication_date><n:title>Bees &amp;amp; dance</n:title></n:news></url></urlset>"""

INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://example.com/a.xml.gz</loc><lastmod>2024-05-06T10:00:00Z</lastmod></sitemap>
<sitemap><loc>b.xml</loc></sitemap></sitemapindex>"""

BEES = FeedEntry(url="https://example.com/bees", title="Bees dance")
FULL = FeedEntry(url="https://example.com/bees", title="Bees dance", published=NINE, modified=TEN)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            RSS_2,
            Feed(
                kind="rss",
                title="The Lantern",
                entries=(FULL, FeedEntry(url="https://example.com/wasps", title="Wasps")),
                next="https://example.com/feeds/all.xml?page=2",
            ),
        ),
        (
            RSS_1,
            Feed(
                kind="rss",
                title="The Lantern",
                entries=(
                    FeedEntry(url="https://example.com/bees", title="Bees dance", published=NINE),
                    FeedEntry(url="https://example.com/wasps", title="Wasps"),
                ),
            ),
        ),
        (RSS_091, Feed(kind="rss", title="The Lantern", entries=(BEES,))),
        (
            ATOM,
            Feed(
                kind="atom",
                title="The Lantern",
                entries=(FULL, FeedEntry(url="https://example.com/feeds/wasps", title="Wasps")),
                next="https://example.com/atom?page=2",
            ),
        ),
        (
            JSON,
            Feed(
                kind="json",
                title="The Lantern",
                entries=(
                    FULL,
                    FeedEntry(url="https://example.org/wasps"),
                    FeedEntry(url="https://example.com/ants"),
                ),
                next="https://example.com/feed.json?page=2",
            ),
        ),
        (
            SITEMAP,
            Feed(
                kind="sitemap",
                entries=(
                    FeedEntry(url="https://example.com/bees", modified=TEN),
                    FeedEntry(url="https://example.com/wasps", modified=datetime(2024, 5, 1, tzinfo=UTC)),
                ),
            ),
        ),
        (
            NEWS,
            Feed(
                kind="sitemap",
                entries=(FeedEntry(url="https://example.com/bees", title="Bees & dance", published=NINE),),
            ),
        ),
        (
            INDEX,
            Feed(
                kind="index",
                feeds=(
                    SitemapLink("https://example.com/a.xml.gz", TEN),
                    SitemapLink("https://example.com/feeds/b.xml"),
                ),
            ),
        ),
        (
            "https://example.com/bees\r\n\r\n  https://example.com/wasps  \nhttps://example.com/bees\n",
            Feed(
                kind="text",
                entries=(FeedEntry(url="https://example.com/bees"), FeedEntry(url="https://example.com/wasps")),
            ),
        ),
    ],
    ids=["rss 2", "rss 1", "rss 0.91", "atom", "json", "sitemap", "news", "index", "text"],
)
class TestKinds:
    def test_are_read(self, body: str, expected: Feed) -> None:
        assert read_feed(body, URL) == expected
        assert is_feed(body)

    @pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig"])
    def test_are_read_from_bytes(self, body: str, expected: Feed, codec: str) -> None:
        assert read_feed(body.encode(codec), URL) == expected
        assert is_feed(body.encode(codec))

    def test_are_read_compressed(self, body: str, expected: Feed) -> None:
        packed = gzip.compress(body.encode())
        assert read_feed(packed, URL) == expected
        assert is_feed(packed)

    def test_are_read_behind_white_space(self, body: str, expected: Feed) -> None:
        assert read_feed(f"\n\n  {body}", URL) == expected


@pytest.mark.parametrize("body", [RSS_2, RSS_1, RSS_091, ATOM, SITEMAP, NEWS, INDEX])
@pytest.mark.parametrize("fault", ["<broken & tags></nothing>", "&nbsp;&", "\x00", "<p:unbound/>", "<!ENTITY a 'b'>"])
def test_a_fault_does_not_change_what_is_read(body: str, fault: str) -> None:
    before, tag, after = body.rpartition("</")
    assert read_feed(f"{before}{fault}{tag}{after}", URL) == read_feed(body, URL)


def rss(item: str, *, channel: str = "", root: str = "") -> FeedEntry | None:
    entries = read_feed(f"<rss {root}><channel>{channel}<item>{item}</item></channel></rss>", URL).entries
    return entries[0] if entries else None


@pytest.mark.parametrize(
    ("item", "url"),
    [
        ("<link>https://example.com/a?b=1&amp;c=2</link>", "https://example.com/a?b=1&c=2"),
        ("<link>https://example.com/a?b=1&c=2&copy=3</link>", "https://example.com/a?b=1&c=2&copy=3"),
        ("<link><![CDATA[ https://example.com/a?b=1&amp;c=2 ]]></link>", "https://example.com/a?b=1&c=2"),
        ("<link/><guid>https://example.com/a</guid>", "https://example.com/a"),
        ("<guid isPermaLink='true'>https://example.com/a</guid>", "https://example.com/a"),
        ("<guid ispermalink='FALSE'>https://example.com/a</guid>", None),
        ("<guid>12345</guid>", None),
        ("<link href='https://example.com/a'/>", "https://example.com/a"),
        ("<atom:link href='https://example.com/a'/>", "https://example.com/a"),
        ("<atom:link rel='replies' href='https://example.com/a'/>", None),
        ("<link>https://p.example/1</link><feedburner:origLink>https://example.com/a</feedburner:origLink>", "https://example.com/a"),
        ("<LINK>https://example.com/a</LINK>", "https://example.com/a"),
        ("<link>javascript:void(0)</link><guid>https://example.com/a</guid>", "https://example.com/a"),
        ("<link>//example.com/a</link>", "https://example.com/a"),
        ("<link>../a b</link>", "https://example.com/a%20b"),
        ("<link>https://example.com/ü</link>", "https://example.com/ü"),
        ("<title>Only a title</title>", None),
    ],
)  # fmt: skip
def test_the_address_of_an_entry(item: str, url: str | None) -> None:
    found = rss(item)
    assert (found.url if found else None) == url


@pytest.mark.parametrize(
    ("channel", "root", "url"),
    [
        ("<link>https://example.com/</link>", "", "https://example.com/feeds/a"),
        ("<link>https://other.example/news/</link>", "", "https://other.example/news/a"),
        ("<link>https://other.example/news/</link>", "xml:base='https://example.org/x/'", "https://example.org/x/a"),
        ("", "xml:base='/y/'", "https://example.com/y/a"),
    ],
)
def test_what_addresses_are_relative_to(channel: str, root: str, url: str) -> None:
    found = rss("<link>a</link>", channel=channel, root=root)
    assert found is not None
    assert found.url == url


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ('<link href="https://example.com/a"/>', "https://example.com/a"),
        ('<link rel="self" href="https://example.com/a.atom"/><id>https://example.com/a</id>', "https://example.com/a"),
        ('<id>urn:uuid:1</id><content src="/a" type="text/html"/>', "https://example.com/a"),
        ('<link rel="http://www.iana.org/assignments/relation/alternate" href="/a"/>', "https://example.com/a"),
        ('<link xml:base="https://example.org/" href="a"/>', "https://example.org/a"),
        ('<link rel="enclosure" href="/a.mp3"/><id>tag:1</id>', None),
    ],
)
def test_the_address_of_an_atom_entry(entry: str, url: str | None) -> None:
    entries = read_feed(f'<feed xmlns="http://www.w3.org/2005/Atom"><entry>{entry}</entry></feed>', URL).entries
    assert [entry.url for entry in entries] == ([url] if url else [])


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Bees  dance\n again", "Bees dance again"),
        ("&lt;b&gt;Bees&lt;/b&gt; dance", "Bees dance"),
        ("<![CDATA[<em class='x'>Bees</em> &amp; wasps]]>", "Bees & wasps"),
        ("AT&amp;amp;T", "AT&T"),
        ("1 &lt; 2", "1 < 2"),
        ("caf&eacute;", "café"),
        ("It&amp;#8217;s", "It’s"),
        ("R&D", "R&D"),
        ("<b>Bees</b> dance", "Bees dance"),
        ("", ""),
    ],
)
def test_titles_are_plain_text(title: str, expected: str) -> None:
    found = rss(f"<title>{title}</title><link>/a</link>")
    assert found is not None
    assert found.title == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mon, 06 May 2024 09:00:00 +0000", NINE),
        ("Mon, 6 May 2024 09:00 GMT", NINE),
        ("06 May 24 09:00:00 UT", NINE),
        ("Mon, 06 May 2024 11:00:00 +0200", NINE),
        ("Mon, 06 May 2024 05:00:00 EDT", NINE),
        ("2024-05-06T09:00:00Z", NINE),
        ("2024-05-06T09:00:00.000+00:00", NINE),
        ("2024-05-06 11:00:00 +0200", NINE),
        ("2024-05-06T09:00:00", NINE),
        ("2024-05-06", datetime(2024, 5, 6, tzinfo=UTC)),
        ("2024-05", datetime(2024, 5, 1, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", None),
        ("Thu, 01 Jan 1970 00:00:00 GMT", None),
        ("2024-99-99", None),
        ("Mon, 99 May 2024 09:00:00 +9999", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_times_have_a_zone(text: str, expected: datetime | None) -> None:
    found = rss(f"<link>/a</link><pubDate>{text}</pubDate>")
    assert found is not None
    assert found.published == expected


def test_the_zone_of_a_time_is_kept() -> None:
    found = rss("<link>/a</link><dc:date>2024-05-06T11:00:00+02:00</dc:date>")
    assert found is not None
    assert found.published is not None
    assert found.published.tzinfo == timezone(timedelta(hours=2))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "   ",
        "<!doctype html><html><body><rss><channel><item><link>/a</link></item></channel></rss>",
        "<html><head><title>404</title></head></html>",
        "<p>Sorry</p>",
        "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "<opml><body><outline xmlUrl='https://example.com/rss'/></body></opml>",
        '{"items": []}',
        '{"version": "https://jsonfeed.org/version/1", "items": [',
        "{" * 100_000 + "jsonfeed.org",
        "[1, 2]",
        "Just a text about https://example.com/",
        "https://example.com/ is a nice page\nand so on",
        b"\x89PNG\r\n\x1a\n\0\0",
        b"\x1f\x8bbroken",
        gzip.compress(b"<html><body>hello</body></html>", mtime=0),
    ],
)
def test_what_is_no_feed(body: bytes | str) -> None:
    with pytest.raises(NotFeed):
        read_feed(body, URL)


@pytest.mark.parametrize(
    "body", ["<html></html>", b"", b"\x1f\x8bbroken", '{"items": []}', "https://a.example/ is nice"]
)
def test_what_does_not_look_like_a_feed(body: bytes | str) -> None:
    assert not is_feed(body)


def test_what_other_vocabularies_call_a_link_is_none() -> None:
    namespaces = 'xmlns:m="http://search.yahoo.com/mrss/" xmlns:l="http://purl.org/rss/1.0/modules/link/"'
    found = rss("<l:link>/no</l:link><m:title>No</m:title><link>/a</link>", root=namespaces)
    assert found == FeedEntry(url="https://example.com/a")


def test_what_a_server_complains_about_before_a_feed_is_skipped() -> None:
    warning = "<br />\n<b>Warning</b>: include(): failed in <b>/srv/feed.php</b> on line <b>7</b><br />\n"
    assert read_feed(warning + RSS_2, URL) == read_feed(RSS_2, URL)


def test_a_cut_feed_gives_its_whole_entries() -> None:
    cut = SITEMAP[: SITEMAP.index("/wasps") + 3]
    assert [entry.url for entry in read_feed(cut, URL).entries] == ["https://example.com/bees"]


def test_items_left_open_are_separate() -> None:
    feed = read_feed("<rss><channel><item><link>/a</link><item><link>/b</link></channel></rss>", URL)
    assert [entry.url for entry in feed.entries] == ["https://example.com/a", "https://example.com/b"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_feeds_of_the_demo_site(language: str) -> None:
    site = generate_site(language=language, stories=30)
    sitemap, feed = (read_feed(site.pages[path].html, site.base_url + path) for path in ("/sitemap.xml", "/feed.xml"))
    stories = {site.base_url + path: truth for path, truth in site.truth.items()}
    assert stories.keys() <= {entry.url for entry in sitemap.entries}
    assert feed.title == site.name
    assert len(feed.entries) == 20
    for entry in feed.entries:
        truth = stories[entry.url.removesuffix("?utm_source=rss")]
        assert (entry.title, entry.published) == (truth.title, truth.published)


def test_bombs_do_not_go_off() -> None:
    with pytest.raises(PageTooLarge):
        read_feed(gzip.compress(b"<urlset>" + b" " * 60_000_000), URL)
    with pytest.raises(PageTooLarge):
        read_feed("<urlset>" + " " * 1000, URL, most_bytes=1000)
    laughs = '<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    found = read_feed(f"{laughs}<rss><channel><title>&b;</title></channel></rss>", URL)
    assert found.title == "&b;"


def test_the_largest_sitemap_is_read_in_one_pass() -> None:
    entry = "<url><loc>https://example.com/news/{n}-bees</loc><lastmod>2024-05-06T10:00:00Z</lastmod><priority>0.5</priority></url>\n"
    body = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{''.join(entry.format(n=n) for n in range(50_000))}</urlset>"
    packed = gzip.compress(body.encode(), 1)
    start = time.process_time()
    feed = read_feed(packed, URL)
    assert time.process_time() - start < 60  # it takes less than a second; what grows by the square takes hours
    assert (len(feed.entries), feed.entries[-1].modified) == (50_000, TEN)


@given(
    st.text(alphabet="<>/!?-[]CDATA &;#=\"'\n{}:,abrsitemlnkgud0", max_size=150),
    st.sampled_from([RSS_2, ATOM, SITEMAP, JSON, INDEX]),
)
def test_a_damaged_feed_is_read_or_refused(noise: str, body: str) -> None:
    place = len(noise) * 7 % len(body)
    for damaged in (body[:place] + noise + body[place:], body[:place], noise + body[place:]):
        try:
            feed = read_feed(damaged, URL)
        except NotFeed:
            continue
        assert all(entry.url.startswith(("http://", "https://")) for entry in feed.entries)
