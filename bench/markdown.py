"""Headings and rows in, a table in Markdown out."""

from collections.abc import Iterable, Sequence

Cell = str | int | float | None


def markdown(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table; numbers stand to the right, fractions with three digits, what is missing as a dash.

    >>> print(markdown(["field", "F1", "pages"], [["title", 0.5, 12], ["text", None, 0]]))
    | field | F1 | pages |
    |---|---:|---:|
    | title | 0.500 | 12 |
    | text | – | 0 |
    """
    body = [list(row) for row in rows]
    marks = [
        "---:" if column and all(_is_number(cell) for cell in column) else "---" for column in _columns(head, body)
    ]
    lines = [f"| {' | '.join(head)} |", f"|{'|'.join(marks)}|"]
    return "\n".join([*lines, *(f"| {' | '.join(map(_written, row))} |" for row in body)])


def _columns(head: Sequence[str], body: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    return [[row[place] for row in body] for place in range(len(head))]


def _is_number(cell: Cell) -> bool:
    return cell is None or isinstance(cell, int | float)


def _written(cell: Cell) -> str:
    if cell is None:
        return "–"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
