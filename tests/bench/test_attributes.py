"""The pure parts of the measurement of attributes, on made-up pages."""

import pytest
from bench.absence import Question, answers, counts, kind_questions
from bench.attributes import judge
from bench.cutting import NOT_A_LABEL, NOT_SHOWN, STILL_THERE, cut_field
from bench.labelled import kind_of
from bench.languages import GROUPS, group_of
from bench.reliability import EDGES, Judged, bins, calibration_error
from bench.samples import has_shared
from hypothesis import given
from hypothesis import strategies as st

from sitewright.parse import parse, visible_lines
from sitewright.types import Page

URL = "https://example.com/2024/05/06/bees-return"
TEXT = (
    "The bees of the old harbour have returned after nine quiet years, and nobody can say why they came.\n"
    "Keepers counted eleven swarms on the roofs along the quay before the rain drove them under the tiles.\n"
    "A second count is planned for the first dry morning of next week."
)
LABELS = {
    "title": "Bees return to the old harbour",
    "subtitle": "After nine years the swarms are back, to the joy of keepers",
    "published": "2024-05-06T08:30:00+02:00",
    "authors": ["Ann Lee", "Bo Ek"],
    "categories": ["Nature"],
    "tags": ["bees", "harbour life"],
    "text": TEXT,
}
PARAGRAPHS = "".join(f"<p>{line}</p>" for line in TEXT.splitlines())
HTML = f"""<html lang="en"><head><title>Bees return to the old harbour | The Lantern</title>
<meta property="og:title" content="Bees return to the harbour">
<meta name="description" content="{LABELS["subtitle"]}">
<meta property="article:published_time" content="2024-05-06T08:30:00+02:00">
<meta name="author" content="Ann Lee"><meta name="keywords" content="bees, harbour life, quay">
<link rel="canonical" href="{URL}">
<script type="application/ld+json">{{"@type": "NewsArticle", "headline": "Bees return to the old harbour",
"datePublished": "2024-05-06", "dateModified": "2024-06-20", "author": [{{"name": "Ann Lee"}}], "articleSection": "Nature",
"publisher": {{"name": "The Lantern"}}}}</script></head><body>
<nav><a href="/sport">Sport</a><a href="/nature">Nature</a></nav>
<div class="breadcrumb"><a href="/">Home</a> › <a href="/nature">Nature</a> › <a href="/n/b">Birds and bees</a></div>
<h1>Bees return to the <em>old</em> harbour</h1><p class="lead">{LABELS["subtitle"]}</p>
<div class="byline">By <a rel="author" href="/ann">Ann Lee</a> and Bo Ek, Lantern News</div>
<time datetime="2024-05-06T08:30">6 May 2024, 8.30 am</time>
<img src="/img/2024/05/06/roof.jpg" alt="Bees return to the old harbour">
<div class="story">{PARAGRAPHS}</div>
<ul class="tags"><li>Tags</li><li>bees</li><li>harbour life</li><li>roofs</li></ul>
<aside><h3>More</h3><a href="/2024/04/02/x">Herons leave the marsh</a><span>2 April 2024</span></aside>
<div class="comment"><b>Cy Dow</b> <span>9 May 2024</span> Lovely!</div></body></html>"""


def cut(name: str, html: str = HTML) -> str:
    done = cut_field(Page(url=URL, body=html), name, LABELS[name], "en")
    assert done.trouble == ""
    return done.html


@pytest.mark.parametrize(
    ("name", "gone", "kept"),
    [
        ("title", ["old harbour<", "og:title", "headline", "<h1", "<title"], ["Ann Lee", "Herons", "publisher"]),
        ("subtitle", ["nine years the swarms", "description"], ["<h1", "nine quiet years"]),
        ("published", ["6 May 2024", "2024-05-06", "2024/05/06", "published_time"], ["2 April", "9 May", "2024-06-20"]),
        ("authors", ["Ann Lee", "Bo Ek", "Lantern News", 'name="author"'], ["Cy Dow", "<h1", "publisher"]),
        ("categories", ["Nature", "Birds and bees", "articleSection"], ["Sport", "<h1"]),
        ("tags", ["<li>", "keywords"], ["<h1", "Sport"]),
        ("text", ["swarms on the roofs", "second count"], ["<h1", "Lovely", "Herons"]),
    ],
)
def test_a_field_goes_and_the_rest_stays(name: str, gone: list[str], kept: list[str]) -> None:
    html = cut(name)
    assert [part for part in gone if part in html] == []
    assert [part for part in kept if part not in html] == []


def test_the_day_goes_from_the_address() -> None:
    done = cut_field(Page(url=URL, body=HTML), "published", LABELS["published"], "en")
    assert done.url == "https://example.com//bees-return"


def test_a_page_without_its_text_is_boilerplate() -> None:
    root = parse(Page(url=URL, body=cut("text"))).tree.root
    assert root is not None
    assert not set(TEXT.splitlines()) & set(visible_lines([root]))


