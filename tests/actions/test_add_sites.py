"""A site is put into the store by its address, and what is wanted of it is remembered."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sitewright.actions.add_sites import SiteOptions, add_site, front_pages
from sitewright.domains import load_domain
from sitewright.errors import BadUrl, SitewrightError
from sitewright.store.database import Store


def test_front_pages_by_site() -> None:
    refused: list[BadUrl] = []
    found = front_pages(["a.example", "https://a.example/", "mailto:me", "https://b.example/news/"], refused.append)
    assert list(found) == ["a.example", "b.example"]
    assert [error.code for error in refused] == ["bad_url"]


@pytest.mark.parametrize("urls", [["mailto:me"], ["mailto:me", "ftp://a.example/"]])
def test_nothing_but_what_is_no_address(urls: list[str]) -> None:
    with pytest.raises(BadUrl):
        front_pages(urls)


def test_a_new_site_is_due_with_its_front_page(store: Store) -> None:
    since = datetime(2024, 5, 6, tzinfo=UTC)
    name = add_site(
        store,
        "https://new.example/",
        SiteOptions(domain="shop", seed=["/a"], banned=["/b"], category="Home", since=since),
    )
    assert name == "new.example"
    site = store.site(name)
    assert site is not None
    assert (site.name, site.domain, site.state.seed, site.state.banned) == ("new.example", "shop", ("/a",), ("/b",))
    assert (site.state.category, bool(site.state.past)) == ("Home", True)
    assert [page.url for page in store.index_pages(name)] == ["https://new.example/"]


def test_a_site_that_is_known_keeps_what_it_has(store: Store, newspaper: Any) -> None:
    add_site(store, f"{newspaper.site.base_url}/", SiteOptions(seed=["/a"]))
    before = store.index_pages(newspaper.name)
    add_site(store, f"{newspaper.site.base_url}/")
    site = store.site(newspaper.name)
    assert site is not None
    assert site.state.seed == ("/a",)
    assert store.index_pages(newspaper.name) == before


def test_what_is_no_expression_is_refused_before_anything_is_stored(store: Store) -> None:
    with pytest.raises(SitewrightError):
        add_site(store, "https://new.example/", SiteOptions(seed=["re:("]))
    assert store.site("new.example") is None


def test_a_domain_of_ones_own_is_found_from_any_folder(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a folder whose name is longer than forty letters"
    folder.mkdir()
    (folder / "bikes.yaml").write_text("name: bikes\nfields: {model: {}}\n", "utf-8")
    monkeypatch.chdir(folder)
    name = add_site(store, "https://bikes.example/", SiteOptions(domain="./bikes.yaml"))
    monkeypatch.chdir(tmp_path)
    site = store.site(name)
    assert site is not None
    assert load_domain(site.domain).name == "bikes"
