"""Where lists stand in their site: by the way that a page displays, by menus; and which addresses are views of a page."""

import pytest

from sitewright.links.places import is_view, nested_names, trail_of
from sitewright.parse import Document, parse
from sitewright.types import Page

SITE = "https://shop.example"


def document(body: str, path: str = "/a/b/") -> Document:
    return parse(Page(url=f"{SITE}{path}", body=body))


@pytest.mark.parametrize(
    ("body", "trail"),
    [
        ("<nav class=breadcrumb><a href=/>Home</a> / <a href=/a/>A</a> / <a href=/a/b/>B</a></nav>", ("A", "B")),
        (
            "<ol itemtype='https://schema.org/BreadcrumbList'><li><a href=/>H</a><li><a href=/a/>A</a><li>B</ol>",
            ("A", "B"),
        ),
        (
            "<div id=ur_here>当前位置: <a href=index.php>首页</a> <code>&gt;</code> <a href='c.php?id=1'>园艺</a></div><h1>工具</h1>",
            ("园艺", "工具"),
        ),
        ("<p class=crumbs><a href=/>Home</a> » Sale</p>", ("Sale",)),
        ("<div class=breadcrumb>nothing linked</div><h1>B</h1>", ()),
        ("<h1>B</h1>", ()),
    ],
)
def test_the_way_that_a_page_displays(body: str, trail: tuple[str, ...]) -> None:
    assert trail_of(document(body)) == trail


def test_menus_nest_lists() -> None:
    menu = "<dl><dt><a href=/1>A</a></dt><dd><a href=/2>B</a> <a href=/3>C</a></dd></dl><ul><li><a href=/4>D</a><li><a href=/5>E</a></ul>"
    lists = {f"{SITE}/{number}" for number in range(1, 6)}
    names = [nested_names(document(menu), lists)[f"{SITE}/{number}"] for number in range(1, 6)]
    assert names == [("A",), ("A", "B"), ("A", "C"), ("D",), ("E",)]
    assert nested_names(document(menu), set()) == {}


@pytest.mark.parametrize(
    ("url", "page", "view"),
    [
        ("/tools/?sort=price", "/tools/", True),
        ("/tools/?sort=price", "/tools", True),
        ("/tools/", "/tools/?page=2", False),
        ("/saws/?sort=price", "/tools/", False),
        ("/c.php?id=1&brand=2", "/c.php?id=1", True),
        ("/c.php?id=2", "/c.php?id=1&page=3", False),
        ("/c.php?id=2", "/c.php", True),
        ("/c.php?id=1&sort=x", "/c.php?id=1&page=2", True),
        ("/c.php?id=2&sort=x", "/c.php?id=1", False),
    ],
)
def test_views_of_a_page(url: str, page: str, view: bool) -> None:
    assert is_view(f"{SITE}{url}", f"{SITE}{page}") is view
