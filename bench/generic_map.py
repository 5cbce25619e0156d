"""Pages of one site in, a map of seven fields out, put together mechanically from rules that fit many sites."""

import json
from collections.abc import Sequence
from typing import Any

from sitewright.extract import Extractor
from sitewright.maps import parse_map
from sitewright.parse import parse
from sitewright.types import Page

RuleText = dict[str, Any]

SHORTEST_TEXT = 300
"""A text of fewer characters counts as not found: a caption, a notice, a teaser."""
CLEARLY_BETTER = 0.1
"""By how much of the pages a later candidate must win over an earlier one."""


def _meta(name: str, **more: bool) -> RuleText:
    return {"select": [f"meta[property='{name}']", f"meta[name='{name}']"], "take": "@content", **more}


CANDIDATES: dict[str, tuple[RuleText, ...]] = {
    "title": ({"select": ["article h1"]}, {"select": ["h1"]}, {"take": "jsonld:headline"}, _meta("og:title")),
    "subtitle": (
        {"select": ["[itemprop=alternativeHeadline]", "[class*=subtitle]", "[class*=standfirst]", "[class*=chapo]"]},
        _meta("og:description"),
        _meta("description"),
        {"take": "jsonld:description"},
    ),
    "published": (
        {"select": ["article time[datetime]", "time[datetime]"], "take": "@datetime"},
        {"select": ["[itemprop=datePublished]"], "take": "@content"},
        _meta("article:published_time"),
        {"take": "jsonld:datePublished"},
        {"select": ["[class*=date]"]},
    ),
    "text": tuple(
        {"select": [f"{holder} p"], "many": True, "remove": ["figure", "aside", "form"]}
        for holder in ("[itemprop=articleBody]", "article", "main", "[class*=content]", "body")
    ),
    "authors": (
        {"select": ["[rel=author]", "[itemprop=author] [itemprop=name]"], "many": True},
        {"select": ["[class*=author] a"], "many": True},
        {"select": ["[class*=byline]"]},
        _meta("author"),
        {"take": "jsonld:author.name", "many": True},
    ),
    "categories": (
        {"select": ["[class*=breadcrumb] a"], "many": True},
        _meta("article:section", many=True),
        {"take": "jsonld:articleSection", "many": True},
    ),
    "tags": (
        {"select": ["a[rel=tag]"], "many": True},
        {"select": ["[class*=tags] a"], "many": True},
        _meta("article:tag", many=True),
        _meta("keywords", many=True),
        {"take": "jsonld:keywords", "many": True},
    ),
}


def write_map(site: str, pages: Sequence[tuple[str, str]]) -> str:
    """Return the text of a map: for each field the candidate that is found on most pages."""
    rules = {field: _best(field, pages) for field in CANDIDATES}
    return _map_text(site, rules)


def fill_rates(map_text: str, pages: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Return on which share of the pages each field of a map is found."""
    extractor = Extractor(parse_map(map_text))
    fields = extractor.map.fields
    counts = dict.fromkeys(fields, 0)
    for url, html in pages:
        for field, value in extractor.extract(parse(Page(url=url, body=html))).fields.items():
            counts[field] += field != "text" or len(str(value.value)) >= SHORTEST_TEXT
    return {field: count / len(pages) for field, count in counts.items()}


def _best(field: str, pages: Sequence[tuple[str, str]]) -> RuleText:
    rated = [(fill_rates(_map_text("any", {field: rule}), pages)[field], rule) for rule in CANDIDATES[field]]
    best, chosen = rated[0]
    for rate, rule in rated[1:]:
        if rate > best + CLEARLY_BETTER:
            best, chosen = rate, rule
    return chosen


def _map_text(site: str, rules: dict[str, RuleText]) -> str:
    """Write a map file; JSON is YAML."""
    return json.dumps({"sitewright": 1, "site": site, "templates": [{"name": "article", "rules": rules}]}, indent=1)
