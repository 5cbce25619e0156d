"""Spellings of a link are one link."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.parse import clean_url, signature

SITE = "https://example.com"


@pytest.mark.parametrize(
    ("url", "cleaned"),
    [
        ("/a", "/a"),
        ("/a?id=7", "/a?id=7"),
        ("/a?PHPSESSID=81a7", "/a"),
        ("/a?phpsessid=81a7&id=7", "/a?id=7"),
        ("/a;jsessionid=4F2A99?id=7", "/a?id=7"),
        ("/a;jsessionid=4F2A99.node1/b", "/a/b"),
        ("/a;JSESSIONID=4F2A99", "/a"),
        ("/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "/a.aspx"),
        ("/a?sid=0123456789abcdef0123456789abcdef", "/a"),
        ("/a?s_id=0123456789abcdef0123456789abcdef&id=7", "/a?id=7"),
        ("/a?sid=1042", "/a?sid=1042"),
        ("/a?sid=bees", "/a?sid=bees"),
        ("/a?id=0123456789abcdef01234567", "/a?id=0123456789abcdef01234567"),
        ("/a?sessid=ab12&CFTOKEN=123&osCsid=4", "/a"),
        ("/a?fbclid=x&gclid=x&yclid=x&ysclid=x&_openstat=x&_ga=x&ttclid=x", "/a"),
        ("/a?utm_source=x&id=7#top", "/a?id=7"),
        ("/a?b=2&a=1", "/a?a=1&b=2"),
        ("/a?", "/a"),
        ("/(S(lit3py55t21z5v55vlm25s55))", ""),
        ("/(S(lit3py55t21z5v55vlm25s55));jsessionid=4F2A", ""),
        ("/(S(lit3py55t21z5v55vlm25s55)).other.example/a", "/(S(lit3py55t21z5v55vlm25s55)).other.example/a"),
        (";jsessionid=4f2a.other.example/a", ";jsessionid=4f2a.other.example/a"),
    ],
)
def test_links_without_what_tells_visits_apart(url: str, cleaned: str) -> None:
    assert clean_url(SITE + url) == SITE + cleaned


@pytest.mark.parametrize("url", ["http://[broken", "", "javascript:void(0)", "http://example.com:99999999/a"])
def test_broken_addresses_have_a_signature_too(url: str) -> None:
    assert len(signature(url)) == 16


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://www.example.com/a/", "https://example.com/a", True),
        ("https://example.com/a?x=1", "https://example.com/a/?x=1", True),
        ("https://example.com/a?PHPSESSID=1", "https://example.com/a?PHPSESSID=2", True),
        ("https://example.com/a?id=1", "https://example.com/a?id=2", False),
        ("https://example.com/a", "https://example.com/A", False),
        ("https://example.com/a", "https://sport.example.com/a", False),
        ("https://example.com/a?to=http://other.example/b", "https://example.com/c?to=http://other.example/b", False),
        ("mailto:ann@example.com", "mailto:bo@example.com", False),
    ],
)
def test_signatures(one: str, other: str, same: bool) -> None:
    assert (signature(one) == signature(other)) is same


@given(st.text(max_size=60))
def test_cleaning_twice_is_cleaning_once(tail: str) -> None:
    once = clean_url(f"https://example.com/{tail}")
    assert clean_url(once) == once
    assert signature(once) == signature(f"https://example.com/{tail}")
