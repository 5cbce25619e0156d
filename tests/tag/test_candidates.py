"""Scored units as candidates: units that give one value make one, with the signs for and against it."""

import math
from collections.abc import Mapping
from datetime import UTC, date, datetime

import numpy as np
import pytest
from tests.tag.columns import COLUMNS, FIELDS, KINDS, NEWS

from sitewright.parse import parse
from sitewright.tag.candidates import MOST_READ, WORTH_READING, candidates
from sitewright.tag.features import DENSE
from sitewright.tag.scored_page import ScoredPage, logit, scored_page
from sitewright.tag.scores import Scores
from sitewright.tag.signs import signs_for
from sitewright.tag.units import read_units
from sitewright.types import Page
from sitewright.values import Context

NOW = datetime(2024, 6, 15, tzinfo=UTC)


def scored(html: str, given: Mapping[str, Mapping[str, float]]) -> ScoredPage:
    """Score the units of a page by their texts: `{field: {text: score}}`."""
    document = parse(Page(url="https://www.example.com/a", body=html))
    units = read_units(document)
    table = np.zeros((len(units), len(FIELDS)), dtype=np.float32)
    for field, by_text in given.items():
        assert set(by_text) <= {unit.text for unit in units}
        table[:, FIELDS.index(field)] = [by_text.get(unit.text, 0.0) for unit in units]
    kinds = np.array([0.8, 0.1, 0.1], dtype=np.float32)
    assert len(kinds) == len(KINDS)
    scores = Scores(
        table, table.max(axis=0, initial=0.0), kinds, COLUMNS, np.zeros((len(units), len(DENSE)), dtype=np.float32)
    )
    return scored_page(units, scores, Context(document=document, now=NOW), NEWS)


def values(page: ScoredPage, field: str) -> list[object]:
    return [candidate.value for candidate in candidates(page, field)]


@pytest.mark.parametrize(
    "title", ["Bees are back", "Старый паром", "老渡轮重返港口", "낡은 여객선", "عبّارة قديمة", "पुरानी नौका"]
)
def test_a_title_that_is_stated_and_displayed_is_one_candidate(title: str) -> None:
    page = scored(
        f'<meta property="og:title" content="{title}"><h1>{title}</h1><p>other</p>'
        f'<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "{title}"}}</script>',
        {"title": {title: 0.9, "other": 0.1}},
    )
    first, second = candidates(page, "title")
    assert (first.value, second.value) == (title, "other")
    assert len(first.units) == 3
    signs = dict(zip(signs_for(COLUMNS), first.signs, strict=True))
    assert signs["displayed"] == pytest.approx(math.log1p(1))
    assert signs["sources"] == pytest.approx(math.log1p(2))
    assert signs["heading"] == signs["is_best"] == 1


def test_case_and_marks_make_no_other_title() -> None:
    page = scored(
        "<title>BEES ARE BACK!</title><h1>Bees are back</h1>", {"title": {"BEES ARE BACK!": 0.5, "Bees are back": 0.9}}
    )
    assert values(page, "title") == ["Bees are back"]


@pytest.mark.parametrize(
    ("day_score", "time_score"),
    [(0.9, 0.4), (0.4, 0.9)],
)
def test_of_two_moments_of_one_day_the_one_with_a_time_is_kept(day_score: float, time_score: float) -> None:
    page = scored(
        '<meta property="article:published_time" content="2024-05-06T07:08:00+02:00"><p>6 May 2024</p><p>1 May 2024</p>',
        {"published": {"2024-05-06T07:08:00+02:00": time_score, "6 May 2024": day_score, "1 May 2024": 0.1}},
    )
    first, second = candidates(page, "published")
    assert first.value == datetime.fromisoformat("2024-05-06T07:08:00+02:00")
    assert len(first.units) == 2
    assert second.value == date(2024, 5, 1)


BOTH_DATES = (
    '<p><time datetime="2024-05-06T{}:00+02:00">{}</time> <time datetime="2024-05-06T{}:00+02:00">{}</time></p>'
)


@pytest.mark.parametrize(("first", "second"), [("07:08", "09:10"), ("09:10", "07:08")])
@pytest.mark.parametrize(("one", "other"), [(0.9, 0.8), (0.8, 0.9)])
def test_of_two_moments_of_one_day_the_publication_is_the_first(
    first: str, second: str, one: float, other: float
) -> None:
    html = BOTH_DATES.format(first, first, second, second)
    by_text = {first: one, second: other}
    page = scored(html, {"published": by_text, "modified": by_text})
    assert values(page, "published") == [datetime.fromisoformat("2024-05-06T07:08:00+02:00")]
    assert values(page, "modified") == [datetime.fromisoformat("2024-05-06T09:10:00+02:00")]


