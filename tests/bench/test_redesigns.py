"""A site of stored pages that is built anew while it is served."""

from urllib.request import urlopen

from bench.redesigns import Site, served

ROWS = [
    {
        "url": f"https://example.com/news/b%C3%A4ume-{number}",
        "html": f"<h1>Trees {number}</h1>",
        "labels": {"title": f"T{number}"},
    }
    for number in range(4)
]


def site() -> Site:
    return Site("example", ROWS, seed=3, published=2, since=2)


def test_only_what_is_published_is_there() -> None:
    own = site()
    assert own.path(0) == "/news/b%C3%A4ume-0"
    assert own.answer(own.path(1)) == "<h1>Trees 1</h1>"
    assert own.answer(own.path(2)) is None
    assert own.answer("/").index("T1") < own.answer("/").index("T0")  # type: ignore[union-attr]


def test_all_pages_change_or_only_the_new_ones() -> None:
    own = site()
    own.is_rebuilt, own.published = True, 4
    assert ["<h2>" in (own.answer(own.path(number)) or "") for number in range(4)] == [True] * 4
    own.keeps_old = True
    assert ["<h2>" in (own.answer(own.path(number)) or "") for number in range(4)] == [False, False, True, True]
    assert "teaser" not in (own.answer("/") or "")


def test_stories_without_an_address_have_one_of_their_own() -> None:
    rows = [
        {"html": "<h1>A</h1>", "labels": {}},
        {"url": "https://example.com/?id=7", "html": "<h1>B</h1>", "labels": {}},
    ]
    own = Site("example", rows, seed=3, published=2)
    assert len({own.path(number) for number in range(2)}) == 2


def test_it_is_served() -> None:
    own = site()
    with served(own, "127.0.0.1") as url, urlopen(url.rstrip("/") + own.path(0)) as answer:
        assert answer.read() == b"<h1>Trees 0</h1>"
