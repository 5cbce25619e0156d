"""What an element can be named by: stable names only, the telling ones cheapest."""

import re
from itertools import pairwise

import pytest
import turbohtml
from hypothesis import given
from hypothesis import strategies as st
from turbohtml import Element

from sitewright.structure.tokens import POSITION, tokens_of


def element(attributes: str, tag: str = "p") -> Element:
    found = turbohtml.parse(f"<!doctype html><{tag} {attributes}>x").select_one(tag)
    assert found is not None
    return found


def names(attributes: str, tag: str = "p") -> list[str]:
    """Return the tokens of an element without the one of its bare tag."""
    first, *others = [token.css for token in tokens_of(element(attributes, tag))]
    assert first == tag
    twins = [css for css in others if "^=" in css]  # the stem once more, where it begins the attribute
    assert {css.replace("^=", "*=") for css in twins} <= set(others)
    return [css for css in others if css not in twins]


def cost(css: str, attributes: str = "", tag: str = "p") -> float:
    return next(token.cost for token in tokens_of(element(attributes, tag)) if token.css == css)


@pytest.mark.parametrize(
    ("attributes", "tokens"),
    [
        ("class='headline big-print'", ["p.headline", "p.big-print"]),
        ("class='story-body__inner c-headline StoryBody'", ["p.story-body__inner", "p.c-headline", "p.StoryBody"]),
        ("class='story story'", ["p.story"]),
        ("class=article2", ["p.article2"]),
        ("id=main", ["p#main"]),
        ("id=story-text", ["p#story-text"]),
        ("itemprop=description", ['p[itemprop="description"]']),
        ("rel=author", ['p[rel="author"]']),
        ("rel='author nofollow'", ['p[rel~="author"]', 'p[rel~="nofollow"]']),
        ("itemprop='author name'", ['p[itemprop~="author"]', 'p[itemprop~="name"]']),
        ("property=og:title name=dc.date.issued", ['p[property="og:title"]', 'p[name="dc.date.issued"]']),
        ("role=main", ['p[role="main"]']),
        ("data-testid=byline data-kind=story", ['p[data-testid="byline"]', 'p[data-kind="story"]']),
        ("data-kind='big story'", ['p[data-kind~="big"]']),
        ("class=a id=b itemprop=c", ["p.a", "p#b", 'p[itemprop="c"]']),
        ("class='' id='' data-x='' data-y", []),
        ("style=color:red href=/a title=T lang=en", []),
    ],
)
def test_the_names_of_an_element(attributes: str, tokens: list[str]) -> None:
    assert names(attributes) == tokens


@pytest.mark.parametrize(
    "name",
    [
        "css-1x2y3z",
        "sc-bdVaJa",
        "jsx-1234567",
        "svelte-1tky8bj",
        "astro-J7PV25F6",
        "emotion-k3x9a1",
        "jss142",
        "e1xyz2q0",
        "post-1234",
        "wp-image-12",
        "node12",
        "story20240506",
        "article-12",
        "md:flex",
        "w-1/2",
        "заголовок",
    ],
)
def test_generated_counted_and_unwritable_classes_name_nothing(name: str) -> None:
    assert names(f'class="{name}"') == []
    assert names(f'class="{name} lead"') == ["p.lead"]


@pytest.mark.parametrize("name", ["_3fKx2", "css-abcdef", "css-qxkzvy"])
def test_more_generated_classes_name_nothing(name: str) -> None:
    assert names(f'class="{name}"') == []


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Article_title__3fKx2", "Article_title__"),
        ("Article-module__body--3fKx2", "Article-module__body--"),
        ("Layout_main__aBcDeF", "Layout_main__"),
        ("article-body-text_1f2e3d", "article-body-text_"),
        ("headline-x1y2z", "headline-"),
        pytest.param(
            "styles_headline__3fKx2",
            "styles_headline__",
        ),
    ],
)
def test_of_a_generated_name_its_stable_beginning_is_kept(name: str, stem: str) -> None:
    assert names(f"class={name}") == [f'p[class*="{stem}"]']
    assert cost(f'p[class*="{stem}"]', f"class={name}") > cost("p.headline", "class=headline")


@pytest.mark.parametrize("name", ["ab_3fKx2", "x-1f2e3d"])
def test_a_beginning_of_a_few_letters_says_nothing(name: str) -> None:
    assert names(f"class={name}") == []


@pytest.mark.parametrize("identity", ["p17", "post-12", "a1", "story٣", "7", "a b", "a.b", "αβγ"])
def test_ids_with_digits_or_odd_signs_name_nothing(identity: str) -> None:
    assert names(f'id="{identity}"') == []


@pytest.mark.parametrize(
    "attributes",
    ["data-testid=card-17", "data-id=17", "data-id=a1", "data-x='{&quot;a&quot;:1}'", "data-x='?'", "itemprop='\"'"],
)
def test_values_with_numbers_or_odd_signs_name_nothing(attributes: str) -> None:
    assert names(attributes) == []


@pytest.mark.parametrize(
    "cheapest_first",
    [
        ("class=headline", "class=violet", "class=is-open"),
        ("class=byline", "class=mt-4"),
        ("id=story", "class=violet", "class=active"),
        ("itemprop=author", "data-author=author"),
        ("data-testid=violet", "data-other=violet"),
    ],
)
def test_telling_names_cost_less_than_plain_ones_and_states_most(cheapest_first: tuple[str, ...]) -> None:
    costs = [list(tokens_of(element(attributes)))[-1].cost for attributes in cheapest_first]
    assert all(cheaper < dearer for cheaper, dearer in pairwise(costs))
    assert costs[-1] < POSITION


def test_tags_that_say_something_cost_less_than_those_that_do_not() -> None:
    assert cost("h1", tag="h1") < cost("p") == cost("div", tag="div") < POSITION


NAMES = st.text(st.sampled_from("abcXYZ019-_:./é# "), max_size=14)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(["class", "id", "itemprop", "rel", "role", "name", "data-testid", "data-x", "title"]), NAMES
)


@given(st.sampled_from(["p", "div", "h1", "time", "custom-tag"]), ATTRIBUTES)
def test_every_token_finds_its_element_and_no_token_has_a_blank(tag: str, attributes: dict[str, str]) -> None:
    written = " ".join(f'{key}="{value.strip()}"' for key, value in attributes.items())
    page = turbohtml.parse(f"<!doctype html><{tag} {written}>x</{tag}>")
    wanted = page.select_one(tag)
    assert wanted is not None
    tokens = list(tokens_of(wanted))
    assert tokens[0].css == tag
    assert len({token.css for token in tokens}) == len(tokens)
    for token in tokens:
        assert " " not in token.css
        assert wanted in page.select(token.css)
        assert 0 < token.cost < POSITION


@given(st.text(st.sampled_from("abcdefXYZ0123456789-_"), min_size=1, max_size=16))
def test_no_id_with_a_digit_and_no_long_number_is_ever_named(name: str) -> None:
    assert not any(re.search(r"#.*\d", css) for css in names(f"id={name}"))
    assert not any(re.search(r"\d\d", css) for css in names(f"class=story{name} data-x={name} itemprop={name}"))
