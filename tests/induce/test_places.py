"""Texts that examples are, where elements hold more than that."""

from collections.abc import Callable
from datetime import UTC, datetime

from sitewright.extract import Extractor
from sitewright.induce import example_of, learn_map
from sitewright.parse import Document
from sitewright.types import TaggedPage

NOW = datetime(2026, 1, 1, tzinfo=UTC)
Opined = Callable[..., tuple[Document, TaggedPage]]
ROWS = (("Oak", "Wales"), ("Pine", "Spain"), ("Steel", "Malta"))


def read(opined: Opined, example: str, pages: list[str]) -> list[object]:
    """Learn from all pages what one of them shows, and read them."""
    documents = [opined(html, kind="other") for html in pages]
    extractor = Extractor(learn_map(documents, "shop", NOW, example_of([example])).extraction_map)
    [field] = example_of([example])
    records = [extractor.extract(document, NOW) for document, _ in documents]
    return [record.fields[field].value if field in record.fields else None for record in records]


def test_the_text_behind_a_label_is_found_by_the_label(opined: Opined) -> None:
    lines = ["<b>Colour:</b> {} <br><b>Origin:</b> {} <br>", "<b>Origin:</b> {1} <br><b>Colour:</b> {0} <br>"]
    pages = [f"<h1>{n}</h1><font>{lines[n % 2].format(*row)}</font>" for n, row in enumerate(ROWS)]
    assert read(opined, "made=Wales", pages) == ["Wales", "Spain", "Malta"]


def test_text_without_a_name_or_a_label_is_counted(opined: Opined) -> None:
    pages = [f"<center>{wood}<br>{place}<br>x{n}</center>" for n, (wood, place) in enumerate(ROWS)]
    assert read(opined, "made=Wales", pages) == ["Wales", "Spain", "Malta"]


def test_own_text_is_read_without_the_elements_in_it(opined: Opined) -> None:
    pages = [f"<h1>{wood} <em>by <a>{place}</a></em></h1>" for wood, place in ROWS]
    assert read(opined, "name=Oak", pages) == ["Oak", "Pine", "Steel"]
