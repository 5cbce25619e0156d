"""The labels of a corpus laid upon the units of a page: what each unit should score."""

from datetime import UTC, date, datetime

import numpy as np
import pytest
from training.columns import FIELDS
from training.corpus import HAND, KIND_ARTICLE, LabelledPage
from training.labels import (
    COLUMN,
    UNKNOWN,
    Targets,
    days_of,
    likeness,
    page_targets,
    read_moment,
    tokens_of,
    unit_targets,
)

from sitewright.parse import parse
from sitewright.tag.units import Unit, UnitKind, read_units
from sitewright.types import Page
from sitewright.values import Context

NOW = datetime(2024, 6, 15, tzinfo=UTC)
PARAGRAPHS = (
    "The old ferry returned to the harbour on Monday morning, nine years after it had left.",
    "Several hundred people had come to the quay to see it, some with photographs in their hands.",
    "From next month on the ferry is to cross the bay four times a day, the harbour master said.",
)


def aligned(html: str, labels: dict[str, object]) -> tuple[list[Unit], Targets]:
    document = parse(Page(url="https://www.example.com/a", body=html))
    units = read_units(document)
    return units, unit_targets(units, labels, Context(document=document, now=NOW, language="en"))


def scores(html: str, field: str, label: object) -> dict[str, float]:
    units, targets = aligned(html, {field: label})
    column = targets.values[:, COLUMN[field]]
    return {unit.text: round(float(score), 2) for unit, score in zip(units, column, strict=True)}


@pytest.mark.parametrize("field", ["title", "subtitle"])
@pytest.mark.parametrize(
    ("html", "label", "right", "wrong"),
    [
        (
            "<h1>Bees are back in town</h1><p>Other words here",
            "Bees are back in town",
            ["Bees are back in town"],
            ["Other words here"],
        ),
        ("<h1>Bees are back in town!</h1><p>x", "BEES are back in town", ["Bees are back in town!"], ["x"]),
        (
            "<title>老渡轮重返港口 - 灯笼报</title><h1>老渡轮重返港口</h1>",
            "老渡轮重返港口",
            ["老渡轮重返港口"],
            ["灯笼报"],
        ),
        ("<h1>Старый паром вернулся в порт</h1>", "Старый паром вернулся в порт", ["Старый паром вернулся в порт"], []),
        (
            "<h1>العبّارة القديمة تعود إلى الميناء</h1><p>ا",
            "العبّارة القديمة تعود إلى الميناء",
            ["العبّارة القديمة تعود إلى الميناء"],
            ["ا"],
        ),
    ],
)
def test_lines_are_aligned_by_their_words(
    field: str, html: str, label: str, right: list[str], wrong: list[str]
) -> None:
    found = scores(html, field, label)
    assert [found[text] for text in right] == [1.0] * len(right)
    assert [found[text] for text in wrong] == [0.0] * len(wrong)


def test_a_title_with_the_name_of_the_site_scores_less_than_the_title_itself() -> None:
    found = scores(
        "<title>Bees are back in town | The Lantern</title><h1>Bees are back in town</h1>",
        "title",
        "Bees are back in town",
    )
    assert found["Bees are back in town"] == 1
    assert 0 < found["Bees are back in town | The Lantern"] < 1


@pytest.mark.parametrize(
    ("label", "shown", "score"),
    [
        ("2024-05-06", "6 May 2024", 1),
        ("2024-05-06", "7 May 2024", None),
        ("2024-05-06T23:30:00-05:00", "6 May 2024", 1),
        ("2024-05-06T23:30:00-05:00", "7 May 2024", 1),  # the same moment in Greenwich
        ("2024-05-06T23:30:00-05:00", "8 May 2024", None),
        ("2024-05-06T01:00:00+09:00", "2024년 5월 6일", 1),
        ("2024-05-06T01:00:00+09:00", "2024-05-05T16:00:00Z", 1),
        ("2024-05-06T07:08:00Z", "2024年5月6日", 1),
        ("2024/05/06", "6 мая 2024", 1),
        ("no date", "6 May 2024", None),
    ],
)
def test_dates_are_aligned_by_their_day_there_or_in_greenwich(label: str, shown: str, score: int | None) -> None:
    assert scores(f"<p>{shown}</p><p>x", "published", label)[shown] == (score if score is not None else UNKNOWN)


