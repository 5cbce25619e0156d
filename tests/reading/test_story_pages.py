import pytest

from sitewright.parse import parse
from sitewright.reading.story_pages import story_pages
from sitewright.types import Page, Record

LINKS = "<h1>Bees</h1><b>1</b> <a href='?page=2'>2</a>"


@pytest.mark.parametrize(
    ("kind", "url", "found"),
    [
        ("article", "https://example.com/bees", True),
        (None, "https://example.com/bees", True),
        ("list", "https://example.com/animals", False),
        ("other", "https://example.com/about", False),
        ("list", "https://example.com/ten-ways-to-feed-bees", True),
    ],
)
def test_lists_are_no_stories_unless_they_are_named_like_one(kind: str | None, url: str, found: bool) -> None:
    record = Record(site="example.com", urls=(url,), fields={}, kind=kind)
    assert bool(story_pages(parse(Page(url=url, body=LINKS)), record).parts) is found
