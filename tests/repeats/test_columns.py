"""What stands at the same place of each entry."""

from turbohtml import parse

from sitewright.repeats.columns import columns_of, shortest_way
from sitewright.repeats.steps import Steps

ITEMS = parse(
    "<ul>"
    '<li class=p><a href="/a"><img src="data:," data-src="/a.jpg"><h3>Tea</h3></a><i class=price>$1</i></li>'
    '<li class=p><a href="/b"><img src="data:," data-src="/b.jpg"><h3>Oil</h3></a><i class=price>$2</i><em>new</em></li>'
    '<li class=p><a href="/c"><img src="data:," data-src="/c.jpg"><h3>Rye</h3></a><i class=price>$3</i></li>'
    "</ul>"
).select("li")


def test_columns_are_texts_links_and_pictures() -> None:
    found = {(column.kind, column.take): column.values for column in columns_of(ITEMS, Steps())}
    assert found["link", "@href"] == ["/a", "/b", "/c"]
    assert found["picture", "@data-src"] == ["/a.jpg", "/b.jpg", "/c.jpg"]


def test_what_few_entries_have_is_a_column_of_its_own() -> None:
    shares = {
        column.way[-1]: column.share(3) for column in columns_of(ITEMS, Steps()) if column.way and column.kind == "text"
    }
    assert shares["h3"] == 1.0
    assert shares["em"] == 1 / 3


def test_the_shortest_way_that_finds_it_first() -> None:
    columns = {column.way[-1]: column for column in columns_of(ITEMS, Steps()) if column.way}
    assert shortest_way(columns["i.price"], ITEMS) == "i.price"
