"""Scores given by hand, and the values that decoding makes of them."""

from collections.abc import Mapping
from datetime import UTC, date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tag.columns import COLUMNS, FIELDS, NEWS

from sitewright.parse import parse
from sitewright.tag.decode import Finding, as_lists, choose_entries, decode, weigh
from sitewright.tag.features import DENSE
from sitewright.tag.judge import Judge
from sitewright.tag.scored_page import ScoredPage, scored_page
from sitewright.tag.scores import Scores
from sitewright.tag.units import read_units
from sitewright.types import Page
from sitewright.values import Context

NOW = datetime(2024, 6, 15, tzinfo=UTC)
LONG = "A paragraph with the number {}, which is long enough to be no refrain."


def scored(html: str, wanted: Mapping[str, Mapping[str, float]], shown: float = 0.9) -> ScoredPage:
    """Score the units of a page by their texts: `{field: {text: score}}`."""
    document = parse(Page(url="https://www.example.com/a", body=html))
    units = read_units(document)
    table = np.zeros((len(units), len(FIELDS)), dtype=np.float32)
    for field, by_text in wanted.items():
        assert set(by_text) <= {unit.text for unit in units}
        table[:, FIELDS.index(field)] = [by_text.get(unit.text, 0.0) for unit in units]
    kinds = np.array([0.8, 0.1, 0.1], dtype=np.float32)
    scores = Scores(
        table,
        np.full(len(FIELDS), shown, dtype=np.float32),
        kinds,
        COLUMNS,
        np.zeros((len(units), len(DENSE)), dtype=np.float32),
    )
    return scored_page(units, scores, Context(document=document, now=NOW), NEWS)


def decoded(page: ScoredPage) -> dict[str, Finding]:
    judge = Judge.of({})
    return decode(page, judge, weigh(page, judge))


def found(html: str, wanted: Mapping[str, Mapping[str, float]]) -> dict[str, Finding]:
    return decoded(scored(html, wanted))


def values(html: str, wanted: Mapping[str, Mapping[str, float]]) -> dict[str, object]:
    return {field: finding.value for field, finding in found(html, wanted).items()}


def paragraphs(*lines: str) -> str:
    return "".join(f"<p>{line}</p>" for line in lines)


def apart(*lines: str) -> str:
    """Put each paragraph into a block of its own, so that no sibling has a say."""
    return "".join(f"<div><p>{line}</p></div>" for line in lines)


def test_nothing_scored_is_nothing_found() -> None:
    assert values("<title>T</title><h1>T</h1><p>text</p>", {}) == {}
    assert values("", {}) == {}


def test_the_best_title_is_taken_and_names_its_sources() -> None:
    html = '<meta property="og:title" content="Bees"><title>Bees | The Lantern</title><h1>Bees</h1>'
    title = found(html, {"title": {"Bees": 0.9, "Bees | The Lantern": 0.3, "The Lantern": 0.01}})["title"]
    assert title.value == "Bees"
    assert title.confidence == pytest.approx(0.9, abs=0.001)
    assert title.agrees == ("meta:og:title", "title")
    assert title.differs == ()
    other = found(html.replace("content=", "content=Wasps data-x="), {"title": {"Bees": 0.9, "Wasps": 0.3}})["title"]
    assert other.differs == ("meta:og:title",)


def test_a_moment_with_a_time_wins_over_its_day() -> None:
    html = '<p>6 May 2024</p><meta name=date content="2024-05-06T07:08">'
    wanted = {"published": {"6 May 2024": 0.9, "2024-05-06T07:08": 0.2}}
    assert values(html, wanted) == {"published": datetime(2024, 5, 6, 7, 8)}
    assert values("<p>6 мая 2024</p>", {"modified": {"6 мая 2024": 0.9}}) == {"modified": date(2024, 5, 6)}


