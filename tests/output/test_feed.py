"""Feeds are well formed, hold what the standards ask for, and nothing of a page becomes markup in them."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from sitewright.body import Body, body_of
from sitewright.links.feeds import read_feed
from sitewright.output.feed import FEED_FORMATS, FeedFormat, FeedHead, FeedItem, feed_from, feed_of
from sitewright.parse import parse
from sitewright.store.database import open_store
from sitewright.store.entries import RecordQuery, StoredRecord
from sitewright.types import Page, Photo, Record, Value

ATOM = "{http://www.w3.org/2005/Atom}"
CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"
MEDIA = "{http://search.yahoo.com/mrss/}content"
STORED = datetime(2024, 5, 7, tzinfo=UTC)
HEAD = FeedHead(
    title="News <&> 'x'",
    url="https://example.com/",
    updated=datetime(2024, 5, 1, tzinfo=UTC),
    feed_url="https://feeds.example/a?b&c",
)
STORY = {
    "title": '<b>Bees</b> & "wasps" ]]> \x00\x0b\ud800',
    "subtitle": "They <script>hum</script> & sting.",
    "published": "2024-05-06T10:30:00+01:00",
    "text": "One.",
    "authors": ["Ann Lee", "Bo <Ek>"],
    "categories": ["Nature"],
    "tags": ["bees", "Nature"],
    "images": [{"url": "https://example.com/a b.jpg?c&d"}, {"url": "javascript:alert(1)"}],
}


def stored(url: str = "https://example.com/bees?a=1&b=ü", **fields: object) -> StoredRecord:
    values = {name: Value(value, 0.9, "") for name, value in fields.items()}
    domain = "shop" if fields.keys() & {"name", "description"} else "news"
    record = Record(site="example.com", urls=(url,), fields=values, domain=domain)
    shown = datetime(2024, 5, 6, 9, 30, tzinfo=UTC)
    return StoredRecord(number=1, id="1", record=record, shown_at=shown, stored_at=STORED, location=None)


def tree_of(feed: bytes) -> ET.Element:
    return ET.fromstring(feed)  # noqa: S314 -- our own


def texts(parent: ET.Element, path: str) -> list[str | None]:
    return [found.text for found in parent.iterfind(path)]


def test_rss() -> None:
    root = tree_of(feed_of("rss", HEAD, [stored(**STORY)]))
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    channel = root.find("channel")
    assert channel is not None
    for name, value in (("title", HEAD.title), ("link", HEAD.url), ("description", HEAD.title)):
        assert texts(channel, name) == [value]
    assert parsedate_to_datetime(channel.findtext("lastBuildDate") or "") == STORED
    own = channel.find(f"{ATOM}link")
    assert own is not None
    assert own.attrib == {"rel": "self", "type": "application/rss+xml", "href": HEAD.feed_url}
    item = channel.find("item")
    assert item is not None
    assert texts(item, "title") == ['<b>Bees</b> & "wasps" ]]> ']
    assert texts(item, "link") == texts(item, "guid") == ["https://example.com/bees?a=1&b=%C3%BC"]
    assert texts(item, "description") == ["They &lt;script&gt;hum&lt;/script&gt; &amp; sting."]
    assert texts(item, "pubDate") == ["Mon, 06 May 2024 09:30:00 +0000"]
    assert texts(item, CREATOR) == ["Ann Lee", "Bo <Ek>"]
    assert texts(item, "category") == ["Nature", "bees"]
    assert texts(item, CONTENT) == [
        '<p>One.</p>\n<figure><img src="https://example.com/a b.jpg?c&amp;d" alt=""></figure>'
    ]
    assert [found.attrib for found in item.iterfind("enclosure")] == [
        {"url": "https://example.com/a%20b.jpg?c&d", "type": "image/jpeg", "length": "0"}
    ]
    assert [found.attrib for found in item.iterfind(MEDIA)] == [
        {"url": "https://example.com/a%20b.jpg?c&d", "medium": "image"}
    ]


def test_atom() -> None:
    root = tree_of(feed_of("atom", HEAD, [stored(**STORY)]))
    assert root.tag == f"{ATOM}feed"
    for name, value in (("id", HEAD.url), ("title", HEAD.title), ("updated", "2024-05-07T00:00:00+00:00")):
        assert texts(root, ATOM + name) == [value]
    assert [link.attrib for link in root.iterfind(f"{ATOM}link")] == [
        {"rel": "alternate", "href": HEAD.url},
        {"rel": "self", "type": "application/atom+xml", "href": HEAD.feed_url},
    ]
    entry = root.find(f"{ATOM}entry")
    assert entry is not None
    for name, value in (
        ("id", "https://example.com/bees?a=1&b=%C3%BC"),
        ("published", "2024-05-06T09:30:00+00:00"),
        ("updated", "2024-05-07T00:00:00+00:00"),
        ("summary", "They <script>hum</script> & sting."),
    ):
        assert texts(entry, ATOM + name) == [value]
    assert texts(entry, f"{ATOM}author/{ATOM}name") == ["Ann Lee", "Bo <Ek>"]
    assert [found.get("term") for found in entry.iterfind(f"{ATOM}category")] == ["Nature", "bees"]


CASES: list[tuple[dict[str, object], str, str, str | None]] = [
    ({}, "title", "title", "https://example.com/a"),
    ({"name": "Kettle"}, "title", "title", "Kettle"),
    ({"text": "Short."}, "description", "summary", "Short."),
    ({"description": "A kettle."}, "description", "summary", "A kettle."),
    ({"text": "word " * 200}, "description", "summary", ("word " * 99).strip() + " …"),
    ({"images": "x"}, "description", "summary", None),
]


@pytest.mark.parametrize(("fields", "rss", "atom", "wanted"), CASES)
def test_what_stands_for_what(fields: dict[str, object], rss: str, atom: str, wanted: str | None) -> None:
    record = stored("https://example.com/a", **fields)
    assert tree_of(feed_of("rss", HEAD, [record])).findtext(f"channel/item/{rss}") == wanted
    assert tree_of(feed_of("atom", HEAD, [record])).findtext(f"{ATOM}entry/{ATOM}{atom}") == wanted


def test_atom_names_the_site_where_there_is_no_author() -> None:
    root = tree_of(feed_of("atom", HEAD, [stored()]))
    assert root.findtext(f"{ATOM}entry/{ATOM}author/{ATOM}name") == "example.com"


@pytest.mark.parametrize("kind", ["rss", "atom"])
def test_a_feed_without_records(kind: FeedFormat) -> None:
    root = tree_of(feed_of(kind, HEAD, []))
    assert "2024" in (root.findtext("channel/lastBuildDate") or root.findtext(f"{ATOM}updated") or "")


@pytest.mark.parametrize("kind", ["rss", "atom"])
@given(text=st.text(), url=st.text())
def test_whatever_the_text_a_feed_is_well_formed(kind: FeedFormat, text: str, url: str) -> None:
    record = stored(url, title=text, text=text, authors=[text], tags=[text], images=[Photo(url=url)])
    head = FeedHead(title=text, url=url, updated=STORED, description=text, feed_url=url)
    root = tree_of(feed_of(kind, head, [record]))
    assert len(list(root.iter("item" if kind == "rss" else f"{ATOM}entry"))) == 1


def records() -> Iterator[StoredRecord]:
    with open_store("sqlite://") as store:
        store.add_site("example.com")
        for day in (1, 3, 2):
            fields = {"title": Value(f"Day {day}", 0.9, ""), "published": Value(f"2024-05-0{day}", 0.9, "")}
            url = f"https://example.com/{day}"
            store.commit_page(Record(site="example.com", urls=(url,), fields=fields), Page(url=url, body=b""))
        yield from store.records(RecordQuery(site="example.com", newest_first=True, limit=2))


@pytest.mark.parametrize("kind", ["rss", "atom"])
def test_a_feed_of_the_store_is_read_by_our_own_reader(kind: FeedFormat) -> None:
    read = read_feed(feed_of(kind, HEAD, records()), "https://feeds.example/")
    assert read.kind == kind
    assert read.title == HEAD.title
    assert [(entry.url, entry.title, entry.published) for entry in read.entries] == [
        ("https://example.com/3", "Day 3", datetime(2024, 5, 3, tzinfo=UTC)),
        ("https://example.com/2", "Day 2", datetime(2024, 5, 2, tzinfo=UTC)),
    ]


STRUCTURED = (
    "<h1>Bees</h1><p>They <b>hum</b> &amp; <a href=/sting onclick=x()>sting</a>.</p><h2>Hives</h2>"
    "<ul><li>Of wood</ul><script>x()</script>"
)


def with_body() -> tuple[StoredRecord, Body]:
    text = "They hum & sting.\nOf wood"
    document = parse(Page(url="https://example.com/bees", body=STRUCTURED))
    return stored("https://example.com/bees", title="Bees", text=text), Body(body_of(document, text))


CLEAN = (
    '<p>They <strong>hum</strong> &amp; <a href="https://example.com/sting">sting</a>.</p>\n'
    "<h2>Hives</h2>\n<ul><li>Of wood</li></ul>"
)


@pytest.mark.parametrize("kind", FEED_FORMATS)
def test_the_whole_text_with_its_structure(kind: FeedFormat) -> None:
    feed = feed_from(kind, HEAD, [FeedItem(kind)(*with_body())], [STORED])
    if kind == "jsonfeed":
        assert json.loads(feed)["items"][0]["content_html"] == CLEAN
    else:
        path = f"channel/item/{CONTENT}" if kind == "rss" else f"{ATOM}entry/{ATOM}content"
        assert tree_of(feed).findtext(path) == CLEAN


@pytest.mark.parametrize("kind", ["rss", "atom"])
def test_a_reader_that_others_wrote_understands_it(kind: FeedFormat) -> None:
    feedparser = pytest.importorskip("feedparser")
    records = [stored(**STORY), stored("https://example.com/b", text="Two.")]
    read = feedparser.parse(feed_of(kind, HEAD, records))
    assert not read.bozo
    assert read.version in {"rss20", "atom10"}
    assert (read.feed.title, read.feed.link) == (HEAD.title, HEAD.url)
    first, second = read.entries
    assert first.link == "https://example.com/bees?a=1&b=%C3%BC"
    assert first.content[0].value.startswith("<p>One.</p>")
    assert first.published_parsed[:5] == (2024, 5, 6, 9, 30)
    assert first.authors[0].name == "Ann Lee"
    assert second.content[0].value == "<p>Two.</p>"


DATES = ("date_published", "date_modified")
JSON_FEED = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "title", "items"],
    "properties": {
        "version": {"const": "https://jsonfeed.org/version/1.1"},
        "title": {"type": "string"},
        "home_page_url": {"type": "string", "format": "uri"},
        "feed_url": {"type": "string", "format": "uri"},
        "description": {"type": "string"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["id"],
                "anyOf": [{"required": ["content_html"]}, {"required": ["content_text"]}],
                "properties": {
                    **{name: {"type": "string"} for name in ("id", "url", "title", "content_html", "content_text")},
                    **{name: {"type": "string"} for name in ("summary", "image", "language")},
                    **{name: {"type": "string", "pattern": "T.*(Z|[+-][0-9:]+)$"} for name in DATES},
                    "authors": {"type": "array", "items": {"type": "object", "required": ["name"]}},
                    "tags": {"type": "array", "items": {"type": "string"}},
                    "attachments": {"type": "array", "items": {"type": "object", "required": ["url", "mime_type"]}},
                },
            },
        },
    },
}
"""What JSON Feed 1.1 asks for, of what is written."""


@given(text=st.text(), url=st.text(min_size=1))
def test_whatever_the_text_a_json_feed_is_as_its_specification_asks(text: str, url: str) -> None:
    record = stored(url, title=text, text=text, authors=[text], tags=[text], images=[Photo(url=url)])
    head = FeedHead(title=text, url=url, updated=STORED, description=text, feed_url=url)
    Draft202012Validator(JSON_FEED).validate(json.loads(feed_of("jsonfeed", head, [record, stored(**STORY)])))


def test_json_feed() -> None:
    feed = json.loads(feed_of("jsonfeed", HEAD, [stored(**STORY)]))
    assert (feed["title"], feed["home_page_url"], feed["feed_url"]) == (HEAD.title, HEAD.url, HEAD.feed_url)
    (item,) = feed["items"]
    assert item["authors"] == [{"name": "Ann Lee"}, {"name": "Bo <Ek>"}]
    assert item["tags"] == ["Nature", "bees"]
    assert item["image"] == item["attachments"][0]["url"] == "https://example.com/a%20b.jpg?c&d"
    assert item["date_published"] == "2024-05-06T09:30:00+00:00"


def test_the_same_records_give_the_same_bytes() -> None:
    for kind in FEED_FORMATS:
        assert feed_of(kind, HEAD, [stored(**STORY)]) == feed_of(kind, HEAD, [stored(**STORY)])
