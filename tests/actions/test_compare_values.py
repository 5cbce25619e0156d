"""What another map does to the values of pages."""

import json
from pathlib import Path

from sitewright.actions.compare_values import ValueChange, compare_values
from sitewright.actions.inputs import Inputs
from sitewright.maps import parse_map
from sitewright.types import ExtractionMap, Limits


def a_map(rules: str) -> ExtractionMap:
    return parse_map(f"sitewright: 1\nsite: a.example\ntemplates:\n  - {{name: a, rules: {{{rules}}}}}\n")


def test_values_that_differ(tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    pages = ["<h1>One</h1><h2>Two</h2><b>x</b>", "<h1>Same</h1><h2>Same</h2>"]
    lines = [json.dumps({"url": f"https://a.example/{n}", "html": html}) for n, html in enumerate(pages)]
    file.write_text("\n".join([*lines, "no json"]), "utf-8")
    before, after = a_map("title: {select: [h1]}"), a_map("title: {select: [h2]}, tags: {select: [b], many: true}")
    found = compare_values(before, after, Inputs([str(file)]), Limits(), jobs=1)
    assert (found.pages, found.failed) == (2, 1)
    assert found.fields == {
        "title": [ValueChange("https://a.example/0", "One", "Two")],
        "tags": [ValueChange("https://a.example/0", None, ["x"])],
    }