@pytest.mark.parametrize(
    ("line", "published"),
    [
        ("Last updated: 6 May 2024", False),
        ("6 May 2024, updated 7 May 2024", True),
        ("6 May 2024", True),
    ],
)
def test_a_date_that_stands_only_behind_words_for_an_update_is_none_of_publication(line: str, published: bool) -> None:
    scores = {"published": {line: 0.9}, "modified": {line: 0.9}}
    assert ("published" in values(f"<p>{line}</p>", scores)) is published
    assert "modified" in values(f"<p>{line}</p>", {"modified": {line: 0.9}})
    stated = '<meta property="article:published_time" content="2024-05-06T07:08:09+00:00">'
    both = {"published": {line: 0.9, "2024-05-06T07:08:09+00:00": 0.9}}
    assert "published" in values(f"{stated}<p>{line}</p>", both)


@pytest.mark.parametrize(
    ("published", "modified", "expected"),
    [
        ("2024-05-06T07:08:00+02:00", "2024-05-08T01:02:00+02:00", "2024-05-06"),
        ("2024-05-07T23:08:00+00:00", "2024-05-08T12:02:00+00:00", "2024-05-08"),
        ("2024-05-08T07:08:00+02:00", "2024-05-08T09:02:00+02:00", "2024-05-08"),
        ("2024-05-09T07:08:00+02:00", "2024-05-08T01:02:00+02:00", "2024-05-08"),
    ],
    ids=["another day", "told in Greenwich, it may be the same", "the same", "no update is before"],
)
def test_the_stated_day_of_an_update_is_none_of_publication(published: str, modified: str, expected: str) -> None:
    html = f"""<meta property="article:published_time" content="{published}">
        <meta property="article:modified_time" content="{modified}"><p>8 May 2024</p>"""
    found_values = values(html, {"published": {published: 0.3, modified: 0.2, "8 May 2024": 0.9}})
    assert str(found_values["published"]).startswith(expected)


@pytest.mark.parametrize(
    ("scores", "tags"),
    [
        ({"bees": 0.9, "honey": 0.8, "roofs": 0.1}, ["bees", "honey"]),
        ({"bees": 0.5, "honey": 0.6, "roofs": 0.7}, ["bees", "honey", "roofs"]),
        ({"bees": 0.1, "honey": 0.3, "roofs": 0.2}, ["honey"]),
        ({"bees": 0.04, "honey": 0.04, "roofs": 0.04}, None),
    ],
)
def test_the_entries_of_a_list_that_are_likely_enough_come_in_its_order(
    scores: dict[str, float], tags: list[str] | None
) -> None:
    html = "<ul><li>bees<li>honey<li>roofs</ul>"
    assert values(html, {"tags": scores}).get("tags") == tags


def test_an_entry_is_taken_once() -> None:
    html = "<meta name=keywords content='пчёлы'><ul><li>Пчёлы<li>#мёд</ul>"
    assert values(html, {"tags": {"пчёлы": 0.9, "Пчёлы": 0.9, "#мёд": 0.9}}) == {"tags": ["пчёлы", "мёд"]}


STATED = "<meta name=news_keywords content='bees, honey'><meta name=keywords content='bees, Example News, roofs'>"


@pytest.mark.parametrize(
    ("scores", "tags"),
    [
        ({"bees": 0.6, "honey": 0.02}, ["bees", "honey"]),
        ({"bees": 0.01, "roofs": 0.9}, ["bees", "roofs"]),
        ({"bees": 0.01, "honey": 0.01}, None),
        ({"bees": 0.6, "swarms": 0.9}, ["swarms"]),
    ],
    ids=["the first source, as a whole", "the next, without the site", "what hardly scores is the site's", "displayed"],
)
def test_a_list_that_is_only_stated_is_given_where_none_is_displayed(
    scores: dict[str, float], tags: list[str] | None
) -> None:
    site = '<meta property="og:site_name" content="Example News">'
    finding = found(f"{site}{STATED}<ul><li>swarms</ul>", {"tags": scores}).get("tags")
    assert (finding and finding.value) == tags
    assert finding is None or finding.only_stated is ("swarms" not in scores)


