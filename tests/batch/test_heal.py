"""A site in a new design: its map is healed by what its records held, and the proposal says how sure that is."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sitewright.batch.heal import Remembered, heal
from sitewright.batch.heal_index import heal_index
from sitewright.batch.proposal import Outlook, Proposal
from sitewright.batch.rightness import rightness
from sitewright.errors import MixedSites, NoArticles, TooFewPages
from sitewright.extract import Extractor
from sitewright.induce import learn_map
from sitewright.links import find_paging, select_links
from sitewright.maps import dump_map, parse_map
from sitewright.parse import Document, parse, signature
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, IndexPage, Page, Rule

pytestmark = pytest.mark.slow

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
PAGES, MORE = 8, 4
PEOPLE = ("Ann Lee", "Ben Okafor", "Clara Winter", "Dario Rossi", "Eva Lind", "Finn Moe", "Gwen Park")
SPOTS = ("harbour", "library", "market hall", "river bridge", "tram depot", "city garden")
TOPICS = ("bees", "rain", "traffic", "schools", "tides", "parks", "rents", "trams", "boats", "bread")
SECTIONS = ("Local", "Nature", "Money")


def values_of(number: int) -> dict[str, object]:
    """Return what the record of a story holds, as it is stored."""
    draw = random.Random(number)
    sentences = [
        f"The {draw.choice(SPOTS)} counted {draw.randint(100, 9999)} visitors in {draw.randint(1950, 2023)}, said "
        f"{draw.choice(PEOPLE)}, and the {draw.choice(SPOTS)} had {draw.randint(3, 90)} percent more than the year before."
        for _ in range(6)
    ]
    return {
        "title": f"The {SPOTS[number % 6]} of Corwick reopens after {number + 3} years of work",
        "published": f"2024-05-{number + 1:02}",
        "text": "\n\n".join(sentences),
        "authors": [PEOPLE[number % 7]],
        "categories": [SECTIONS[number % 3]],
        "tags": draw.sample(TOPICS, 2 + number % 3),
    }


def shown(number: int) -> dict[str, str]:
    """Return the parts of a story's page that both designs share."""
    values = values_of(number)
    day = datetime.fromisoformat(str(values["published"]))
    return {
        "title": str(values["title"]),
        "author": str(values["authors"][0]),  # type: ignore[index]
        "section": str(values["categories"][0]),  # type: ignore[index]
        "iso": str(values["published"]),
        "day": f"{day:%B} {day.day}, {day.year}",
        "menu": "".join(f'<a href="/{name.lower()}">{name}</a>' for name in SECTIONS),
        "paragraphs": "".join(f"<p>{line}</p>" for line in str(values["text"]).split("\n\n")),
    }


def tags_of(number: int, before: str, after: str) -> str:
    tags: list[str] = values_of(number)["tags"]  # type: ignore[assignment]
    return "".join(f"{before}{tag}{after}" for tag in tags)


def old_design(number: int) -> Document:
    body = (
        '<nav class="menu">{menu}</nav><main><a class="section" href="/x">{section}</a><h1 class="headline">{title}</h1>'
        '<p class="byline">By <a class="author" rel="author">{author}</a></p><time class="date" datetime="{iso}">{day}</time>'
        '<div class="story">{paragraphs}</div><ul class="tags">TAGS</ul></main><footer class="end">All rights.</footer>'
    )
    return page_of(number, body, '<li><a class="tag" rel="tag">', "</a></li>")


def new_design(number: int, leave_out: str = "") -> Document:
    body = (
        '<div class="bar">{menu}</div><div class="sheet"><div class="crumb"><span class="rubric-x">{section}</span></div>'
        '<h2 class="big">{title}</h2><div class="info"><span class="who">{author}</span> <span class="when">{day}</span></div>'
        '<div class="promo-lane"><p>Switch to Brightwave broadband today and pay nothing for the first three months.</p></div>'
        '<div class="copy">{paragraphs}</div><div class="subjects">TAGS</div></div><div class="foot">All rights.</div>'
    )
    for name in filter(None, [leave_out]):
        body = body.replace(name, "")
    return page_of(number, body, '<span class="subject">', "</span>")


def page_of(number: int, body: str, before: str, after: str) -> Document:
    filled = body.replace("TAGS", tags_of(number, before, after)).format(**shown(number))
    html = f'<!DOCTYPE html><html lang="en"><head><title>{shown(number)["title"]} | Post</title></head><body>{filled}</body></html>'
    return parse(Page(url=f"https://www.example.com/news/{number}", body=html))


