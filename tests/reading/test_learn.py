"""Stored pages in, a map out: pages are tagged one by one, those that fail are left out."""

import json
import pickle
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sitewright.errors import InputError, NoArticles, PageTimeout, TooFewPages
from sitewright.extract import Extractor
from sitewright.fetch import Place, open_archive
from sitewright.induce import Learned, example_of
from sitewright.maps import dump_map, parse_map
from sitewright.parse import parse
from sitewright.processes.tag import TagJob
from sitewright.reading.learn import Tagged, learn_from
from sitewright.reading.mapped import MapReader
from sitewright.reading.report import report_of_learning, rule_text
from sitewright.reading.samples import read_samples
from sitewright.types import Limits

pytestmark = pytest.mark.slow

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
PEOPLE = ("Ann Lee", "Ben Okafor", "Clara Winter", "Dario Rossi", "Eva Lind")
SPOTS = ("harbour", "library", "market hall", "river bridge", "tram depot", "city garden")

Row = dict[str, Any]


def title_of(number: int) -> str:
    return f"The {SPOTS[number % 6]} of Corwick reopens after {number + 3} years of work"


def paragraphs_of(number: int) -> list[str]:
    draw = random.Random(number)
    return [
        f"The {draw.choice(SPOTS)} counted {draw.randint(100, 9999):,} visitors in {draw.randint(1950, 2023)}, said "
        f"{draw.choice(PEOPLE)}, and the {draw.choice(SPOTS)} had {draw.randint(3, 90)} percent more than a year before."
        for _ in range(6)
    ]


def story(number: int, byline: str = '<p class="byline">By {}</p>') -> Row:
    html = (
        f'<!DOCTYPE html><html lang="en"><head><title>{title_of(number)} | Corwick Post</title></head><body>'
        '<nav class="menu"><a href="/">Home</a><a href="/sport">Sport</a></nav><main>'
        f'<h1 class="headline">{title_of(number)}</h1>{byline.format(PEOPLE[number % 5])}'
        f'<time class="date" datetime="2024-05-{number + 1:02}T08:30:00+01:00">{number + 1} May 2024</time>'
        f'<div class="story">{"".join(f"<p>{text}</p>" for text in paragraphs_of(number))}</div>'
        f'<b class="seats">{number * 7 + 40} seats</b></main><footer>All rights reserved.</footer></body></html>'
    )
    return {"url": f"https://www.example.com/news/{number}", "html": html}


def section(number: int) -> Row:
    entries = "".join(
        f'<li class="item"><h2><a href="/news/{number}-{n}">Story number {n} of section {number}</a></h2>'
        f'<p class="teaser">What happened in {number}-{n}, in short.</p></li>'
        for n in range(25)
    )
    html = (
        f'<html lang="en"><head><title>Section {number}</title></head><body><nav><a href="/">Home</a></nav>'
        f'<h1>Section {number}</h1><ul>{entries}</ul><a href="?page=2">Next page</a></body></html>'
    )
    return {"url": f"https://www.example.com/section/{number}", "html": html}


def error_page(number: int) -> Row:
    html = (
        '<html lang="en"><head><title>404</title></head><body><nav><a href="/">Home</a></nav>'
        f"<h1>Page not found</h1><p>Sorry, there is nothing at {number}.</p></body></html>"
    )
    return {"url": f"https://www.example.com/{number}", "html": html}


THINGS = ("Oak table", "Pine chair", "Brass lamp", "Wool rug", "Glass vase")


def product(number: int) -> Row:
    html = (
        f'<html lang="en"><head><title>{THINGS[number]} | Shop</title></head><body><nav><a href="/">Home</a></nav>'
        f'<h1 class="name">{THINGS[number]}</h1><span class="cost">£{12 + number * 7}.50</span>'
        f'<p class="stock">{number + 3} in stock</p></body></html>'
    )
    return {"url": f"https://shop.example.com/item/{number}", "html": html}


@pytest.fixture(scope="module")
def tag() -> Callable[[Place], Tagged]:
    return TagJob(now=NOW, limits=Limits(page_bytes=200_000)).start()


Stored = Callable[..., list[Place]]


@pytest.fixture
def stored(tmp_path: Path) -> Stored:
    def store(*rows: Row | str) -> list[Place]:
        path = tmp_path / "pages.jsonl"
        path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), "utf-8")
        return list(open_archive(str(path)).places())

    return store


def learn(tagged: list[Tagged], *examples: str, domain: str = "news") -> Learned:
    return learn_from(tagged, Limits(), domain, example_of(examples), NOW)