def test_no_list_that_is_only_stated_is_given_of_what_is_no_item() -> None:
    page = scored(STATED, {"tags": {"bees": 0.9, "honey": 0.9}})
    assert decoded(page)["tags"].confidence == pytest.approx(0.9, abs=0.001)
    listing = Scores(page.scores.units, page.scores.shown, np.array([0.1, 0.8, 0.1], dtype=np.float32), COLUMNS)
    assert "tags" not in decoded(scored_page(page.units, listing, page.context, NEWS))


@pytest.mark.parametrize(
    ("names", "authors"),
    [
        (["Ann Lee", "Reuters"], ["Ann Lee"]),
        (["Reuters", "Ann Lee", "dpa", "Bo Ek"], ["Ann Lee", "Bo Ek"]),
        (["Reuters"], ["Reuters"]),
        (["新华社"], ["新华社"]),
        (["新华社", "李安娜"], ["李安娜"]),
    ],
)
def test_agencies_are_authors_only_where_no_person_is(names: list[str], authors: list[str]) -> None:
    html = "".join(f"<p>{name}</p>" for name in names)
    assert values(html, {"authors": dict.fromkeys(names, 0.9)}) == {"authors": authors}


def test_the_text_is_what_scores_high_in_the_order_of_the_page() -> None:
    lines = [LONG.format(n) for n in range(5)]
    html = f"<nav>Menu</nav>{paragraphs(*lines)}<footer>Imprint</footer>"
    assert values(html, {"text": {**dict.fromkeys(lines, 0.9), "Menu": 0.1}}) == {"text": "\n".join(lines)}


@pytest.mark.parametrize(("score", "stays"), [(0.3, True), (0.26, True), (0.2, False), (0.0, False)])
def test_a_low_paragraph_stays_between_two_high_ones(score: float, stays: bool) -> None:
    lines = [LONG.format(n) for n in range(3)]
    text = values(apart(*lines), {"text": {lines[0]: 0.9, lines[1]: score, lines[2]: 0.9}})["text"]
    assert text == "\n".join(lines if stays else [lines[0], lines[2]])


def test_a_low_paragraph_before_behind_or_beside_a_low_one_goes() -> None:
    lines = [LONG.format(n) for n in range(6)]
    scores = dict(zip(lines, [0.3, 0.9, 0.3, 0.3, 0.9, 0.3], strict=True))
    assert values(apart(*lines), {"text": scores})["text"] == f"{lines[1]}\n{lines[4]}"


def test_siblings_have_a_say() -> None:
    lines = [LONG.format(n) for n in range(6)]
    scores = dict(zip(lines, [0.9, 0.9, 0.2, 0.2, 0.9, 0.9], strict=True))
    assert values(paragraphs(*lines), {"text": scores})["text"] == "\n".join(lines)
    assert values(apart(*lines), {"text": scores})["text"] == "\n".join(lines[:2] + lines[4:])
    outsider = dict.fromkeys(lines, 0.05) | {lines[0]: 0.6}
    assert values(paragraphs(*lines) + apart("x" * 400), {"text": {**outsider, "x" * 400: 0.95}})["text"] == "x" * 400


def test_where_nothing_scores_high_the_best_is_the_text() -> None:
    lines = [LONG.format(n) for n in range(3)]
    finding = found(apart(*lines, "Imprint"), {"text": {**dict.fromkeys(lines, 0.2), "Imprint": 0.05}})["text"]
    assert finding.value == "\n".join(lines)
    assert finding.confidence < 0.3


def test_the_headline_is_no_part_of_the_text() -> None:
    lines = [LONG.format(n) for n in range(2)]
    html = f"<h1>Bees</h1>{paragraphs(lines[0], 'BEES', lines[1])}"
    found_values = values(
        html, {"title": {"Bees": 0.9}, "text": {**dict.fromkeys(lines, 0.9), "Bees": 0.9, "BEES": 0.9}}
    )
    assert found_values == {"title": "Bees", "text": "\n".join(lines)}


