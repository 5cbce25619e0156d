"""How a page is fetched, as its map says."""

import pytest

from sitewright.maps.rendering import render_of_item
from sitewright.types import ExtractionMap, Render, Template

TEMPLATES = (
    Template(name="film", url=r"/film/\d+", render="browser"),
    Template(name="live", url="/live/"),
    Template(name="article"),
)


@pytest.mark.parametrize(
    ("path", "of_site", "expected"),
    [
        ("/film/7", "static", "browser"),
        ("/film/about", "static", "static"),
        ("/live/1", "browser", "browser"),
        ("/a", "static", "static"),
    ],
)
def test_a_template_has_the_word_then_the_map(path: str, of_site: Render, expected: Render) -> None:
    site = ExtractionMap(site="example.com", templates=TEMPLATES, render=of_site)
    assert render_of_item(site, f"https://example.com{path}") == expected
