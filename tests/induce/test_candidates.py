"""The rules that might read a field: what they look for, and what they give on the pages."""

import json
import re
from collections.abc import Callable
from datetime import datetime

import pytest

from sitewright.domains import FieldSpec, load_domain
from sitewright.induce import Sample
from sitewright.induce.candidates import drafts_of, last_resorts
from sitewright.induce.drafts import Draft
from sitewright.types import Label

Opined = Callable[..., tuple[object, object]]
Sampled = Callable[..., list[Sample]]


def spec(field: str) -> FieldSpec:
    return load_domain("news").fields[field]


def given(samples: list[Sample], draft: Draft) -> list[object]:
    """Return what a draft gives on each page."""
    return [None if (reading := sample.read(draft)) is None else reading.value for sample in samples]


def by_selector(drafts: list[Draft]) -> dict[str, Draft]:
    """Return the plain drafts by where they look, each the first of its kind."""
    found: dict[str, Draft] = {}
    for draft in drafts:
        found.setdefault(draft.jsonld or draft.select, draft)
    return found


@pytest.fixture(scope="module")
def titled(opined: Opined, sampled: Sampled) -> list[Sample]:
    """Three pages whose titles stand in the same place, under names of all kinds."""
    pages = [
        opined(
            f"""<!doctype html><main id=main-{n}00><article class="story css-{n}x2y3z" id=p{n}7><div class=Story_head__{n}a9Qz>
            <h1 class="headline only-here-{"abc"[n]}" data-testid=title>Title of page {n}</h1></div></article></main>""",
            {"title": {f"Title of page {n}": 0.9}},
        )
        for n in range(3)
    ]
    return sampled(pages)


class TestSelectors:
    @pytest.mark.parametrize(
        "selector",
        [
            "h1",
            "h1.headline",
            'h1[data-testid="title"]',
            "article.story h1",
            "article.story h1.headline",
            'div[class*="Story_head__"] > h1',
            'div[class*="Story_head__"] h1.headline',
        ],
    )
    def test_name_the_node_and_what_is_around_it(self, titled: list[Sample], selector: str) -> None:
        draft = by_selector(drafts_of(titled, spec("title")))[selector]
        assert given(titled, draft) == [f"Title of page {n}" for n in range(3)]
        assert not draft.fragile

    def test_never_name_what_is_generated_counted_or_on_one_page_only(self, titled: list[Sample]) -> None:
        selectors = [draft.select for draft in drafts_of(titled, spec("title"))]
        assert selectors
        assert not [found for found in selectors if re.search(r"css-|#|only-here|a9Qz|nth|\d\d", found)]

    def test_cost_more_the_more_they_rest_on(self, titled: list[Sample]) -> None:
        drafts = by_selector(drafts_of(titled, spec("title")))
        costs = [drafts[name].cost for name in ("h1.headline", "article.story h1.headline")]
        assert costs == sorted(costs)
        assert drafts['div[class*="Story_head__"] h1.headline'].cost > drafts["article.story h1.headline"].cost

    def test_of_two_pages_names_of_one_may_be_used(self, titled: list[Sample]) -> None:
        assert "h1.only-here-a" in by_selector(drafts_of(titled[:2], spec("title")))

    def test_may_select_what_is_right_around_a_value(self, opined: Opined, sampled: Sampled) -> None:
        pages = sampled(
            [
                opined(f"<div class=byline>By <b>{name}</b></div>", {"authors": {name: 0.9}})
                for name in ("Ann Lee", "Bo Ek")
            ]
        )
        drafts = by_selector(drafts_of(pages, spec("authors")))
        assert given(pages, drafts["div.byline"]) == [["Ann Lee"], ["Bo Ek"]]

    def test_unlikely_nodes_are_not_looked_at(self, opined: Opined, sampled: Sampled) -> None:
        pages = sampled(
            [
                opined(f"<h1>Title {n}</h1><p class=x>Text {n}</p>", {"title": {f"Title {n}": 0.9, f"Text {n}": 0.001}})
                for n in range(3)
            ]
        )
        assert not [draft for draft in drafts_of(pages, spec("title")) if "p.x" in draft.select]

    def test_an_enumeration_in_one_element_is_split(self, opined: Opined, sampled: Sampled) -> None:
        pages = sampled(
            [
                opined(f"<p class=topics>Tags: {tags}</p>", {"tags": {f"Tags: {tags}": 0.9}})
                for tags in ("bees, honey", "roofs, towns")
            ]
        )
        found = [given(pages, draft) for draft in drafts_of(pages, spec("tags")) if draft.select == "p.topics"]
        assert [["bees", "honey"], ["roofs", "towns"]] in found

    def test_an_entry_that_holds_a_link_costs_more_than_the_link(self, opined: Opined, sampled: Sampled) -> None:
        page = '<p class="topics">In: <a href="/t/{0}">{0}</a></p>'
        pages = [
            opined(page.format(name), {"tags": {name: 0.9}}, url=f"https://x.example/{name}") for name in ("ab", "cd")
        ]
        costs = {draft.select: draft.cost for draft in drafts_of(sampled(pages), spec("tags")) if draft.many}
        assert costs["p.topics a"] < costs["p.topics"]

    def test_an_update_behind_the_publication_is_read_by_a_pattern(self, opined: Opined, sampled: Sampled) -> None:
        lines = ("6 May 2024, last updated: 7 May 2024", "8 May 2024, last updated: 9 May 2024")
        pages = [
            opined(f"<p class=dates>{line}</p>", {"modified": {line: 0.9}}, url=f"https://x.example/{number}")
            for number, line in enumerate(lines)
        ]
        samples = sampled(pages)
        [draft] = [d for d in drafts_of(samples, spec("modified")) if d.select == "p.dates" and d.match]
        assert [str(reading.value) for sample in samples if (reading := sample.read(draft))] == [
            "2024-05-07",
            "2024-05-09",
        ]

    def test_a_byline_may_be_read_as_it_is_written(self, opined: Opined, sampled: Sampled) -> None:
        pages = sampled(
            [opined(f"<p class=byline>{name}</p>", {"authors": {name: 0.9}}) for name in ("Team Wissen", "nal_22, dpa")]
        )
        drafts = [draft for draft in drafts_of(pages, spec("authors")) if draft.select == "p.byline"]
        assert {draft.parse for draft in drafts} == {"", "list.v1"}


