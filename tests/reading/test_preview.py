"""What a draft of a map reads of pages, beside the stored map."""

from sitewright.maps import parse_map
from sitewright.parse import parse
from sitewright.reading.preview import elements_of, preview, read_before
from sitewright.types import Page

MAP = """\
sitewright: 1
site: a.example
templates:
  - name: article
    rules:
      title: {select: [h1]}
      subtitle: {select: [.lead]}
"""
PAGE = "<h1><i>Sport</i> Match</h1><p class=lead>Won.</p><b>5</b>"


def test_values_that_change_come_and_go() -> None:
    stored = parse_map(MAP)
    draft = parse_map(
        MAP.replace("[h1]}", "[h1], remove: [i]}").replace(".lead", ".gone") + "      rating: {select: [b]}\n"
    )
    document = parse(Page(url="https://a.example/1", body=PAGE))
    (page,) = preview(draft, read_before(stored, [document]), [document])
    assert {name: value.state for name, value in page.values.items()} == {
        "title": "changed",
        "subtitle": "lost",
        "rating": "gained",
    }
    assert (page.values["title"].now, page.values["title"].before) == ("Match", "Sport Match")
    assert page.values["title"].rule == "article/title#0"
    assert [
        value.state for value in preview(stored, read_before(stored, [document]), [document])[0].values.values()
    ] == ["same", "same"]


def test_the_elements_that_values_are_read_from() -> None:
    document = parse(Page(url="https://a.example/1", body=PAGE))
    found = elements_of(parse_map(MAP), document)
    assert {name: [document.elements[n].tag for n in numbers] for name, numbers in found.items()} == {
        "title": ["h1"],
        "subtitle": ["p"],
    }
