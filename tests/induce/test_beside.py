"""Values beside labels."""

from collections.abc import Callable
from datetime import UTC, datetime

from sitewright.extract import Extractor
from sitewright.induce import example_of, learn_map
from sitewright.parse import Document
from sitewright.types import TaggedPage

NOW = datetime(2026, 1, 1, tzinfo=UTC)
Opined = Callable[..., tuple[Document, TaggedPage]]
ROWS = (
    {"Made in": "Wales", "Colour": "red", "Weight": "9 kg"},
    {"Colour": "green", "Made in": "Spain"},
    {"Weight": "2 kg", "Made in": "Malta"},
    {"Colour": "grey", "Weight": "1 kg"},
)


def test_another_line_of_the_table_is_not_taken_for_the_one_that_was_shown(opined: Opined) -> None:
    tables = [
        "".join(f"<tr><td class=l>{key}</td><td class=v>{value}</td>" for key, value in row.items()) for row in ROWS
    ]
    pages = [opined(f"<h1>{n}</h1><table>{table}</table>", kind="other") for n, table in enumerate(tables)]
    extractor = Extractor(learn_map(pages, "shop", NOW, example_of(["made=Wales"])).extraction_map)
    found = [extractor.extract(document, NOW).fields for document, _ in pages]
    assert [fields["made"].value if "made" in fields else None for fields in found][:3] == ["Wales", "Spain", "Malta"]
