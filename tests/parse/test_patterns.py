"""Regular expressions of people take bounded time."""

import pytest

from sitewright.maps.rendering import render_of_item
from sitewright.parse.patterns import PatternTooSlow, check_pattern, fits
from sitewright.types import ExtractionMap, Template
from sitewright.watch.links import LinkRules

SLOW = r"(.+)(.+)(.+)(.+)(.+)\1\2\3\4\5!"
"""Has far too many ways to fit."""
URL = "https://example.com/" + "a-long-story-about-bees-and-hives-" * 8 + "!x"


def test_what_fits() -> None:
    assert fits(r"/\d{4}/", "https://example.com/2024/bees")
    assert not fits(r"^/\d{4}/", "https://example.com/2024/bees")


def test_what_takes_for_ever_is_told() -> None:
    with pytest.raises(PatternTooSlow):
        fits(SLOW, URL)


@pytest.mark.parametrize("pattern", ["(", "[", "*", "(?P<a>"])
def test_what_is_no_expression_is_told(pattern: str) -> None:
    assert check_pattern(pattern)


@pytest.mark.parametrize(
    "rules", [LinkRules("example.com", banned=(f"re:{SLOW}",)), LinkRules("example.com", seed=(f"re:{SLOW}",))]
)
def test_links_are_refused_that_an_expression_cannot_judge(rules: LinkRules) -> None:
    assert rules.refusal(URL) == f"too slow to tell: re:{SLOW}"
    assert "too slow" not in rules.refusal("https://example.com/a")


def test_a_template_whose_expression_takes_for_ever_does_not_fit() -> None:
    site = ExtractionMap(site="example.com", templates=(Template(name="a", url=SLOW, render="browser"),))
    assert render_of_item(site, URL) == "static"
