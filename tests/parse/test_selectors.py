import pytest
import turbohtml

from sitewright.errors import SelectorError
from sitewright.parse import check_selector, compile_selector, is_xpath

TREE = turbohtml.parse(
    "<main><h1 id=t>Title</h1><p class=a>One <a href=/x>link</a></p><p class='a b'>Two</p></main><footer><p>F</p></footer>"
)


def found(selector: str) -> list[str]:
    return [item if isinstance(item, str) else item.text for item in compile_selector(selector).find(TREE)]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("h1", ["Title"]),
        ("p.a", ["One link", "Two"]),
        ("main > p, h1", ["Title", "One link", "Two"]),
        ("p:not(.b)", ["One link", "F"]),
        ("[href^='/']", ["link"]),
        ("p:has(a)", ["One link"]),
        (".missing", []),
        ("//h1", ["Title"]),
        ("/html/body/main/p[2]", ["Two"]),
        (".//p[@class='a']", ["One link"]),
        ("(//p)[last()]", ["F"]),
        ("//a/@href", ["/x"]),
        ("//h1/text()", ["Title"]),
        ("string(//h1)", ["Title"]),
        ("normalize-space(//p)", ["One link"]),
        ("concat(//h1, '!')", ["Title!"]),
        ("substring-after(//h1, 'Ti')", ["tle"]),
        ("string(//missing)", []),
        ("id('t')", ["Title"]),
        ("xpath:count(//p)", ["3"]),
        ("descendant::h1", ["Title"]),
        ("//missing", []),
        ("xpath://footer/p", ["F"]),
    ],
)
def test_find(selector: str, expected: list[str]) -> None:
    assert [text.removesuffix(".0") for text in found(selector)] == expected


@pytest.mark.parametrize("selector", ["h1", "p.a", "//h1", "xpath:count(//p)", "//a/@href"])
def test_occurs_where_something_is_found(selector: str) -> None:
    assert compile_selector(selector).occurs(TREE)


@pytest.mark.parametrize("selector", [".missing", "//missing", "string(//missing)"])
def test_occurs_not_where_nothing_is_found(selector: str) -> None:
    assert not compile_selector(selector).occurs(TREE)


@pytest.mark.parametrize(
    "selector",
    ["p..a", "p[", "p:nope", ">", "a,", "", "//p[", "//p[@]", "//p[nope()]", "///", "xpath:", "string(", "p::"],
)
def test_a_bad_selector_is_refused_by_name(selector: str) -> None:
    with pytest.raises(SelectorError) as caught:
        compile_selector(selector)
    assert repr(selector) in str(caught.value)
    assert check_selector(selector) == str(caught.value)


@pytest.mark.parametrize("selector", ["h1", "//h1", "a:hover", "p:first-child", "time[datetime]"])
def test_a_good_selector_has_no_problem(selector: str) -> None:
    assert check_selector(selector) == ""


def test_elements_leaves_strings_out() -> None:
    assert compile_selector("//h1 | //a/@href").elements(TREE) == TREE.select("h1")
    assert compile_selector("//h1/text()").elements(TREE) == []


def test_selectors_look_below_a_node_only() -> None:
    main = TREE.select("main")[0]
    assert [item.text for item in compile_selector("p").elements(main)] == ["One link", "Two"]
    assert [item.text for item in compile_selector(".//p").elements(main)] == ["One link", "Two"]


def test_kinds_are_told_apart() -> None:
    assert not is_xpath("article h1")
    assert is_xpath("//article//h1")
