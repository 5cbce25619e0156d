from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitewright.parse import absolute_url, host_of, normalise_url

UGLY = st.one_of(
    st.text(max_size=40),
    st.builds(
        "{}://{}{}{}{}{}".format,
        st.sampled_from(["http", "HTTPS", "https", "ftp", "httP"]),
        st.sampled_from(["", "user:pw@", "@"]),
        st.sampled_from(
            ["example.com", "EXAMPLE.com", "пример.рф", "[::1]", "1.2.3.4", "a..b", "", "xn--e1afmkfd.xn--p1ai", "a b"]
        ),
        st.sampled_from(["", ":80", ":443", ":8080", ":", ":x", ":99999"]),
        st.lists(
            st.sampled_from(
                ["/", "/a", "/..", "/.", "/%7Ea", "/%2f", "/%", "/ä", "/a b", "//", "/;p", "/%e4%b8%ad", "/\\x", "/%zz"]
            ),
            max_size=5,
        ).map("".join),
        st.lists(
            st.sampled_from(
                [
                    "?",
                    "&",
                    "a=1",
                    "b=2",
                    "utm_source=x",
                    "fbclid=1",
                    "=",
                    "c",
                    "#",
                    "#utm",
                    "%26",
                    "+",
                    "%20",
                    "ü",
                    "a=%zz",
                    "&&",
                    "?x",
                ]
            ),
            max_size=6,
        ).map("".join),
    ),
)


@given(UGLY)
@example("http://[broken")
@example("http://example.com/%2e%2e/a")
@example("http://example.com?utm_source=x")
@example("http://example.com/?")
def test_normalising_twice_is_normalising_once(url: str) -> None:
    once = normalise_url(url)
    assert normalise_url(once) == once


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/a", "https://example.com/a"),
        ("  https://example.com/a\n", "https://example.com/a"),
        ("HTTPS://EXAMPLE.com/A", "https://example.com/A"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("https://example.com:8443/a", "https://example.com:8443/a"),
        ("https://example.com/a/../b/./c", "https://example.com/b/c"),
        ("https://example.com/a#top", "https://example.com/a"),
        ("https://example.com/a?utm_source=x&utm_medium=y", "https://example.com/a"),
        ("https://example.com/a?id=2&utm_campaign=x", "https://example.com/a?id=2"),
        ("https://example.com/a?fbclid=abc&id=2", "https://example.com/a?id=2"),
        ("https://example.com/a?gclid=abc", "https://example.com/a"),
    ],
)
def test_normalise_url(url: str, expected: str) -> None:
    assert normalise_url(url) == expected


@pytest.mark.parametrize(
    "address", ["https://example.com/a?page=2", "https://example.com/a?id=1", "https://example.com/b"]
)
def test_what_tells_pages_apart_is_kept(address: str) -> None:
    assert normalise_url(address) != normalise_url("https://example.com/a")


BASE = "https://example.com/news/2024/a.html"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("b.jpg", "https://example.com/news/2024/b.jpg"),
        ("/b.jpg", "https://example.com/b.jpg"),
        ("/news/?page=2", "https://example.com/news/?page=2"),
        ("/news/../b.jpg", "https://example.com/b.jpg"),
        ("../b.jpg", "https://example.com/news/b.jpg"),
        ("//cdn.example.net/b.jpg", "https://cdn.example.net/b.jpg"),
        ("http://other.example/b", "http://other.example/b"),
        ("?page=2", "https://example.com/news/2024/a.html?page=2"),
        ("#top", "https://example.com/news/2024/a.html#top"),
        ("  /b.jpg \n", "https://example.com/b.jpg"),
        ("/b\n.j\tpg", "https://example.com/b.jpg"),
        ("", BASE),
        ("javascript:void(0)", ""),
        ("mailto:ann@example.com", ""),
        ("data:image/png;base64,AAAA", ""),
        ("tel:123", ""),
        ("about:blank", ""),
        ("ftp://example.com/a", ""),
        ("file:///etc/passwd", ""),
        ("http://", ""),
        ("http://[broken", ""),
    ],
)
def test_absolute_url(url: str, expected: str) -> None:
    assert absolute_url(url, BASE) == expected


@given(st.text(max_size=40), st.sampled_from([BASE, "", "file:///a/b.html", "not a base", "http://[x"]))
def test_absolute_url_gives_a_web_address_or_nothing(url: str, base: str) -> None:
    found = absolute_url(url, base)
    assert found == "" or found.startswith(("http://", "https://"))


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://www.Example.com:8080/a", "example.com"),
        ("https://news.example.com/", "news.example.com"),
        ("https://user:pw@example.com/", "example.com"),
        ("http://[::1]:80/", "::1"),
        ("http://[broken", ""),
        ("/a/b", ""),
        ("", ""),
    ],
)
def test_host_of(url: str, host: str) -> None:
    assert host_of(url) == host


@given(st.sampled_from(["https://example.com", "/"]), st.text(alphabet="ab1/.?#%;=&:-_~,'", max_size=20))
def test_addresses_are_what_resolving_them_gives(start: str, rest: str) -> None:
    address = f"{start}{rest}"
    try:
        resolved = urljoin("https://example.org/a/b", address)
        is_whole = bool(urlsplit(resolved).netloc)
    except ValueError:
        is_whole = False
    assert absolute_url(address, "https://example.org/a/b") == (resolved if is_whole else "")
