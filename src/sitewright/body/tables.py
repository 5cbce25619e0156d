"""Runs of a page and which of them are text in, those that make up tables of data out."""

from collections.abc import Sequence

from turbohtml import Element

from sitewright.body.runs import Run

_LONGEST_CELL = 400
"""A cell with more characters is a column of a page that is laid out by tables."""
_MOST_CELLS = 5_000


def data_tables(runs: Sequence[Run], own: set[int]) -> list[list[int]]:
    """Return the runs of each table that shows data and of which most cells are in the text.

    Tables within tables, with headings or with long texts are how a page is laid out.
    """
    held: dict[Element, list[int]] = {}
    layout: set[Element] = set()
    for number, run in enumerate(runs):
        tables = [element for element in run.chain if element.tag == "table"]
        layout.update(tables[:-1])
        if tables and run.lines and any(element.tag in {"td", "th"} for element in run.chain):
            held.setdefault(tables[-1], []).append(number)
    return [
        numbers
        for table, numbers in held.items()
        if table not in layout
        and not own.isdisjoint(numbers)
        and 2 * len(own.intersection(numbers)) >= len(numbers)
        and _is_data([runs[number] for number in numbers])
    ]


def _is_data(runs: Sequence[Run]) -> bool:
    """Tell whether cells stand below and beside each other, and hold no more than cells do."""
    rows: dict[Element, set[Element]] = {}
    for run in runs:
        if run.element.tag.startswith("h") and run.element.tag[1:].isdigit():
            return False
        if sum(len(piece.text) for line in run.lines for piece in line) > _LONGEST_CELL:
            return False
        row = next((element for element in reversed(run.chain) if element.tag == "tr"), None)
        cell = next((element for element in reversed(run.chain) if element.tag in {"td", "th"}), None)
        if row is not None and cell is not None:
            rows.setdefault(row, set()).add(cell)
    return len(runs) <= _MOST_CELLS and len(rows) > 1 and max(map(len, rows.values())) > 1
