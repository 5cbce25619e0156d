"""Regular expressions of people take bounded time."""

import json
from itertools import count

import pytest

from sitewright.checking import pattern_error
from sitewright.domains import FieldWords
from sitewright.errors import SelectorError
from sitewright.extract import Extractor
from sitewright.induce.affinity import affinity
from sitewright.maps import parse_map
from sitewright.maps.rendering import render_of_item
from sitewright.parse import parse, patterns
from sitewright.parse.patterns import PatternTooSlow, check_pattern, fits
from sitewright.types import ExtractionMap, Page, Template
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


@pytest.mark.parametrize("slow", [0.04, 0.01])
def test_what_is_slow_on_many_is_not_tried_on_others(monkeypatch: pytest.MonkeyPatch, slow: float) -> None:
    """Also where each takes less than it may: there are thousands."""
    ticks = count(step=slow)
    monkeypatch.setattr(patterns, "thread_time", lambda: next(ticks))
    pattern = f"bees {slow}"
    for _ in range(int(0.25 // slow) + 1):
        assert not fits(pattern, "https://example.com/")
    with pytest.raises(PatternTooSlow, match="takes too long on addresses"):
        fits(pattern, "https://example.com/")


def test_what_is_fast_is_tried_on_any_number() -> None:
    assert not any(fits("^https://[a-z.]+/[0-9]{4}/bees$", f"https://example.com/{number}") for number in range(20_000))


@pytest.mark.parametrize(
    "pattern", ["a{100000000}", r"((\w{1000}){1000}){1000}", "(?:(?:a{300}b){300}){300}", "(" * 5000]
)
def test_what_would_not_fit_into_memory_is_no_expression(pattern: str) -> None:
    assert check_pattern(pattern) in {"it repeats too much", "nested too deep"}
    assert pattern_error(pattern) in {"it repeats too much", "nested too deep"}


@pytest.mark.parametrize("pattern", [r"/\d{4}/\d{2}/[a-z-]{1,200}\.html$", r"[{}]{3}\{9999999\}", "(a|b){2,5}c{,3}d{"])
def test_honest_expressions_are_taken(pattern: str) -> None:
    assert check_pattern(pattern) == ""


@pytest.mark.parametrize("pattern", ["(", "[", "*", "(?P<a>"])
def test_what_is_no_expression_is_told(pattern: str) -> None:
    assert check_pattern(pattern)


@pytest.mark.parametrize(
    "rules", [LinkRules("example.com", banned=(f"re:{SLOW}",)), LinkRules("example.com", seed=(f"re:{SLOW}",))]
)
def test_links_are_refused_that_an_expression_cannot_judge(rules: LinkRules) -> None:
    assert rules.refusal(URL) == f"too slow to tell: the expression {SLOW!r} takes longer than 0.05 s on a text"
    assert "too slow" not in rules.refusal("https://example.com/a")


def test_a_template_whose_expression_takes_for_ever_does_not_fit() -> None:
    site = ExtractionMap(site="example.com", templates=(Template(name="a", url=SLOW, render="browser"),))
    assert render_of_item(site, URL) == "static"


@pytest.mark.parametrize("rule", [{"url": SLOW}, {"rules": {"title": {"select": ["h1"], "match": SLOW}}}])
def test_a_map_whose_expression_takes_for_ever_says_so(rule: dict[str, object]) -> None:
    template = {"name": "story", "rules": {"title": {"select": ["h1"]}}} | rule
    site = parse_map(json.dumps({"sitewright": 1, "site": "example.com", "templates": [template]}))
    document = parse(Page(url=URL, body=f"<h1>{URL}</h1>"))
    with pytest.raises(SelectorError, match="takes longer than"):
        Extractor(site).extract(document)


def test_words_of_a_domain_take_bounded_time() -> None:
    with pytest.raises(SelectorError, match="takes longer than"):
        affinity(FieldWords(for_it=SLOW), URL)