def test_a_page_is_tagged(tag: Callable[[Place], Tagged], stored: Stored) -> None:
    (place,) = stored(story(1))
    tagged = tag(place)
    assert (tagged.place, tagged.failure) == (place, None)
    assert tagged.page is not None
    assert (tagged.page.url, tagged.page.kind) == (story(1)["url"], "article")
    best = max((label for label in tagged.page.labels if label.field == "title"), key=lambda label: label.score)
    assert best.value == title_of(1)
    lines = {line.text: line.score for line in tagged.page.lines}
    assert all(lines[text] > lines["All rights reserved."] for text in paragraphs_of(1))


@pytest.mark.parametrize(
    ("row", "stage", "code"),
    [
        ("nonsense", "fetch", "bad_page_line"),
        ('{"url": "https://www.example.com/"}', "fetch", "bad_page_line"),
        ({"url": "https://www.example.com/x", "html": "x" * 200_001}, "parse", "page_too_large"),
        ({"url": "https://www.example.com/x", "html": "<div>" * 600}, "parse", "page_too_deep"),
        (
            {"url": "https://www.example.com/x", "html": "x", "headers": {"content-type": "image/png"}},
            "parse",
            "not_html",
        ),
    ],
)
def test_a_page_that_cannot_be_tagged_says_why(
    tag: Callable[[Place], Tagged], stored: Stored, row: Row | str, stage: str, code: str
) -> None:
    (place,) = stored(row)
    tagged = tag(place)
    assert tagged.page is None
    assert tagged.failure is not None
    assert (tagged.failure.stage, tagged.failure.code) == (stage, code)
    assert tagged.failure.url == (row["url"] if isinstance(row, dict) else place.name)


def test_a_page_that_took_too_long(stored: Stored) -> None:
    (place,) = stored(story(1))
    tagged = TagJob().fail(place, PageTimeout("took longer than 10 s"))
    assert (tagged.place, tagged.page) == (place, None)
    assert tagged.failure is not None
    assert (tagged.failure.url, tagged.failure.code) == (story(1)["url"], "page_timeout")


def test_what_travels_between_processes(tag: Callable[[Place], Tagged], stored: Stored) -> None:
    (place,) = stored(story(1))
    for value in (TagJob(now=NOW), tag(place)):
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 -- our own


def test_an_unknown_tagger_is_told_at_the_start() -> None:
    with pytest.raises(InputError, match="no tagger 'nope'"):
        TagJob(tagger="nope").start()


def test_a_map_reads_pages_it_was_not_learned_from(tag: Callable[[Place], Tagged], stored: Stored) -> None:
    learned = learn([tag(place) for place in stored(*map(story, range(5)))])
    reader = Extractor(learned.extraction_map)
    for place in stored(*map(story, range(5, 9))):
        number = int(place.load().url.rpartition("/")[2])
        fields = reader.extract(parse(place.load()), NOW).fields
        assert fields["title"].value == title_of(number)
        assert fields["text"].value == "\n".join(paragraphs_of(number))
        assert fields["authors"].value == [PEOPLE[number % 5]]
        assert str(fields["published"].value) == f"2024-05-{number + 1:02} 08:30:00+01:00"


def test_every_rule_says_how_well_it_is_founded(tag: Callable[[Place], Tagged], stored: Stored) -> None:
    learned = learn([tag(place) for place in stored(*map(story, range(4)))])
    assert learned.extraction_map.learned_at == NOW
    for rule in learned.extraction_map.rules:
        assert rule.support is not None
        assert (rule.support.sampled, 0 < rule.support.found <= 4) == (4, True)
        assert (rule.support.length is not None) == (rule.field == "text")


def test_failed_pages_are_left_out(tag: Callable[[Place], Tagged], stored: Stored) -> None:
    good = learn([tag(place) for place in stored(*map(story, range(4)))])
    mixed = learn([tag(place) for place in stored("nonsense", story(0), story(1), "[]", story(2), story(3), "{}")])
    assert mixed.extraction_map == good.extraction_map
    assert [sample.document.url for sample in mixed.samples] == [story(n)["url"] for n in range(4)]


