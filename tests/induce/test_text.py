"""The rule of the text: what to select and what to leave out of it, from likely and unlikely lines."""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.extract import Extractor
from sitewright.induce import Sample
from sitewright.induce.text import learn_text
from sitewright.parse import Document, check_selector
from sitewright.types import ExtractionMap, Rule, TaggedPage, Template

Opined = Callable[..., tuple[Document, TaggedPage]]
Sampled = Callable[..., list[Sample]]
NOW = datetime(2024, 6, 15, tzinfo=UTC)
SURE = 0.95
WORDS = "ferry harbour council winter market railway museum budget tourist station bridge garden".split()


def line(page: int, number: int) -> str:
    """Return a line of some twenty words that no other page and no other place has."""
    words = [WORDS[(page * 5 + number * 7 + place * (page + 2)) % len(WORDS)] for place in range(16)]
    return f"Line {number} of page {page} tells of {' and '.join(words[:8])}, of {' or '.join(words[8:])}."


def paragraphs(page: int, numbers: Sequence[int]) -> str:
    return "".join(f"<p>{line(page, number)}</p>" for number in numbers)


def likely(page: int, numbers: Sequence[int], **others: float) -> dict[str, dict[str, float]]:
    return {"text": {line(page, number): SURE for number in numbers} | others}


def read(rules: Sequence[Rule], sample: Sample) -> object:
    extraction_map = ExtractionMap(site="example.com", templates=(Template(name="t", rules=tuple(rules)),))
    found = Extractor(extraction_map).extract(sample.document, NOW).fields.get("text")
    return found.value if found is not None else None


def text(page: int, numbers: Sequence[int]) -> str:
    return "\n".join(line(page, number) for number in numbers)


@pytest.fixture
def learn(opined: Opined, sampled: Sampled) -> Callable[..., tuple[list[Rule], list[object]]]:
    """Return a function of pages (markup and opinions) that gives the rules and the texts that the first one reads."""

    def learned(*pages: tuple[str, dict[str, dict[str, float]]]) -> tuple[list[Rule], list[object]]:
        samples = sampled([opined(f"<!doctype html><body>{html}", opinions) for html, opinions in pages])
        rules = learn_text(samples, "text")
        return rules, [read(rules[:1], sample) for sample in samples]

    return learned


Learn = Callable[..., tuple[list[Rule], list[object]]]


def test_the_element_around_the_lines_is_selected(learn: Learn) -> None:
    pages = [
        (
            f"<nav><a>Home</a></nav><div class=story-text>{paragraphs(n, range(5))}</div><footer><p>Imprint {n}</p></footer>",
            likely(n, range(5)),
        )
        for n in range(3)
    ]
    rules, texts = learn(*pages)
    assert texts == [text(n, range(5)) for n in range(3)]
    assert [rules[0].select, rules[0].remove] == [("div.story-text",), ()]
    assert rules[0].many


def test_sub_headings_and_lists_that_are_half_believed_stay_with_their_paragraphs(learn: Learn) -> None:
    def page(number: int) -> tuple[str, dict[str, dict[str, float]]]:
        heading, point = f"What harbour {number} wants", f"Ferry {number} goes by night"
        body = f"{paragraphs(number, range(3))}<h2>{heading}</h2><ul><li>{point}</li></ul>{paragraphs(number, range(3, 5))}"
        box = f"<aside class=more><a>Also on page {number}</a></aside>"
        html = f"<main><p class=deck>Deck {number}</p><div class=story>{body}{box}</div></main>"
        return html, likely(number, range(5), **{heading: 0.45, point: 0.45})

    rules, texts = learn(*map(page, range(4)))
    assert [rules[0].select, rules[0].remove] == [("div.story",), ("aside",)]
    assert str(texts[0]).splitlines()[3:5] == ["What harbour 0 wants", "Ferry 0 goes by night"]


def test_bare_lists_are_not_removed_for_the_sake_of_a_few(learn: Learn) -> None:
    def page(number: int) -> tuple[str, dict[str, dict[str, float]]]:
        share = f"<ul class=share><li>Send {number} on</li></ul>"
        return f"<div class=story>{paragraphs(number, range(5))}{share}</div>", likely(number, range(5))

    rules, _ = learn(*map(page, range(3)))
    assert not {"li", "ul"} & set(rules[0].remove)