def test_a_time_element_is_read_by_what_it_states() -> None:
    found = scores(
        "<p>Bees, <time datetime=2024-05-06T07:08>last week</time></p><p>1 May 2024", "published", "2024-05-06"
    )
    assert found["last week"] == 1
    assert found["1 May 2024"] == 0


@pytest.mark.parametrize(
    ("label", "right"),
    [
        (["Ann Lee", "Bo Ek"], {"By Ann Lee and Bo Ek": 1.0, "Ann Lee": 1.0, "Bo Ek": 1.0, "Cy Fox": 0.0}),
        (["Ann Lee, Bo Ek"], {"By Ann Lee and Bo Ek": 1.0, "Ann Lee": 1.0}),
        ("Ann Lee", {"By Ann Lee and Bo Ek": 0.5, "Ann Lee": 1.0, "Bo Ek": 0.0}),
        (["ann  LEE"], {"Ann Lee": 1.0}),
    ],
)
def test_a_byline_scores_by_the_share_of_its_names(label: object, right: dict[str, float]) -> None:
    found = scores(
        "<p>By <a href=/a>Ann Lee</a> and <a href=/b>Bo Ek</a></p><p><a href=/c>Cy Fox</a></p>", "authors", label
    )
    assert {text: found[text] for text in right} == right


@pytest.mark.parametrize("field", ["tags", "categories"])
def test_entries_of_lists_are_aligned_one_by_one(field: str) -> None:
    found = scores("<ul><li>#Пчёлы<li>Honey<li>Weather</ul>", field, ["пчёлы", "honey"])
    assert found == {"#Пчёлы": 1.0, "Honey": 1.0, "Weather": 0.0}


def test_a_list_of_which_hardly_anything_is_there_is_unknown() -> None:
    found = scores("<ul><li>honey<li>x</ul>", "tags", ["honey", "roofs", "cities", "keepers"])
    assert set(found.values()) == {UNKNOWN}


def test_the_text_is_aligned_without_the_boilerplate_between() -> None:
    one, two, three = PARAGRAPHS
    html = f"<h1>Old ferry returns to the harbour at last</h1><p>{one}</p><p>Subscribe to our free newsletter now and never miss a story</p><p>{two}</p><p>Tickets</p><p>Share</p><p>{three}</p><p>Share</p>"
    units, targets = aligned(
        html, {"text": f"{one}\n{two}\nTickets\n{three}", "title": "Old ferry returns to the harbour at last"}
    )
    column = targets.values[:, COLUMN["text"]]
    right = [unit.text for unit, score in zip(units, column, strict=True) if score == 1]
    assert right == [one, two, "Tickets", three]
    assert not [
        unit for unit, score in zip(units, column, strict=True) if score == UNKNOWN and unit.kind is UnitKind.RUN
    ]


def test_the_headline_is_no_text_even_where_the_label_holds_it() -> None:
    title = "Old ferry returns to the harbour at last"
    html = f"<title>{title}</title><h1>{title}</h1>" + "".join(f"<p>{line}</p>" for line in PARAGRAPHS)
    for labels in (
        {"text": "\n".join((title, *PARAGRAPHS))},
        {"text": "\n".join((title, *PARAGRAPHS)), "title": title},
    ):
        units, targets = aligned(html, labels)
        column = targets.values[:, COLUMN["text"]]
        assert [unit.text for unit, score in zip(units, column, strict=True) if score == 1] == list(PARAGRAPHS)


def test_text_in_scripts_without_blanks_is_aligned() -> None:
    lines = (
        "老渡轮于周一上午返回港口，距离它离港维修已经过去了整整九年。",
        "数百人来到码头观看，其中一些人手里还拿着照片。",
    )
    comment = "请登录后发表评论，谢谢您的参与"
    found = scores("".join(f"<p>{line}</p>" for line in lines) + f"<p>{comment}</p>", "text", "\n".join(lines))
    assert [found[line] for line in (*lines, comment)] == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("field", [field for field in FIELDS if field != "caption"])