class TestMetadata:
    AUTHORS = ("Ann Lee", "Bo Ek", "Carla Moss")

    def pages(self, opined: Opined, sampled: Sampled) -> list[Sample]:
        nodes = [
            {
                "@type": "NewsArticle",
                "headline": f"Title {n}",
                "author": [{"@type": "Person", "name": self.AUTHORS[n]}],
                "publisher": {"@type": "Organization", "logo": {"url": "/l.png"}},
                "isAccessibleForFree": "yes",
                **({"alternativeHeadline": "x"} if n == 0 else {}),
            }
            for n in range(3)
        ]
        return sampled(
            [
                opined(
                    f"""<meta property="og:title" content="Title {n}"><meta name="dc.title" content="Title {n}"><meta itemprop=name content=a>
                    <meta name="a b" content=x><meta charset=utf-8><meta name=author content="{self.AUTHORS[n]}">
                    <script type="application/ld+json">{json.dumps(nodes[n])}</script><h1>Title {n}</h1>""",
                    {"title": {f"Title {n}": 0.9}, "authors": {self.AUTHORS[n]: 0.9}},
                )
                for n in range(3)
            ]
        )

    def test_every_meta_tag_is_a_candidate(self, opined: Opined, sampled: Sampled) -> None:
        pages = self.pages(opined, sampled)
        drafts = by_selector([draft for draft in drafts_of(pages, spec("title")) if draft.origin == "meta"])
        assert set(drafts) == {
            'meta[property="og:title"]',
            'meta[name="dc.title"]',
            'meta[itemprop="name"]',
            'meta[name="author"]',
        }
        assert given(pages, drafts['meta[property="og:title"]']) == ["Title 0", "Title 1", "Title 2"]
        assert {draft.take for draft in drafts.values()} == {"@content"}

    def test_every_path_of_json_ld_that_several_pages_have_is_a_candidate(
        self, opined: Opined, sampled: Sampled
    ) -> None:
        pages = self.pages(opined, sampled)
        drafts = {draft.jsonld: draft for draft in drafts_of(pages, spec("title")) if draft.jsonld}
        for path in ("headline", "author.name", "publisher.logo.url", "isAccessibleForFree"):
            assert {path, f"NewsArticle.{path}"} <= set(drafts)
        assert not [path for path in drafts if "alternativeHeadline" in path]
        assert given(pages, drafts["NewsArticle.headline"]) == ["Title 0", "Title 1", "Title 2"]
        assert drafts["NewsArticle.headline"].cost < drafts["headline"].cost < drafts["author.name"].cost

    def test_lists_are_taken_as_lists(self, opined: Opined, sampled: Sampled) -> None:
        pages = self.pages(opined, sampled)
        drafts = by_selector(drafts_of(pages, spec("authors")))
        for name in ("NewsArticle.author.name", 'meta[name="author"]'):
            assert drafts[name].many
            assert given(pages, drafts[name]) == [[author] for author in self.AUTHORS]

    @pytest.mark.parametrize(
        "broken", ["[1, null, [[]]]", '{"@type": 7, "a": {}}', '{"@type": "A b", "x": "y"}', "no json"]
    )
    def test_odd_json_ld_gives_no_candidates(self, opined: Opined, sampled: Sampled, broken: str) -> None:
        html = f'<script type="application/ld+json">{broken}</script><h1>Title</h1>'
        pages = sampled([opined(html, {"title": {"Title": 0.9}})] * 2)
        assert not [draft for draft in drafts_of(pages, spec("title")) if draft.jsonld]


