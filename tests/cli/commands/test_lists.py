"""`sitewright lists`: the lists of pages as lines and as tables."""

import io
import json
from pathlib import Path

import pytest
from rich.console import Console
from tests.conftest import Sitewright

from sitewright.cli.show.lists import show_lists
from sitewright.reading.lists import PageLists, ShownList
from sitewright.types import Failure

pytestmark = pytest.mark.slow

CARDS = "".join(
    f'<li class="product"><a href="/p/{n}"><img src="/i/{n}.jpg"><h3>Blue towel {n}</h3></a><i class="price">€ {n},50</i></li>'
    for n in range(1, 5)
)
PAGE = f'<title>Towels</title><h1>Towels</h1><main><ul class="products">{CARDS}</ul></main>'


def test_one_line_a_page_in_order(sitewright: Sitewright, tmp_path: Path) -> None:
    rows = [
        {"url": "https://shop.example/towels", "html": PAGE},
        {"url": "https://shop.example/about", "html": "<p>We."},
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    done = sitewright("lists", tmp_path / "pages.jsonl", "--domain", "shop", "-q")
    first, second = map(json.loads, done.stdout.decode().splitlines())
    assert (done.returncode, second["lists"]) == (0, [])
    assert first["lists"][0]["selector"] == "main > ul.products > li.product"
    assert first["lists"][0]["items"][0] == {
        "name": "Blue towel 1",
        "price": {"amount": 1.5, "currency": "EUR"},
        "url": "https://shop.example/p/1",
        "image": "https://shop.example/i/1.jpg",
    }


def test_teasers_of_news_are_lists_as_well(sitewright: Sitewright, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    done = sitewright("lists", tmp_path / "page.html", "-q")
    assert [item["title"] for item in json.loads(done.stdout)["lists"][0]["items"]] == [
        f"Blue towel {n}" for n in range(1, 5)
    ]


def test_pages_that_fail_have_their_line(sitewright: Sitewright, tmp_path: Path) -> None:
    row = {"url": "https://shop.example/deep", "html": "<div>" * 1000}
    (tmp_path / "pages.jsonl").write_text(json.dumps(row), "utf-8")
    done = sitewright("lists", tmp_path / "pages.jsonl", "-q")
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (1, "page_too_deep")


def test_tables_for_people(tmp_path: Path) -> None:
    told = io.StringIO()
    console = Console(file=told, width=100)
    items = tuple({"name": f"Towel {n}", "price": {"amount": 1.5, "currency": "EUR"}} for n in range(20))
    show_lists(PageLists("https://shop.example/", (ShownList("li.product", 9.0, items),) * 7), console)
    show_lists(Failure("https://shop.example/deep", "parse", "page_too_deep", "why"), console)
    text = told.getvalue()
    assert "Towel 12" not in text
    assert {
        part for part in ("Towel 11", "1.5 EUR", "and 2 lists more", "page_too_deep: why") if part not in text
    } == set()
