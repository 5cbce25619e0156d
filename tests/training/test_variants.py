"""A page as it could have been: less metadata, sections and fields cut out."""

import random
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.labels import COLUMN, Targets, unit_targets
from training.variants import cut_field, cut_sections, hide_stated, keep_units, some_kinds

from sitewright.parse import parse
from sitewright.tag.units import Unit, UnitKind, read_units
from sitewright.types import Page
from sitewright.values import Context

pytestmark = pytest.mark.slow

HTML = """<html lang=en><title>Old ferry returns to the harbour | The Lantern</title>
<meta property="og:title" content="Old ferry returns to the harbour"><meta name=author content="Ann Lee">
<meta property="article:published_time" content="2024-05-06T07:30:00+02:00"><meta name=keywords content="ferries, harbours">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Old ferry returns to the harbour"}</script>
<nav><a href=/>Home</a> <a href=/sport>Sport</a></nav><h1>Old ferry returns to the harbour</h1>
<p>By <a href=/ann>Ann Lee</a>, <time>6 May 2024</time></p><div><p>The old ferry returned to the harbour on Monday morning.</p>
<p>Several hundred people had come to the quay to see it arrive.</p></div><ul><li>ferries<li>harbours</ul>
<aside><p>Other news of the day</p><p>More of it here</p></aside><footer>Imprint</footer>"""
LABELS = {
    "title": "Old ferry returns to the harbour",
    "published": "2024-05-06",
    "authors": ["Ann Lee"],
    "tags": ["ferries", "harbours"],
    "text": "The old ferry returned to the harbour on Monday morning.\nSeveral hundred people had come to the quay to see it arrive.",
}
VALUES = {
    "title": ["ferry returns"],
    "published": ["2024"],
    "authors": ["Ann Lee"],
    "tags": ["ferries", "harbours"],
    "text": ["Monday", "Several hundred"],
}


def page() -> tuple[list[Unit], Targets]:
    document = parse(Page(url="https://www.example.com/2024/05/06/a", body=HTML))
    units = read_units(document)
    context = Context(document=document, now=datetime(2024, 6, 15, tzinfo=UTC), language="en")
    return units, unit_targets(units, LABELS, context)


def check(units: list[Unit], kept_units: list[Unit], kept: list[int]) -> None:
    """Parts stand with their run, numbers are those of the new sequence, and nothing else has changed."""
    assert len(kept_units) == len(kept)
    assert kept == sorted(set(kept))
    for number, (unit, old) in enumerate(zip(kept_units, kept, strict=True)):
        assert 0 <= unit.run < len(kept_units)
        assert kept[unit.run] == units[old].run
        assert (unit.text, unit.kind, unit.source) == (units[old].text, units[old].kind, units[old].source)
        if unit.kind in {UnitKind.RUN, UnitKind.STATED}:
            assert unit.run == number


@given(st.sets(st.integers(0, 60)))
def test_units_that_are_kept_are_numbered_anew(gone: set[int]) -> None:
    units, _ = page()
    before = [unit.run for unit in units]
    kept_units, kept = keep_units(units, lambda number, _: number not in gone)
    check(units, kept_units, kept)
    assert not gone & set(kept)
    assert [unit.run for unit in units] == before


@pytest.mark.parametrize("field", VALUES)
def test_a_field_that_is_cut_is_shown_and_stated_nowhere(field: str) -> None:
    units, targets = page()
    assert targets.shown(field) is True
    kept_units, kept = cut_field(units, targets, field)
    check(units, kept_units, kept)
    assert not [unit.text for unit in kept_units for value in VALUES[field] if value in unit.text]
    assert not (targets.values[kept][:, COLUMN[field]] > 0).any()


@pytest.mark.parametrize("field", VALUES)
def test_the_other_fields_stay(field: str) -> None:
    units, targets = page()
    _, kept = cut_field(units, targets, field)
    left = Targets(targets.values[kept])
    together = {"authors", "published"}  # one line has both, but metadata states each alone
    for other in VALUES.keys() - {field} - together:
        assert left.shown(other) is True


@pytest.mark.parametrize(
    ("kinds", "gone", "left"),
    [
        (["jsonld"], {"jsonld:headline"}, {"meta:og:title", "title", "meta:author", "url:date"}),
        (["social"], {"meta:og:title", "meta:article:published_time"}, {"jsonld:headline", "meta:author", "title"}),
        (["meta"], {"meta:author", "meta:keywords"}, {"meta:og:title", "jsonld:headline"}),
        (["title", "url"], {"title", "url:date"}, {"meta:og:title"}),
        ([], set(), {"title"}),
    ],
)
def test_kinds_of_metadata_are_hidden(kinds: list[str], gone: set[str], left: set[str]) -> None:
    units, _ = page()
    kept_units, kept = hide_stated(units, kinds)
    check(units, kept_units, kept)
    sources = {unit.source for unit in kept_units}
    assert not gone & sources
    assert left <= sources
    assert [u.text for u in kept_units if u.place is not None] == [u.text for u in units if u.place is not None]


@given(st.integers(0, 10_000))
def test_sections_are_cut_but_not_the_title(seed: int) -> None:
    units, targets = page()
    kept_units, kept = cut_sections(units, targets, random.Random(seed))
    check(units, kept_units, kept)
    assert Targets(targets.values[kept]).shown("title") is True


def test_the_kinds_to_hide_are_chosen_by_chance_alone() -> None:
    chosen = [tuple(some_kinds(random.Random(seed))) for seed in range(40)]
    assert chosen == [tuple(some_kinds(random.Random(seed))) for seed in range(40)]
    assert len(set(chosen)) > 5
