"""A story to read: its text as harmless markup, its pictures, its source."""

import pytest
from fastapi.testclient import TestClient
from turbohtml import parse

from sitewright.body import plain_body
from sitewright.serve.article import article_markup
from sitewright.store.database import Store
from sitewright.store.entries import Collected
from sitewright.types import Page, Record, Value


def test_a_story_is_shown_with_its_source(client: TestClient, story: str, store: Store) -> None:
    record = next(one for one in store.records() if one.id == story.partition("/")[2]).record
    text = client.get(f"/story/{story}").text
    assert f'href="{record.urls[0]}" rel="noopener noreferrer"' in text
    assert "<p>" in text.partition('<div class="body"')[2]
    assert text.count("<h1>") == 1


def test_what_is_not_there_is_told(client: TestClient) -> None:
    for path in ("/story/nowhere.example/0123456789abcdef", "/story/notes.example/0123456789abcdef", "/frame/a/b"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert "not_there" in answer.text


def test_scripts_of_other_directions(client: TestClient, store: Store) -> None:
    for language, words in (("ar", "خبر اليوم"), ("zh-CN", "北京新闻")):
        url = f"https://notes.example/{language}"
        record = Record(
            site="notes.example", urls=(url,), language=language, fields={"title": Value(words, 1.0, "note/title#0")}
        )
        store.commit_pages([Collected(record=record, page=Page(url=url, body=b""))])
    client.app.state.service.catalogue.catch_up()  # type: ignore[attr-defined]
    text = client.get("/").text
    assert '<h2 lang="ar" dir="rtl">' in text
    assert '<h2 lang="zh" dir="ltr">' in text
    assert "北京新闻" in client.get("/search?q=京新").text
    assert "北京新闻" not in client.get("/search?q=京北").text


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        "<p onclick=alert(1) style='background:url(//evil)'>a</p>",
        "<a href='javascript:alert(1)'>a</a>",
        "<a href='data:text/html,x'>a</a>",
        "<iframe srcdoc='<script>1</script>'></iframe>",
        "<svg onload=alert(1)><script>1</script></svg>",
        "<form action=//evil><input name=a></form>",
        "<base href=//evil><link rel=stylesheet href=//evil><meta http-equiv=refresh content=0>",
        "<style>@import '//evil'</style>",
        "<img src='//evil/x' onerror=alert(1)>",
        "<object data=//evil></object><embed src=//evil>",
        "<math><mi xlink:href='javascript:1'>a</mi></math>",
    ],
)
def test_markup_of_strangers_is_harmless(html: str) -> None:
    tree = parse(f"<body><div id=it>{html}</div>").select_one("#it")
    assert tree is not None
    written = str(article_markup(tree, lambda url: f"/picture?of={url}" if url else ""))
    lowered = written.lower()
    for bad in (
        "script",
        "onclick",
        "onload",
        "onerror",
        "style",
        "javascript",
        "data:",
        "iframe",
        "svg",
        "form",
        "evil",
    ):
        assert bad not in lowered


def test_plain_text_stays_text() -> None:
    assert str(article_markup(plain_body("<b>1</b>"), str)) == "<p>&lt;b&gt;1&lt;/b&gt;</p>"
