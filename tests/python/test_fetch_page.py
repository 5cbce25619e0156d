"""A page of the web in one line."""

import asyncio

import pytest

import sitewright
from sitewright.demo import generate_site, serve
from sitewright.errors import AddressRefused, BadUrl, UsageError


def test_a_page_is_fetched_also_where_a_loop_runs() -> None:
    with serve(lambda base_url: generate_site(3, stories=10, base_url=base_url)) as base_url:
        with pytest.raises(AddressRefused):
            sitewright.fetch_page(base_url)

        async def notebook() -> sitewright.Page:
            return sitewright.fetch_page(base_url, settings=sitewright.FetchSettings(allow_hosts=("127.0.0.1",)))

        page = asyncio.run(notebook())
        assert (page.status, page.location) == (200, f"{base_url}/")
        assert sum(link.is_item for link in sitewright.find_links(page)) > 5


@pytest.mark.parametrize(("given", "error"), [("not an address", BadUrl), (b"https://example.com/", UsageError)])
def test_what_is_no_address_is_told(given: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        sitewright.fetch_page(given)