@pytest.fixture(scope="module")
def reader() -> PageReader:
    return PageReader()


@pytest.fixture(scope="module")
def old_map(reader: PageReader) -> ExtractionMap:
    pages = [old_design(number) for number in range(PAGES)]
    learned = learn_map([(page, reader.read(page, NOW).tagged) for page in pages], now=NOW).extraction_map
    record = Extractor(learned).extract(pages[1], NOW)
    assert {name for name, value in values_of(1).items() if rightness(value, record.fields[name].value) == 1.0} == set(
        values_of(1)
    )
    return learned


def known(leave_out: str = "", pages: int = PAGES) -> list[Remembered]:
    return [Remembered(new_design(number, leave_out), values_of(number)) for number in range(pages)]


@pytest.fixture(scope="module")
def proposal(old_map: ExtractionMap, reader: PageReader) -> Proposal:
    return heal(old_map, known(), reader, NOW)


def outlook(proposal: Proposal, field: str) -> Outlook:
    return next(found for found in proposal.outlooks if found.field == field)


def read(extraction_map: ExtractionMap, document: Document) -> Mapping[str, object]:
    return {name: value.value for name, value in Extractor(extraction_map).extract(document, NOW).fields.items()}


def test_pages_not_seen_are_read_as_before(proposal: Proposal) -> None:
    for number in range(PAGES, PAGES + MORE):
        given = read(proposal.extraction_map, new_design(number))
        wrong = [name for name, value in values_of(number).items() if rightness(value, given.get(name)) < 1.0]
        assert wrong == []


def test_lists_are_whole(proposal: Proposal) -> None:
    assert [read(proposal.extraction_map, new_design(n))["tags"] for n in range(9, 12)] == [
        values_of(n)["tags"] for n in range(9, 12)
    ]


def test_the_proposal_is_the_next_version_and_says_what_changes(old_map: ExtractionMap, proposal: Proposal) -> None:
    assert proposal.extraction_map.version == old_map.version + 1
    assert parse_map(dump_map(proposal.extraction_map)).rules == proposal.extraction_map.rules
    changed = {change.path for change in proposal.changes}
    assert {"article/text#0", "article/tags#0", "version"} <= changed
    tags = outlook(proposal, "tags")
    assert tags.changed
    assert tags.judged == PAGES
    assert tags.confidence > 0.9 > tags.before


def test_values_are_shown_before_and_after_on_five_pages(proposal: Proposal) -> None:
    rows = outlook(proposal, "authors").shown
    assert len(rows) >= 5
    assert all(row.remembered and row.before == row.after for row in rows)


def test_what_is_sure_is_acceptable(proposal: Proposal) -> None:
    assert proposal.acceptable
    assert proposal.sure_map is not None
    assert read(proposal.sure_map, new_design(9)) == read(proposal.extraction_map, new_design(9))


def test_too_few_pages_are_never_sure(old_map: ExtractionMap, reader: PageReader) -> None:
    few = heal(old_map, known(pages=2), reader, NOW)
    assert not few.acceptable
    assert few.sure_map is None


def test_a_field_that_was_removed_is_lost_and_nothing_else_takes_its_place(
    old_map: ExtractionMap, reader: PageReader
) -> None:
    found = heal(old_map, known('<span class="when">{day}</span>'), reader, NOW)
    assert "published" in found.lost
    assert "published" not in found.extraction_map.fields
    assert not found.acceptable
    assert found.sure_map is not None
    assert "text" in found.extraction_map.fields


def test_a_value_in_the_menu_of_every_page_does_not_mislead(proposal: Proposal) -> None:
    selectors = [rule.select for rule in proposal.extraction_map.rules if rule.field == "categories"]
    assert not any("bar" in text for select in selectors for text in select)
    assert [read(proposal.extraction_map, new_design(n))["categories"] for n in (8, 9, 10)] == [
        values_of(n)["categories"] for n in (8, 9, 10)
    ]


def test_a_value_that_all_pages_share_is_not_sure_where_the_tagger_does_not_see_it(
    old_map: ExtractionMap, reader: PageReader
) -> None:
    pages = [Remembered(agency_page(n), {**values_of(n), "authors": ["Corwick Press"]}) for n in range(PAGES)]
    found = heal(old_map, pages, reader, NOW)
    assert outlook(found, "authors").distinct == 1
    assert not found.is_sure(outlook(found, "authors"))
    assert found.is_sure(outlook(found, "tags"))


