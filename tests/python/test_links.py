"""The links of a front page in one line."""

import pytest

import sitewright
from sitewright.demo import Site
from sitewright.errors import NoLinks, NotHtml, UsageError


def test_links_of_a_front_page_are_judged(paper: Site) -> None:
    links = sitewright.find_links(paper.pages["/"].html, f"{paper.base_url}/")
    items = [link for link in links if link.is_item]
    stories = {f"{paper.base_url}{path}" for path in paper.truth}
    assert {link.url.partition("?")[0] for link in items} & stories
    assert {link.role for link in items} == {"article"}
    assert all(link.reason and 0 <= link.score <= 1 for link in links)


def test_items_are_called_as_their_domain_calls_them(paper: Site) -> None:
    links = sitewright.find_links(paper.pages["/"].html, f"{paper.base_url}/", domain="shop")
    assert {link.role for link in links if link.is_item} == {"product"}


@pytest.mark.parametrize("path", ["/feed.xml", "/sitemap.xml"])
def test_feeds_and_sitemaps_list_links(paper: Site, path: str) -> None:
    links = sitewright.find_links(paper.pages[path].html, f"{paper.base_url}{path}")
    assert {f"{paper.base_url}{path}" for path in paper.truth} <= {link.url.partition("?")[0] for link in links}


def test_a_page_without_links_is_told() -> None:
    with pytest.raises(NoLinks, match=r"no links to web pages$"):
        sitewright.find_links("<p>Nothing here", "https://example.com/")
    with pytest.raises(NoLinks, match="pass its url"):
        sitewright.find_links('<a href="/a">A</a>')


def test_what_is_no_page_is_told() -> None:
    with pytest.raises(UsageError, match="find_links"):
        sitewright.find_links("https://example.com/")
    with pytest.raises(NotHtml):
        sitewright.find_links(b"%PDF-1.7", "https://example.com/")
