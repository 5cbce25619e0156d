"""The text of a record as its page displays it, and what the page calls its site."""

from typing import Any

import pytest

from sitewright.body import html_of
from sitewright.parse import parse
from sitewright.reading.body import read_body
from sitewright.types import Page, Photo, Record, Value

HTML = (
    '<meta property="og:site_name" content="The  Lantern"><ul><li><a href=/x><img src=/share.png></a></ul>'
    "<p>They hum all day.</p><h2>Hives</h2><p>Of wood.</p>"
)


def record(rule: str = "article/images#0", **fields: Any) -> Record:
    return Record(site="a", urls=("u",), fields={name: Value(value, 0.9, rule) for name, value in fields.items()})


def test_text_and_name_of_the_site() -> None:
    body = read_body(parse(Page(url="https://example.com/a", body=HTML)), record(text="They hum all day.\nOf wood."))
    assert html_of(body.tree) == "<p>They hum all day.</p>\n<h2>Hives</h2>\n<p>Of wood.</p>"
    assert body.site_name == "The Lantern"


def test_a_record_without_text() -> None:
    body = read_body(parse(Page(url="https://example.com/a", body="<p>They hum.")), record())
    assert (html_of(body.tree), body.site_name) == ("", "")


@pytest.mark.parametrize(("rule", "shown"), [("article/images#0", True), ("tagger/images: within div", False)])
@pytest.mark.parametrize(
    "image", [Photo(url="https://example.com/share.png"), {"url": "https://example.com/share.png"}]
)
def test_pictures_that_a_rule_chose_are_believed(rule: str, shown: bool, image: object) -> None:
    document = parse(Page(url="https://example.com/a", body=HTML))
    tree = read_body(document, record(rule, text="They hum all day.", images=[image])).tree
    assert ("share.png" in html_of(tree)) is shown
