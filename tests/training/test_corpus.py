"""Rows of the corpora as labelled pages, the labels that metadata gives for free, and the examples made of both."""

import json
import lzma
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from training.columns import FIELDS
from training.corpus import (
    KIND_ARTICLE,
    KIND_LIST,
    KIND_NOT_ARTICLE,
    KIND_OTHER,
    SOURCES,
    LabelledPage,
    news_page,
    read_corpus,
    source_number,
    stated_labels,
)
from training.prepare import examples_of

from sitewright.parse import parse
from sitewright.types import Page

ROOT = Path(__file__).resolve().parents[2]
HTML = """<title>Old ferry returns to the harbour</title><script type="application/ld+json">{"@type": "NewsArticle",
"headline": "Old ferry returns to the harbour", "datePublished": "2024-05-06T07:30:00Z", "dateModified": "2024-05-06T09:00:00Z",
"author": {"name": "Ann Lee"}, "keywords": "ferries, harbours", "articleSection": "Bay"}</script>
<h1>Old ferry returns to the harbour</h1><p>By Ann Lee, 6 May 2024</p><p>The old ferry returned to the harbour on Monday morning.</p>
<p>Several hundred people had come to the quay to see it arrive.</p><ul><li>ferries<li>harbours</ul>"""
TEXT = "The old ferry returned to the harbour on Monday morning.\nSeveral hundred people had come to the quay to see it arrive."


def row(**changes: object) -> dict[str, object]:
    given = {"url": "https://www.example.com/a", "html": HTML, "fold": 1, "source": "metahtml", "page_type": "article"}
    return {**given, "labels": {"title": "Old ferry returns to the harbour", "text": TEXT}, **changes}


@pytest.mark.parametrize(
    ("page_type", "kind"),
    [
        ("article", KIND_ARTICLE),
        ("collection", KIND_LIST),
        ("/tag/", KIND_LIST),
        ("forum", KIND_OTHER),
        ("product", KIND_OTHER),
        ("anything", KIND_NOT_ARTICLE),
    ],
)
def test_the_type_of_a_page_is_its_kind(page_type: str, kind: int) -> None:
    assert news_page(row(page_type=page_type)).kind == kind


def test_a_text_that_is_not_on_its_page_is_no_label() -> None:
    assert "text" in news_page(row(found=0.9)).labels
    assert set(news_page(row(found=0.5)).labels) == {"title"}
    assert news_page(row(url=None, site="example.com")).url == "https://example.com/"


def test_only_the_pages_of_the_wanted_folds_are_read(tmp_path: Path) -> None:
    (tmp_path / "frontpages").mkdir()
    read_again = row(site="b.example", url="https://b.example/a")
    given = {"title": "Old ferry returns to the harbour", "authors": [], "tags": ["ferries"]}
    by_hand = {**read_again, "label_kind": "hand", "labels": given, "stated": {"authors": ["Ann  LEE"]}}
    for path, rows in (
        (tmp_path / "news.jsonl.xz", [row(site="example.com"), row(fold=0, site="example.com"), read_again]),
        (tmp_path / "hand.jsonl.xz", [by_hand]),
        (tmp_path / "hand_sites.jsonl.xz", [{**by_hand, "label_kind": None}]),
        (tmp_path / "hand_links.jsonl.xz", []),
        (
            tmp_path / "frontpages" / "a.jsonl.xz",
            [{"url": "https://x.example/", "html": "<p>x", "fold": 2}, {"url": "", "html": ""}],
        ),
    ):
        with lzma.open(path, "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps(line) + "\n" for line in rows)
    found = list(read_corpus(tmp_path, frozenset({1, 2})))
    assert found[0].absent == {"authors"}
    assert found[0].stated == {"authors": {"ann lee"}}
    assert [(page.fold, page.kind, page.source) for page in found] == [
        (1, KIND_ARTICLE, "hand"),
        (1, KIND_ARTICLE, "metahtml"),
        (2, KIND_LIST, "frontpages"),
    ]


def test_metadata_gives_labels_for_free() -> None:
    assert stated_labels(parse(Page(url="", body=HTML))) == {
        "title": "Old ferry returns to the harbour",
        "published": "2024-05-06T07:30:00Z",
        "authors": ["Ann Lee"],
        "categories": ["Bay"],
        "tags": ["ferries", "harbours"],
    }
    assert stated_labels(parse(Page(url="", body="<title>Bees</title><meta property=og:title content=Bees>"))) == {}


def test_a_corpus_has_a_number() -> None:
    assert len({source_number(name) for name in SOURCES}) == len(SOURCES)
    assert source_number("never heard of") == source_number("other")


def test_a_page_gives_examples_of_equal_lengths_and_the_same_ones_each_time() -> None:
    page = news_page(row())
    examples = examples_of(page, 3)
    assert len(examples) >= 4
    assert examples[0].variant == 0
    for example in examples:
        count = len(example.features.dense)
        assert example.targets.shape == (count, len(FIELDS))
        assert len(example.features.groups) == count
        assert example.shown.shape == (len(FIELDS),)
        assert np.isin(example.shown, (-1, 0, 1)).all()
    for one, other in zip(examples, examples_of(page, 3), strict=True):
        assert np.array_equal(one.features.dense, other.features.dense)
        assert np.array_equal(one.targets, other.targets)


def test_a_list_teaches_that_it_has_no_text() -> None:
    page = LabelledPage("https://x.example/", HTML, 1, "frontpages", KIND_LIST, {})
    [example] = examples_of(page, 0, variants=False)
    assert example.shown[FIELDS.index("text")] == 0
    assert (example.targets[:, FIELDS.index("text")] == 0).all()
    assert example.shown[FIELDS.index("title")] == -1


@pytest.mark.parametrize("html", ["", "<p>one", "<div>" * 600 + "deep"])
def test_a_page_that_teaches_nothing_gives_no_example(html: str) -> None:
    assert examples_of(LabelledPage("", html, 1, "x", KIND_ARTICLE, {}), 0) == []


def test_preparing_needs_no_torch() -> None:
    program = (
        "import sys, training.prepare, training.variants; print('torch' in sys.modules, 'onnxruntime' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.stdout.split() == ["False", "False"], done.stderr