@pytest.mark.parametrize(
    ("rows", "error", "words"),
    [
        ([], TooFewPages, "0 pages"),
        (["nonsense", "[]"], TooFewPages, "0 pages"),
        ([story(0)], TooFewPages, "1 page"),
        ([story(0), "nonsense"], TooFewPages, "1 page"),
        ([story(0), story(0), story(0)], TooFewPages, "3 pages that are all the same"),
        ([section(0), section(1), section(2)], NoArticles, "3 list"),
        ([error_page(0), error_page(1), error_page(2)], NoArticles, "3 other"),
    ],
)
def test_too_little_to_learn_from(
    tag: Callable[[Place], Tagged], stored: Stored, rows: list[Row | str], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        learn([tag(place) for place in stored(*rows)])


def test_files_that_do_not_say_their_site_give_a_map_that_can_be_read_again(
    tag: Callable[[Place], Tagged], tmp_path: Path
) -> None:
    for number in range(4):
        (tmp_path / f"{number}.html").write_text(story(number)["html"], "utf-8")
    learned = learn([tag(place) for place in open_archive(str(tmp_path)).places()])
    assert learned.extraction_map.site == "localhost"
    assert learned.warnings == ("the pages do not say which site they are of; the map calls it localhost",)
    assert parse_map(dump_map(learned.extraction_map)) == learned.extraction_map


def test_a_place_that_went_away_is_an_error(tag: Callable[[Place], Tagged], tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.html").write_text(story(number)["html"], "utf-8")
    tagged = [tag(place) for place in open_archive(str(tmp_path)).places()]
    (tmp_path / "1.html").unlink()
    with pytest.raises(InputError, match="cannot read"):
        learn(tagged)


def test_fields_by_example(tag: Callable[[Place], Tagged], stored: Stored) -> None:
    learned = learn([tag(place) for place in stored(*map(story, range(4)))], "seats=47 seats")
    reader = Extractor(learned.extraction_map)
    found = [reader.extract(sample.document, NOW).fields["seats"].value for sample in learned.samples]
    assert found == [f"{number * 7 + 40} seats" for number in range(4)]
    assert {"title", "text"} <= set(learned.extraction_map.fields)


@pytest.mark.parametrize("domain", ["news", "shop"])
def test_fields_by_example_of_pages_that_are_no_articles_are_the_maps_alone(
    tag: Callable[[Place], Tagged], stored: Stored, domain: str
) -> None:
    tagged = [tag(place) for place in stored(*map(product, range(5)))]
    learned = learn(tagged, "label=Oak table", "sum=£12.50", domain=domain)
    reader = MapReader(learned.extraction_map)
    records = [reader.extract(sample.document, NOW) for sample in learned.samples]
    assert [record.fields["label"].value for record in records] == list(THINGS)
    assert [record.fields["sum"].value for record in records] == [f"£{12 + number * 7}.50" for number in range(5)]
    assert {record.via for record in records} == {""}


def test_the_report_shows_each_page_with_its_rules(tag: Callable[[Place], Tagged], stored: Stored) -> None:
    learned = learn([tag(place) for place in stored(*map(story, range(4)))])
    pages = list(
        report_of_learning(learned, learned.extraction_map, read_samples(learned.extraction_map, learned.samples))
    )
    assert [page.url for page in pages] == [story(n)["url"] for n in range(4)]
    for number, page in enumerate(pages):
        fields = {field.name: field for field in page.fields}
        name, rule = fields["title"].where, fields["title"].selector
        assert (name, rule) == ("article/title#0", rule_text(learned.extraction_map, name))
        assert rule == ", ".join(learned.extraction_map.rules[0].select)
        assert (fields["title"].value, fields["title"].agrees, fields["title"].differs) == (
            title_of(number),
            ("the tagger",),
            (),
        )
        taken = {line.text: line.fields for line in page.lines}
        assert taken[title_of(number)] == ("title",)
        assert all("text" in taken[text] for text in paragraphs_of(number))
        assert taken["All rights reserved."] == ()


def test_the_report_marks_what_the_tagger_sees_and_no_rule_gives(
    tag: Callable[[Place], Tagged], stored: Stored
) -> None:
    odd = story(6, byline="<div>By {}</div>")
    learned = learn([tag(place) for place in stored(*map(story, range(5)), odd)])
    *usual, last = report_of_learning(
        learned, learned.extraction_map, read_samples(learned.extraction_map, learned.samples)
    )
    authors = [[field for field in page.fields if field.name == "authors"] for page in (*usual, last)]
    assert [field.differs for (field,) in authors[:-1]] == [()] * 5
    (missed,) = authors[-1]
    assert (missed.value, missed.where) == ("", "no rule gives it")
    assert missed.differs[0].startswith("the tagger (")
    assert missed.differs[0].endswith(PEOPLE[1])


@pytest.mark.parametrize("name", ["", "article", "article/title", "article/title#99", "article/nope#0", "nope/title#0"])
def test_a_rule_that_is_not_there_has_no_words(tag: Callable[[Place], Tagged], stored: Stored, name: str) -> None:
    learned = learn([tag(place) for place in stored(*map(story, range(2)))])
    assert rule_text(learned.extraction_map, name) == ""
