"""What becomes of fields in, a table of it out."""

from rich.table import Table

from sitewright.actions.changes import Changes
from sitewright.cli.show.texts import shown_text


def changes_table(changes: Changes) -> Table:
    """Return a line for each field: how many values change, how many records had it and have it, an example."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("field")
    for column in ("changed", "before", "after"):
        table.add_column(column, justify="right")
    table.add_column("for example", overflow="fold")
    for name, own in changes.fields.items():
        numbers = (f"{number:,}" for number in (own.changed, own.before, own.after))
        example = " → ".join(part or "nothing" for part in own.example) if own.example is not None else ""
        table.add_row(name, *numbers, shown_text(example))
    return table
