"""The rule of pairs: learned from rows that several pages show, read on others."""

from datetime import UTC, datetime

import pytest

from sitewright import Page
from sitewright.domains import load_domain
from sitewright.extract import Extractor
from sitewright.induce.pairs import learn_pairs
from sitewright.induce.sample import Sample
from sitewright.parse import parse
from sitewright.types import ExtractionMap, TaggedPage, Template
from sitewright.values import page_context

SHOP = load_domain("shop")
SPEC = SHOP.fields["specifications"]
NOW = datetime(2026, 3, 16, tzinfo=UTC)
SHAPES = [
    ("<table class=facts>{}</table>", "<tr><th>{}:</th><td>{}</td></tr>"),
    ("<dl class=facts>{}</dl>", "<dt>{}</dt><dd>{}</dd>"),
    ("<ul class=features>{}</ul>", "<li>{}: {}</li>"),
    ("<div class=specs>{}</div>", "<div class=row><b>{}</b><span>{}</span></div>"),
]


def sample(number: int, around: str, row: str, *pairs: tuple[str, str]) -> Sample:
    shown = around.format("".join(row.format(*pair) for pair in pairs)) if pairs else "<p>Nothing is said.</p>"
    page = Page(url=f"https://s.example/p/{number}", body=f"<body><main><h1>Thing {number}</h1>{shown}</main></body>")
    document = parse(page)
    tagged = TaggedPage(url=page.url, kind="product", kind_score=0.9)
    return Sample(document, tagged, SHOP, page_context(document, NOW))


@pytest.mark.parametrize(("around", "row"), SHAPES)
def test_rows_are_read_on_other_pages(around: str, row: str) -> None:
    pages = [sample(n, around, row, ("Weight", f"{n} kg"), ("Blade", "steel"), ("Width", f"{n} cm")) for n in (1, 2, 3)]
    [rule] = learn_pairs([*pages, sample(4, around, row)], SPEC)
    assert rule.support is not None
    assert (rule.support.found, rule.support.sampled) == (3, 4)
    extraction_map = ExtractionMap(
        site="s.example", domain="shop", templates=(Template(name="product", rules=(rule,)),)
    )
    extractor = Extractor(extraction_map)
    other = sample(9, around, row, ("Colour", "red: dark"), ("Weight", "7 kg"))
    assert extractor.extract(other.document, NOW).fields["specifications"].value == [
        {"name": "Colour", "value": "red: dark"},
        {"name": "Weight", "value": "7 kg"},
    ]
    assert "specifications" not in extractor.extract(sample(8, around, row).document, NOW).fields


def test_pages_without_rows_have_no_rule() -> None:
    around, row = SHAPES[0]
    assert list(learn_pairs([sample(n, around, row) for n in range(3)], SPEC)) == []
    single = sample(1, around, row, ("Weight", "2 kg"), ("Blade", "steel"))
    assert list(learn_pairs([single, sample(2, around, row)], SPEC)) == []
