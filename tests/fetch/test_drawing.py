"""Drawings of strangers are built anew: nothing in them acts or loads."""

import pytest

from sitewright.demo.pictures import SCENES, draw
from sitewright.demo.story import Picture
from sitewright.fetch.drawing import drawing_of

BAD = (
    "script",
    "onload",
    "onclick",
    "href",
    "javascript",
    "style",
    "import",
    "evil",
    "foreign",
    "iframe",
    "animate",
    "entity",
    "use",
)


@pytest.mark.parametrize(
    "inner",
    [
        "<script>alert(1)</script>",
        "<script href='//evil'/>",
        "<g onclick='alert(1)'/>",
        "<a href='javascript:alert(1)'><rect width='1'/></a>",
        "<image href='https://evil.example/x.png'/>",
        "<use href='https://evil.example/x.svg#a'/>",
        "<style>@import url(//evil)</style>",
        "<rect style='fill:url(//evil)' fill='url(https://evil.example/#a)'/>",
        "<foreignObject><iframe src='//evil'></iframe></foreignObject>",
        "<animate attributeName='href' values='javascript:alert(1)'/>",
        "<set attributeName='onload' to='alert(1)'/>",
        "<text>&lt;script&gt;</text><title><b onload=x></title>",
        "<filter><feImage href='//evil'/></filter>",
    ],
)
def test_nothing_acts_or_loads(inner: str) -> None:
    head = "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY evil SYSTEM 'file:///etc/passwd'>]>"
    drawn = drawing_of(f"{head}<svg onload='alert(1)' width='9'>{inner}<circle r='3' fill='red'/></svg>".encode())
    shown = drawn.decode().replace("&lt;script&gt;", "").lower()
    assert shown.startswith("<svg xmlns=")
    assert [word for word in BAD if word in shown] == []


def test_drawings_stay_what_they_are() -> None:
    made = draw(Picture(slug="a", scene=next(iter(SCENES)), seed=1, width=900, height=600, caption="", credit=""), 480)
    assert drawing_of(made).count(b"<") > 10


@pytest.mark.parametrize("body", [b"", b"<html><p>a", b"<svg" + b"<g>" * 100_000, b"<svg>" + b"<g/>" * 10_000])
def test_what_is_none_gives_nothing(body: bytes) -> None:
    assert len(drawing_of(body)) < 2_000
