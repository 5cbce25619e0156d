"""What an address tells by itself."""

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.links.addresses import Address, read_address, same_page, unwrap

STORY = "https://example.org/bees"


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("https://example.com/bees", "https://example.com/bees"),
        ("https://example.com/bees/", "https://example.com/bees"),
        ("https://example.com/bees/#top", "https://example.com/bees"),
        ("https://example.com/#/bees/", "https://example.com"),
        ("https://example.com/", "https://example.com"),
        ("https://example.com/?id=1", "https://example.com/?id=1"),
        ("", ""),
    ],
)
def test_fragment_and_last_slash_do_not_change_the_page(url: str, page: str) -> None:
    assert same_page(url) == page
    assert same_page(page) == page


@pytest.mark.parametrize(
    ("url", "target"),
    [
        (f"https://example.com/go?url={quote(STORY, safe='')}", STORY),
        (f"https://example.com/go?id=7&DEST={STORY}", STORY),
        (f"https://search.example/url?q={STORY}&sa=U", STORY),
        (f"https://web.archive.org/web/20240506083000/{STORY}", STORY),
        (f"https://web.archive.org/web/20240506083000im_/{STORY}", STORY),
    ],
)
def test_a_wrapped_address_is_unwrapped(url: str, target: str) -> None:
    assert unwrap(url) == target
    assert read_address(url) == read_address(target)


@pytest.mark.parametrize(
    "url",
    [
        STORY,
        f"https://social.example/share?url={STORY}",
        f"https://social.example/intent/tweet?url={STORY}",
        f"https://example.com/login?redirect={STORY}",
        "https://example.com/go?url=/bees",
        "https://example.com/go?url=javascript:alert(1)//http",
        f"https://example.com/go?colour={STORY}",
        "https://example.com/http?",
        "https://web.archive.org/web/2024/about",
        "https://example.com/go?url=%zz&u=http",
        "",
    ],
)
def test_other_addresses_stay_as_they_are(url: str) -> None:
    assert unwrap(url) == url


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("https://example.com/", ""),
        ("https://example.com", ""),
        ("https://example.com/sport/", "w"),
        ("https://example.com/local-news/", "w-w"),
        ("https://example.com/2024/05/06/why-bees-dance-all-day", "YYYY/0/0/slug"),
        ("https://example.com/a/why-bees-dance-all-day-1234567.html", "w/slug-#.html"),
        ("https://example.com/story.php?id=1234567", "w.php?id=#"),
        ("https://example.com/story.php?B=1&a=2&a=3", "w.php?a&b"),
        ("https://example.com/1234567", "#"),
        ("https://example.com/123", "00"),
        ("https://example.com/89af01bc77", "hex"),
        ("https://example.com/--", "x"),
        ("https://example.com/%D0%BF%D1%87%D1%91%D0%BB%D1%8B", "w"),
    ],
)
def test_pages_of_one_kind_share_a_shape(url: str, shape: str) -> None:
    assert read_address(url).shape == shape


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("/2024/05/06/bees", 3),
        ("/20240506/bees", 3),
        ("/bees-2024-05-06", 3),
        ("/2024/5/bees", 2),
        ("/2024-05/bees", 2),
        ("/2024/bees", 0),
        ("/12024/05/06", 0),
        ("/bees", 0),
    ],
)
def test_days_and_months_are_recognised(path: str, day: int) -> None:
    assert read_address(f"https://example.com{path}").day == day


def test_what_an_address_has_is_counted() -> None:
    address = read_address("https://www.News.example.com/World/tag/why-bees-dance-all-day_77001.HTML?id=12&ref=&ID=3")
    assert address.host == "news.example.com"
    assert address.segments == ("World", "tag", "why-bees-dance-all-day_77001")
    assert (address.slug_words, address.digits, address.parameters) == (5, 5, 3)
    assert address.extension == "html"
    assert address.words == ("world", "tag", "?id", "?ref", "@news", "@example")
    assert not address.advert


@pytest.mark.parametrize(
    ("url", "advert"),
    [
        ("https://ads.example.net/x", True),
        ("https://ad.doubleclick.net/clk;1", True),
        ("https://www.awin1.com/c?x=1", True),
        ("https://example.net/adclick/7", True),
        ("https://example.net/redirect?id=7", True),
        ("https://example.net/banner/7", True),
        ("https://lads.example.net/x", False),
        ("https://example.net/bannerman-wins", False),
        ("https://downloads.example.net/x", False),
        ("https://clicks-and-bricks.example/x", False),
    ],
)
def test_counters_of_advertisements_are_told_from_others(url: str, advert: bool) -> None:
    assert read_address(url).advert is advert


@pytest.mark.parametrize("url", ["http://[broken", "https://example.com/go?u=http://[broken", "http://a]b/"])
def test_a_broken_address_tells_nothing(url: str) -> None:
    assert read_address(url) == Address("", (), "", (), 0, 0, 0, 0, "", advert=False, file=False)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://[::1]:8080/a", "::1"),
        ("http://[2001:db8::7]/a", "2001:db8::7"),
        ("http://127.0.0.1:8000/a", "127.0.0.1"),
        ("http://example.com:port/a", "example.com"),
        ("file:///tmp/a.html", ""),
    ],
)
def test_odd_hosts_are_read(url: str, host: str) -> None:
    assert read_address(url).host == host


@given(st.text(st.characters(codec=None), max_size=80))
def test_any_text_is_an_address_of_some_kind(text: str) -> None:
    for url in (text, f"https://example.com/{text}", f"https://example.com/go?u=http://{text}"):
        address = read_address(url)
        assert 0 <= address.day <= 3
        assert address.digits >= 0
        assert "" not in address.segments
        assert same_page(url) == same_page(same_page(url))
        assert len(unwrap(url)) <= len(url)
