"""Which of the candidates become rules: judged on all pages, by what they give and what they rest on."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.domains import load_domain
from sitewright.induce import Sample
from sitewright.induce.affinity import affinity
from sitewright.induce.drafts import Draft
from sitewright.induce.objective import (
    MOST_RULES,
    ORIGINS,
    STATED,
    WRONG,
    WRONG_USUAL,
    Trial,
    choose,
    cost_of_wrong,
    try_drafts,
)
from sitewright.parse import Document
from sitewright.types import TaggedPage

Right = Sequence[float | None]
NEWS = load_domain("news")


def trial(select: str, right: Right, cost: float = 1.0, field: str = "title", **facts: object) -> Trial:
    draft = Draft(field=field, select="" if "jsonld" in facts else select, cost=cost, **facts)
    fit = affinity(NEWS.spec_of(field).words, draft.where)
    return Trial(draft, tuple(None if value is None else select for value in right), tuple(right), fit=fit)


def dated(select: str, values: Sequence[object], right: Right) -> Trial:
    draft = Draft(field="published", select=select, cost=1.0)
    return Trial(draft, tuple(values), tuple(right), fit=affinity(NEWS.fields["published"].words, draft.where))


def chosen(*trials: Trial, required: bool = False) -> list[str]:
    return [
        found.draft.jsonld or found.draft.select
        for found in choose(trials, required=required, origins=ORIGINS if required else STATED)
    ]


class TestFirstRule:
    def test_what_is_right_on_more_pages_wins(self) -> None:
        assert chosen(trial("h2.a", [0.9, 0.9, 0.1]), trial("h2.b", [0.9, 0.9, 0.9], cost=3.0))[0] == "h2.b"

    def test_of_equals_the_one_that_rests_on_less_wins(self) -> None:
        assert chosen(trial("h2.a", [0.9, 0.9], cost=2.0), trial("h2.b", [0.9, 0.9], cost=1.0))[0] == "h2.b"

    @pytest.mark.parametrize(
        ("right", "is_rule"),
        [([0.9] * 3, True), ([0.9] * 2, False), ([0.9, 0.9, 0.4], False), ([0.7] * 10, True)],
    )
    def test_what_few_pages_have_needs_a_rule_that_is_surely_right(self, right: list[float], is_rule: bool) -> None:
        assert bool(chosen(trial("del", [*right, *[None] * (12 - len(right))], cost=0.1))) == is_rule

    def test_silence_is_better_than_a_wrong_value(self) -> None:
        assert chosen(trial("p.a", [0.9, 0.9, 0.0, 0.0]), trial("p.b", [0.9, 0.9, None, None], cost=1.5))[0] == "p.b"

    def test_a_value_that_is_hardly_believed_is_better_than_none(self) -> None:
        assert chosen(trial("p.a", [0.9, 0.9, None]), trial("p.b", [0.9, 0.9, 0.6]))[0] == "p.b"

    def test_a_value_that_is_rather_wrong_is_worse_than_none(self) -> None:
        assert chosen(trial("p.a", [0.9, 0.9, None]), trial("p.b", [0.9, 0.9, 0.3]))[0] == "p.a"

    def test_one_that_is_right_wherever_it_speaks_goes_before_one_that_speaks_everywhere(self) -> None:
        rough, exact = trial("p.a", [0.7, 0.7, 0.9, 0.9]), trial("p.b", [1.0, 1.0, None, None])
        assert chosen(rough, exact)[:2] == ["p.b", "p.a"]

    def test_what_is_rather_wrong_where_it_speaks_is_no_rule(self) -> None:
        assert chosen(trial("p.a", [0.4, 0.45, 0.4])) == []
        assert chosen(trial("p.a", [0.4, 0.45, 0.4]), required=True) == ["p.a"]

    def test_names_that_speak_for_the_field_decide_between_equals(self) -> None:
        assert chosen(trial("div.x", [0.9, 0.9]), trial("div.headline", [0.9, 0.9]))[0] == "div.headline"
        assert chosen(trial("div.related", [0.9, 0.9], cost=0.9), trial("div.x", [0.9, 0.9]))[0] == "div.x"

    @pytest.mark.parametrize(
        ("rough", "exact"),
        [
            (date(2024, 5, 6), datetime(2024, 5, 6, 7, 8)),
            (datetime(2024, 5, 6, 7, 8), datetime(2024, 5, 6, 7, 8, tzinfo=UTC)),
        ],
    )
    def test_of_the_same_day_the_more_exact_moment_wins(self, rough: object, exact: object) -> None:
        trials = [dated("p.a", [rough, rough], [0.9, 0.9]), dated("p.b", [exact, exact], [0.9, 0.9])]
        assert chosen(*trials)[0] == "p.b"

    @pytest.mark.parametrize("right", [[0.01, 0.01, 0.01], [0.2, None, None, None], [0.0, 0.0]])
    def test_what_is_hardly_ever_right_is_no_rule(self, right: Right) -> None:
        assert chosen(trial("p.a", right)) == []

    def test_what_a_page_must_have_is_looked_for_longer(self) -> None:
        assert chosen(trial("h1", [0.05, 0.05, 0.05])) == []
        assert chosen(trial("h1", [0.05, 0.05, 0.05]), required=True) == ["h1"]

    def test_no_candidates_no_rule(self) -> None:
        assert choose([]) == []
        assert choose([], required=True) == []


class TestAlternatives:
    def test_pages_left_without_a_value_get_another_rule(self) -> None:
        first, other = trial("h1.new", [0.9, 0.9, 0.9, None, None]), trial("h1.old", [None, None, None, 0.9, 0.9])
        assert chosen(first, other) == ["h1.new", "h1.old"]

    def test_a_first_rule_for_few_pages_is_judged_with_those_that_follow(self) -> None:
        seldom, others = trial("p.a", [0.99, 0.99, *[None] * 8]), trial("p.b", [0.4, 0.4, *[0.9] * 8])
        assert chosen(seldom, others) == ["p.a", "p.b"]

    def test_where_the_first_speaks_no_other_is_asked(self) -> None:
        first, other = trial("h1.new", [0.9, 0.9, 0.9, 0.4]), trial("h1.old", [None, None, None, 0.9])
        assert chosen(first, other) == ["h1.new"]

    def test_one_that_is_mostly_wrong_where_it_speaks_is_none(self) -> None:
        first, other = trial("p.a", [0.9, 0.9, 0.9, None]), trial("p.b", [0.0, 0.0, 0.1, 0.8])
        assert chosen(first, other) == ["p.a"]

    def test_one_that_adds_next_to_nothing_is_none(self) -> None:
        first, other = trial("p.a", [0.9, 0.9, 0.9, None]), trial("p.b", [None, None, None, 0.1])
        assert chosen(first, other) == ["p.a"]

    def test_there_are_only_so_many(self) -> None:
        pages = MOST_RULES + 2
        often = trial("p.often", [0.9] * pages + [None] * pages)
        rare = [
            trial(f"p.x{chr(97 + n)}", [None] * pages + [0.9 if n == page else None for page in range(pages)])
            for n in range(pages)
        ]
        assert len(chosen(often, *rare)) == MOST_RULES


class TestBackUps:
    def test_one_that_is_wrong_where_the_others_are_silent_is_none(self) -> None:
        shown, stated = trial("p.deck", [0.9, 0.9, None, None]), trial("", [0.9, 0.9, 0.1, 0.1], jsonld="A.description")
        assert chosen(shown, stated) == ["p.deck"]

    FIRST = trial("h1.headline", [0.9, 0.9, 0.9])
    JSONLD = trial("", [0.9, 0.9, 0.9], cost=1.5, jsonld="NewsArticle.headline")
    META = trial('meta[property="og:title"]', [0.9, 0.9, 0.9], cost=1.6, take="@content")

    def test_metadata_that_says_the_same_backs_a_rule_up(self) -> None:
        assert chosen(self.META, self.JSONLD, self.FIRST) == [
            "h1.headline",
            "NewsArticle.headline",
            'meta[property="og:title"]',
        ]

    def test_of_each_kind_of_metadata_one_is_enough(self) -> None:
        other = trial('meta[name="twitter:title"]', [0.9, 0.9, 0.9], cost=1.7, take="@content")
        assert chosen(self.FIRST, self.META, other) == ["h1.headline", 'meta[property="og:title"]']

    @pytest.mark.parametrize("right", [[0.2, 0.2, 0.2], [0.9, None, None], [0.0, 0.9, 0.0]])
    def test_what_says_something_else_or_next_to_nothing_does_not(self, right: Right) -> None:
        assert chosen(self.FIRST, trial("", right, jsonld="NewsArticle.headline")) == ["h1.headline"]

    def test_what_is_named_for_something_else_does_not(self) -> None:
        other = trial("", [0.9, 0.9, 0.9], cost=3.0, jsonld="NewsArticle.publisher.name")
        assert chosen(self.FIRST, other) == ["h1.headline"]

    def test_what_a_page_must_have_is_also_backed_by_other_displayed_text(self) -> None:
        other = trial("div.print-title", [0.9, 0.9, 0.9], cost=1.2)
        assert chosen(self.FIRST, other, required=True) == ["h1.headline", "div.print-title"]

    def test_displayed_text_of_the_same_names_is_no_back_up(self) -> None:
        same = trial("header h1.headline", [0.9, 0.9, 0.9], cost=1.2)
        assert chosen(self.FIRST, same, required=True) == ["h1.headline"]


CHANCES = st.one_of(st.none(), st.floats(0, 1))
PLACES = st.sampled_from(["h1.a", "h1.b", "p.c", "p.d", "jsonld:headline", 'meta[name="title"]'])


@given(
    st.integers(1, 6).flatmap(
        lambda pages: st.lists(st.tuples(PLACES, st.lists(CHANCES, min_size=pages, max_size=pages)), max_size=8)
    ),
    st.booleans(),
)
def test_the_chain_is_short_and_every_rule_in_it_speaks(found: list[tuple[str, Right]], required: bool) -> None:
    trials = [
        trial("", right, jsonld=name.removeprefix("jsonld:")) if name.startswith("jsonld") else trial(name, right)
        for name, right in found
        if any(right)
    ]
    chain = choose(trials, required=required)
    pages = max((len(right) for _, right in found), default=0)
    assert len(chain) <= MOST_RULES
    assert all(rule in trials and rule.found for rule in chain)
    assert len({id(rule) for rule in chain}) == len(chain)
    assert chain == choose(trials, required=required)
    if chain:
        worth = [
            next((rule.gain(page) for rule in chain if rule.right[page] is not None), 0.0) for page in range(pages)
        ]
        assert sum(worth) >= max(candidate.worth for candidate in trials) - 1e-9


@pytest.mark.parametrize(
    ("field", "where", "sign"),
    [
        ("published", "NewsArticle.datePublished", -1),
        ("published", "NewsArticle.dateModified", 1),
        ("modified", "NewsArticle.dateModified", -1),
        ("modified", 'meta[property="article:published_time"]', 1),
        ("title", "h1.headline text", -1),
        ("title", 'meta[property="og:site_name"] @content', 1),
        ("authors", 'a[rel="author"] text', -1),
        ("authors", "NewsArticle.publisher.name", 1),
        ("tags", "ul.tags a text", -1),
        ("categories", "ul.tags a text", 1),
        pytest.param(
            "title",
            'meta[name="dc.title"] @content',
            -1,
        ),
        ("title", "div.violet text", 0),
        ("price", "h1.headline", 0),
    ],
)
def test_names_speak_for_a_field_or_against_it(field: str, where: str, sign: int) -> None:
    change = affinity(NEWS.spec_of(field).words, where)
    assert (change > 0) - (change < 0) == sign


class TestReadingPages:
    def test_a_draft_is_read_on_every_page(
        self, opined: Callable[..., object], sampled: Callable[..., list[Sample]]
    ) -> None:
        pages = [
            opined("<h1>First title</h1>", {"title": {"First title": 0.9}}),
            opined("<h1>Second title</h1>", {"title": {"Second title": 0.8}}),
            opined("<h2>Third title</h2>", {"title": {"Third title": 0.7}}),
        ]
        [found] = try_drafts([Draft(field="title", select="h1", cost=1.0)], sampled(pages), NEWS.fields["title"])
        assert found.values == ("First title", "Second title", None)
        assert found.right == (0.9, 0.8, None)
        assert (found.found, found.agreement) == (2, pytest.approx(0.85))

    def test_drafts_that_read_nothing_likely_are_left_out(
        self, opined: Callable[..., object], sampled: Callable[..., list[Sample]]
    ) -> None:
        pages = [opined(f"<h1>Title no {n}</h1><p>Other</p>", {"title": {f"Title no {n}": 0.9}}) for n in range(3)]
        drafts = [Draft(field="title", select=select, cost=1.0) for select in ("h3", "p", "div p")]
        assert try_drafts(drafts, sampled(pages), NEWS.fields["title"]) == []

    @pytest.mark.parametrize(
        ("field", "texts", "right"),
        [
            ("title", ["The Lantern", "The Lantern", "A story"], [0.0, 0.0, 0.9]),
            ("subtitle", ["News for all", "News for all", "A lead"], [0.0, 0.0, 0.9]),
            ("tags", ["bees", "bees", "roofs"], [0.9, 0.9, 0.9]),
            ("tags", ["bees", "bees", "bees"], None),
            ("categories", ["World", "World", "World"], [0.9, 0.9, 0.9]),
            ("authors", ["Ann Lee", "Ann Lee", "Bo Ek"], [0.9, 0.9, 0.9]),
        ],
    )
    def test_titles_subtitles_and_tags_that_repeat_are_the_templates(
        self,
        opined: Callable[..., object],
        sampled: Callable[..., list[Sample]],
        field: str,
        texts: list[str],
        right: list[float] | None,
    ) -> None:
        pages = [opined(f"<p>{text}</p>", {field: {text: 0.9}}) for text in texts]
        many = field not in {"title", "subtitle"}
        trials = try_drafts([Draft(field=field, select="p", cost=1.0, many=many)], sampled(pages), NEWS.fields[field])
        assert [pytest.approx(list(found.right), abs=0.06) for found in trials] == ([right] if right else [])


@pytest.mark.parametrize(
    ("field", "least", "cost"),
    [
        ("categories", {"categories": 0.55}, 0.55 / 0.45),
        ("authors", {"authors": 0.35}, WRONG),
        ("tags", {}, WRONG),
        ("published", {"published": 0.6}, WRONG_USUAL),
        ("title", {"title": 0.6}, WRONG_USUAL),
    ],
)
def test_a_wrong_value_costs_more_where_the_tagger_gives_only_what_is_likely(
    opined: Callable[..., tuple[Document, TaggedPage]],
    sampled: Callable[..., list[Sample]],
    field: str,
    least: dict[str, float],
    cost: float,
) -> None:
    document, tagged = opined("<p>x</p>")
    samples = sampled([(document, replace(tagged, least=least))])
    assert cost_of_wrong(NEWS.fields[field], samples) == pytest.approx(cost)


@pytest.mark.parametrize(("html", "pays"), [("<p class=byline>{}</p>", True), ("<p class=place>{}</p>", False)])
def test_names_pay_earlier_where_they_are_read_from_a_byline(
    opined: Callable[..., tuple[Document, TaggedPage]],
    sampled: Callable[..., list[Sample]],
    html: str,
    pays: bool,
) -> None:
    names = ["Ann Lee", "Bo Ek", "Cy Orr"]
    samples = sampled([opined(f"<body>{html.format(name)}", {"authors": {name: 0.28}}) for name in names])
    draft = Draft(field="authors", select=html[1:].partition(">")[0].replace(" class=", "."), many=True, cost=1.0)
    [tried] = try_drafts([draft], samples, NEWS.fields["authors"])
    assert bool(choose([tried])) == pays
