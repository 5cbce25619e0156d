"""Pages are read with the map of the design that they are in."""

from dataclasses import replace
from datetime import UTC, datetime

from tests.watch.bulletin import html_of, old_map, url_of, values_of

from sitewright.maps import parse_map
from sitewright.parse import Document, parse
from sitewright.reading.designs import Design, DesignReader
from sitewright.reading.mapped import Doubt
from sitewright.types import ExtractionMap, Page

NOW = datetime(2024, 6, 20, 12, 0, tzinfo=UTC)
NEW = """\
sitewright: 1
site: example.com
version: 2
templates:
  - name: article
    rules:
      title:
        - {select: [h2], support: {found: 9, sampled: 9}}
        - {select: [h1.headline], support: {found: 8, sampled: 8}}
      published:
        - {select: [span.when], support: {found: 9, sampled: 9}}
        - {select: [time.date], take: "@datetime", support: {found: 8, sampled: 8}}
      text:
        - {select: [div.copy], many: true, support: {found: 9, sampled: 9, length: 900}}
        - {select: [div.story], many: true, support: {found: 8, sampled: 8, length: 900}}
      tags: {select: [span.subject], many: true, support: {found: 9, sampled: 9}}
"""
"""The map after a repair: on old pages, the title of what else is to be read is the first heading of its kind."""
RELATED = "<aside><h2>Most read this week</h2></aside>"


def new_map() -> ExtractionMap:
    return parse_map(NEW)


def document(number: int, design: str, at: datetime = NOW) -> Document:
    html = html_of(number, design).replace("<main>", f"<main>{RELATED}")
    return parse(Page(url=url_of(number), body=html, fetched_at=at))


def read(reader: DesignReader, number: int, design: str) -> tuple[int | None, dict[str, object]]:
    record = reader.read(document(number, design), NOW).record
    return record.map_version, {name: value.value for name, value in record.fields.items()}


def test_an_old_page_is_read_by_the_map_of_its_design() -> None:
    alone, both = DesignReader(new_map()), DesignReader(new_map(), former=[Design(old_map())])
    assert read(alone, 1, "old")[1]["title"] == "Most read this week"
    version, values = read(both, 1, "old")
    assert (version, values["title"], values["tags"]) == (1, values_of(1)["title"], values_of(1)["tags"])


def test_a_new_page_is_read_by_the_newest_map() -> None:
    both = DesignReader(new_map(), former=[Design(old_map())])
    reading = both.read(document(2, "new"), NOW)
    assert (reading.record.map_version, reading.is_clear) == (2, True)
    assert reading.record.fields["title"].value == values_of(2)["title"]


def test_where_both_fit_the_newest_reads() -> None:
    same = replace(old_map(), version=2)
    reading = DesignReader(same, former=[Design(old_map())]).read(document(3, "old"), NOW)
    assert (reading.record.map_version, reading.is_clear) == (2, False)


def test_what_neither_fits_is_the_taggers() -> None:
    reader = DesignReader(new_map(), former=[Design(old_map())])
    html = html_of(4, "new").replace('class="', 'class="x')
    record = reader.read(parse(Page(url=url_of(4), body=html.replace("h2", "h3"))), NOW).record
    assert record.via == "tagger"


def test_a_former_map_that_reads_nothing_required_is_not_used() -> None:
    """Its rules spoke on half of the pages that it was learned from: whatever it reads is no surprise."""
    text = old_map()
    weak = tuple(replace(rule, select=(".nowhere",)) for rule in text.templates[0].rules)
    vague = replace(text, templates=(replace(text.templates[0], rules=tuple(map(seldom, weak))),))
    assert read(DesignReader(new_map(), former=[Design(vague)]), 5, "old")[0] == 2


def seldom(rule):  # type: ignore[no-untyped-def]
    return replace(rule, support=replace(rule.support, found=4))


def test_what_is_in_doubt_is_so_on_pages_since_then_and_of_the_newest_map_only() -> None:
    doubt = Doubt("article", "tags", NOW)
    reader = DesignReader(new_map(), [doubt], [Design(old_map())])

    def rule_of(design: str, at: datetime) -> str:
        fields = reader.read(document(6, design, at), NOW).record.fields
        return fields["tags"].rule.partition("/")[0] if "tags" in fields else "tagger"

    assert rule_of("new", NOW) == "tagger"
    assert rule_of("new", NOW.replace(hour=11)) == "article"
    assert rule_of("old", NOW) == "article"


def test_a_former_map_that_was_never_wholly_repaired_reads_what_it_can() -> None:
    """Its text was in doubt when it was made, and is the tagger's still; its other rules read what they were made for."""
    half = old_map()
    broken = tuple(
        replace(rule, select=(".gone",)) if rule.field == "text" else rule for rule in half.templates[0].rules
    )
    half = replace(half, templates=(replace(half.templates[0], rules=broken),))
    doubted = Design(half, frozenset({Doubt("article", "text")}))
    assert read(DesignReader(new_map(), former=[Design(half)]), 7, "old")[0] == 2
    version, values = read(DesignReader(new_map(), former=[doubted]), 7, "old")
    assert (version, values["title"]) == (1, values_of(7)["title"])
    assert "text" in values