def agency_page(number: int) -> Document:
    """Return a story without a byline, of a site whose footer names the agency that all its stories are of."""
    page = new_design(number, '<span class="who">{author}</span>')
    body = page.tree.html.replace("All rights.", "<a class='imprint' href='/imprint'>Corwick Press</a>")
    return parse(Page(url=page.url, body=body))


def test_rules_that_a_person_wrote_change_only_in_the_proposal(old_map: ExtractionMap, reader: PageReader) -> None:
    written = edited(old_map, "authors")
    found = heal(written, known(), reader, NOW)
    assert outlook(found, "authors").edited
    assert not found.is_sure(outlook(found, "authors"))
    assert not found.acceptable
    assert found.sure_map is not None
    kept = [rule for rule in found.sure_map.rules if rule.field == "authors"]
    assert kept == [rule for rule in written.rules if rule.field == "authors"]


def edited(extraction_map: ExtractionMap, field: str) -> ExtractionMap:
    def mark(rule: Rule) -> Rule:
        return replace(rule, edited=rule.field == field)

    templates = tuple(
        replace(template, rules=tuple(map(mark, template.rules))) for template in extraction_map.templates
    )
    return replace(extraction_map, templates=templates)


def test_rules_that_still_read_their_pages_stay_a_persons(old_map: ExtractionMap, reader: PageReader) -> None:
    pages = [Remembered(old_design(number), values_of(number)) for number in range(PAGES)]
    found = heal(edited(old_map, "authors"), pages, reader, NOW)
    assert not any(outlook.changed for outlook in found.outlooks)
    assert all(rule.edited for rule in found.extraction_map.rules if rule.field == "authors")


def test_new_pages_are_learned_from_too(old_map: ExtractionMap, reader: PageReader) -> None:
    new = [Remembered(new_design(number)) for number in range(PAGES, PAGES + MORE)]
    found = heal(old_map, [*known(pages=4), *new], reader, NOW)
    assert rightness(values_of(13)["tags"], read(found.extraction_map, new_design(13)).get("tags")) == 1.0


def test_required_fields_that_are_not_what_the_tagger_reads_on_new_pages_are_not_sure(
    old_map: ExtractionMap, reader: PageReader
) -> None:
    """Known articles are as they were; new ones have no headline that the old rules know, but a title with more in it."""
    old = [Remembered(old_design(number), values_of(number)) for number in range(PAGES)]
    new = [Remembered(renamed_site(number)) for number in range(PAGES, PAGES + MORE)]
    found = heal(old_map, [*old, *new], reader, NOW)
    sure = found.sure_map or old_map
    titles = [read(sure, page.document).get("title") for page in new]
    right = [values_of(number)["title"] for number in range(PAGES, PAGES + MORE)]
    assert found.disputed == {"title", "text"} or titles == right
    assert not any(found.is_sure(outlook(found, field)) for field in found.disputed)


def renamed_site(number: int) -> Document:
    page = new_design(number)
    title = shown(number)["title"]
    html = page.tree.html.replace(f"<title>{title} | Post", f"<title>The Post: {title}")
    return parse(Page(url=page.url, body=html))


def test_walls_in_front_of_articles_are_left_out(old_map: ExtractionMap, reader: PageReader) -> None:
    found = heal(old_map, [*known(pages=6), *(Remembered(wall(n), values_of(n)) for n in (6, 7))], reader, NOW)
    assert outlook(found, "text").judged == 6
    assert any("2 of 8 pages show nothing" in warning for warning in found.warnings)


def wall(number: int) -> Document:
    html = "<html lang=en><body><h1>We value your privacy</h1><p>Accept all cookies to read on.</p></body></html>"
    return parse(Page(url=f"https://www.example.com/news/{number}", body=html))


def test_nothing_is_proposed_where_every_page_is_a_wall(old_map: ExtractionMap, reader: PageReader) -> None:
    with pytest.raises(NoArticles):
        heal(old_map, [Remembered(wall(number), values_of(number)) for number in range(4)], reader, NOW)


@pytest.mark.parametrize(("pages", "error"), [(1, TooFewPages), (0, MixedSites)])
def test_nothing_is_proposed_from_too_little(
    old_map: ExtractionMap, reader: PageReader, pages: int, error: type[Exception]
) -> None:
    with pytest.raises(error):
        heal(old_map, known(pages=pages), reader, NOW)


def test_pages_of_another_site_are_refused(old_map: ExtractionMap, reader: PageReader) -> None:
    with pytest.raises(MixedSites):
        heal(replace(old_map, site="example.org"), known(), reader, NOW)


