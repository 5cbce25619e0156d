"""Pairs of name and value: in tables, lists of terms, lines; and what is none."""

import pytest

from sitewright import Page
from sitewright.domains import load_domain
from sitewright.parse import Document, parse
from sitewright.repeats import find_pairs, pair_rows, stated_pairs

SPEC = load_domain("shop").fields["specifications"]
WANTED = [
    {"name": "Weight", "value": "2 kg"},
    {"name": "Blade", "value": "steel"},
    {"name": "Length", "value": "110 cm"},
]


def page(body: str) -> Document:
    return parse(Page(url="https://shop.example/p", body=f"<body><h1>Spade</h1><p>{'It digs. ' * 30}</p>{body}</body>"))


def rows(pattern: str) -> str:
    return "".join(pattern.format(row["name"], row["value"]) for row in WANTED)


@pytest.mark.parametrize(
    "body",
    [
        f"<table class=info>{rows('<tr><th>{}</th><td>{}</td></tr>')}</table>",
        f"<table><tr><th>Property</th><th>Value</th></tr>{rows('<tr><td>{}:</td><td>{}</td></tr>')}</table>",
        f"<dl>{rows('<dt>{}</dt><dd>{}</dd>')}</dl>",
        f"<ul class=features>{rows('<li><b>{}:</b> {}</li>')}</ul>",
        f"<ul class=attributes>{rows('<li>{}： {}</li>')}</ul><ul><li>one</li><li>two</li></ul>",
        f"<div class=specs>{rows('<div class=row><span>{}</span><span>{}</span></div>')}</div>",
    ],
)
def test_pairs_are_found(body: str) -> None:
    found = find_pairs(page(f"<nav><ul><li>Mon: open</li><li>Tue: open</li></ul></nav>{body}"), SPEC.words)
    assert found is not None
    assert [row for row in pair_rows(found) if row["name"] != "Property"] == WANTED


@pytest.mark.parametrize(
    "body",
    [
        "<p>It is good.</p>",
        f"<table class=reviews>{rows('<tr><td>{}</td><td>{}</td></tr>')}</table>",
        f"<table class=variations>{rows('<tr><td>{}</td><td><select><option>{}</option></select></td></tr>')}</table>",
        f"<footer><dl>{rows('<dt>{}</dt><dd>{}</dd>')}</dl></footer>",
        f"<div>{rows('<div class=cell><span>{}</span><span>{}</span></div>')}</div>",
        "<table><tr><td>Weight</td><td>2 kg</td></tr></table>",
        f"<table>{'<tr><td>S</td><td>M</td><td>L</td><td>XL</td></tr>' * 4}</table>",
    ],
)
def test_what_is_no_list_of_pairs_gives_none(body: str) -> None:
    assert find_pairs(page(body), SPEC.words) is None


def test_what_metadata_state() -> None:
    stated = '[{"name": "Weight", "value": "2 kg"}, {"name": "Odd"}, {"name": "Teeth", "value": 4}]'
    script = f'<script type="application/ld+json">{{"@type": "Product", "additionalProperty": {stated}}}</script>'
    expected = [{"name": "Weight", "value": "2 kg"}, {"name": "Teeth", "value": "4"}]
    assert stated_pairs(page(script), SPEC.sources, ["Product"]) == expected
    assert stated_pairs(page(""), SPEC.sources, ["Product"]) == []
