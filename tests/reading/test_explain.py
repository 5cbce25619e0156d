"""Where the values of a record are from, and whether the page is read today as it was then."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from sitewright.parse import parse, visible_text
from sitewright.processes.tasks import pack_map, read_item
from sitewright.reading.explain import ExplainedField, Explanation, explain_record
from sitewright.reading.mapped import Doubt
from sitewright.types import ExtractionMap, Limits, Page, Record, Rule, Support, Template, Value

AT = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
TITLE = "Old harbour of Corwick reopens after eleven years"
PARAGRAPHS = [
    f"The {place} counted {number:,} visitors in {year}, said the mayor, and {share} percent of them had come by ferry, "
    f"which nobody at the {place} had thought possible when the work began."
    for place, number, year, share in [
        ("harbour", 8046, 1983, 3),
        ("library", 9708, 2010, 50),
        ("market hall", 1458, 1984, 28),
        ("river bridge", 8919, 2019, 15),
    ]
]
HTML = (
    f'<!DOCTYPE html><html lang="en"><head><title>{TITLE} | Corwick Post</title>'
    f'<meta property="og:title" content="{TITLE}"></head><body>'
    f'<main><h1 class="headline">{TITLE}</h1><p class="byline">By <a rel="author" href="/ann">Ann Lee</a></p>'
    '<time class="date" datetime="2024-05-06T08:30:00+01:00">6 May 2024</time>'
    f'<div class="story"><p>{PARAGRAPHS[0]}</p><img src="/harbour.jpg" width="800" height="600">'
    f"{''.join(f'<p>{text}</p>' for text in PARAGRAPHS[1:])}</div>"
    '<b class="place">Corwick</b></main><footer>All rights reserved.</footer></body></html>'
)


def page(html: str = HTML) -> Page:
    return Page(url="https://www.example.com/news/harbour", body=html, fetched_at=AT)


def learned(*rules: Rule, url: str = "") -> ExtractionMap:
    own = rules or (
        Rule(field="title", select=("h1.headline",)),
        Rule(field="published", select=("time.date",)),
        Rule(field="text", select=("div.story",)),
        Rule(field="place", select=("b.place",)),
    )
    founded = tuple(replace(rule, support=Support(5, 5, 0.9)) for rule in own)
    return ExtractionMap(site="example.com", version=4, templates=(Template(name="article", url=url, rules=founded),))


def read(extraction_map: ExtractionMap, *doubts: Doubt, html: str = HTML) -> Record:
    record = read_item(Limits(), page(html), pack_map(extraction_map, doubts)).record
    assert record is not None
    return record


def by_name(told: Explanation) -> dict[str, ExplainedField]:
    return {field.name: field for field in told.fields}


def paths(field: ExplainedField) -> list[str]:
    return [source.path for source in field.sources]


def test_what_a_map_read() -> None:
    told = explain_record(read(learned()), page(), learned())
    fields = by_name(told)
    assert list(fields) == ["title", "published", "text", "place"]
    assert {field.state for field in told.fields} == {"same"}
    assert (told.also, told.failure) == ({}, None)
    title = fields["title"]
    assert title.rule == learned().templates[0].rules[0]
    assert paths(title) == ["html > body > main > h1.headline"]
    assert (title.sources[0].raw, title.sources[0].take, title.sources[0].parser) == (TITLE, "text", "line.v1")
    assert fields["published"].sources[0].tag == '<time class="date" datetime="2024-05-06T08:30:00+01:00">'
    assert fields["published"].stored.value == "2024-05-06T08:30:00+01:00"


def test_every_path_leads_to_its_element() -> None:
    told = explain_record(read(learned()), page(), learned())
    tree = parse(page()).tree
    for field in told.fields:
        for source in field.sources:
            [element] = tree.select(source.path)
            assert visible_text(element) == source.raw


def test_stored_values_of_json_are_compared_with_what_is_read() -> None:
    rules = (Rule(field="images", select=("img",), many=True), Rule(field="published", select=("time",)))
    extraction_map = ExtractionMap(site="example.com", templates=(Template(name="a", rules=rules),))
    photo = {"url": "https://www.example.com/harbour.jpg", "caption": "", "credit": "", "width": 800, "height": 600}
    stored = {"images": Value([photo], 0.9, "a/images#0"), "published": Value("2024-05-06T08:30:00+01:00", 0.9, "a/x")}
    record = Record(site="example.com", urls=(page().url,), fields=stored, template="a", map_version=1)
    told = by_name(explain_record(record, page(), extraction_map))
    assert [told[name].state for name in stored] == ["same", "same"]
    assert told["published"].rule is None
    assert told["published"].sources == ()


class TestWhatTheTaggerRead:
    def test_of_a_page_that_the_map_does_not_know(self) -> None:
        extraction_map = learned(url="/other/")
        record = read(extraction_map)
        assert record.via == "tagger"
        fields = by_name(explain_record(record, page(), extraction_map))
        assert {field.state for field in fields.values()} == {"same"}
        assert {field.rule for field in fields.values()} == {None}
        assert all(field.by_tagger for field in fields.values())
        assert paths(fields["title"])[0] == "html > body > main > h1.headline"
        stated = {source.take for source in fields["title"].sources if not source.path}
        assert "meta:og:title" in stated
        assert [source.raw for source in fields["text"].sources] == PARAGRAPHS
        assert paths(fields["text"])[0] == "html > body > main > div.story > p:nth-of-type(1)"

    def test_of_a_field_that_the_map_lacks(self) -> None:
        extraction_map = learned(
            Rule(field="title", select=("h1.headline",)),
            Rule(field="text", select=("div.story",)),
            Rule(field="authors", select=(".gone",), many=True),
        )
        record = read(extraction_map)
        assert record.via == "map, tagger"
        fields = by_name(explain_record(record, page(), extraction_map))
        assert {field.state for field in fields.values()} == {"same"}
        assert not fields["title"].by_tagger
        assert fields["authors"].by_tagger
        assert "html > body > main > p.byline > a" in paths(fields["authors"])

    def test_of_a_field_whose_rules_were_in_doubt(self) -> None:
        wrong = learned(
            Rule(field="title", select=("footer",)),
            Rule(field="published", select=("time.date",)),
            Rule(field="text", select=("div.story",)),
        )
        record = read(wrong, Doubt("article", "title"))
        assert record.fields["title"].value == TITLE
        doubts = frozenset({Doubt("article", "title")})
        title = by_name(explain_record(record, page(), wrong, doubts=doubts))["title"]
        assert (title.state, title.by_tagger, title.rule) == ("same", True, None)
        title = by_name(explain_record(record, page(), wrong))["title"]
        assert (title.state, title.by_tagger) == ("differs", True), "the rules are believed again"

    def test_pictures_by_their_addresses(self) -> None:
        extraction_map = learned(*learned().rules, Rule(field="images", select=(".gone",), many=True))
        record = read(extraction_map)
        [source] = by_name(explain_record(record, page(), extraction_map))["images"].sources
        assert source.path == "html > body > main > div.story > img"
        assert source.tag.startswith('<img src="/harbour.jpg"')


class TestWhatDiffersToday:
    def told(self, **changed: Any) -> Explanation:
        record = read(learned())
        fields = {name: value for name, value in record.fields.items() if changed.get(name, "") is not None}
        values = {name: replace(value, value=changed.get(name, value.value)) for name, value in fields.items()}
        return explain_record(replace(record, fields=values), page(), learned())

    def test_another_value(self) -> None:
        place = by_name(self.told(place="Corran"))["place"]
        assert place.state == "differs"
        assert place.now is not None
        assert (place.stored.value, place.now.value) == ("Corran", "Corwick")
        assert paths(place) == ["html > body > main > b.place"]

    def test_a_value_that_was_not_there(self) -> None:
        told = self.told(place=None)
        assert {name: value.value for name, value in told.also.items()} == {"place": "Corwick"}
        assert {field.state for field in told.fields} == {"same"}

    def test_a_value_that_is_gone(self) -> None:
        told = explain_record(read(learned()), page(HTML.replace('class="place"', "")), learned())
        place = by_name(told)["place"]
        assert (place.state, place.now, place.sources) == ("gone", None, ())

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            (replace(page(), body="<p>Nothing to see"), "not_item"),
            (replace(page(), status=410), "error_page"),
            (replace(page(), body=b"%PDF-1.4"), "not_html"),
        ],
    )
    def test_a_page_that_gives_no_record(self, changed: Page, code: str) -> None:
        told = explain_record(read(learned()), changed, learned())
        assert told.failure is not None
        assert told.failure.code == code
        assert {field.state for field in told.fields} == {"gone"}
        assert not any(field.sources for field in told.fields)

    def test_limits_are_kept(self) -> None:
        told = explain_record(read(learned()), page(), learned(), Limits(page_bytes=10))
        assert told.failure is not None
        assert told.failure.code == "page_too_large"
