"""Lists of addresses as people keep them: lines with comments, and OPML of feed readers, good and bad."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import BadList
from sitewright.fetch.lists import ListedAddress, read_addresses, write_opml

OPML = """<?xml version="1.0" encoding="ISO-8859-1"?>
<opml version="1.0">
  <head><title>Mine</title></head>
  <body>
    <outline text="News">
      <outline text="World">
        <outline text="Bees" title="The  Bee&#10; Gazette" type="rss"
                 xmlUrl="https://example.com/feed?a=1&b=2" htmlUrl="https://example.com/"/>
      </outline>
      <outline text="Lanterns" type="link" url="https://lantern.example/"/>
      <outline text="Sité" htmlUrl="https://site.example"/>
    </outline>
    <outline text="Bees again" xmlurl="https://example.com/feed?a=1&amp;b=2"/>
    <outline text="odd front" xmlUrl="https://odd.example/rss" htmlUrl="not there"/>
    <outline text="a note"/>
  </body>
</opml>
"""


def test_a_file_of_lines() -> None:
    text = "\ufeff# sites\r\n\r\n  example.com  # bare\nhttps://example.com/\nHTTP://Example.ORG:80/a#top\nlocalhost:8000\n"
    assert read_addresses(text, "sites.txt") == [
        ListedAddress("https://example.com/"),
        ListedAddress("http://example.org/a"),
        ListedAddress("https://localhost:8000/"),
    ]


def test_all_bad_lines_are_named() -> None:
    text = "example.com\nhello\nftp://example.com/\n\nhttps://me:secret@example.com/\nexample.org/a b\n"
    with pytest.raises(BadList) as error:
        read_addresses(text, "sites.txt")
    lines = str(error.value).splitlines()
    assert [line.split(": ")[0] for line in lines] == [f"sites.txt:{number}" for number in (2, 3, 5, 6)]
    assert "https://example.com/" in lines[0]
    assert "secret" not in str(error.value)


def test_nested_outlines_are_read_with_their_titles() -> None:
    assert read_addresses(OPML, "feeds.opml") == [
        ListedAddress("https://example.com/feed?a=1&b=2", "The Bee Gazette", "feed", "https://example.com/"),
        ListedAddress("https://lantern.example/", "Lanterns"),
        ListedAddress("https://site.example/", "Sité"),
        ListedAddress("https://odd.example/rss", "odd front", "feed"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<opml><body><outline xmlUrl='http://'/></body></opml>", "feeds.opml:1: "),
        ("<?xml version='1.0'?>\n<opml><body>", "feeds.opml:2: is not OPML: no element found"),
        ("<!DOCTYPE opml [\n<!ENTITY a 'b'>]><opml/>", "feeds.opml:2: declares entities"),
    ],
)
def test_bad_opml_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(BadList, match=message):
        read_addresses(text, "feeds.opml")


@pytest.mark.parametrize("text", ["", "# nothing\n\n", "<opml version='2.0'><body/></opml>"])
def test_an_empty_list(text: str) -> None:
    assert read_addresses(text, "sites.txt") == []


TITLES = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=20)


@given(st.lists(st.tuples(TITLES, st.sampled_from(["feed", "site"]), st.booleans()), max_size=5))
def test_what_is_written_is_read_back(entries: list[tuple[str, str, bool]]) -> None:
    listed = [
        ListedAddress(
            f"https://{number}.example/?a=1&b=%22",
            title,
            kind,
            "https://x.example/" if kind == "feed" and front else "",
        )  # type: ignore[arg-type]
        for number, (title, kind, front) in enumerate(entries)
    ]
    assert read_addresses(write_opml(listed, "<mine>"), "x") == listed
