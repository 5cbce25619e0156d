"""The made-up redesigns and what is counted as surviving them, on made-up pages."""

import json
import re
from collections import Counter
from random import Random

import pytest
import turbohtml
from bench.mutate import ADVERTS, MUTATORS, STRENGTHS, Design, Strength, classes_of, new_name, redesign, signature
from bench.samples import has_shared
from bench.survival import Group, Survival, shares, summary, survive
from hypothesis import given
from hypothesis import strategies as st

from sitewright.parse import Document, parse, visible_lines
from sitewright.tag import PageReader
from sitewright.types import Page

pytestmark = pytest.mark.slow

SEEDS = range(20)
WORDS = (
    "the keepers of an old harbour count swarms along its quay before rain drives them under tiles and nobody can say "
    "why they came back after nine quiet years while boats wait for a dry morning to leave"
).split()


def sentence(chance: Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words)).capitalize() + "."


def page(number: int) -> str:
    chance = Random(number)
    title, lead = sentence(chance, 7), sentence(chance, 14)
    day = f"2024-05-{number + 1:02}"
    author = chance.choice(("Ann Lee", "Bo Ek", "Cy Dow"))
    paragraphs = "\n".join(f'<p class="para">{sentence(chance, 30)}</p>' for _ in range(8))
    teasers = "".join(
        f'<li class="teaser"><a class="teaser-link" href="/{n}">{sentence(chance, 6)}</a></li>' for n in "abc"
    )
    stated = {"@type": "NewsArticle", "headline": title, "datePublished": day, "author": {"name": author}}
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title} | The Lantern</title>
<meta property="og:title" content="{title}"><meta name="description" content="{lead}">
<script type="application/ld+json">{json.dumps(stated)}</script></head>
<body class="page page-story" id="top">
<header class="masthead"><a class="logo" href="/">The Lantern</a><nav class="menu" id="nav"><ul class="menu-list">
<li class="menu-item"><a href="/s">Sport</a></li><li class="menu-item"><a href="/n">Nature</a></li></ul></nav></header>
<div class="layout"><main class="content" data-view="story"><article class="story post-{number}" id="story-{number}">
<div class="story-head"><span class="kicker">Wildlife</span><h1 class="headline" itemprop="headline">{title}</h1>
<p class="lead">{lead}</p></div>
<div class="byline">By <span class="author" itemprop="author">{author}</span>, <time class="date" datetime="{day}">{day}</time></div>
<div class="share-bar"><a class="share-link" href="#f">Share</a> <b>now</b></div>
<div class="story-body" data-src="/x.jpg" data-part="body">{paragraphs}</div>
<div class="tag-list"><a class="tag" rel="tag" href="/t/bees">bees</a> <a class="tag" rel="tag" href="/t/quay">quay</a></div>
</article></main><aside class="sidebar"><h2 class="sidebar-title">More</h2><ul class="teasers">{teasers}</ul></aside></div>
<footer class="footer"><p class="legal">Printed by the harbour press.</p></footer>
<script type="application/ld+json">{{"@type": "Organization", "name": "The Lantern"}}</script></body></html>"""


PAGES = [page(number) for number in range(6)]
STORY = [element.text for element in turbohtml.parse(PAGES[0]).select(".para")]
scored = pytest.mark.skipif(not has_shared(), reason="the scorer lies beside the corpora")
strengths = pytest.mark.parametrize("strength", list(STRENGTHS))


def read(html: str) -> Document:
    return parse(Page(url="https://lantern.example/a", body=html))


def lines(html: str) -> list[str]:
    """Return what a reader sees of a page, without the adverts."""
    return [line for line in visible_lines(read(html).tree.select("body")) if line not in ADVERTS]


def class_names(html: str) -> set[str]:
    return {name for element in turbohtml.parse(html).select("[class]") for name in classes_of(element)}


def changed(html: str, strength: Strength, seed: int) -> set[str]:
    return class_names(html) - class_names(redesign(html, strength, seed))


@strengths
def test_the_same_seed_gives_the_same_page(strength: Strength) -> None:
    assert redesign(PAGES[0], strength, 7) == redesign(PAGES[0], strength, 7)
    assert redesign(PAGES[0], strength, 7) != redesign(PAGES[0], strength, 8)


@strengths
@pytest.mark.parametrize("seed", SEEDS)
def test_what_readers_see_stays(strength: Strength, seed: int) -> None:
    for html in PAGES[:2]:
        before, after = lines(html), lines(redesign(html, strength, seed))
        assert sorted(after) == sorted(before)
        if not STRENGTHS[strength].moved:
            assert after == before


@pytest.mark.parametrize("seed", SEEDS)
def test_the_paragraphs_of_a_story_keep_their_order(seed: int) -> None:
    after = lines(redesign(PAGES[0], "strong", seed))
    assert [line for line in after if line in STORY] == STORY


@strengths
def test_metadata_stays(strength: Strength) -> None:
    for seed in SEEDS:
        before, after = read(PAGES[1]), read(redesign(PAGES[1], strength, seed))
        assert after.metadata.title == before.metadata.title
        assert after.metadata.meta == before.metadata.meta
        assert after.metadata.jsonld.roots == before.metadata.jsonld.roots
        assert after.metadata.language == "en"
        assert after.tree.select_one("head").html == before.tree.select_one("head").html  # type: ignore[union-attr]


@strengths
def test_all_pages_of_a_site_get_the_same_names(strength: Strength) -> None:
    for seed in SEEDS:
        pages = [redesign(html, strength, seed) for html in PAGES]
        names = [{name.replace(f"-{number}", "-N") for name in class_names(html)} for number, html in enumerate(pages)]
        assert all(found == names[0] for found in names)


def test_a_name_changes_the_same_way_wherever_it_stands() -> None:
    for seed in SEEDS:
        one = redesign('<h1 class="headline big">A</h1><p class="lead">B</p>', "strong", seed)
        other = redesign('<p class="lead">C</p><div><h1 class="headline">D</h1></div>', "strong", seed)
        for selector in ("h1", "p"):
            first, second = (turbohtml.parse(html).select_one(selector) for html in (one, other))
            assert first is not None
            assert second is not None
            assert classes_of(first)[0] == classes_of(second)[0]


def test_structure_changes_in_the_same_way_on_all_pages() -> None:
    def around(html: str) -> tuple[str, ...]:
        story = turbohtml.parse(html).select_one("h1")
        return tuple(getattr(node, "tag", "") for node in story.ancestors) if story is not None else ()

    for seed in SEEDS:
        assert len({around(redesign(html, "strong", seed)) for html in PAGES}) == 1


def test_stronger_redesigns_change_more_and_all_that_weaker_ones_change() -> None:
    totals: Counter[str] = Counter()
    for seed in SEEDS:
        found = {strength: changed(PAGES[0], strength, seed) for strength in STRENGTHS}
        assert found["weak"] <= found["medium"] <= found["strong"]
        totals.update({strength: len(names) for strength, names in found.items()})
    every = len(class_names(PAGES[0])) * len(SEEDS)
    for strength, design in STRENGTHS.items():
        assert totals[strength] / every == pytest.approx(design.names, abs=0.06)


@strengths
def test_adverts_are_put_between_paragraphs_and_elsewhere(strength: Strength) -> None:
    most = STRENGTHS[strength].adverts
    for seed in SEEDS:
        tree = read(redesign(PAGES[0], strength, seed)).tree
        seen = [text for text in tree.strings if text in ADVERTS or text in STORY]
        first, last = seen.index(STORY[0]), seen.index(STORY[-1])
        within = sum(text in ADVERTS for text in seen[first:last])
        assert 1 <= within <= len(seen) - len(STORY) <= 2 * most


@pytest.mark.parametrize("name", sorted(MUTATORS))
def test_every_mutator_does_something(name: str) -> None:
    made = set()
    for seed in SEEDS:
        tree = turbohtml.parse(PAGES[0], positions=False)
        MUTATORS[name](tree.select("body")[0], Design(seed, STRENGTHS["strong"]))
        made.add(tree.html)
    assert len(made) > 1


def test_only_attributes_that_say_nothing_are_dropped() -> None:
    html = '<body><div itemprop="author" data-part="x" data-src="/a.jpg" title="t" datetime="2024">A</div>'
    found = [turbohtml.parse(redesign(html, "strong", seed)).select("[title]")[0].attrs for seed in SEEDS]
    assert all({"data-src", "title", "datetime"} <= set(attributes) for attributes in found)
    assert {"itemprop" in attributes for attributes in found} == {True, False}
    assert {"data-part" in attributes for attributes in found} == {True, False}


def test_inline_elements_become_blocks_only_where_they_are_lines_of_their_own() -> None:
    html = '<body><div class="a"><span class="b">One</span></div><div class="c">Two <span class="d">three</span> four</div>'
    for seed in range(60):
        assert lines(redesign(html, "strong", seed)) in (["One", "Two three four"], ["Two three four", "One"])


@given(st.text(alphabet="abcdeXY-_09", min_size=1, max_size=20), st.integers(0, 2**32))
def test_new_names_can_be_written_in_selectors(old: str, seed: int) -> None:
    name = new_name(old, Design(seed, STRENGTHS["strong"]))
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    assert name != old


def test_a_signature_has_no_numbers() -> None:
    tree = turbohtml.parse('<div id="story-17"><p>One</p></div>')
    assert signature(tree.select("p")[0]) == "p < div.story-"


@scored
def test_what_counts_as_the_same() -> None:
    before = {"title": "Bees", "text": "one two three four five", "tags": ["bees", "quay"], "authors": ["Ann"]}
    after = {"title": "Bees!", "text": "one two three four", "tags": ["Quay", "bees"], "published": "2024-05-06"}
    found = dict(shares(before, after))
    assert found.pop("text") == pytest.approx(2 / 3)
    assert found == {"title": 0.0, "tags": 1.0, "authors": 0.0}


@scored
@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("2024-05-06T08:30:00+02:00", "2024-05-06T06:30:11Z", {"published": 1.0, "published_minute": 1.0}),
        ("2024-05-06T08:30:00+02:00", "2024-05-06", {"published": 1.0, "published_minute": 0.0}),
        ("2024-05-06", "2024-05-06T08:30:00", {"published": 1.0}),
        ("2024-05-06", "2024-05-07", {"published": 0.0}),
        ("2024-05-06", None, {"published": 0.0}),
    ],
)
def test_moments_are_compared_by_day_and_by_minute(before: str, after: str | None, found: dict[str, float]) -> None:
    assert dict(shares({"published": before}, {"published": after})) == found


def test_means_are_taken_by_field_strength_and_learner() -> None:
    found = [Survival("ours", "weak", "title", 1.0), Survival("ours", "weak", "title", 0.0)]
    assert summary([*found, Survival("vote", "weak", "title", 1.0)]) == {
        "title": {"weak": {"ours": {"share": 0.5, "values": 2}, "vote": {"share": 1.0, "values": 1}}}
    }


@scored
def test_maps_of_a_made_up_site_are_compared_before_and_after() -> None:
    rows = [{"site": "lantern.example", "html": html} for html in PAGES]
    outcome = survive(Group("lantern", rows), ["weak", "strong"], PageReader())
    assert not outcome.failed
    assert outcome.pages == 3
    assert {(found.learner, found.strength) for found in outcome.survivals} == {
        (learner, strength) for learner in ("ours", "vote") for strength in ("weak", "strong")
    }
    titles = [found.share for found in outcome.survivals if (found.learner, found.field) == ("ours", "title")]
    assert len(titles) == 6