def test_a_moment_that_little_speaks_for_is_none_of_the_two() -> None:
    page = scored(BOTH_DATES.format("07:08", "07:08", "09:10", "09:10"), {"modified": {"07:08": 0.9, "09:10": 0.2}})
    assert values(page, "modified") == [datetime.fromisoformat("2024-05-06T07:08:00+02:00")]


def test_what_is_stated_of_an_update_decides_its_time() -> None:
    stated = "2024-05-06T07:10:00Z"
    page = scored(
        f'<meta property="article:modified_time" content="{stated}">'
        + BOTH_DATES.format("07:08", "07:08", "09:10", "09:10"),
        {"modified": {stated: 0.1, "07:08": 0.9, "09:10": 0.1}},
    )
    assert values(page, "modified") == [datetime.fromisoformat("2024-05-06T09:10:00+02:00")]


@pytest.mark.parametrize(
    ("html", "text"),
    [("<p>no date at all", "no date at all"), ("<p>6 May", "6 May"), ("<p>3 hours ago", "3 hours ago")],
)
def test_what_is_no_day_is_no_candidate_for_a_date(html: str, text: str) -> None:
    assert values(scored(html, {"published": {text: 0.9}}), "published") == []


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("By Ann Lee and Bo Ek", ["Ann Lee", "Bo Ek", "Ann Lee and Bo Ek"]),
        ("By the Center of Bees and Honey", ["the Center of Bees", "Honey", "the Center of Bees and Honey"]),
        ("by ibby", ["ibby"]),
        ("Von Jörg Maier", ["Jörg Maier"]),
        ("Автор: Анна Лисицына", ["Анна Лисицына"]),
        ("이안나 기자", ["이안나", "이안나 기자"]),
        ("بقلم آمنة ليلى", ["آمنة ليلى"]),
        ("6 May 2024", []),
    ],
)
def test_a_byline_has_a_candidate_for_each_name_and_for_itself(line: str, names: list[str]) -> None:
    assert values(scored(f"<p>{line}</p>", {"authors": {line: 0.9}}), "authors") == names


def test_entries_are_read_without_their_label_and_hash_sign() -> None:
    page = scored(
        "<ul><li>#bees<li>Tags: honey<li>Bees</ul>", {"tags": {"#bees": 0.9, "Tags: honey": 0.8, "Bees": 0.7}}
    )
    assert values(page, "tags") == ["bees", "honey"]


def test_units_that_score_next_to_nothing_are_not_read() -> None:
    page = scored("<p>one<p>two", {"title": {"one": WORTH_READING / 2, "two": WORTH_READING}})
    assert values(page, "title") == ["two"]


def test_no_more_than_the_best_units_are_read() -> None:
    texts = {f"t{n}": 0.9 for n in range(3 * MOST_READ)}
    page = scored("".join(f"<p>{text}" for text in texts), {"title": texts})
    assert len(candidates(page, "title")) == MOST_READ


@pytest.mark.parametrize("field", [field for field in FIELDS if field not in {"text", "caption"}])
def test_a_page_without_units_has_no_candidates(field: str) -> None:
    assert candidates(scored("", {}), field) == []


def test_every_candidate_has_every_sign_and_all_are_finite() -> None:
    html = (
        "<title>Bees – Ann Lee</title><h1>Bees</h1><p>By <a href=/x>Ann Lee</a>, 6 May 2024</p><ul><li>Bees<li>AFP</ul>"
    )
    document = parse(Page(url="https://www.example.com/2024/05/06/a", body=html))
    units = read_units(document)
    table = np.ones((len(units), len(FIELDS)), dtype=np.float32)
    seen = np.zeros((len(units), len(DENSE)), dtype=np.float32)
    scores = Scores(table, table[0], np.array([1, 0, 0], dtype=np.float32), COLUMNS, seen)
    page = scored_page(units, scores, Context(document=document, now=NOW), NEWS)
    for field in ("title", "subtitle", "published", "modified", "authors", "categories", "tags"):
        found = candidates(page, field)
        assert found
        for candidate in found:
            assert len(candidate.signs) == len(signs_for(COLUMNS))
            assert all(map(math.isfinite, candidate.signs))


@pytest.mark.parametrize(("probability", "odds"), [(0.5, 0.0), (0.0, -6.907), (1.0, 6.907), (-3.0, -6.907)])
def test_log_odds_are_bounded(probability: float, odds: float) -> None:
    assert logit(probability) == pytest.approx(odds, abs=1e-3)