def test_a_paragraph_that_stands_twice_is_taken_once_but_a_refrain_may_repeat() -> None:
    one, two = LONG.format(1), LONG.format(2)
    html = paragraphs(one, "La la la", two, one, "La la la")
    text = values(html, {"text": dict.fromkeys([one, two, "La la la"], 0.9)})["text"]
    assert text == "\n".join([one, "La la la", two, "La la la"])


def test_parts_and_metadata_are_no_text() -> None:
    html = f"<meta name=description content='Stated words'><p>{LONG.format(1)} <a href=/x>A link</a></p>"
    whole = f"{LONG.format(1)} A link"
    text = values(html, {"text": {whole: 0.9, "A link": 0.9, "Stated words": 0.9}})["text"]
    assert text == whole


sequences = st.lists(st.floats(0, 1, width=32), min_size=1, max_size=12)


@given(sequences)
def test_a_text_is_made_of_paragraphs_of_the_page_each_once_in_order(scores: list[float]) -> None:
    lines = [LONG.format(n) for n in range(len(scores))]
    finding = found(apart(*lines), {"text": dict(zip(lines, scores, strict=True))}).get("text")
    if finding is None:
        assert max(scores) < 0.5
        return
    taken = str(finding.value).split("\n")
    assert taken == [line for line in lines if line in taken]
    assert {line for line, score in zip(lines, scores, strict=True) if score >= 0.5} <= set(taken)
    assert 0 <= finding.confidence <= 1


@given(sequences, st.floats(0, 1), st.floats(0, 1))
def test_chosen_entries_are_the_likely_ones_or_the_likeliest(scores: list[float], least: float, enough: float) -> None:
    likely = np.array(scores, dtype=np.float32)
    chosen = choose_entries(likely, least, enough)
    if likely.max() < least:
        assert len(chosen) == 0
    elif likely.max() >= enough:
        assert set(chosen) == set(np.flatnonzero(likely >= enough))
    else:
        assert likely[chosen].tolist() == [likely.max()]


def test_entries_of_a_list_have_a_say_in_each_other() -> None:
    likely = np.array([0.9, 0.9, 0.2, 0.2], dtype=np.float32)
    together = as_lists(likely, [1, 1, 1, 2])
    assert together[2] > 0.2
    assert together[0] < 0.9
    assert together[3] == pytest.approx(0.2, abs=1e-4)


def test_a_byline_is_taken_as_a_whole_or_by_its_names() -> None:
    line = "By Ann Lee and Bo Ek"
    assert values(f"<p>{line}</p>", {"authors": {line: 0.9}}) == {"authors": ["Ann Lee", "Bo Ek"]}
    html = "<p>Bees and Honey Center</p><p>Bees</p>"
    wanted = {"authors": {"Bees and Honey Center": 0.9, "Bees": 0.5}}
    page = scored(html, wanted)
    assert decoded(page)["authors"].value == ["Bees", "Honey Center"]


def test_what_is_no_article_needs_likelier_values() -> None:
    html = "<h1>Bees</h1><p>6 May 2024</p>"
    wanted = {"title": {"Bees": 0.4}, "published": {"6 May 2024": 0.4}}
    page = scored(html, wanted)
    assert set(decoded(page)) == {"title", "published"}
    listing = Scores(page.scores.units, page.scores.shown, np.array([0.1, 0.8, 0.1], dtype=np.float32), COLUMNS)
    assert set(decoded(scored_page(page.units, listing, page.context, NEWS))) == {"title"}


def test_a_text_that_is_all_links_is_none() -> None:
    links = " ".join(f"<a href=/{n}>Another story number {n}</a>" for n in range(9))
    line = " ".join(f"Another story number {n}" for n in range(9))
    assert values(f"<p>{links}</p>", {"text": {line: 0.9}}) == {}
    assert values(f"<p>{line}</p>", {"text": {line: 0.9}}) == {"text": line}