def test_what_has_no_label_or_is_nowhere_on_the_page_is_unknown(field: str) -> None:
    for labels in ({}, {field: ""}, {field: []}, {field: None}, {field: "nowhere on this whole page to be found"}):
        _, targets = aligned("<h1>Bees</h1><p>By Ann Lee", labels)
        assert (targets.values[:, COLUMN[field]] == UNKNOWN).all()
        assert targets.shown(field) is None


def test_captions_are_known_by_their_elements() -> None:
    units, targets = aligned(
        "<figure><figcaption>A ferry</figcaption></figure><p class=photo-caption>A bay</p><p>Text", {}
    )
    column = targets.values[:, COLUMN["caption"]]
    assert dict(zip((unit.text for unit in units), column.tolist(), strict=True)) == {
        "A ferry": 1,
        "A bay": 1,
        "Text": 0,
    }
    assert targets.shown("caption") is True


def test_whether_a_field_is_shown() -> None:
    values = np.full((2, len(FIELDS)), UNKNOWN, dtype=np.float32)
    values[:, COLUMN["title"]] = [0, 1]
    values[:, COLUMN["tags"]] = 0
    targets = Targets(values)
    assert (targets.shown("title"), targets.shown("tags"), targets.shown("text")) == (True, False, None)


def test_targets_of_a_page_without_units_are_empty() -> None:
    _, targets = aligned("", {"title": "Bees", "text": "x", "authors": ["Ann Lee"]})
    assert targets.values.shape == (0, len(FIELDS))
    assert targets.shown("title") is None


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("a b c d e", "A, b c d e!", 1.0),
        ("a b c d", "e f g h", 0.0),
        ("", "", 0.0),
        ("渡轮重返港口", "渡轮重返港口", 1.0),
    ],
)
def test_likeness(one: str, other: str, alike: float) -> None:
    assert likeness(one, other) == alike


def test_moments_and_their_days() -> None:
    assert read_moment("2024-05-06T07:08:00Z") == datetime(2024, 5, 6, 7, 8, tzinfo=UTC)
    assert read_moment("soon") is None
    assert days_of(date(2024, 5, 6)) == {date(2024, 5, 6)}
    assert days_of(datetime(2024, 5, 6, 23)) == {date(2024, 5, 6)}
    assert days_of(datetime.fromisoformat("2024-05-06T23:00-05:00")) == {date(2024, 5, 6), date(2024, 5, 7)}
    assert tokens_of("Bees 渡轮_x") == ("bees", "渡", "轮", "x")


def test_snippets_say_what_is_text_and_what_is_not() -> None:
    html = "".join(f"<p>{line}</p>" for line in PARAGRAPHS) + "<p>Subscribe to our newsletter now.</p>"
    labels: dict[str, object] = {
        "text_snippets_in": ["ferry returned to  the harbour"],
        "text_snippets_out": ["our newsletter"],
    }
    units, targets = aligned(html, labels)
    column = {unit.text: float(score) for unit, score in zip(units, targets.values[:, COLUMN["text"]], strict=True)}
    assert column[PARAGRAPHS[0]] == 1
    assert column["Subscribe to our newsletter now."] == 0
    assert column[PARAGRAPHS[1]] == UNKNOWN
    assert aligned(html, {"text_snippets_in": ["nowhere"]})[1].shown("text") is None


def test_what_somebody_looked_for_and_did_not_find_is_no_unit() -> None:
    html = (
        '<meta name=keywords content="ferries"><meta name=author content="Ann Lee"><h1>Old ferry</h1><p>By the harbour'
    )
    absent, stated = frozenset({"tags", "authors"}), {"tags": frozenset({"ferries"})}
    page = LabelledPage("https://www.example.com/a", html, 1, HAND, KIND_ARTICLE, {}, absent, stated)
    document = parse(Page(url=page.url, body=html))
    units = read_units(document)
    targets = page_targets(units, page, Context(document=document, now=NOW, language="en"))
    tags = dict(zip([unit.text for unit in units], targets.values[:, COLUMN["tags"]].tolist(), strict=True))
    assert tags == {**dict.fromkeys(tags, 0.0), "ferries": UNKNOWN}  # of what is stated as tags nobody knows
    assert (targets.values[:, COLUMN["authors"]] == 0).all()
    assert targets.shown("authors") is False
    assert (targets.values[:, COLUMN["categories"]] == UNKNOWN).all()
