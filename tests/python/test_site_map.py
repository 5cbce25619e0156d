"""A map learned in one line, and what can be asked of it."""

import pickle
from collections.abc import Mapping
from pathlib import Path

import pytest

import sitewright
from sitewright.demo import Site
from sitewright.errors import BadExample, LearnError, MapExists, MixedSites, NoLinks, TooFewPages
from sitewright.maps import parse_map
from sitewright.maps.file import is_untouched
from sitewright.types import FetchSettings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site_map(stories: Mapping[str, str]) -> sitewright.SiteMap:
    return sitewright.learn(dict(list(stories.items())[:5]))


def test_it_reads_what_it_was_learned_from(site_map: sitewright.SiteMap, stories: dict[str, str], paper: Site) -> None:
    for path, truth in list(paper.truth.items())[:5]:
        url = f"{paper.base_url}{path}"
        record = site_map.read(stories[url], url)
        assert record["title"] == truth.title
        assert record.map_version == 1


def test_it_tells_what_it_is(site_map: sitewright.SiteMap) -> None:
    assert (site_map.site, site_map.domain) == ("the-daily-lantern.example", "news")
    assert {"title", "published", "text"} <= set(site_map.fields)
    assert {rule.field for rule in site_map.rules} == set(site_map.fields)
    assert repr(site_map).startswith("<SiteMap the-daily-lantern.example (news): title, ")
    assert site_map.heading.startswith("Learned from 5 pages")
    assert parse_map(site_map.text) == site_map.extraction_map
    assert pickle.loads(pickle.dumps(site_map)) == site_map  # noqa: S301 -- our own


def test_pages_without_addresses_make_the_same_map(site_map: sitewright.SiteMap, stories: dict[str, str]) -> None:
    learned = sitewright.learn((html.encode() for html in stories.values()), limit=5)
    assert learned.rules == site_map.rules
    assert learned.site == site_map.site


def test_it_is_saved_and_loaded(site_map: sitewright.SiteMap, tmp_path: Path) -> None:
    file = tmp_path / "site.map.yaml"
    site_map.save(file)
    assert sitewright.SiteMap.load(file).extraction_map == site_map.extraction_map
    assert is_untouched(file.read_text("utf-8"))
    with pytest.raises(MapExists, match="overwrite=True"):
        site_map.save(str(file))
    file.write_text(f"# mine\n{file.read_text('utf-8')}", "utf-8")
    site_map.save(file, overwrite=True)
    assert "# mine\n" in file.read_text("utf-8")


def test_a_site_is_learned_from_its_address() -> None:
    with pytest.raises(LearnError, match="SITEWRIGHT_FETCH_ALLOW_HOSTS") as refused:
        sitewright.learn("http://127.0.0.1:9/")
    assert refused.value.code == "address_refused"
    with pytest.raises(LearnError, match="connection refused") as unanswered:
        sitewright.learn(" http://127.0.0.1:9/ ", fetch=FetchSettings(allow_hosts=("127.0.0.1",)))
    assert unanswered.value.code == "connection_failed"


def test_it_explains_each_value(site_map: sitewright.SiteMap, stories: dict[str, str]) -> None:
    url, html = next(iter(stories.items()))
    record, told = site_map.read(html, url), site_map.explain(html, url)
    assert list(told) == list(record)
    title = told["title"]
    assert title.rule in site_map.rules
    assert title.stored.value == record["title"]
    assert record["title"] in [source.raw for source in title.sources]
    assert all(field.state == "same" for field in told.values())


def test_links_are_found_by_its_selectors(site_map: sitewright.SiteMap, paper: Site) -> None:
    front = paper.pages["/"].html
    own = sitewright.SiteMap(parse_map(paper.map_text))
    items = {link.url.partition("?")[0] for link in own.find_links(front, f"{paper.base_url}/") if link.is_item}
    assert items
    assert items <= {f"{paper.base_url}{path}" for path in paper.truth}
    with pytest.raises(NoLinks, match=r"sitewright\.find_links"):
        site_map.find_links(front, f"{paper.base_url}/")


def test_fields_of_ones_own_are_learned_by_example(stories: dict[str, str], paper: Site) -> None:
    few = dict(list(stories.items())[:4])
    truth = next(iter(paper.truth.values()))
    learned = sitewright.learn(few, examples={"reporter": truth.authors[0]})
    assert learned.read(next(iter(few.values())))["reporter"] == truth.authors[0]
    with pytest.raises(BadExample, match="No such words"):
        sitewright.learn(few, examples={"reporter": ["No such words", "at all"]})


@pytest.mark.parametrize(
    ("pages", "told"),
    [
        ([], "not from 0 pages"),
        (["<h1>Bees</h1>"], "not from 1 page"),
        (["<h1>Bees</h1>", b"%PDF-1.7"], "1 page could not be read, the first: not_html"),
    ],
)
def test_too_few_pages_are_told(pages: list[str | bytes], told: str) -> None:
    with pytest.raises(TooFewPages, match=told):
        sitewright.learn(pages)


def test_pages_of_several_sites_are_told(stories: dict[str, str]) -> None:
    html = list(stories.values())
    pages = {f"https://{name}.example/bees": html[number] for number, name in enumerate(["a", "b", "c"])}
    with pytest.raises(MixedSites, match="3 sites"):
        sitewright.learn(pages)
