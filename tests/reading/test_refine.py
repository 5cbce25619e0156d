"""A map and what was learned from other pages of the site: what stays, what is new."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sitewright.errors import MixedSites
from sitewright.extract import Extractor
from sitewright.induce import Learned, learn_map
from sitewright.maps import dump_map, parse_map
from sitewright.parse import Document, parse
from sitewright.reading.refine import refine
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Page, Rule, Support, Template

pytestmark = pytest.mark.slow

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
PAGES = 5
PEOPLE = ("Ann Lee", "Ben Okafor", "Clara Winter", "Dario Rossi", "Eva Lind")
SPOTS = ("harbour", "library", "market hall", "river bridge", "tram depot", "city garden")


def title_of(number: int) -> str:
    return f"The {SPOTS[number % 6]} of Corwick reopens after {number + 3} years of work"


def paragraphs_of(number: int, name: str = "") -> str:
    draw = random.Random(number)
    sentences = [
        f"The {draw.choice(SPOTS)} counted {draw.randint(100, 9999):,} visitors in {draw.randint(1950, 2023)}, said "
        f"{draw.choice(PEOPLE)}, and the {draw.choice(SPOTS)} had {draw.randint(3, 90)} percent more than a year before."
        for _ in range(6)
    ]
    return "".join(f'<p class="{name}">{sentence}</p>' if name else f"<p>{sentence}</p>" for sentence in sentences)


def document(number: int) -> Document:
    """Return a story; the first two of a sample bear a mark on their headlines."""
    name = "headline special" if number % PAGES < 2 else "headline"
    html = (
        f'<!DOCTYPE html><html lang="en"><head><title>{title_of(number)} | Corwick Post</title></head><body>'
        '<nav class="menu"><a href="/">Home</a><a href="/sport">Sport</a></nav><main>'
        f'<h1 class="{name}">{title_of(number)}</h1><p class="byline">By {PEOPLE[number % 5]}</p>'
        f'<time class="date" datetime="2024-05-{number + 1:02}T08:30:00+01:00">{number + 1} May 2024</time>'
        f'<div class="story">{paragraphs_of(number)}</div></main>'
        '<footer class="end">All rights reserved.</footer></body></html>'
    )
    return parse(Page(url=f"https://www.example.com/news/{number}", body=html))


def old_document(number: int) -> Document:
    """Return a story in the design that the site had before."""
    html = (
        f'<!DOCTYPE html><html lang="en"><head><title>{title_of(number)} | Corwick Post</title></head><body id="page">'
        '<div class="masthead"><a class="logo" href="/">Corwick Post</a><span class="slogan">Since 1871</span></div>'
        f'<div class="wrapper"><div class="article-head"><h2 class="article-title">{title_of(number)}</h2>'
        f'<div class="article-meta"><span class="writer">By {PEOPLE[number % 5]}</span> '
        f'<span class="when">2024-05-{number + 1:02}</span></div></div>'
        f'<div class="article-body">{paragraphs_of(number, "para")}</div>'
        '<div class="article-foot"><span class="share">Share this</span></div></div>'
        '<div class="bottom">Imprint</div></body></html>'
    )
    return parse(Page(url=f"https://www.example.com/2010/{number}", body=html))


def learn(documents: Sequence[Document]) -> Learned:
    reader = PageReader()
    return learn_map([(page, reader.read(page, NOW).tagged) for page in documents], now=NOW)


@pytest.fixture(scope="module")
def learned() -> Learned:
    return learn([document(number) for number in range(PAGES)])


def a_map(*rules: Rule, name: str = "article", **template: str) -> ExtractionMap:
    return ExtractionMap(site="example.com", version=7, templates=(Template(name=name, rules=rules, **template),))


def title(select: str, found: int = 0, sampled: int = 0, *, edited: bool = False) -> Rule:
    return Rule(field="title", select=(select,), support=Support(found, sampled, 0.9), edited=edited)


def of_field(extraction_map: ExtractionMap, field: str) -> list[Rule]:
    return [rule for rule in extraction_map.rules if rule.field == field]


OTHERS = [document(number) for number in range(PAGES, PAGES * 2)]
"""Pages that nothing was learned from."""


def titles(extraction_map: ExtractionMap, documents: Sequence[Document] = OTHERS) -> list[object]:
    """Return what a map reads on pages."""
    reader = Extractor(extraction_map)
    records = [reader.extract(page, NOW) for page in documents]
    return [record.fields["title"].value if "title" in record.fields else None for record in records]


RIGHT = [title_of(number) for number in range(PAGES, PAGES * 2)]


def test_the_sample_teaches_what_it_should(learned: Learned) -> None:
    assert titles(learned.extraction_map) == RIGHT
    assert {"title", "published", "text", "authors"} <= set(learned.extraction_map.fields)


def test_a_map_is_counted_up_and_knows_when(learned: Learned) -> None:
    old = replace(a_map(title("h1")), learned_at=datetime(2020, 1, 1, tzinfo=UTC))
    new = refine(old, learned)
    assert (new.version, new.learned_at) == (8, learned.extraction_map.learned_at)
    assert parse_map(dump_map(new)) == new


@pytest.mark.parametrize(
    ("before", "learned_now", "after"),
    [
        ("", "Europe/London", "Europe/London"),
        ("Europe/Dublin", "Europe/London", "Europe/Dublin"),
        ("Asia/Tokyo", "", "Asia/Tokyo"),
    ],
)
def test_facts_that_are_known_stay(learned: Learned, before: str, learned_now: str, after: str) -> None:
    now = replace(learned, extraction_map=replace(learned.extraction_map, timezone=learned_now))
    new = refine(replace(a_map(title("h1")), timezone=before), now)
    assert (new.timezone, new.language) == (after, "en")


def test_what_is_not_learned_stays(learned: Learned) -> None:
    old = replace(a_map(title("h1")), domain="news", render="browser")
    new = refine(old, learned)
    assert (new.site, new.domain, new.render, new.index) == (old.site, old.domain, old.render, old.index)


@pytest.mark.parametrize("site", ["example.org", "example.co.uk", "localhost"])
def test_pages_of_another_site_refine_nothing(learned: Learned, site: str) -> None:
    with pytest.raises(MixedSites, match=f"the map is of {site}, the pages are of example.com"):
        refine(replace(a_map(title("h1")), site=site), learned)


def test_pages_of_another_host_of_the_site_refine_its_map(learned: Learned) -> None:
    assert refine(replace(a_map(title("h1")), site="sport.example.com"), learned).site == "sport.example.com"


@pytest.mark.parametrize(
    ("select", "before", "after"),
    [
        ("h1.headline", (10, 10), (10 + PAGES, 10 + PAGES)),
        ("h1", (9, 10), (9 + PAGES, 10 + PAGES)),
        ("h1", (0, 0), (PAGES, PAGES)),
    ],
)
def test_a_rule_that_still_holds_stays_and_its_support_grows(
    learned: Learned, select: str, before: tuple[int, int], after: tuple[int, int]
) -> None:
    (rule,) = of_field(refine(a_map(title(select, *before)), learned), "title")
    assert rule.support is not None
    assert (rule.select, rule.support.found, rule.support.sampled) == ((select,), *after)
    assert rule.support.agreement is not None
    assert 0.8 < rule.support.agreement <= 1


def test_the_length_of_texts_stays(learned: Learned) -> None:
    old = a_map(title("h1"), Rule(field="text", select=("div.story",), many=True, support=Support(4, 4, 0.9, 1234)))
    (rule,) = of_field(refine(old, learned), "text")
    assert rule.support is not None
    assert (rule.support.found, rule.support.length) == (4 + PAGES, 1234)


@pytest.mark.parametrize("wrong", ["nav a", "footer", "p.byline", "time"])
def test_a_rule_that_is_wrong_makes_way(learned: Learned, wrong: str) -> None:
    old = a_map(title(wrong, 10, 10))
    new = refine(old, learned)
    assert titles(old) != RIGHT
    assert titles(new) == RIGHT
    assert (wrong,) not in [rule.select for rule in of_field(new, "title")]
    assert of_field(new, "title") == of_field(learned.extraction_map, "title")


def test_a_rule_that_is_right_where_it_speaks_stays_as_an_alternative(learned: Learned) -> None:
    old = title("h1.special", 3, 10)
    new = refine(a_map(old), learned)
    *first, last = of_field(new, "title")
    assert first == of_field(learned.extraction_map, "title")
    assert last == old
    assert titles(new) == RIGHT


@pytest.mark.parametrize(("select", "found"), [("h1.special", 3 + 2), ("h1.gone", 3)], ids=["it speaks", "it is dead"])
def test_what_stays_behind_new_rules_says_how_often_it_speaks_now(learned: Learned, select: str, found: int) -> None:
    text = Rule(field="text", select=("div.story",), many=True, support=Support(10, 10, 0.9))
    new = refine(a_map(title(select, 3, 10), text), learned)
    *first, last = of_field(new, "title")
    assert first == of_field(learned.extraction_map, "title")
    assert last.support is not None
    assert (last.select, last.support.found, last.support.sampled) == ((select,), found, 10 + PAGES)


@pytest.mark.parametrize("select", ["nav a", "h1", "h1.special", "h1.headline"])
def test_edited_rules_are_kept_as_they_are(learned: Learned, select: str) -> None:
    old = [title(select, 2, 3, edited=True), title("h4", 1, 3)]
    assert of_field(refine(a_map(*old), learned), "title") == old


@pytest.mark.parametrize("select", ["nav a", "h1", "h1.special", "h1.headline"])
def test_edited_rules_are_judged_like_others_when_told(learned: Learned, select: str) -> None:
    new = refine(a_map(title(select, 2, 3, edited=True)), learned, keep_edited=False)
    assert not any(rule.edited for rule in of_field(new, "title"))
    assert titles(new) == RIGHT


def test_other_fields_are_learned_beside_an_edited_one(learned: Learned) -> None:
    new = refine(a_map(title("nav a", edited=True)), learned)
    assert new.fields[0] == "title"
    assert set(new.fields) == set(learned.extraction_map.fields)
    for field in set(new.fields) - {"title"}:
        assert of_field(new, field) == of_field(learned.extraction_map, field)


def test_a_field_that_is_not_learned_stays(learned: Learned) -> None:
    place = Rule(field="place", select=("b.place",), support=Support(3, 4))
    assert of_field(refine(a_map(title("h1"), place), learned), "place") == [place]


def test_templates_that_the_pages_do_not_show_stay(learned: Learned) -> None:
    gallery = Template(name="gallery", probe="div.gallery", rules=(title("h3", 4, 4),))
    old = replace(a_map(title("h1", 4, 4)), templates=(gallery, *a_map(title("h1", 4, 4)).templates))
    new = refine(old, learned)
    assert new.templates[0] == gallery
    assert [template.name for template in new.templates] == ["gallery", "article"]
    assert titles(new) == RIGHT


@pytest.mark.parametrize(
    ("name", "names"), [("gallery", {"gallery", "article"}), ("article", {"article", "article-2"})]
)
def test_a_template_that_the_map_does_not_know_is_added(learned: Learned, name: str, names: set[str]) -> None:
    old = a_map(title("h3", 4, 4), name=name, url="/pictures/")
    new = refine(old, learned)
    assert {template.name for template in new.templates} == names
    assert old.templates[0] in new.templates
    assert titles(old) == [None] * PAGES
    assert titles(new) == RIGHT


def test_a_new_template_for_all_pages_leaves_the_others_theirs(learned: Learned) -> None:
    new = refine(a_map(title("h3", 4, 4), name="gallery", probe="div.gallery"), learned)
    pictures = parse(Page(url="https://www.example.com/pictures", body='<div class="gallery"><h3>The week</h3></div>'))
    assert [template.name for template in new.templates] == ["gallery", "article"]
    assert titles(new, [pictures, *OTHERS]) == ["The week", *RIGHT]


@pytest.mark.parametrize(
    "known", [pytest.param([], id="alone"), pytest.param(range(20, 24), id="among pages of the known one")]
)
def test_another_design_gets_a_template_and_the_known_one_keeps_its_own(learned: Learned, known: Sequence[int]) -> None:
    pages = [*map(document, known), *map(old_document, range(10, 14))]
    new = refine(learned.extraction_map, learn(pages))
    assert len(new.templates) == 2
    assert titles(new) == RIGHT
    assert titles(new, [old_document(number) for number in range(PAGES, PAGES * 2)]) == RIGHT


def test_pages_of_a_template_refine_it_and_no_other(learned: Learned) -> None:
    news = Template(name="news", url="/news/", rules=(title("h1", 4, 4),))
    rest = Template(name="rest", rules=(title("h2", 4, 4),))
    new = refine(replace(a_map(), templates=(news, rest)), learned)
    assert [template.name for template in new.templates] == ["news", "rest"]
    assert new.templates[1] == rest
    assert (new.templates[0].url, new.templates[0].rules[0].support) == (
        "/news/",
        Support(9, 9, pytest.approx(0.9, abs=0.1)),
    )


def test_learning_the_same_again_changes_no_value(learned: Learned) -> None:
    once = refine(learned.extraction_map, learned)
    assert [rule.select for rule in once.rules] == [rule.select for rule in learned.extraction_map.rules]
    assert [rule.support.sampled for rule in once.rules if rule.support] == [PAGES * 2] * len(once.rules)
    assert titles(once) == RIGHT


@pytest.mark.parametrize(
    ("before", "edited", "learned_now", "after"),
    [
        pytest.param((), "", ("tags",), ("tags",), id="asked for anew"),
        pytest.param(("tags",), "", (), ("tags",), id="still no rule"),
        pytest.param(("authors",), "", (), (), id="there is a rule now"),
        pytest.param((), "authors", ("authors",), (), id="a person wrote the rule"),
        pytest.param(("authors",), "authors", (), ("authors",), id="a person wants both"),
    ],
)
def test_the_fields_of_the_tagger_are_those_without_rules(
    learned: Learned, before: tuple[str, ...], edited: str, learned_now: tuple[str, ...], after: tuple[str, ...]
) -> None:
    own = learned.extraction_map.templates[0]
    rules = tuple(replace(rule, edited=rule.field == edited) for rule in own.rules)
    old = replace(learned.extraction_map, templates=(replace(own, rules=rules, tagger=before),))
    now = replace(learned.extraction_map, templates=(replace(own, tagger=learned_now),))
    assert refine(old, replace(learned, extraction_map=now)).templates[0].tagger == after