def test_what_is_unlikely_within_is_removed_by_its_name(learn: Learn) -> None:
    pages = [
        (
            (
                f"<div class=story-text>{paragraphs(n, range(3))}<div class=promo><p>{line(n, 8)}</p><p>{line(n, 9)}</p></div>"
                f"{paragraphs(n, range(3, 6))}</div>"
            ),
            likely(n, range(6)),
        )
        for n in range(3)
    ]
    rules, texts = learn(*pages)
    assert texts == [text(n, range(6)) for n in range(3)]
    assert any("promo" in removed for removed in rules[0].remove)


REPEATED = "Good journalism takes time and money, so please support our work with a subscription today."


@pytest.mark.parametrize("score", [0.1, 0.6, 0.99])
def test_lines_that_several_pages_have_are_never_text_however_likely_they_seem(learn: Learn, score: float) -> None:
    pages = [
        (
            f"<div class=story-text>{paragraphs(n, range(2))}<div class=appeal><p>{REPEATED}</p></div>{paragraphs(n, range(2, 5))}</div>",
            {"text": {**likely(n, range(5))["text"], REPEATED: score}},
        )
        for n in range(3)
    ]
    _, texts = learn(*pages)
    assert texts == [text(n, range(5)) for n in range(3)]


def test_pages_of_nothing_but_repeated_lines_have_no_text(learn: Learn) -> None:
    pages = [
        (
            f"<h1>Title {n}</h1><div class=about><p>{REPEATED}</p><p>{REPEATED} Again.</p></div>",
            {"text": {REPEATED: 0.99}},
        )
        for n in range(3)
    ]
    assert learn(*pages)[0] == []


def test_a_line_is_the_same_in_capitals(learn: Learn) -> None:
    shown = [REPEATED, REPEATED.upper(), REPEATED]
    pages = [
        (
            f"<div class=story-text>{paragraphs(n, range(4))}<p class=appeal>{shown[n]}</p></div>",
            {"text": {**likely(n, range(4))["text"], shown[n]: 0.99}},
        )
        for n in range(3)
    ]
    assert learn(*pages)[1] == [text(n, range(4)) for n in range(3)]


def test_parts_in_several_places_are_selected_by_several_selectors(learn: Learn) -> None:
    pages = [
        (
            (
                f"<div class=opening>{paragraphs(n, range(2))}</div><aside class=more>{paragraphs(n, [7, 8])}</aside>"
                f"<div class=rest>{paragraphs(n, range(2, 6))}</div>"
            ),
            likely(n, range(6)),
        )
        for n in range(3)
    ]
    rules, texts = learn(*pages)
    assert texts == [text(n, range(6)) for n in range(3)]
    assert len(rules[0].select) > 1 or rules[0].remove


def test_pages_of_another_form_are_read_as_well(learn: Learn) -> None:
    names = ["story-text", "story-text", "long-read", "long-read"]
    pages = [
        (f"<div class={name}>{paragraphs(n, range(5))}</div><p>{line(n, 9)}</p>", likely(n, range(5)))
        for n, name in enumerate(names)
    ]
    rules, texts = learn(*pages)
    assert texts == [text(n, range(5)) for n in range(4)]
    assert rules[0].support is not None
    assert (rules[0].support.found, rules[0].support.sampled) == (4, 4)


def test_a_rule_of_other_names_backs_the_first_up(learn: Learn) -> None:
    pages = [
        (
            f"<article class=story><div class=story-text>{paragraphs(n, range(5))}</div></article><p>{line(n, 9)}</p>",
            likely(n, range(5)),
        )
        for n in range(3)
    ]
    rules, _ = learn(*pages)
    assert len(rules) == 2
    names = [set(re.findall(r"[.#][\w-]+", " ".join(rule.select))) for rule in rules]
    assert names[0]
    assert names[0].isdisjoint(names[1])