@pytest.mark.parametrize(
    ("remembered", "value", "right"),
    [
        ("2024-05-06T10:30:00+02:00", datetime(2024, 5, 6, 8, 30, tzinfo=UTC), 1.0),
        ("2024-05-06", datetime(2024, 5, 7, 8, 30, tzinfo=UTC), 0.0),
        ("A line", None, 0.0),
        (["a", "b"], ["B", "A"], 1.0),
        (["a", "b"], "a", 2 / 3),
        ("One two.\n\nThree four.", "One two.\n\nThree four.\n\nAdvert five six.", 8 / 11),
    ],
)
def test_how_right_a_value_is(remembered: object, value: object, right: float) -> None:
    assert rightness(remembered, value) == pytest.approx(right)


def index_page(design: str, first: int, paging: str) -> Document:
    item = {
        "old": '<li class="teaser"><a class="teaser-link" href="/news/{n}">{title}</a></li>',
        "new": '<div class="card-x"><div class="card-head"><a href="/news/{n}">{title}</a></div></div>',
    }[design]
    items = "".join(item.format(n=n, title=values_of(n)["title"]) for n in range(first, first + 12))
    menu = "".join(f'<a href="/{name}">{name}</a>' for name in (*SECTIONS, "About us", "Imprint", "Contact"))
    html = f'<html lang=en><body><nav class="menu-{design}">{menu}</nav><main>{items}</main>{paging}</body></html>'
    return parse(Page(url="https://www.example.com/latest?page=2", body=html))


def articles(document: Document, entry: IndexPage) -> set[str]:
    return {link.url for link in select_links(document, entry).links if link.role == "article"}


PAGING = '<p class="turn"><b>2</b> <a class="onward" href="/latest?page=3">Next</a></p>'
ENTRY = IndexPage(url="https://www.example.com/latest", articles=("li.teaser > a",), next=("a.older",), weight=3)


def test_selectors_of_an_index_are_healed_by_known_articles() -> None:
    pages = [index_page("new", first, PAGING) for first in (0, 6)]
    known_urls = [f"http://example.com/news/{n}" for n in range(10)]
    healed = heal_index(ENTRY, pages, known_urls)
    assert healed is not None
    later = index_page("new", 20, PAGING)
    assert articles(later, healed) == {f"https://www.example.com/news/{n}" for n in range(20, 32)}
    assert (healed.url, healed.weight) == (ENTRY.url, 3)


def test_signatures_are_as_good_as_addresses() -> None:
    pages = [index_page("new", 0, PAGING)]
    names = [signature(f"https://www.example.com/news/{n}") for n in range(12)]
    assert heal_index(ENTRY, pages, names) == heal_index(
        ENTRY, pages, [f"https://www.example.com/news/{n}" for n in range(12)]
    )


def test_the_link_to_the_next_page_is_healed() -> None:
    pages = [index_page("new", first, PAGING) for first in (0, 6)]
    assert find_paging(pages[0]).next is not None
    healed = heal_index(ENTRY, pages, [f"https://www.example.com/news/{n}" for n in range(12)])
    assert healed is not None
    assert healed.next == ("a.onward",)


def test_an_index_that_still_works_stays() -> None:
    paging = PAGING.replace("onward", "older")
    pages = [index_page("old", first, paging) for first in (0, 6)]
    assert heal_index(ENTRY, pages, [f"https://www.example.com/news/{n}" for n in range(12)]) == ENTRY


@pytest.mark.parametrize("pages", [[], [parse(Page(url="https://www.example.com/latest", body="<p>Soon</p>"))]])
def test_an_index_without_links_has_no_selectors(pages: Sequence[Document]) -> None:
    assert heal_index(ENTRY, pages, ["https://www.example.com/news/1"]) is None


def test_a_field_of_the_maps_own_is_healed_too(old_map: ExtractionMap, reader: PageReader) -> None:
    main = old_map.templates[-1]
    own = Rule(field="desk", select=("main > a.section",), parse="line.v1")
    link = Rule(field="link", select=("a.section",), take="@href", parse="url.v1")
    wider = replace(old_map, templates=(replace(main, rules=(*main.rules, own, link)),))
    more = {number: {"desk": SECTIONS[number % 3], "link": "https://www.example.com/x"} for number in range(PAGES)}
    pages = [Remembered(page.document, {**(page.values or {}), **more[n]}) for n, page in enumerate(known())]
    found = heal(wider, pages, reader, NOW)
    assert read(found.extraction_map, new_design(9))["desk"] == SECTIONS[9 % 3]
    assert [rule for rule in found.extraction_map.rules if rule.field == "link"] == [link]
    assert found.lost == ()
