"""Pages of several designs: how they are grouped, told apart and named."""

import re
from collections.abc import Callable

import pytest

from sitewright.domains import load_domain
from sitewright.induce import Sample
from sitewright.induce.templates import group_by_design, name_of, probe_of, url_pattern_of
from sitewright.parse import Document
from sitewright.types import TaggedPage

Opined = Callable[..., tuple[Document, TaggedPage]]
Sampled = Callable[..., list[Sample]]
Designed = Callable[..., list[Sample]]

NEW = """<!doctype html><body class=site><header class=top>Menu</header><article class=story><h1 class=story__title>{title}</h1>
<div class=story__text><p>{text}</p></div></article><aside class=teasers>More</aside>"""
OLD = """<!doctype html><body class=site><header class=top>Menu</header><div id=wrap><div class=entry><h2 class=entry-name>{title}</h2>
<div class=entry-words><p>{text}</p></div></div></div><aside class=teasers>More</aside>"""
GALLERY = """<!doctype html><body class=site><header class=top>Menu</header><div class=slides><h1 class=slides-name>{title}</h1>
<ul class=slides-list><li><p class=caption>{text}</p></li></ul></div>"""
DESIGNS = {"n": NEW, "o": OLD, "g": GALLERY}


@pytest.fixture
def designed(opined: Opined, sampled: Sampled) -> Designed:
    """Return a function of letters, one a page (new, old, gallery), that gives the samples."""

    def samples(letters: str, urls: list[str] | None = None) -> list[Sample]:
        pages = []
        for n, letter in enumerate(letters):
            title, text = f"Title of page {n}", f"The text of page {n}, in which not much is said."
            url = urls[n] if urls else f"https://www.example.com/news/{n}"
            html = DESIGNS[letter].format(title=title, text=text)
            pages.append(opined(html, {"title": {title: 0.9}, "text": {text: 0.9}}, url=url))
        return sampled(pages)

    return samples


@pytest.mark.parametrize(
    ("letters", "groups"),
    [
        ("nnnn", ["nnnn"]),
        ("nn", ["nn"]),
        ("nnnnooo", ["nnnn", "ooo"]),
        ("ooonnnn", ["nnnn", "ooo"]),
        ("nononon", ["nnnn", "ooo"]),
        ("nnnnooogggnnn", ["nnnnnnn", "ooo", "ggg"]),
        ("nnnno", ["nnnno"]),
        ("onnnn", ["onnnn"]),
        ("nnngo", ["nnngo"]),
        ("no", ["no"]),
    ],
)
def test_pages_are_grouped_by_design_and_lone_ones_stay_with_most(
    designed: Designed, letters: str, groups: list[str]
) -> None:
    samples = designed(letters)
    found = group_by_design(samples)
    numbers = [[samples.index(sample) for sample in group] for group in found]
    assert ["".join(letters[n] for n in group) for group in numbers] == groups
    assert all(group == sorted(group) for group in numbers)
    assert sorted(n for group in numbers for n in group) == list(range(len(letters)))


def test_what_surrounds_the_content_does_not_make_a_design(opined: Opined, sampled: Sampled) -> None:
    pages = [
        opined(
            f"<div class=story><h1 class=name>Title {n}</h1></div>"
            + "".join(f"<aside class=box-{letter * (n // 3 + 2)}>More</aside>" for letter in "abcdefgh"),
            {"title": {f"Title {n}": 0.9}},
        )
        for n in range(6)
    ]
    assert len(group_by_design(sampled(pages))) == 1


def test_pages_without_any_names_are_of_one_design(opined: Opined, sampled: Sampled) -> None:
    pages = [opined(f"<h1>Title {n}</h1>", {"title": {f"Title {n}": 0.9}}) for n in range(6)]
    assert len(group_by_design(sampled(pages))) == 1


def test_a_probe_finds_all_pages_of_a_group_and_no_other(designed: Designed) -> None:
    samples = designed("nnnooogg")
    for letter in "nog":
        group = [sample for sample, own in zip(samples, "nnnooogg", strict=True) if own == letter]
        others = [sample for sample in samples if sample not in group]
        probe = probe_of(group, others)
        assert probe
        assert all(sample.document.tree.select(probe) for sample in group)
        assert not any(sample.document.tree.select(probe) for sample in others)


def test_where_nothing_tells_them_apart_there_is_no_probe(designed: Designed) -> None:
    samples = designed("nnnn")
    assert probe_of(samples[:2], samples[2:]) == ""


@pytest.mark.parametrize(
    ("group", "others", "prefix"),
    [
        (["/gallery/1", "/gallery/2"], ["/news/1"], "/gallery/"),
        (["/2024/gallery/a", "/2024/gallery/b"], ["/2024/news/a"], "/2024/gallery/"),
        (["/gallery/1", "/gallery/2"], ["/gallery/3"], ""),
        (["/1", "/2"], ["/news/1"], ""),
        (["/a/1", "/b/2"], ["/news/1"], ""),
        (["/live.blog/1?x=(2)", "/live.blog/2"], ["/live-blog/3"], "/live.blog/"),
        (["/gallery/1"], ["/news/1"], "/gallery/"),
    ],
)
def test_addresses_tell_a_group_apart(designed: Designed, group: list[str], others: list[str], prefix: str) -> None:
    urls = [f"https://www.example.com{path}" for path in (*group, *others)]
    samples = designed("n" * len(urls), urls)
    pattern = url_pattern_of(samples[: len(group)], samples[len(group) :])
    assert bool(pattern) is bool(prefix)
    if pattern:
        found = [url for url in urls if re.search(pattern, url)]
        assert found == urls[: len(group)]
        assert re.search(pattern, f"https://www.example.com{prefix}anything")


@pytest.mark.parametrize(
    ("paths", "taken", "name"),
    [
        (["/gallery/1", "/gallery/2"], ["article"], "gallery"),
        (["/2024/video/a", "/2023/video/b"], ["article"], "video"),
        (["/gallery/1", "/video/2"], ["article"], "article-2"),
        (["/politics/1", "/politics/2"], ["article"], "article-2"),
        (["/gallery/1", "/gallery/2"], ["article", "gallery"], "article-3"),
        (["/1", "/2"], ["article", "article-2"], "article-3"),
    ],
)
def test_a_template_is_named_by_its_addresses_or_numbered(
    designed: Designed, paths: list[str], taken: list[str], name: str
) -> None:
    samples = designed("n" * len(paths), [f"https://www.example.com{path}" for path in paths])
    assert name_of(samples, taken, load_domain("news")) == name
