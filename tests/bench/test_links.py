"""How front pages are read and scored, and what the baselines make of links, on made-up pages."""

import json
import lzma
import math
import sys
import warnings
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from bench.frontpages import FrontLink, FrontPage, LinkScore, Tally, front_pages, measure
from bench.link_baselines import (
    LEAST_WORDS,
    NaiveBayes,
    OutOfSite,
    ask_news_please,
    baselines,
    both,
    count_words,
    courlan_spider,
    courlan_strict,
    group_of,
    in_heading,
    installed,
    link_examples,
    long_enough,
    news_please,
    newspaper4k,
    start_of,
    table,
    words_of,
)
from bench.samples import has_shared

from bench import frontpages

SITE = "lantern.example"
START = f"https://www.{SITE}/"
STORY = f"{START}town/2024/05/06/bees-return-to-the-old-mill-at-last"
EXAMPLES = [
    ("Bees return to the mill", True),
    ("Council votes on the mill", True),
    ("Storm hits the harbour", True),
    ("Subscribe now", False),
    ("Sport", False),
    ("Contact us now", False),
]


def link(href: str = STORY, text: str = "", *, article: bool = True) -> FrontLink:
    return FrontLink(href, text, "", article)


def page(*links: FrontLink, site: str = SITE, fold: int = 1, html: str = "") -> FrontPage:
    return FrontPage(site, fold, f"https://www.{site}/", "en", "2024-05-06", html, links)


def row(site: str, fold: int, *links: Mapping[str, Any]) -> dict[str, Any]:
    plain = {"site": site, "fold": fold, "url": f"https://{site}/", "lang": "en", "time": "2024-05-06", "html": "<p>"}
    return {**plain, "links": list(links)}


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with lzma.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)


def test_pages_are_parted_into_series_and_single_ones_and_cut_by_fold(tmp_path: Path) -> None:
    stated = {"href": STORY, "text": "", "alt": "Bees return", "article": True, "kind": "video"}
    write(tmp_path / "b.example.jsonl.xz", [row("b.example", 1, stated), row("b.example", 1), row("c.example", 0)])
    write(tmp_path / "multilang-2018.jsonl.xz", [row("d.example", 2), row("e.example", 0)])
    series = list(front_pages("series", {1, 2}, tmp_path))
    assert [found.site for found in series] == ["b.example", "b.example"]
    assert series[0].links == (FrontLink(STORY, "", "Bees return", article=True),)
    assert [found.site for found in front_pages("single", {1, 2}, tmp_path)] == ["d.example"]
    assert [found.site for found in front_pages("series", {0}, tmp_path)] == ["c.example"]


def test_a_link_is_tallied_once_a_site_and_is_an_article_where_one_of_its_copies_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[Any] = []

    def score_links(pages: list[Any], records: list[Any]) -> dict[str, float]:
        seen.extend((pages, records))
        return {"p": 0.5, "r": 0.25, "f1": 0.3, "sites_scored": 1}

    monkeypatch.setattr(frontpages, "load_eval", lambda _name: SimpleNamespace(score_links=score_links))
    tally = Tally()
    assert tally.score() is None
    tally.add(page(link(article=False), link(START, article=False)), [False, False])
    tally.add(page(link(), link(), link(START, article=False)), [False, True, False])
    assert tally.score() == LinkScore(0.5, 0.25, 1)
    told, said = seen
    assert told == [
        {"site": SITE, "links": [{"href": STORY, "article": True}, {"href": START, "article": False}]},
    ]
    assert said == [{"links": [{"href": STORY, "article": True}]}]


def test_every_link_of_a_page_has_to_be_decided_upon() -> None:
    with pytest.raises(ValueError, match="shorter"):
        Tally().add(page(link(), link()), [True])


@pytest.mark.skipif(not has_shared(), reason="the scorer lies beside the corpora")
def test_the_measure_is_the_mean_over_sites_of_their_distinct_links() -> None:
    other = "https://www.other.example/a"
    pages = [
        page(link(), link(f"{START}sport", article=False)),
        page(link(), link(f"{START}new"), link(f"{START}shop", article=False)),
        page(link(other, article=True), site="other.example"),
    ]
    ways = {
        "all": baselines(lambda _page: [])["every link"],
        "first": lambda seen: [True] + [False] * len(seen.links[1:]),
    }
    scores = measure(pages, ways)
    assert scores["all"] == LinkScore(0.75, 1.0, 2)
    assert scores["first"] == LinkScore(1.0, 0.75, 2)
    assert measure([], ways) == {"all": None, "first": None}


@pytest.mark.parametrize(
    ("text", "article"),
    [
        ("", False),
        ("Read more", False),
        ("Subscribe – from today", False),
        ("Bees return at last", True),
        ("শহরে মৌমাছি ফিরে এসেছে", True),
        ("শাহি সমাচার", False),
        ("東京で桜が開花した", True),
        ("スポーツ", False),
        ("ผึ้งกลับมาที่โรงสีเก่าแล้ว", True),
        ("กีฬา", False),
        ("벌이 마침내 돌아왔다 오늘", True),
    ],
)
def test_articles_have_four_words_in_any_script(text: str, article: bool) -> None:
    assert long_enough(page(link(text=text))) == [article]
    assert (count_words(text) >= LEAST_WORDS) == article


def test_words_keep_the_marks_of_their_script_and_lose_punctuation() -> None:
    assert words_of("«শাহি সমাচার», E-Paper 開花") == ["শাহি", "সমাচার", "e", "paper", "開", "花"]