class TestTitles:
    @pytest.mark.parametrize(
        ("written", "titles"),
        [
            (["{} | The Lantern"] * 3, True),
            (["{} - The Lantern"] * 3, True),
            (["The Lantern: {}"] * 3, True),
            (["The Lantern » {}"] * 3, True),
            (["{} | World | The Lantern", "{} | Sport | The Lantern", "{} | Arts | The Lantern"], True),
            (["{} – World", "{} – Sport", "{} – Arts"], True),
            (["{}"] * 3, False),
            (["{} | The Lantern", "{}", "{}"], False),
        ],
    )
    def test_are_read_without_what_the_site_adds(
        self, opined: Opined, sampled: Sampled, written: list[str], titles: bool
    ) -> None:
        stories = ["Old ferry returns", "Bees on all roofs", "Rain in the south"]
        pages = sampled(
            [
                opined(f"<title>{text.format(story)}</title><h1>{story}</h1>", {"title": {story: 0.9}})
                for text, story in zip(written, stories, strict=True)
            ]
        )
        drafts = [draft for draft in drafts_of(pages, spec("title")) if draft.select == "head > title"]
        assert any(draft.match and given(pages, draft) == stories for draft in drafts) is titles
        assert any(not draft.match for draft in drafts)

    def test_of_meta_tags_too(self, opined: Opined, sampled: Sampled) -> None:
        stories = ["Old ferry returns", "Bees on all roofs"]
        pages = sampled(
            [
                opined(
                    f"<meta property=og:title content='{story} | The Lantern'><h1>{story}</h1>", {"title": {story: 0.9}}
                )
                for story in stories
            ]
        )
        drafts = [draft for draft in drafts_of(pages, spec("title")) if draft.origin == "meta"]
        assert any(given(pages, draft) == stories for draft in drafts)


