"""The vote of the paper, and how the measurement of sites groups, splits and compares, on made-up pages."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from bench.samples import has_shared
from bench.sites import (
    HALVED,
    LEAST_LEARNED,
    SIZES,
    Mapped,
    MapTask,
    SitePage,
    Split,
    Tagging,
    agreement,
    grouped,
    halves,
    held_out,
    learn_and_apply,
    twins,
    with_tagger,
)
from bench.vote import PageSelectors, tagged_nodes, vote_map

from bench import attributes, sites
from sitewright.domains import load_domain
from sitewright.extract import Extractor
from sitewright.fetch.archive import TextPlace
from sitewright.parse import Document, parse
from sitewright.types import Label, Page, Rule, TaggedPage, TextLine

URL = "https://www.example.com/bees"
HTML = """<html><body>
<header><h2 class="name">The Lantern</h2></header>
<div id="story"><h2 class="name big">Bees return</h2>
<div class="by"><a>Ann Lee</a><a>Bo Ek</a></div>
<div class="body"><p>One.</p><p>Two.</p><p> </p></div></div>
<div class="more"><p>Other.</p><ul><li>First</li><li>Second</li></ul></div>
</body></html>"""


def document_of(html: str = HTML) -> Document:
    return parse(Page(url=URL, body=html))


def numbers(document: Document, selector: str) -> list[int]:
    return [document.number_of(element) for element in document.tree.select(selector)]


@pytest.mark.parametrize(
    ("wanted", "selector"),
    [
        ("#story h2", ".big"),
        (".by a", "a"),
        (".body p:not(:last-child)", ".body p"),
        ("header h2", "header h2"),
        ("li", "li"),
        ("li:first-child", "ul > *:nth-child(1)"),
        (".by a, li", "a, li"),
        (".by", ".by"),
    ],
)
def test_the_selector_of_a_page_is_the_shortest_that_finds_the_nodes(wanted: str, selector: str) -> None:
    document = document_of()
    nodes = numbers(document, wanted)
    assert PageSelectors(document).shortest(nodes) == selector
    found = [element for element in document.tree.select(selector) if element.text.strip()]
    assert [document.number_of(element) for element in found] == nodes


@pytest.mark.parametrize(
    ("html", "wanted", "selector"),
    [
        ("<section class=a><div><i>x</i></div></section><section><i>y</i></section>", ".a i", ".a i"),
        ("<div><i>x</i><b><i>y</i></b></div>", "div > i", "div > i"),
        (
            "<main><div class=a><i>x</i></div></main><main><i>y</i></main><aside><div class=a><i>z</i></div></aside>",
            "main .a i",
            "main .a i",
        ),
        ('<p class="1st @x">a</p><div>b</div>', "p", "p"),
        ("<my:tag>a</my:tag><p>b</p>", "body > :first-child", "body > *:nth-child(1)"),
    ],
)
def test_chains_are_used_where_one_name_does_not_tell(html: str, wanted: str, selector: str) -> None:
    document = document_of(html)
    nodes = numbers(document, wanted)
    assert PageSelectors(document).shortest(nodes) == selector
    assert numbers(document, selector) == nodes


def test_single_fields_have_the_likeliest_node_and_lists_all_likely_ones() -> None:
    labels = [("title", 0.4, 3), ("title", 0.6, 5), ("title", 0.9, None), ("tags", 0.3, 7), ("tags", 0.8, 8)]
    labels += [("tags", 0.2, 9), ("authors", 0.1, 4), ("authors", 0.2, 2)]
    tagged = TaggedPage(
        url=URL,
        kind="article",
        kind_score=1.0,
        labels=tuple(Label(field=name, value="x", score=score, node=node) for name, score, node in labels),
        lines=(TextLine("a", 1, 0.5), TextLine("b", 2, 0.4), TextLine("c", 3, 0.9)),
    )
    fields = load_domain("news").fields
    found = {name: set(tagged_nodes(tagged, fields[name])) for name in ("title", "tags", "authors", "text", "subtitle")}
    assert found == {"title": {5}, "tags": {7, 8}, "authors": {2}, "text": {1, 3}, "subtitle": set()}


def story(title: str, lines: Sequence[str]) -> str:
    """A page with a headline of some markup."""
    return f"<html><body>{title}<main>{''.join(f'<p>{line}</p>' for line in lines)}</main><p>Imprint</p></body></html>"


def tagged_story(html: str, title: str) -> tuple[Document, TaggedPage]:
    document = document_of(html)
    label = Label(field="title", value="x", score=0.9, node=numbers(document, title)[0])
    paragraphs = [(element.text, document.number_of(element)) for element in document.tree.select("p")]
    lines = [TextLine(text, number, 0.0 if text == "Imprint" else 0.9) for text, number in paragraphs]
    return document, TaggedPage(url=URL, kind="article", kind_score=1.0, labels=(label,), lines=tuple(lines))


def rules_of(pages: Sequence[tuple[Document, TaggedPage]]) -> dict[str, Rule]:
    rules = vote_map(pages).rules
    assert len({rule.field for rule in rules}) == len(rules)
    return {rule.field: rule for rule in rules}


def test_the_commonest_selector_wins_and_a_field_has_one() -> None:
    common = [tagged_story(story(f"<h1 class=head>Title {n}</h1>", [f"Line {n}"]), "h1") for n in range(2)]
    odd = tagged_story(story("<h4>Odd</h4>", ["Line"]), "h4")
    rules = rules_of([odd, *common])
    assert set(rules) == {"title", "text"}
    assert rules["title"].select == ("h1",)
    assert rules["text"].select == ("main p",)
    assert all(len(rule.select) == 1 and not rule.remove and rule.take == "text" for rule in rules.values())
    assert (rules["title"].many, rules["text"].many) == (False, True)


def test_of_equally_common_selectors_the_shorter_wins() -> None:
    pages = [
        tagged_story(story("<header>Long</header>", ["a"]), "header"),
        tagged_story(story("<h4>b</h4>", ["a"]), "h4"),
    ]
    assert rules_of(pages)["title"].select == rules_of(pages[::-1])["title"].select == ("h4",)


def test_a_map_by_vote_reads_a_page_it_has_not_seen() -> None:
    pages = [tagged_story(story(f"<h1>Title {n}</h1>", [f"Line {n}", "End"]), "h1") for n in range(3)]
    record = Extractor(vote_map(pages)).extract(document_of(story("<h1>New</h1>", ["First", "Last"])))
    assert {name: value.value for name, value in record.fields.items()} == {"title": "New", "text": "First\nLast"}


def site_pages(count: int) -> list[SitePage]:
    return [SitePage({"number": n}, TextPlace("test", n, b""), Tagging(None, {"text": str(n)})) for n in range(count)]


def places(pages: Sequence[SitePage]) -> list[int]:
    return [page.place.number for page in pages]


def test_groups_are_shuffled_as_the_evaluation_does() -> None:
    rows = [{"group": name, "number": number} for number in range(8) for name in ("b", "a")]
    groups = grouped(rows)
    assert list(groups) == ["a", "b"]
    expected = list(range(8))
    random.Random("b").shuffle(expected)
    assert [row["number"] for row in groups["b"]] == expected
    assert grouped(rows) == groups


@pytest.mark.parametrize(("count", "learned", "applied"), [(3, 3, 3), (5, 5, 5), (6, 3, 3), (7, 3, 4), (12, 6, 6)])
def test_half_is_learned_from_and_all_of_a_few(count: int, learned: int, applied: int) -> None:
    split = halves(site_pages(count))
    assert (len(split.learn), len(split.apply)) == (learned, applied)
    assert (set(places(split.learn)) & set(places(split.apply)) == set()) == (count >= HALVED)


@pytest.mark.parametrize(("count", "applied"), [(2, 0), (3, 1), (9, 3), (11, 3), (12, 2), (13, 3), (20, 6)])
def test_the_last_third_is_held_out_and_less_for_the_largest_size(count: int, applied: int) -> None:
    split = held_out(site_pages(count))
    assert len(split.apply) == applied
    assert places([*split.learn, *split.apply]) == list(range(count))
    assert count < max(SIZES) + LEAST_LEARNED or len(split.learn) >= max(SIZES)


@pytest.mark.parametrize(("count", "learned"), [(4, 0), (5, 2), (6, 2), (8, 3), (12, 4)])
def test_twins_share_no_page_they_learn_from(count: int, learned: int) -> None:
    pair = twins(site_pages(count))
    if not learned:
        assert pair is None
        return
    assert pair is not None
    one, other = pair
    assert len(one.learn) == len(other.learn) == learned
    assert places(one.apply) == places(other.apply)
    assert len({*places(one.learn), *places(other.learn), *places(one.apply)}) == 2 * learned + len(one.apply)


def test_pages_with_next_to_no_text_are_handed_to_the_tagger() -> None:
    split = Split((), site_pages(3))
    records = [{"text": "x" * 500}, {"text": "x" * 99}, {"title": "no text"}]
    assert with_tagger(Mapped(records, usual=1000.0), split) == [records[0], {"text": "1"}, {"text": "2"}]
    assert with_tagger(Mapped(records, error="too_few_pages"), split) == records


def test_what_newspaper_leaves_empty_is_no_error() -> None:
    article = SimpleNamespace(title="T", meta_description="", publish_date=None, text="Bees.", authors=[], tags=None)
    assert sites._from_newspaper(article) == {"title": "T", "text": "Bees."}


@pytest.mark.skipif(not has_shared(), reason="the scorer lies beside the corpora")
def test_agreement_is_by_f1_for_texts_and_all_or_nothing_for_the_rest() -> None:
    one = {"title": "Bees  return", "tags": ["a", "b"], "text": "a b c d e f g h", "published": "2024-05-06"}
    other = {"title": "bees return", "tags": ["b"], "text": "a b c d e x y z"}
    found = {name: agreement(name, one, other) for name in ("title", "tags", "text", "published", "authors")}
    assert found == {"title": 1.0, "tags": 0.0, "text": pytest.approx(0.4), "published": 0.0, "authors": None}


def test_a_vote_is_learned_and_applied_and_a_map_that_fails_gives_empty_records() -> None:
    html = [story(f"<h1>Title {n}</h1>", [f"Line {n}"]) for n in range(3)]
    stored = [
        TextPlace("test", n, b'{"url": "https://example.com/%d", "html": "%s"}' % (n, text.encode()))
        for n, text in enumerate(html)
    ]
    lessons = [(place, tagged_story(text, "h1")[1]) for place, text in zip(stored, html, strict=True)]
    mapped = learn_and_apply(MapTask("vote", lessons[:2], stored[2:]))
    assert [(record["title"], record["text"]) for record in mapped.records] == [("Title 2", "Line 2")]
    assert (mapped.usual, mapped.error) == (6.0, "")
    assert "main p" in mapped.text
    failed = learn_and_apply(MapTask("ours", lessons[:1], stored))
    assert failed.records == [{}, {}, {}]
    assert failed.error


@pytest.mark.skipif(not has_shared(), reason="the options ask for the corpora")
def test_single_pages_of_the_validation_fold_are_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        sites._options(["--show", "1"])
    assert "fold 0" in capsys.readouterr().err
    assert sites._options(["--folds", "1", "--show", "1", "--only", "cost,curve"]).only == ["cost", "curve"]


@pytest.mark.skipif(not has_shared(), reason="the options ask for the corpora")
def test_parts_that_are_not_there_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        sites._options(["--only", "speed"])
    assert "speed" in capsys.readouterr().err


def test_figures_are_kept_beside_those_of_other_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(attributes, "RESULTS", tmp_path)
    monkeypatch.setattr(attributes, "ROOT", tmp_path)
    attributes.keep({"cost": {"groups": 1}}, "sites", [1, 2], "-4-groups")
    attributes.keep({"curve": {"groups": 2}}, "sites", [1, 2], "-4-groups")
    kept = (tmp_path / "sites-fold-1-2-4-groups.json").read_text()
    assert json.loads(kept) == {"cost": {"groups": 1}, "curve": {"groups": 2}}
