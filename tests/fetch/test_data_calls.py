import json

import pytest

from sitewright.fetch.data_calls import DataCall, data_calls, read_json, shape_of
from sitewright.parse import Document, parse
from sitewright.types import Page

LINES = [
    f"Line {number}: on that day the bees of the “old mill” left for the orchard & the sea." for number in range(9)
]


def rendered() -> Document:
    text = "".join(f"<p>{line.replace('&', '&amp;')}</p>" for line in LINES)
    return parse(Page(url="https://example.com/a", body=f"<article>{text}</article>"))


def call(value: object, url: str = "/api", method: str = "GET") -> DataCall:
    return DataCall(url=url, method=method, body=json.dumps(value).encode())


def test_the_call_with_most_of_the_text_comes_first() -> None:
    menu = call({"menu": ["News", "Sport"]}, "/menu")
    some = call({"lines": LINES[:6]}, "/some")
    whole = call([{"story": {"body": LINES}}], "/whole")
    found = data_calls([menu, some, whole], rendered(), "item")
    assert [entry.url for entry in found] == ["/whole", "/some"]
    assert found[0].share == 1
    assert 0.5 < found[1].share < 0.8


def test_html_in_json_counts_as_its_text() -> None:
    body = "".join(f"<p>{line.replace('&', '&amp;').replace('old mill', '<b>old mill</b>')}</p>" for line in LINES)
    assert data_calls([call({"body": body})], rendered(), "item")[0].share == 1


@pytest.mark.parametrize("body", [b"", b"{", b"<html>", b"[" * 100_000, b"\xff\xfe"])
def test_what_is_not_json_holds_nothing(body: bytes) -> None:
    broken = DataCall(url="/a", method="GET", body=body)
    assert read_json(body) is None
    assert data_calls([broken], rendered(), "item") == []
    assert (broken.size, broken.shape) == (len(body), "nothing")


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ([], "empty list"),
        ([1, 2], "2 × number"),
        (
            {str(number): number for number in range(9)},
            "{0: number, 1: number, 2: number, 3: number, 4: number, 5: number, 6: number, 7: number, …}",
        ),
        ({"a": {"b": {"c": {"d": {"e": 1}}}}}, "{a: {b: {c: {d: {…}}}}}"),
    ],
)
def test_shapes(value: object, shape: str) -> None:
    assert shape_of(value) == shape
