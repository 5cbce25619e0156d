"""A page to a record in one line: without a map, with one, and in many threads at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import sitewright
from sitewright.demo import Site
from sitewright.errors import NotHtml, PageTooLarge, UnknownDomain, UsageError
from sitewright.extract import Extractor
from sitewright.maps import parse_map
from sitewright.output.rows import row_of
from sitewright.parse import parse
from sitewright.tag import PageReader
from sitewright.types import Page


def test_it_reads_as_the_tagger_does(stories: dict[str, str]) -> None:
    url, html = next(iter(stories.items()))
    record = sitewright.read(html, url)
    other = PageReader().extract(parse(Page(url=url, body=html)))
    assert record.to_dict() == sitewright.Record.of(other).to_dict()
    assert record.kind == "article"


def test_it_knows_the_address_that_a_page_states(stories: dict[str, str]) -> None:
    url, html = next(iter(stories.items()))
    assert sitewright.read(html).to_dict() == sitewright.read(html.encode(), url).to_dict()


def test_a_page_of_nothing_is_a_record_of_nothing() -> None:
    assert sitewright.read("").to_dict() == {"url": "", "page_kind": "other", "confidence": {}}


def test_it_reads_by_a_map(paper: Site, stories: dict[str, str], tmp_path: Path) -> None:
    url, html = next(iter(stories.items()))
    file = tmp_path / "site.map.yaml"
    file.write_text(paper.map_text, "utf-8")
    own = parse_map(paper.map_text)
    expected = row_of(Extractor(own).extract(parse(Page(url=url, body=html))))
    for given in (own, sitewright.SiteMap(own), file, str(file)):
        record = sitewright.read(html, url, map=given)
        assert row_of(record) == expected
        assert record.map_version == 1


def test_it_reads_pages_of_another_domain() -> None:
    html = """<script type="application/ld+json">{"@type": "Product", "name": "Hive tool", "offers":
        {"price": "12.50", "priceCurrency": "EUR"}}</script><h1>Hive tool</h1><p>12.50 EUR</p>"""
    record = sitewright.read(html, "https://shop.example/hive-tool", domain="shop")
    assert record.domain == "shop"
    assert record["name"] == "Hive tool"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"html": b"%PDF-1.7"}, NotHtml),
        ({"html": "x" * 20_000_001}, PageTooLarge),
        ({"html": "<p>", "domain": "bees"}, UnknownDomain),
        ({"html": "<p>", "map": 3}, UsageError),
    ],
)
def test_what_cannot_be_read_is_told(arguments: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        sitewright.read(**arguments)


def test_many_threads_read_the_same(stories: dict[str, str], paper: Site) -> None:
    own = sitewright.SiteMap(parse_map(paper.map_text))
    pages = list(stories.items())[:3]
    alone = [(sitewright.read(html, url).to_json(), own.read(html, url).to_json()) for url, html in pages]
    with ThreadPoolExecutor(8) as threads:
        together = list(
            threads.map(
                lambda page: (sitewright.read(page[1], page[0]).to_json(), own.read(page[1], page[0]).to_json()),
                pages * 4,
            )
        )
    assert together == alone * 4


def test_the_model_is_loaded_once(stories: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    sitewright.read(next(iter(stories.values())))
    monkeypatch.setattr("sitewright.tag.reader.NetworkTagger", None)  # whoever made another would fail
    assert sitewright.read(next(iter(stories.values()))).kind == "article"
