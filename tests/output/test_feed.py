"""Feeds are well formed, hold what the standards ask for, and nothing of a page becomes markup in them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.links.feeds import read_feed
from sitewright.output.feed import FeedFormat, FeedHead, feed_of
from sitewright.store.database import open_store
from sitewright.store.entries import RecordQuery, StoredRecord
from sitewright.types import Page, Photo, Record, Value

ATOM = "{http://www.w3.org/2005/Atom}"
CREATOR = "{http://purl.org/dc/elements/1.1/}creator"
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
