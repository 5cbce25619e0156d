"""What a tagger knows of each unit: arrays of fixed widths and bounded values, whatever the page is like."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.parse import Document, fold_words, parse
from sitewright.tag.features import (
    AGREEMENT,
    AROUND_NAMES,
    DENSE,
    GRAM_BUCKETS,
    GRAM_SLOTS,
    NAME_BUCKETS,
    OWN_NAMES,
    TAG_LEVELS,
    TAGS,
    Features,
    features_of,
    group_units,
)
from sitewright.tag.units import Unit, UnitKind, read_units
from sitewright.types import Page
from sitewright.values.updates import says_updated

HIGHEST = 26.0
"""A twentieth of the depth, which `limits.depth` bounds to 512, is the largest number that there is."""
STORY = """<html lang=en><head>{head}</head><body><nav class="{menu}" id="{menu}"><a class="{menu}-entry" href=/>Home</a></nav>
<article class="{body}"><h1 class="{title}">Bees are back</h1><p class="{by}">By <a rel={by} class="{by}" href=/ann>Ann Lee</a>,
<time class="{date}">6 May 2024</time></p><p itemprop="{body}">The first bees of the year were seen on Monday in the gardens.</p>
<ul class="{tags}"><li>honey<li>roofs</ul></article></body></html>"""
NAMES = {"menu": "menu", "body": "story", "title": "headline", "by": "author", "date": "date", "tags": "tags"}
HEAD = """<title>Bees are back | The Lantern</title><meta name=author content="Ann Lee">
<meta property="article:published_time" content="2024-05-06"><meta name=keywords content="honey">
<meta property="article:section" content="Nature"><meta name=description content="The first bees of the year were seen on Monday">"""


def page(html: str, url: str = "https://www.example.com/nature/bees-are-back") -> tuple[Document, list[Unit]]:
    document = parse(Page(url=url, body=html))
    return document, read_units(document)


def features(html: str) -> Features:
    return features_of(*page(html))


def story(head: str = "", **names: str) -> str:
    return STORY.format(head=head, **{**NAMES, **names})


def check(found: Features, count: int) -> None:
    assert found.dense.shape == (count, len(DENSE))
    assert found.grams.shape == (count, GRAM_SLOTS)
    assert found.names.shape == (count, OWN_NAMES + AROUND_NAMES)
    assert found.tags.shape == (count, TAG_LEVELS + 2)
    assert found.groups.shape == (count,)
    assert [array.dtype for array in found] == [np.float32, np.uint16, np.uint16, np.uint8, np.int32]
    assert np.isfinite(found.dense).all()
    assert np.abs(found.dense).max(initial=0) <= HIGHEST
    assert found.grams.max(initial=0) < GRAM_BUCKETS
    assert found.names.max(initial=0) < NAME_BUCKETS
    assert found.tags.max(initial=0) < len(TAGS)
    assert found.groups.max(initial=0) < max(count, 1)
    assert found.groups.min(initial=0) >= 0


@pytest.mark.parametrize(
    ("html", "count"),
    [
        ("", 0),
        ("<script>x</script>", 0),
        ("<p>one", 1),
        ("<title>one</title>", 1),
        ("<p>渡", 1),
        ("<p>" + "x" * 100_000, 1),
        ("<p>" + "नौका " * 50_000, 1),
        ("<p>\0\x01", None),
        ("<p>\ud800 half", None),
        ("<h1>\u202eمقلوب\u202c</h1>", 1),
        ("".join(f"<p>{n}" for n in range(1000)), 1000),
        ("<p>same" * 1000, 1000),
        ("<div>" * 450 + "<p>deep", 1),
        (story(), None),
        (story(HEAD), None),
    ],
)
def test_shapes_types_and_bounds(html: str, count: int | None) -> None:
    document, units = page(html)
    assert count is None or len(units) == count
    check(features_of(document, units), len(units))


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="<&"), min_size=1, max_size=120)


@given(st.lists(st.tuples(st.sampled_from(["h1", "p", "li", "a", "time"]), texts), max_size=8), texts)
def test_any_text_gives_finite_bounded_numbers(parts: list[tuple[str, str]], title: str) -> None:
    document, units = page(f"<title>{title}</title>" + "".join(f"<{tag}>{text}</{tag}>" for tag, text in parts))
    check(features_of(document, units), len(units))


@given(st.lists(texts, min_size=1, max_size=6))
def test_equal_pages_have_equal_features(parts: list[str]) -> None:
    html = "".join(f"<p>{part}" for part in parts)
    for one, other in zip(features(html), features(html), strict=True):
        assert np.array_equal(one, other)


def agreement(html: str, text: str, name: str, kind: UnitKind = UnitKind.RUN) -> float:
    document, units = page(html)
    [number] = [n for n, unit in enumerate(units) if unit.text == text and unit.place is not None and unit.kind is kind]
    return float(features_of(document, units).dense[number, DENSE.index(name)])


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("Bees are back", UnitKind.RUN, "title_precision"),
        ("Bees are back", UnitKind.RUN, "title_recall"),
        ("Ann Lee", UnitKind.PART, "author"),
        ("By Ann Lee, 6 May 2024", UnitKind.RUN, "author_part"),
        ("6 May 2024", UnitKind.PART, "published"),
        ("honey", UnitKind.RUN, "keyword"),
        ("The first bees of the year were seen on Monday in the gardens.", UnitKind.RUN, "description_within"),
    ],
)
def test_agreement_is_with_what_the_page_states(text: str, kind: UnitKind, name: str) -> None:
    assert name in AGREEMENT
    assert agreement(story(), text, name, kind) == 0
    assert agreement(story(HEAD), text, name, kind) > 0


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("Старый паром вернулся", "Старый паром вернулся"),
        ("老渡轮时隔九年重返港口", "老渡轮时隔九年重返港口"),
        ("낡은 여객선", "낡은 여객선"),
        ("العبّارة القديمة", "العبّارة القديمة"),
        ("ΠΑΛΙΟ ΦΕΡΙ", "Παλιο φερι"),
    ],
)
def test_a_heading_is_equal_to_the_stated_title_in_any_script(title: str, heading: str) -> None:
    html = f"<title>{title}</title><h1>{heading}</h1><p>other"
    assert agreement(html, heading, "title_equal") == 1
    assert agreement(html, "other", "title_equal") == 0


def test_renaming_classes_changes_the_names_alone() -> None:
    one = features(story(HEAD))
    other = features(story(HEAD, **{key: f"x{number}qq" for number, key in enumerate(NAMES)}))
    none = features(story(HEAD, **dict.fromkeys(NAMES, "")))
    assert not np.array_equal(one.names, other.names)
    assert not np.array_equal(one.names, none.names)
    for renamed in (other, none):
        for name in ("dense", "grams", "tags", "groups"):
            assert np.array_equal(getattr(one, name), getattr(renamed, name)), name


def test_entries_of_one_list_have_one_number() -> None:
    _, units = page("<ul><li>a<li>b<li>c</ul><ul><li>d<li>e</ul><p>f")
    groups = group_units(units).tolist()
    assert len(set(groups[:3])) == len(set(groups[3:5])) == 1
    assert len(set(groups)) == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Bees, at LAST!", ["bees", "at", "last"]),
        ("Пчёлы вернулись", ["пчёлы", "вернулись"]),
        ("渡轮 2024", ["渡", "轮", "2024"]),
        ("여객선", ["여", "객", "선"]),
        ("– | ,", []),
        ("STRASSE Straße", ["strasse", "strasse"]),
    ],
)
def test_words_are_folded(text: str, words: list[str]) -> None:
    assert fold_words(text) == words


@pytest.mark.parametrize(
    ("text", "updated"),
    [
        ("Updated 6 May 2024", True),
        ("Aktualisiert am 6. Mai", True),
        ("Обновлено 6 мая 2024", True),
        ("更新于 2024-05-06", True),
        ("آخر تحديث 6 مايو", True),
        ("Published 6 May 2024", False),
        ("6 мая 2024", False),
    ],
)
def test_a_line_says_that_it_is_about_an_update(text: str, updated: bool) -> None:
    assert says_updated(text) is updated
