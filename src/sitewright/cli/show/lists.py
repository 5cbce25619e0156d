"""Found lists in, a table for each out, for a person to read."""

from rich.console import Console
from rich.table import Table

from sitewright.cli.show.texts import shown_text
from sitewright.reading.lists import PageLists, ShownList
from sitewright.types import Failure
from sitewright.values.words import counted, one_line

_SHOWN_ITEMS = 12
_SHOWN_LISTS = 5


def show_lists(outcome: PageLists | Failure, console: Console | None = None) -> None:
    """Print the lists of a page as tables, the one that it is about first; of long ones the beginning."""
    shown = console or Console()
    if isinstance(outcome, Failure):
        shown.print(shown_text(f"{outcome.url}: {outcome.code}: {outcome.detail}"), style="red")
        return
    shown.print(shown_text(f"{outcome.url}: {counted(len(outcome.lists), 'list')}"), style="bold")
    for one in outcome.lists[:_SHOWN_LISTS]:
        shown.print(_table(one))
    if len(outcome.lists) > _SHOWN_LISTS:
        shown.print(f"and {counted(len(outcome.lists) - _SHOWN_LISTS, 'list')} more (--json)")


def _table(one: ShownList) -> Table:
    table = Table(title=shown_text(f"{one.selector}: {len(one.items)}"), title_justify="left", expand=False)
    columns = list(dict.fromkeys(name for item in one.items for name in item))
    for name in columns:
        table.add_column(name, no_wrap=True, overflow="ellipsis")
    for item in one.items[:_SHOWN_ITEMS]:
        table.add_row(*(shown_text(_cell(item.get(name))) for name in columns))
    return table


def _cell(value: object) -> str:
    """Return a value as a cell shows it; a price as people write it."""
    if isinstance(value, dict):
        return " ".join(f"{part:g}" if isinstance(part, float) else str(part) for part in value.values())
    return one_line(str(value)) if value is not None else ""
