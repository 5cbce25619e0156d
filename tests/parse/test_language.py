"""A page that does not state its language is English where its words are."""

import pytest

from sitewright.parse import parse
from sitewright.parse.language import language_of_page
from sitewright.types import Page

ENGLISH = "The bees are back in the gardens of the town, and that is what the people who live there had hoped for. " * 4
GERMAN = "Die Bienen sind zurück in den Gärten der Stadt, und darauf hatten die Leute gehofft, die dort wohnen. " * 4


@pytest.mark.parametrize(
    ("html", "language"),
    [
        (f"<p>{ENGLISH}", "en"),
        (f"<p>{GERMAN}", ""),
        ("<p>The bees of the town", ""),
        ("", ""),
        (f"<html lang=de><p>{ENGLISH}", "de"),
    ],
)
def test_the_language_is_stated_or_seen(html: str, language: str) -> None:
    assert language_of_page(parse(Page(url="https://www.example.com/", body=html))) == language
