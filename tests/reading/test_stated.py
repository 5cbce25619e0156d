"""Values that a page states and does not display: given and marked, or left out, by the tagger and by maps alike."""

import json
from typing import Any

import pytest

import sitewright
from sitewright.fetch.archive import TextPlace
from sitewright.processes.extract import ExtractJob
from sitewright.reading.stated import displayed, reads_metadata, stating_rules
from sitewright.reading.taggers import ONLY_MAP
from sitewright.types import ExtractionMap, Record, Rule, Template, Value

URL = "https://example.com/2024/bees"
STATED = {
    "@type": "NewsArticle",
    "headline": "Bees are back in the gardens of the town hall",
    "datePublished": "2024-05-06T08:30:00+01:00",
    "dateModified": "2024-05-09T10:00:00+01:00",
    "author": {"name": "Ann Lee"},
}
HEAD = (
    f'<!DOCTYPE html><html lang="en"><head><title>{STATED["headline"]}</title>'
    f'<script type="application/ld+json">{json.dumps(STATED)}</script></head><body><main>'
    f"<h1>{STATED['headline']}</h1><time>6 May 2024</time>"
)
TEXT = "".join(
    f"<p>The first bees of the year were seen on {day} in the gardens behind the old town hall, the city said, and "
    f"keepers who had feared that the cold would cost half of their hives counted one in {number}.</p>"
    for number, day in enumerate(("Monday", "Tuesday", "Wednesday", "Thursday"), 9)
)
SILENT = f"{HEAD}<article>{TEXT}</article></main>"
SIGNED = f'{HEAD}<p class="byline">By <a rel="author" href="/authors/bo">Bo Ek</a></p><article>{TEXT}</article></main>'
MAP = ExtractionMap(
    site="example.com",
    templates=(
        Template(
            name="article",
            rules=(
                Rule(field="title", take="jsonld:NewsArticle.headline"),
                Rule(field="authors", take="jsonld:NewsArticle.author.name", many=True),
                Rule(field="authors", select=(".byline a",), many=True),
            ),
        ),
    ),
)


def read(html: str, **options: Any) -> dict[str, Any]:
    place = TextPlace("test", 0, json.dumps({"url": URL, "html": html}).encode())
    row: dict[str, Any] = json.loads(ExtractJob(explain=True, **options).start()(place).content)
    return row


def test_what_a_page_only_states_is_given_and_marked() -> None:
    row = read(SILENT)
    assert row["modified"] == STATED["dateModified"]
    assert "not displayed, stated: jsonld:dateModified" in row["rules"]["modified"]


def test_what_a_page_only_states_is_left_out() -> None:
    row = read(SILENT, stated=False)
    assert "modified" not in row
    assert row["title"] == STATED["headline"]
    assert str(row["published"]).startswith("2024-05-06")


def test_what_is_displayed_stays() -> None:
    assert read(SIGNED, stated=False)["authors"] == ["Bo Ek"]


@pytest.mark.parametrize("tagger", ["network", ONLY_MAP])
def test_a_map_reads_what_is_displayed_by_its_other_rules(tagger: str) -> None:
    options: dict[str, Any] = {"extraction_map": MAP, "tagger": tagger}
    assert read(SIGNED, **options)["authors"] == ["Ann Lee"]
    row = read(SIGNED, stated=False, **options)
    assert (row["authors"], row["rules"]["authors"]) == (["Bo Ek"], "article/authors#1")
    assert "authors" not in read(SILENT, stated=False, **options)
    assert read(SILENT, stated=False, **options)["title"] == STATED["headline"]


def test_only_fields_that_keep_the_two_apart_count() -> None:
    assert stating_rules(MAP) == {"article/authors#0"}
    values = {name: Value("x", 0.9, f"tagger/{name}: not displayed, stated: a") for name in ("published", "tags")}
    assert list(displayed(Record(site="example.com", urls=(URL,), fields=values)).fields) == ["published"]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ('meta[name="author"]', True),
        ("head > meta[property='article:tag']", True),
        ("//meta[@name='author']/@content", True),
        (".byline meta[itemprop=name]", True),
        ("title", True),
        ("h1.title", False),
        ("article .meta", False),
        ("meta-box a", False),
    ],
)
def test_selectors_of_metadata(selector: str, *, expected: bool) -> None:
    assert reads_metadata(Rule(field="authors", select=(selector,))) is expected
    assert not reads_metadata(Rule(field="authors", select=(selector, ".byline")))


def test_the_front_door() -> None:
    assert "modified" in sitewright.read(SILENT, URL)
    assert "modified" not in sitewright.read(SILENT, URL, stated=False)
    own = sitewright.SiteMap(MAP)
    assert own.read(SIGNED, URL)["authors"] == ["Ann Lee"]
    assert sitewright.read(SIGNED, URL, map=own, stated=False)["authors"] == ["Bo Ek"]


def test_a_record_that_displays_all_is_the_same() -> None:
    record = Record(site="example.com", urls=(URL,), fields={})
    assert displayed(record) is record