class TestMoments:
    DAYS = ("2024-05-06T07:08:00+00:00", "2024-05-07T09:10:00+00:00")

    def samples(self, opined: Opined, sampled: Sampled, html: str) -> list[Sample]:
        labels = [
            Label(field="published", value=datetime.fromisoformat(day), score=0.9, source="url:date")
            for day in self.DAYS
        ]
        return sampled([opined(html.format(day), labels=[label]) for day, label in zip(self.DAYS, labels, strict=True)])

    @pytest.mark.parametrize(
        ("html", "selector"),
        [
            ("<p class=when data-when={}>a while ago</p>", "p.when[data-when]"),
            ("<abbr class=published title={}>a while ago</abbr>", "abbr.published[title]"),
            ("<span itemprop=datePublished content={}>a while ago</span>", 'span[itemprop="datePublished"][content]'),
        ],
    )
    def test_are_read_from_attributes(self, opined: Opined, sampled: Sampled, html: str, selector: str) -> None:
        pages = self.samples(opined, sampled, html)
        drafts = by_selector(drafts_of(pages, spec("published")))
        assert drafts[selector].take == f"@{selector.rpartition('[')[2][:-1]}"
        assert given(pages, drafts[selector]) == [datetime.fromisoformat(day) for day in self.DAYS]

    @pytest.mark.parametrize(
        "html",
        [
            "<a title={}>x</a>",
            "<img title={}>",
            "<p data-when='no number'>{}</p>",
            "<p class={}>x</p>",
            "<p data-long='{} and a lot of words beside it that make it long'>x</p>",
        ],
    )
    def test_other_attributes_are_left_alone(self, opined: Opined, sampled: Sampled, html: str) -> None:
        pages = self.samples(opined, sampled, html)
        assert not [draft for draft in drafts_of(pages, spec("published")) if draft.take.startswith("@")]

    def test_attributes_are_for_dates_only(self, opined: Opined, sampled: Sampled) -> None:
        pages = self.samples(opined, sampled, "<p class=when data-when={}>x</p>")
        assert not [draft for draft in drafts_of(pages, spec("title")) if draft.take.startswith("@")]


class TestLastResorts:
    def test_what_stands_beside_a_label(self, opined: Opined, sampled: Sampled) -> None:
        pages = sampled(
            [
                opined(
                    f"<table><tr><th>Length</th><td>{n} m</td></tr><tr><th>Name</th><td>Ship no {n}</td></tr></table>",
                    {"title": {f"Ship no {n}": 0.9}},
                )
                for n in range(3)
            ]
        )
        drafts = by_selector(list(last_resorts(pages, spec("title"))))
        assert given(pages, drafts['//th[normalize-space()="Name"]/following-sibling::*[1]']) == [
            f"Ship no {n}" for n in range(3)
        ]

    def test_positions_are_marked_fragile_and_cost_most(self, opined: Opined, sampled: Sampled) -> None:
        pages = sampled(
            [
                opined(
                    f"<div id=page><div><p>x</p></div><div><p>y</p><p>Name {n}</p></div></div>",
                    {"title": {f"Name {n}": 0.9}},
                )
                for n in range(3)
            ]
        )
        drafts = [draft for draft in last_resorts(pages, spec("title")) if "nth-of-type" in draft.select]
        assert [draft.select for draft in drafts] == ["div#page > div:nth-of-type(2) > p:nth-of-type(2)"]
        assert drafts[0].fragile
        assert given(pages, drafts[0]) == ["Name 0", "Name 1", "Name 2"]
        usual = [draft for draft in drafts_of(pages, spec("title")) if "div#page" in draft.select]
        assert drafts[0].cost > max(draft.cost for draft in usual)

    def test_nothing_named_around_it_is_no_position(self, opined: Opined, sampled: Sampled) -> None:
        pages = sampled([opined(f"<div><p>Name {n}</p></div>", {"title": {f"Name {n}": 0.9}}) for n in range(3)])
        assert not [draft for draft in last_resorts(pages, spec("title")) if draft.fragile]


@pytest.mark.parametrize("field", ["title", "subtitle", "published", "modified", "authors", "categories", "tags"])
@pytest.mark.parametrize("html", ["", "<p>x</p>", "<script>var a = 1</script>", "<h1></h1><time></time>"])
def test_pages_without_opinions_give_nothing_to_look_for(
    opined: Opined, sampled: Sampled, field: str, html: str
) -> None:
    pages = sampled([opined(html), opined(html)])
    assert [draft for draft in drafts_of(pages, spec(field)) if draft.select != "head > title"] == []
    assert list(last_resorts(pages, spec(field))) == []
