"""Rows as a JSON Feed, written one by one."""

import json
from pathlib import Path
from typing import Any

from turbohtml import Element

from sitewright.body import Body
from sitewright.output.export import encoder_of, open_writer


def written(path: Path, rows: list[tuple[dict[str, Any], Body | None]]) -> dict[str, Any]:
    writer, encode = open_writer(str(path), "jsonfeed", {}), encoder_of("jsonfeed", {})
    for row, body in rows:
        writer.write(encode(row, body))
    writer.close()
    feed: dict[str, Any] = json.loads(path.read_bytes())
    return feed


def test_rows_become_items_and_failures_none(tmp_path: Path) -> None:
    rows = [
        {"url": "https://www.example.com/1", "title": "A", "text": "One.", "published": "2024-05-06", "language": "en"},
        {"url": "https://example.com/2", "error": {"code": "x", "stage": "parse", "detail": "d"}},
        {"url": "https://example.com/3"},
    ]
    feed = written(tmp_path / "a.feed.json", [(row, None) for row in rows])
    assert (feed["version"], feed["title"]) == ("https://jsonfeed.org/version/1.1", "example.com")
    first, second = feed["items"]
    assert (first["content_html"], first["date_published"]) == ("<p>One.</p>", "2024-05-06T00:00:00+00:00")
    assert second == {"id": rows[2]["url"], "url": rows[2]["url"], "title": rows[2]["url"], "content_text": ""}


def test_a_feed_is_called_as_its_pages_call_their_site(tmp_path: Path) -> None:
    body = Body(Element("div"), "The Lantern")
    rows: list[tuple[dict[str, Any], Body | None]] = [({"url": "https://a.example/1"}, body)] * 2
    assert written(tmp_path / "a.feed.json", rows)["title"] == "The Lantern"


def test_a_feed_of_nothing(tmp_path: Path) -> None:
    assert written(tmp_path / "a.feed.json", [])["items"] == []
