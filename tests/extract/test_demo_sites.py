"""The map of every generated newspaper reads exactly what the generator meant."""

from urllib.parse import urljoin

import pytest

from sitewright.demo import EPOCH, LANGUAGES, Site, Truth, generate_site
from sitewright.extract import Extractor
from sitewright.maps import parse_map
from sitewright.parse import parse
from sitewright.types import Page, Photo, Record


def image(value: object) -> tuple[object, ...]:
    if isinstance(value, Photo):
        return value.url, value.caption, value.credit
    assert isinstance(value, dict)
    return value.get("url", ""), value.get("caption", ""), value.get("credit", "")


def read(record: Record) -> dict[str, object]:
    found = {name: value.value for name, value in record.fields.items()}
    images = found.pop("images", [])
    assert isinstance(images, list)
    return {**found, "images": [image(entry) for entry in images]}


def meant(truth: Truth) -> dict[str, object]:
    everything: dict[str, object] = {
        "title": truth.title,
        "subtitle": truth.subtitle,
        "published": truth.published,
        "modified": truth.modified,
        "text": truth.text,
        "authors": list(truth.authors),
        "categories": list(truth.categories),
        "tags": list(truth.tags),
    }
    return {**{name: value for name, value in everything.items() if value}, "images": list(truth.images)}


def records(site: Site) -> dict[str, Record]:
    extractor = Extractor(parse_map(site.map_text))
    pages = {
        path: Page(
            url=urljoin(site.base_url, path),
            body=site.pages[path].html,
            headers={"Content-Type": site.pages[path].content_type},
            fetched_at=EPOCH,
        )
        for path in site.truth
    }
    return {path: extractor.extract(parse(page), EPOCH) for path, page in pages.items()}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_map_reads_the_truth(language: str, seed: int) -> None:
    site = generate_site(seed, language=language, stories=24)
    found = records(site)
    assert len(found) == 24
    for path, truth in site.truth.items():
        assert read(found[path]) == meant(truth), path
        assert found[path].template == site.pages[path].kind
        assert found[path].language == language


def test_pages_that_are_no_stories_match_no_template() -> None:
    site = generate_site(1, stories=12)
    extractor = Extractor(parse_map(site.map_text))
    others = [page for page in site.pages.values() if page.kind in {"front", "list", "notice"}]
    assert others
    for page in others:
        document = parse(Page(url=urljoin(site.base_url, page.path), body=page.html, fetched_at=EPOCH))
        assert extractor.extract(document, EPOCH).template == ""
