"""Pages that a learned map does not know: which are handed to the tagger, and what their records say."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sitewright.extract import Extractor
from sitewright.parse import parse
from sitewright.processes.extract import ExtractJob
from sitewright.processes.tasks import pack_map, read_item
from sitewright.reading.mapped import Doubt, MapReader, MapReading, handed_fields
from sitewright.reading.taggers import ONLY_MAP
from sitewright.types import ExtractionMap, Limits, Page, Record, Rule, Support, Template, Value

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
TITLE = "Old harbour of Corwick reopens after eleven years"
PARAGRAPHS = [
    f"The {place} counted {number:,} visitors in {year}, said the mayor, and {share} percent of them had come by ferry, "
    f"which nobody at the {place} had thought possible when the work began."
    for place, number, year, share in [
        ("harbour", 8046, 1983, 3),
        ("library", 9708, 2010, 50),
        ("market hall", 1458, 1984, 28),
        ("river bridge", 8919, 2019, 15),
        ("tram depot", 9331, 2020, 36),
    ]
]
LENGTH = len("\n".join(PARAGRAPHS))
HTML = (
    f'<!DOCTYPE html><html lang="en"><head><title>{TITLE} | Corwick Post</title></head><body>'
    '<nav><a href="/">Home</a><a href="/sport">Sport</a></nav><main>'
    f'<h1 class="headline">{TITLE}</h1><p class="byline">By <a rel="author" href="/ann">Ann Lee</a></p>'
    '<time class="date" datetime="2024-05-06T08:30:00+01:00">6 May 2024</time>'
    f'<div class="story">{"".join(f"<p>{text}</p>" for text in PARAGRAPHS)}</div>'
    '<b class="place">Corwick</b></main><footer>All rights reserved.</footer></body></html>'
)


def site(found: int = 5, sampled: int = 5, **template: str) -> ExtractionMap:
    """Return a map that was learned from so many pages."""

    def rule(field: str, select: str, *, many: bool = False, length: int | None = None) -> Rule:
        return Rule(field=field, select=(select,), many=many, support=Support(found, sampled, 0.9, length))

    rules = (
        rule("title", "h1.headline"),
        rule("published", "time.date"),
        rule("text", "div.story", many=True, length=LENGTH),
        rule("authors", "p.byline a", many=True),
        rule("place", "b.place"),
    )
    return ExtractionMap(site="example.com", version=4, templates=(Template(name="article", rules=rules, **template),))


def by_hand(learned: ExtractionMap) -> ExtractionMap:
    """Return a map as a person writes it: without support."""
    bare = [replace(own, rules=tuple(replace(rule, support=None) for rule in own.rules)) for own in learned.templates]
    return replace(learned, templates=tuple(bare))


def by_example(*fields: str, domain: str = "news") -> ExtractionMap:
    """Return a map that was learned for these fields alone."""
    learned = site()
    rules = tuple(rule for rule in learned.rules if rule.field in fields)
    return replace(learned, domain=domain, templates=(replace(learned.templates[0], rules=rules),))


def read(html: str, extraction_map: ExtractionMap | None = None, *fields: str) -> Record:
    document = parse(Page(url="https://www.example.com/news/harbour", body=html))
    return MapReader(extraction_map or site()).extract(document, NOW, frozenset(fields))


def values(record: Record) -> dict[str, object]:
    return {name: value.value for name, value in record.fields.items()}


def without(name: str) -> str:
    """Return the page after a redesign that gave a part of it another name."""
    assert f'class="{name}"' in HTML
    return HTML.replace(f'class="{name}"', 'class="renamed"')


def test_a_page_that_the_map_reads_is_the_maps() -> None:
    record = read(HTML)
    assert (record.via, record.template, record.kind, record.map_version) == ("", "article", None, 4)
    assert values(record) == {
        "title": TITLE,
        "published": datetime.fromisoformat("2024-05-06T08:30:00+01:00"),
        "text": "\n".join(PARAGRAPHS),
        "authors": ["Ann Lee"],
        "place": "Corwick",
    }
    assert {value.rule.partition("/")[0] for value in record.fields.values()} == {"article"}


@pytest.mark.parametrize(
    ("html", "extraction_map"),
    [
        pytest.param(without("headline"), site(), id="no title"),
        pytest.param(without("story"), site(), id="no text"),
        pytest.param(
            HTML.replace('<div class="story">', '<div class="story"><p>Read on.</p></div><div>'),
            site(),
            id="next to no text",
        ),
        pytest.param(HTML, site(probe="div.gallery"), id="no template by its probe"),
        pytest.param(HTML, site(url="/pictures/"), id="no template by its address"),
        pytest.param(without("headline"), site(found=1, sampled=2), id="no title, and a map of two pages"),
    ],
)
def test_a_page_of_which_the_map_reads_next_to_nothing_is_the_taggers(html: str, extraction_map: ExtractionMap) -> None:
    record = read(html, extraction_map)
    assert (record.via, record.template, record.kind, record.map_version) == ("tagger", "", "article", 4)
    assert record.fields["title"].value == TITLE
    assert PARAGRAPHS[2] in str(record.fields["text"].value)
    assert record.fields["title"].rule.startswith("tagger/title")
    assert "images" not in record.fields, "only what the map is for is read"


def test_what_only_the_map_knows_of_a_handed_page_is_kept() -> None:
    record = read(without("headline"))
    assert (record.via, list(record.fields)) == ("tagger", ["title", "published", "text", "authors", "place"])
    assert (record.fields["place"].value, record.fields["place"].rule) == ("Corwick", "article/place#0")


@pytest.mark.parametrize(("share", "via"), [(0.05, "tagger"), (0.3, "")])
def test_a_text_is_next_to_nothing_by_the_usual_length(share: float, via: str) -> None:
    short = "The harbour is open. " * 40
    html = HTML.replace('<div class="story">', f'<div class="story"><p>{short[: int(LENGTH * share)]}</p></div><div>')
    assert read(html).via == via


def test_the_tagger_knows_the_zone_of_the_site() -> None:
    html = HTML.replace(
        'class="date" datetime="2024-05-06T08:30:00+01:00">6 May 2024', 'class="when">6 May 2024, 08:30'
    )
    assert values(read(html))["published"] == datetime(2024, 5, 6, 8, 30)
    own = replace(site(), timezone="Europe/London")
    assert str(values(read(html, own))["published"]) == "2024-05-06 08:30:00+01:00"


def test_a_field_that_all_pages_had_is_filled_in() -> None:
    record = read(without("byline"))
    assert (record.via, record.template, record.kind) == ("map, tagger", "article", None)
    assert values(record) == values(read(HTML))
    assert list(record.fields) == ["title", "published", "text", "authors", "place"], "in the order of the map"
    tagged = [name for name, value in record.fields.items() if value.rule.startswith("tagger/")]
    assert tagged == ["authors"]


@pytest.mark.parametrize(
    ("found", "sampled"),
    [pytest.param(2, 2, id="on two pages"), pytest.param(7, 8, id="not on all"), pytest.param(0, 5, id="on none")],
)
def test_a_field_that_was_not_always_there_is_not_missed(found: int, sampled: int) -> None:
    record = read(without("byline"), site(found, sampled))
    assert record.via == ""
    assert "authors" not in record.fields


def test_what_the_tagger_does_not_know_either_is_left_out() -> None:
    record = read(without("place"))
    assert record.via == ""
    assert list(record.fields) == ["title", "published", "text", "authors"]


@pytest.mark.parametrize(
    ("html", "fields", "via"),
    [
        (HTML, ["authors"], ""),
        (without("headline"), ["authors"], ""),
        (without("byline"), ["title"], ""),
        (without("byline"), ["title", "authors"], "map, tagger"),
        (without("headline"), ["title", "authors"], "tagger"),
        (without("story"), ["text"], "tagger"),
    ],
)
def test_only_what_is_asked_for_counts(html: str, fields: list[str], via: str) -> None:
    record = read(html, None, *fields)
    assert record.via == via
    assert list(record.fields) == fields


@pytest.mark.parametrize("html", [HTML, without("headline"), without("byline"), without("story"), "", "<p>Nothing."])
def test_maps_by_hand_never_hand_over(html: str) -> None:
    extraction_map = by_hand(site())
    document = parse(Page(url="https://www.example.com/a", body=html))
    assert read(html, extraction_map).via == ""
    assert values(read(html, extraction_map)) == values(Extractor(extraction_map).extract(document, NOW))


@pytest.mark.parametrize("html", [HTML, without("place"), ""])
@pytest.mark.parametrize(
    "extraction_map",
    [
        pytest.param(by_example("place"), id="fields of any name"),
        pytest.param(by_example("authors", "place"), id="some that the domain knows"),
        pytest.param(by_example("place", domain="shop"), id="of another domain"),
    ],
)
def test_maps_that_were_learned_for_nothing_that_is_required_never_hand_over(
    html: str, extraction_map: ExtractionMap
) -> None:
    document = parse(Page(url="https://www.example.com/a", body=html))
    assert read(html, extraction_map).via == ""
    assert values(read(html, extraction_map)) == values(Extractor(extraction_map).extract(document, NOW))


@pytest.mark.parametrize("html", ["", "<p>Nothing to see here.", "<html><body><nav><a href=/>Home</a></nav>"])
def test_a_page_on_which_nobody_finds_anything(html: str) -> None:
    record = read(html)
    assert record.via == "tagger"
    assert "text" not in record.fields


def asking(*fields: str, learned: ExtractionMap | None = None) -> ExtractionMap:
    """Return a map that has no rule for these fields and names them for the tagger."""
    known = learned or site(found=4)
    own = known.templates[0]
    rules = tuple(rule for rule in own.rules if rule.field not in fields)
    return replace(known, templates=(replace(own, rules=rules, tagger=fields),))


def test_fields_that_a_map_names_are_the_taggers() -> None:
    record = read(HTML, asking("authors"))
    assert record.via == "map, tagger"
    assert values(record)["authors"] == ["Ann Lee"]
    assert record.fields["title"].rule == "article/title#0"


def test_a_named_field_that_a_rule_gives_is_the_rules() -> None:
    own = site(found=4)
    named = replace(own, templates=(replace(own.templates[0], tagger=("authors",)),))
    assert read(HTML, named) == replace(read(HTML, own), extracted_at=NOW)
    assert read(without("byline"), named).via == "map, tagger"


def test_what_else_the_tagger_likely_sees_is_taken_where_it_is_asked() -> None:
    alone = replace(site(found=4), templates=(replace(asking("published").templates[0], tagger=()),))
    assert "published" not in read(without("byline"), alone).fields
    both = replace(alone, templates=(replace(alone.templates[0], tagger=("authors",)),))
    assert {"authors", "published"} <= set(read(without("byline"), both).fields)
    assert "published" not in read(without("byline"), both, "title", "authors").fields


def test_the_standfirst_that_the_tagger_reads_is_no_line_of_the_maps_text() -> None:
    lead = "Ferries, markets and the library bring eight thousand people to the quays"
    own, standfirst = asking("subtitle", learned=site(found=4)), f'<p class="standfirst"><strong>{lead}</strong></p>'
    record = read(HTML.replace('<div class="story">', f'<div class="story">{standfirst}'), own)
    assert (record.via, values(record)["subtitle"]) == ("map, tagger", lead)
    assert str(values(record)["text"]).split("\n") == PARAGRAPHS


def test_maps_by_hand_may_name_fields_for_the_tagger() -> None:
    record = read(HTML, asking("authors", learned=by_hand(site())))
    assert (record.via, values(record)["authors"]) == ("map, tagger", ["Ann Lee"])


@pytest.mark.parametrize(
    ("extraction_map", "fields"),
    [
        (asking("tags", learned=by_hand(site())), {"tags"}),
        (
            asking("tags"),
            {"title", "subtitle", "published", "modified", "text", "authors", "categories", "tags", "place"},
        ),
        (site(), {"title", "published", "text", "authors", "place"}),
        (by_hand(site()), set()),
        (by_example("place"), set()),
        (by_example("authors", "place"), set()),
        (by_example("title", "place"), {"title", "text", "place"}),
        (ExtractionMap(site="example.com"), set()),
        (ExtractionMap(site="example.com", templates=(Template(name="a", rules=site().rules[:1]),)), {"title", "text"}),
    ],
)
def test_the_fields_that_may_be_handed_on(extraction_map: ExtractionMap, fields: set[str]) -> None:
    assert handed_fields(extraction_map) == fields


@pytest.mark.parametrize(
    ("job", "reader"),
    [
        (ExtractJob(extraction_map=site()), MapReader),
        (ExtractJob(extraction_map=by_hand(site())), MapReader),
        (ExtractJob(extraction_map=site(), tagger=ONLY_MAP), Extractor),
    ],
)
def test_jobs_hand_over_unless_told_not_to(job: ExtractJob, reader: type) -> None:
    assert type(job.reader()) is reader


# Fields whose rules are in doubt


WRONG = HTML.replace(TITLE, "Most read", 2).replace("</head>", f'<meta property="og:title" content="{TITLE}"></head>')
WRONG = WRONG.replace('<h1 class="headline">Most read</h1>', f'<b class="headline">Most read</b><h1>{TITLE}</h1>')


def doubting(html: str, *fields: str, extraction_map: ExtractionMap | None = None, only: str = "") -> MapReading:
    """Read a page while the rules of some fields are in doubt."""
    wrong = extraction_map or site()
    renamed = tuple(
        replace(rule, select=(".headline",)) if rule.field == "title" else rule for rule in wrong.templates[0].rules
    )
    wrong = replace(wrong, templates=(replace(wrong.templates[0], rules=renamed),))
    reader = MapReader(wrong, [Doubt("article", field) for field in fields])
    document = parse(Page(url="https://www.example.com/news/harbour", body=html))
    return reader.read(document, NOW, frozenset(only.split()))


def test_values_in_doubt_are_the_taggers_and_the_maps_own_are_kept_beside_them() -> None:
    sure = doubting(WRONG)
    assert (sure.record.via, sure.record.fields["title"].value) == ("", "Most read")
    reading = doubting(WRONG, "title")
    record = reading.record
    assert (record.via, record.template, record.map_version) == ("map, tagger", "article", 4)
    assert record.fields["title"].value == TITLE
    assert record.fields["title"].rule.startswith("tagger/title")
    assert reading.by_map == sure.record
    assert reading.by_map.fields["title"].value == "Most read"
    assert list(record.fields) == list(sure.record.fields), "in the order of the map"
    others = {name: value for name, value in record.fields.items() if name != "title"}
    assert others == {name: value for name, value in sure.record.fields.items() if name != "title"}


@pytest.mark.parametrize("field", ["title", "published", "text", "authors"])
def test_any_field_may_be_in_doubt(field: str) -> None:
    reading = doubting(WRONG, field)
    tagged = [name for name, value in reading.record.fields.items() if value.rule.startswith("tagger/")]
    assert tagged == [field]
    assert reading.record.via == "map, tagger"


def test_rules_are_read_where_what_is_required_is_in_doubt() -> None:
    """After a redesign new rules of some fields were adopted; those of title and text wait for a person."""
    rebuilt = HTML.replace('class="headline"', 'class="x1"').replace('class="story"', 'class="x2"')
    assert doubting(rebuilt).record.via == "tagger"
    record = doubting(rebuilt, "title", "text").record
    assert (record.via, record.template) == ("map, tagger", "article")
    by_rules = {name for name, value in record.fields.items() if not value.rule.startswith("tagger/")}
    assert by_rules == {"published", "authors", "place"}
    assert record.fields["title"].value == TITLE


def test_what_a_map_has_no_rule_for_at_all_is_the_taggers_and_all_else_its_own() -> None:
    without_text = by_example("title", "published", "authors", "place")
    record = read(HTML, without_text)
    assert record.via == "map, tagger"
    assert {name for name, value in record.fields.items() if value.rule.startswith("tagger/")} == {"text"}
    assert read(HTML.replace('class="headline"', 'class="x1"'), without_text).via == "tagger"


def test_what_the_tagger_does_not_read_either_is_left_out_while_it_is_in_doubt() -> None:
    reading = doubting(WRONG, "place")
    assert "place" not in reading.record.fields
    assert reading.by_map.fields["place"].value == "Corwick"
    assert reading.record.via == ""


def test_doubts_of_other_templates_and_unknown_fields_change_nothing() -> None:
    reader = MapReader(site(), [Doubt("gallery", "title"), Doubt("article", "nothing"), Doubt("", "text")])
    reading = reader.read(parse(Page(url="https://www.example.com/news/harbour", body=HTML)), NOW)
    assert reading.record == reading.by_map == read(HTML)


def test_maps_by_hand_may_be_doubted_too() -> None:
    reading = doubting(WRONG, "title", extraction_map=by_hand(site()))
    assert (reading.record.via, reading.record.fields["title"].value) == ("map, tagger", TITLE)


@pytest.mark.parametrize(
    ("only", "tagged", "via"), [("title text", ["title"], "map, tagger"), ("text", [], ""), ("published", [], "")]
)
def test_doubts_count_only_for_what_is_asked_for(only: str, tagged: list[str], via: str) -> None:
    record = doubting(WRONG, "title", only=only).record
    assert set(record.fields) == set(only.split())
    assert [name for name, value in record.fields.items() if value.rule.startswith("tagger/")] == tagged
    assert record.via == via


def test_a_page_that_is_handed_over_keeps_nothing_that_is_in_doubt() -> None:
    reading = doubting(without("story"), "place")
    assert reading.record.via == "tagger"
    assert "place" not in reading.record.fields
    assert reading.by_map.fields["place"].value == "Corwick"


# Pages that lack all that is usual


def repaired(found: int) -> ExtractionMap:
    """Return a map whose rules give their fields on some of eight pages; those of before stand behind them."""
    learned = site(24, 24)
    fresh = [
        replace(rule, support=replace(rule.support or Support(0, 0), found=found, sampled=8)) for rule in learned.rules
    ]
    dead = [replace(rule, select=("nav.gone",)) for rule in learned.rules]
    return replace(learned, templates=(replace(learned.templates[0], rules=(*fresh, *dead)),))


def test_what_rules_of_before_gave_is_not_expected_any_more() -> None:
    """On half of the pages of now there is no byline: nobody is asked for it, and its lack makes no other page."""
    record = read(without("byline"), repaired(4))
    assert (record.via, "authors" in record.fields) == ("", False)
    assert isinstance(collected(ABOUT, repaired(4)), Record)
    assert read(without("byline"), repaired(8)).via == "map, tagger"
    assert collected(ABOUT, repaired(8)) == "not_item"


USUAL = site(8, 8)
CHANGED = HTML.replace('class="byline"', 'class="who"').replace('class="date"', 'class="when"')
CHANGED = CHANGED.replace('class="place"', 'class="where"')
"""The headline and the text are where they were, all else has another name."""
ABOUT = (
    '<!DOCTYPE html><html lang="en"><head><title>About us | Corwick Post</title></head><body>'
    '<nav><a href="/">Home</a><a href="/sport">Sport</a></nav><main><h1 class="headline">About the Corwick Post</h1>'
    f'<div class="story">{"".join(f"<p>{text}</p>" for text in PARAGRAPHS)}</div></main></body></html>'
)
"""A page about the site itself: a headline and a text, and nothing else of what articles have."""


def collected(html: str, extraction_map: ExtractionMap = USUAL) -> Record | str:
    """Return the record of a page as a collector reads it, or the code of its failure."""
    page = Page(url="https://www.example.com/news/harbour", body=html.encode(), fetched_at=NOW)
    found = read_item(Limits(), page, pack_map(extraction_map))
    assert found.record is not None or found.failure is not None
    return found.record if found.record is not None else found.failure.code  # type: ignore[union-attr]


def test_a_page_that_has_what_is_usual_by_the_tagger_is_not_refused() -> None:
    record = collected(CHANGED)
    assert isinstance(record, Record)
    assert record.via == "map, tagger"
    assert record.fields["authors"].value == ["Ann Lee"]
    assert {name for name, value in record.fields.items() if value.rule.startswith("tagger/")} == {
        "authors",
        "published",
    }


def test_a_page_about_the_site_itself_is_refused() -> None:
    assert collected(ABOUT) == "not_item"
    assert isinstance(collected(HTML), Record)


def test_without_enough_pages_nothing_is_usual() -> None:
    assert isinstance(collected(ABOUT, site(5, 5)), Record)


def test_a_page_about_the_site_itself_is_refused_while_fields_are_in_doubt() -> None:
    document = parse(Page(url="https://www.example.com/about", body=ABOUT))
    for doubts in ([], [Doubt("article", "published")], [Doubt("article", "title"), Doubt("article", "authors")]):
        reader = MapReader(USUAL, doubts)
        assert reader.looks_other(reader.read(document, NOW))


def test_a_page_that_the_map_reads_is_no_other_while_its_fields_are_in_doubt() -> None:
    document = parse(Page(url="https://www.example.com/news/harbour", body=HTML))
    reader = MapReader(USUAL, [Doubt("article", name) for name in ("published", "authors", "place")])
    assert not reader.looks_other(reader.read(document, NOW))


def test_what_is_in_doubt_is_not_asked_for_to_tell_an_article() -> None:
    """After a repair, rules of fewer pages read the date; those of all pages are dead, and wait for another repair."""
    rules = tuple(
        replace(rule, support=Support(6, 8)) if rule.field == "published" else rule
        for rule in (*USUAL.templates[0].rules[:4], Rule(field="tags", select=(".nowhere",), support=Support(8, 8)))
    )
    changed = replace(USUAL, templates=(replace(USUAL.templates[0], rules=rules),))
    document = parse(Page(url="https://www.example.com/news/harbour", body=HTML.replace('class="byline"', "hidden")))
    for doubts, is_other in (([], True), ([Doubt("article", "tags"), Doubt("article", "authors")], False)):
        reader = MapReader(changed, doubts)
        assert reader.looks_other(reader.read(document, NOW)) == is_other


def test_what_is_less_sure_than_the_map_asks_for_is_not_found() -> None:
    document = parse(Page(url="https://example.com/a", body=HTML))
    floors = (("authors", 0.99), ("place", 0.5))
    strict = replace(site(), min_confidence=floors)
    assert "authors" in MapReader(site()).extract(document, NOW).fields
    for reader in (Extractor(strict), MapReader(strict)):
        fields = reader.extract(document, NOW).fields
        assert "authors" not in fields or fields["authors"].confidence >= 0.99
        assert "place" in fields


def test_an_alternative_that_is_sure_enough_takes_the_place_of_one_that_is_not() -> None:
    unsure = Rule(field="title", select=("h1",), support=Support(1, 10))
    sure = Rule(field="title", select=("title",), support=Support(10, 10))
    one = ExtractionMap(site="example.com", templates=(Template(name="a", rules=(unsure, sure)),))
    document = parse(Page(url="https://example.com/a", body=HTML))
    assert Extractor(one).extract(document).fields["title"].rule == "a/title#0"
    assert (
        Extractor(replace(one, min_confidence=(("title", 0.8),))).extract(document).fields["title"].rule == "a/title#1"
    )


def test_what_the_tagger_takes_for_an_item_is_one_while_the_site_is_in_doubt() -> None:
    """New stories may show less than the old ones did: no author, no date where anybody finds it."""
    page = HTML.replace('class="byline"', "hidden").replace("<h1", "<h2").replace("</h1", "</h2")
    document = parse(Page(url="https://www.example.com/news/harbour", body=page))
    for doubts, is_other in (([], True), ([Doubt("article", "place")], False)):
        reader = MapReader(USUAL, doubts)
        by_map = reader.extractor.extract(document, NOW)
        item = replace(by_map, via="tagger", kind="article", fields={"title": Value("Bees", 0.9, "tagger/title")})
        assert reader.looks_other(MapReading(item, replace(by_map, fields={}))) == is_other


def test_a_list_is_no_item_where_the_map_was_learned_without_lists() -> None:
    rules = (
        Rule(field="name", select=("h1",), support=Support(5, 5)),
        Rule(field="price", select=("span.price",), support=Support(5, 5)),
    )
    shop = ExtractionMap(site="s.example", domain="shop", templates=(Template(name="product", rules=rules),))
    names = (
        "Spade",
        "Rake",
        "Hoe",
        "Fork",
        "Trowel",
        "Shears",
        "Dibber",
        "Edger",
        "Sickle",
        "Scythe",
        "Pick",
        "Mattock",
    )
    cards = "".join(
        f'<li class="product-item"><a href="/p/{name}"><img src="/i/{name}.jpg"><h3>{name} of steel</h3></a><span class="price">€ {n},50</span></li>'
        for n, name in enumerate(names, 3)
    )
    body = (
        '<body><nav><a href="/">Home</a> <a href="/c/garden">Garden</a></nav><main><h1>Garden tools</h1><p>12 products</p>'
        f'<label>Sort by</label><select><option>Price</option></select><ul class="product-list">{cards}</ul>'
        '<div class="pagination"><a href="?page=1">1</a> <a href="?page=2">2</a></div></main></body>'
    )
    record = MapReader(shop).extract(parse(Page(url="https://s.example/c/garden", body=body)))
    assert list(record.fields) == ["items"]
    assert (record.kind, record.template, record.via) == ("list", "", "tagger")
    single = body.replace(cards, cards.partition("</li>")[0])
    assert MapReader(shop).extract(parse(Page(url="https://s.example/p/1", body=single))).template == "product"
