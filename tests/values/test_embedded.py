"""Lists of pictures in the state of pages, and what only looks like one."""

import json

import pytest

from sitewright.parse import Document, parse
from sitewright.types import Page
from sitewright.values.embedded import embedded_pictures

PLAIN = [{"src": f"/sea-{n}.jpg", "caption": f"Day <b>{n}</b> &amp; night", "credit": "Ann Lee"} for n in range(4)]
NESTED = [
    {"id": n, "image": {"url": f"https://img.example.com/sea-{n}.webp", "thumbnail": f"/small-{n}.jpg"},
     "texts": {"description": f"Day {n}"}}
    for n in range(4)
]  # fmt: skip


def page(script: str) -> Document:
    return parse(Page(url="https://example.com/sea", body=f"<h1>At sea</h1>{script}"))


@pytest.mark.parametrize(
    "script",
    [
        f"<script type='application/json'>{json.dumps({'props': {'slides': PLAIN}})}</script>",
        f"<script id=__NEXT_DATA__>{json.dumps(PLAIN)}</script>",
        f"<script>var a = 1; window.__STATE__ = {json.dumps({'slides': PLAIN})}; start(); </script>",
        f"<script>let x = [1, 2]; gallery({json.dumps(PLAIN)});</script>",
    ],
)
def test_state_is_found_however_it_is_written(script: str) -> None:
    (photos,) = embedded_pictures(page(script))
    assert [photo.url for photo in photos] == [f"https://example.com/sea-{n}.jpg" for n in range(4)]
    assert [(photo.caption, photo.credit) for photo in photos][1] == ("Day 1 & night", "Ann Lee")


def test_objects_may_be_nested_and_have_previews() -> None:
    (photos,) = embedded_pictures(page(f"<script>window.s = {json.dumps({'a': NESTED})}</script>"))
    assert [(photo.url, photo.caption) for photo in photos][2] == ("https://img.example.com/sea-2.webp", "Day 2")


@pytest.mark.parametrize(
    "value",
    [
        PLAIN[:2],
        [{"src": f"/sea-{n}.jpg", "url": f"/story-{n}"} for n in range(4)],
        [{"title": "Bees"}, *PLAIN],
        ["/a.jpg", "/b.jpg", "/c.jpg"],
        {"a": 1},
    ],
    ids=["too few", "teasers", "one without a picture", "addresses alone", "none"],
)
def test_what_is_no_list_of_pictures(value: object) -> None:
    assert embedded_pictures(page(f"<script type=application/json>{json.dumps(value)}</script>")) == []


@pytest.mark.parametrize("text", ["{" * 100_000, "x = {" * 10_000, "x = [" + "[" * 50_000, "a = {'b': 1}"])
def test_hostile_scripts_are_bounded(text: str) -> None:
    assert embedded_pictures(page(f"<script>{text} .jpg</script>")) == []