def test_generated_names_and_numbers_are_not_rested_on(learn: Learn) -> None:
    pages = [
        (
            f"<div id=main{n}><div class='css-{n}x2y3z Story_text__{n}a9Qz' id=body-1{n}>{paragraphs(n, range(5))}</div><p>{line(n, 9)}</p></div>",
            likely(n, range(5)),
        )
        for n in range(3)
    ]
    rules, texts = learn(*pages)
    assert texts == [text(n, range(5)) for n in range(3)]
    named = " ".join(selector for rule in rules for selector in (*rule.select, *rule.remove))
    assert 'div[class*="Story_text__"]' in named
    assert not any(bad in named for bad in ("css-", "a9Qz", "#", "nth", ":"))


def test_bare_inline_tags_are_never_removed(learn: Learn) -> None:
    pages = [
        (
            f"<div class=story-text>{paragraphs(n, range(4))}<a href=/x>{line(n, 8)}</a><p><strong>{line(n, 9)}</strong></p></div>",
            likely(n, range(4)),
        )
        for n in range(3)
    ]
    rules, _ = learn(*pages)
    assert rules
    assert not {"a", "strong", "b", "em", "span", "p", "div"} & {removed for rule in rules for removed in rule.remove}


@pytest.mark.parametrize(
    "pages",
    [
        [("<p>x</p>", {}), ("<p>y</p>", {})],
        [("", {}), ("", {})],
        [(f"<div>{paragraphs(0, range(3))}</div>", {}), (f"<div>{paragraphs(1, range(3))}</div>", {})],
    ],
)
def test_where_no_line_is_likely_there_is_no_rule(
    learn: Learn, pages: list[tuple[str, dict[str, dict[str, float]]]]
) -> None:
    assert learn(*pages)[0] == []


def test_where_selectors_cannot_tell_text_from_the_rest_there_is_no_rule(learn: Learn) -> None:
    pages = [(paragraphs(n, range(20)), likely(n, [(n * 7) % 20, (n * 3 + 1) % 20])) for n in range(4)]
    assert learn(*pages)[0] == []


def test_support_tells_pages_agreement_and_usual_length(learn: Learn) -> None:
    counts = [3, 4, 8]
    pages = [
        (f"<div class=story-text>{paragraphs(n, range(count))}</div><p>{line(n, 30)}</p>", likely(n, range(count)))
        for n, count in enumerate(counts)
    ]
    pages.append((f"<div class=video>Nothing to read {len(counts)}</div>", {}))
    support = learn(*pages)[0][0].support
    assert support is not None
    assert (support.found, support.sampled) == (3, 4)
    assert support.agreement == pytest.approx(1, abs=0.03)
    lengths = sorted([0, *(sum(len(line(n, m)) for m in range(count)) for n, count in enumerate(counts))])
    assert support.length == lengths[2]


BLOCKS = st.lists(
    st.tuples(
        st.sampled_from(["div.body", "div.aside", "section.x", "div", "section.y"]),
        st.lists(st.integers(0, 40), min_size=1, max_size=4),
    ),
    min_size=1,
    max_size=4,
)


@given(st.lists(BLOCKS, min_size=2, max_size=4), st.sets(st.sampled_from(["div.body", "section.x", "section.y"])))
def test_any_rule_can_be_used_and_finds_text_on_as_many_pages_as_it_says(
    opined: Opined, sampled: Sampled, pages: list[list[tuple[str, list[int]]]], wanted: set[str]
) -> None:
    tagged = []
    for number, blocks in enumerate(pages):
        html, scores = "", {}
        for block, numbers in blocks:
            tag, _, name = block.partition(".")
            html += f'<{tag} class="{name}">{paragraphs(number, numbers)}</{tag}>'
            scores |= {line(number, n): SURE if block in wanted else 0.03 for n in numbers}
        tagged.append(opined(f"<!doctype html><body>{html}", {"text": scores}))
    samples = sampled(tagged)
    for rule in learn_text(samples, "text"):
        assert rule.support is not None
        assert not any(map(check_selector, (*rule.select, *rule.remove)))
        assert sum(read([rule], sample) is not None for sample in samples) == rule.support.found
        assert rule.support.sampled == len(samples)
