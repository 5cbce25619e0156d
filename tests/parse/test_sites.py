import pytest

from sitewright.errors import BadUrl
from sitewright.parse.sites import front_page, owner_of, site_name


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.com/", "example.com"),
        ("https://www.example.com/news", "example.com"),
        ("https://EDITION.Example.COM:8443/", "example.com"),
        ("https://sport.example.co.uk/", "example.co.uk"),
        ("https://bees.blogspot.com/", "bees.blogspot.com"),
        ("https://bees.github.io/news/", "bees.github.io"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("https://news.bücher.de/", "bücher.de"),
        ("http://localhost:8000/", "localhost"),
        ("http://127.0.0.2:8000/", "127.0.0.2"),
        ("http://[::1]:8000/", "::1"),
        ("https://co.uk/", "co.uk"),
    ],
)
def test_a_site_is_called_what_its_owner_registered(url: str, name: str) -> None:
    assert site_name(url) == name


@pytest.mark.parametrize(
    ("host", "owner"),
    [
        ("a.gob.mx", "a.gob.mx"),  # nobody owns gob.mx but the registry
        ("b.a.gob.mx", "a.gob.mx"),
        ("10.0.0.1", "10.0.0.1"),
        ("10.1.0.1", "10.1.0.1"),
        ("[::1]", "[::1]"),
        ("news.example.com.br", "example.com.br"),
        ("paper.example", "paper.example"),
        ("sport.paper.example", "paper.example"),
        ("", ""),
    ],
)
def test_two_sites_never_count_as_one(host: str, owner: str) -> None:
    assert owner_of(host) == owner


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("example.com", "https://example.com/"),
        ("  example.com  ", "https://example.com/"),
        ("example.com/news", "https://example.com/news"),
        ("example.com:8080/news", "https://example.com:8080/news"),
        ("localhost:8000", "https://localhost:8000/"),
        ("http://example.com", "http://example.com/"),
        ("HTTPS://example.com/a?b=c#d", "HTTPS://example.com/a?b=c#d"),
        ("http://[::1]:8000/", "http://[::1]:8000/"),
        ("bücher.de", "https://bücher.de/"),
    ],
)
def test_an_address_may_be_written_shortly(text: str, url: str) -> None:
    assert front_page(text) == url


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "two words",
        "https://",
        "https:///news",
        "https:/example.com",
        "htp:/example.com",
        "htp://example.com",
        "ftp://example.com/",
        "file:///etc/passwd",
        "http://[::1",
        "example.com:80:80",
        "example.com:port",
        "https://example.com:99999/",
    ],
)
def test_what_is_no_address_is_told_with_an_example(text: str) -> None:
    with pytest.raises(BadUrl, match="is not the address of a site; write it like https://"):
        front_page(text)