def test_the_classifier_tells_titles_by_their_words() -> None:
    model = NaiveBayes(EXAMPLES)
    assert model.score("The storm at the mill") > 0 > model.score("Subscribe to sport now")
    assert model.score("Imkerei") == model.score("") == math.log(1)


def test_the_classifier_is_that_of_scikit_learn() -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    bayes = pytest.importorskip("sklearn.naive_bayes")
    texts, kinds = zip(*EXAMPLES, ("The mill", False), strict=True)
    vectors = text.TfidfVectorizer(tokenizer=words_of, lowercase=False, token_pattern=None)
    reference = bayes.MultinomialNB().fit(vectors.fit_transform(texts), kinds)
    asked = ["The storm, the mill", "Contact the council", "Imkerei", "now now sport"]
    expected = [yes - no for no, yes in reference.predict_log_proba(vectors.transform(asked))]
    model = NaiveBayes(zip(texts, kinds, strict=True))
    assert [model.score(one) for one in asked] == pytest.approx(expected)


def site_of_group(group: int) -> str:
    return next(site for site in (f"s{number}.example" for number in range(100)) if group_of(site) == group)


def test_no_site_is_judged_by_its_own_links() -> None:
    near, far = site_of_group(0), site_of_group(1)
    wrong = [(text, not article) for text, article in EXAMPLES]
    classifier = OutOfSite({near: wrong * 9, far: EXAMPLES})
    links = (link(text="Storm at the mill"), link(text="Subscribe now"), link(text=" "))
    assert classifier.decide(page(*links, site=near)) == [True, False, False]
    assert classifier.decide(page(*links, site=far)) == [False, True, False]
    assert classifier.decide(page(*links, site="new.example", fold=0)) == [False, True, False]
    assert group_of("web.de") == group_of("gmx.net")


def test_texts_are_learned_once_a_site_and_empty_ones_never() -> None:
    seen = page(link(text="Bees return"), link(text="Sport", article=False), link(text=" "))
    assert link_examples([seen, seen]) == {SITE: {("Bees return", True), ("Sport", False)}}


def test_both_takes_what_each_takes() -> None:
    three = page(link(), link(), link())
    assert both(lambda _: [True, True, False], lambda _: [False, True, True])(three) == [False, True, False]


def test_links_in_and_around_headings_are_told_by_their_address() -> None:
    html = """<base href="/town/"><h2><a href="a">A</a></h2><a href=" b "><div><h3>B</h3></div></a><a href="c">C</a>
    <h4><a href="http://[broken">D</a></h4>"""
    hrefs = [f"{START}town/{name}" for name in "abc"] + ["http://[broken", f"{START}town/a"]
    assert in_heading(page(*map(link, hrefs), html=html)) == [True, True, False, True, True]


@pytest.mark.parametrize("make", [courlan_strict, courlan_spider])
def test_courlan_leaves_navigation_files_and_other_sites_out(make: Any) -> None:
    pytest.importorskip("courlan")
    hrefs = [
        STORY,
        f"{START}category/town/",
        f"{START}map.pdf?a=1",
        "https://other.example/a-story",
        "mailto:a@b.example",
    ]
    assert make()(page(*map(link, hrefs)))[:2] == [True, False]
    assert make()(page(*map(link, hrefs)))[3:] == [False, False]
    assert courlan_strict()(page(link(hrefs[2]))) == [False]


def test_newspaper_goes_by_slugs_dates_and_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells of what else could be installed
        pytest.importorskip("newspaper")
        decide = newspaper4k()
    import tldextract.tldextract as suffixes  # noqa: PLC0415 -- comes with newspaper

    monkeypatch.setattr(suffixes, "TLD_EXTRACTOR", suffixes.TLDExtract(cache_dir=None, suffix_list_urls=()))
    hrefs = [STORY, f"{START}sport", f"{START}story/bees", f"{START}about/bees-2024", "mailto:a@b.example", "http://[x"]
    assert decide(page(*map(link, hrefs))) == [True, False, True, False, False, False]


def test_news_please_is_asked_once_for_all_sites(tmp_path: Path) -> None:
    python = tmp_path / "python"
    answer = json.dumps({START: {STORY: True, f"{START}sport": False}})
    python.write_text(f"#!/bin/sh\ncat > '{tmp_path}/asked'\necho news\necho '{answer}'\n")
    python.chmod(0o755)
    front = page(link(), link(f"{START}sport"), link("https://other.example/"), link())
    ways = news_please(str(python), [front, front])
    assert json.loads((tmp_path / "asked").read_text()) == {start_of(front): sorted({one.href for one in front.links})}
    assert [decide(front) for decide in ways.values()] == [[True, True, False, True], [True, False, False, True]]


def test_news_please_that_breaks_is_told(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho it broke >&2\nexit 1\n")
    python.chmod(0o755)
    with pytest.raises(SystemExit, match="it broke"):
        ask_news_please(str(python), {})


@pytest.mark.parametrize("python", [sys.executable, "/nowhere/python"])
def test_news_please_may_be_missing(python: str) -> None:
    if python == sys.executable and find_spec("newsplease"):
        pytest.skip("it is there")
    with pytest.raises(ImportError):
        ask_news_please(python, {START: [STORY]})


def test_peers_that_are_not_installed_have_a_row_that_says_so() -> None:
    def absent() -> Any:
        raise ImportError

    there, missing = installed({"here": lambda: long_enough, "gone": absent})
    assert (list(there), missing) == (["here"], ["gone"])
    scores = {"series": {"here": LinkScore(0.5, 0.75, 2)}, "single": {"here": None}}
    assert table(scores, missing).splitlines()[2:] == [
        "| here | 0.500 | 0.750 | – | – |",
        "| gone (not installed) | – | – | – | – |",
    ]
