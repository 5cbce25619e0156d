import pytest

from sitewright.errors import BadUrl
from sitewright.fetch.target import read_target


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.com", "http://example.com/"),
        (" https://Example.COM./a#b ", "https://example.com/a"),
        ("https://example.com:443/", "https://example.com/"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("http://example.com/a b/ü?q=ж&r=%20", "http://example.com/a%20b/%C3%BC?q=%D0%B6&r=%20"),
        ("http://пример.example/", "http://xn--e1afmkfd.example/"),
        ("http://[2001:DB8::1]:8080/a", "http://[2001:db8::1]:8080/a"),
        ("http://example.com?q=1", "http://example.com/?q=1"),
        ("http://exam\nple.com/a\tb", "http://example.com/ab"),
        ("http://example.com/\x00\x7f\ud800", "http://example.com/%00%7F%3F"),
        ("http://１２７.0.0.1/", "http://127.0.0.1/"),
    ],
)
def test_addresses_are_read(url: str, expected: str) -> None:
    assert read_target(url).url == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "ftp://example.com/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "gopher://example.com/",
        "http://",
        "http:///a",
        "http://[::1",
        "http://[fe80::1%25eth0]/",
        "http://[not-an-address]/",
        "http://example.com:99999/",
        "http://example.com:port/",
        "http://user:password@example.com/",
        "http://user@example.com/",
        "http://exa mple.com/",
        "http://a..b/",
        "http://.example.com/",
        f"http://{'a' * 64}.example/",
        f"http://{'a.' * 200}example/",
        "http://exam%70le.com/",
        "http://a\\b/",
    ],
)
def test_what_is_no_web_address_is_refused(url: str) -> None:
    with pytest.raises(BadUrl):
        read_target(url)
