"""The tagger of domains without models: it believes the page."""

import json

import numpy as np

from sitewright.domains import parse_domain
from sitewright.parse import parse
from sitewright.tag import StatedTagger
from sitewright.tag.stated_tagger import DISPLAYED, STATED
from sitewright.tag.units import UnitKind, read_units
from sitewright.types import Page

BIKES = parse_domain(
    """\
name: bikes
item: {kind: bike}
types: [Product]
fields:
  model: {means: heading, required: true, sources: ["jsonld:name", "meta:og:title"]}
  gears: {sources: ["jsonld:gears"]}
""",
    "bikes.yaml",
)


def scored(stated: dict[str, str], body: str) -> tuple[dict[str, float], dict[str, float], str]:
    """Return the scores of texts as model and as gears (the best of each), and the kind of page."""
    head = f'<script type="application/ld+json">{json.dumps({"@type": "Product", **stated})}</script>'
    document = parse(Page(url="https://spokes.example/1", body=head + body))
    units = read_units(document, BIKES)
    scores = StatedTagger(BIKES).score(document, units)
    assert scores.units.shape == (len(units), 2)
    assert float(scores.kinds.sum()) == 1
    tables = [
        {unit.text: float(score) for unit, score in zip(units, scores.of_field(name), strict=True) if score}
        for name in ("model", "gears")
    ]
    return tables[0], tables[1], scores.kind


def test_what_is_stated_is_believed_and_what_displays_the_same() -> None:
    model, gears, kind = scored({"name": "Blue Heron", "gears": "7"}, "<h1>BLUE HERON</h1><p>8</p>")
    assert model == {"Blue Heron": np.float32(STATED), "BLUE HERON": np.float32(DISPLAYED)}
    assert gears == {"7": np.float32(STATED)}
    assert kind == "bike"


def test_only_the_most_trustworthy_source_counts() -> None:
    html = '<meta property="og:title" content="Buy a Blue Heron">'
    model, _, _ = scored({"name": "Blue Heron"}, html)
    assert set(model) == {"Blue Heron"}


def test_a_page_that_does_not_state_what_it_must_is_of_no_kind() -> None:
    model, gears, kind = scored({"gears": "7"}, "<p>7</p>")
    assert model == {}
    assert set(gears) == {"7"}
    assert kind == "other"


def test_a_page_without_units_is_of_no_kind() -> None:
    document = parse(Page(url="https://spokes.example/1", body=""))
    scores = StatedTagger(BIKES).score(document, [])
    assert (scores.kind, scores.units.shape) == ("other", (0, 2))


def test_stated_units_come_with_cuts_of_the_heading() -> None:
    html = '<script type="application/ld+json">{"@type": "Product", "name": "Blue Heron | Spokes"}</script>'
    units = read_units(parse(Page(url="https://spokes.example/1", body=html)), BIKES)
    assert "Blue Heron" in {unit.text for unit in units if unit.kind is UnitKind.PIECE}