@pytest.mark.parametrize(
    ("name", "html", "trouble"),
    [
        ("authors", HTML.replace("A second count", f"Ann Lee is right. {'More was said. ' * 40} A count"), STILL_THERE),
        (
            "published",
            HTML.replace("A second", f"On the 6th of May 2024 {'all was well and ' * 9} a second"),
            STILL_THERE,
        ),
        ("tags", "<meta name=keywords content='bees, harbour life'><p>They are back.", NOT_SHOWN),
        ("title", "<title>Bees return to the old harbour</title><p>They are back.", NOT_SHOWN),
    ],
)
def test_pages_that_are_of_no_use(name: str, html: str, trouble: str) -> None:
    assert cut_field(Page(url=URL, body=html), name, LABELS[name], "en").trouble == trouble


@pytest.mark.parametrize(
    ("name", "label"), [("published", "soon"), ("published", float("nan")), ("title", "!"), ("text", "x")]
)
def test_labels_that_cannot_be_told(name: str, label: str | float) -> None:
    assert cut_field(Page(url=URL, body=HTML), name, label).trouble == NOT_A_LABEL


def test_a_word_of_a_sentence_is_no_tag() -> None:
    assert "They say bees" in cut("tags", HTML.replace("Lovely!", "They say bees are lovely at any time of the year"))


@pytest.mark.parametrize(
    ("language", "group"),
    [("en", "English"), ("de-AT", "western European"), ("zh_TW", "Chinese"), ("yue", "Chinese"), ("ur", "Arabic script"),
     ("he", "Hebrew"), ("hi", "Indic"), ("bg", "Cyrillic"), ("", "unknown"), ("xx", "unknown")],
)  # fmt: skip
def test_languages_are_grouped(language: str, group: str) -> None:
    assert group_of(language) == group
    assert group in GROUPS


def test_edges_belong_to_the_upper_bin() -> None:
    found = bins([Judged(edge, True) for edge in EDGES])
    assert [each.values for each in found] == [1, 1, 1, 1, 1, 2]


def test_calibration_error() -> None:
    judged = [Judged(0.9, True)] * 3 + [Judged(0.9, False)] + [Judged(0.6, True)] * 4
    assert calibration_error(bins(judged)) == pytest.approx(0.5 * 0.15 + 0.5 * 0.4)
    assert calibration_error([]) == 0.0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans())))
def test_every_value_is_in_one_bin(values: list[tuple[float, bool]]) -> None:
    found = bins(Judged(*value) for value in values)
    assert sum(each.values for each in found) == len(values)
    assert 0.0 <= calibration_error(found) <= 1.0


def row(source: str, kind: str, **labels: object) -> dict[str, object]:
    return {"source": source, "page_type": kind, "labels": labels, "url": "https://example.com/"}


def test_lists_are_asked_only_what_they_cannot_have() -> None:
    pages = [row("frontpages", "list"), row("wcxb_other", "listing", authors=["Ann Lee"]), row("fundus", "article")]
    asked = [(question.row["source"], question.field) for question in kind_questions(pages)]
    assert len([name for source, name in asked if source == "frontpages"]) == 6
    assert [name for source, name in asked if source == "wcxb_other"] == ["published", "tags"]
    assert not [name for source, name in asked if source == "fundus"]
    section = {**row("frontpages", "list"), "url": "https://example.com/politics/"}
    assert "categories" not in {question.field for question in kind_questions([section])}
    assert kind_of(row("metahtml_nonarticle", "/de/")) == "list"


def test_false_answers_are_counted_by_field_and_set() -> None:
    page = row("frontpages", "list")
    questions = [Question("kind", "tags", page), Question("kind", "text", page), Question("cut", "tags", page)]
    records = [
        {"tags": ["a"], "confidence": {"tags": 0.4}},
        {"text": "short"},
        {"tags": ["b"], "confidence": {"tags": 0.9}},
    ]
    found = answers(questions, records)
    assert [answer.value for answer in found] == [["b"], ["a"]]
    table = counts(questions, found)
    assert table["tags"]["both"] == {"pages": 2, "false": 2, "share": 1.0, "sure": 0.5}
    assert table["text"]["kind"]["share"] == 0.0
    assert table["title"] == {}


@pytest.mark.skipif(not has_shared(), reason="the scorer lies beside the corpora")
def test_values_are_judged_where_there_is_a_label() -> None:
    labels = {"title": "Bees return to the old harbour", "authors": ["Ann Lee"], "published": "2024-05-06"}
    record = {
        "title": "Bees return to the old harbour",
        "authors": ["Ann Lee", "Bo Ek"],
        "published": "2024-05-06T10:00:00",
        "tags": ["bees"],
        "confidence": {"title": 0.9, "authors": 0.6, "published": 0.8, "tags": 0.5},
    }
    judged = judge([{"labels": labels}], [record])
    assert judged == {"title": [(0.9, True)], "authors": [(0.6, False)], "published": [(0.8, True)]}
