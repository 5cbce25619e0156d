"""What changes with another map in, printed lines out: rule by rule, and value by value."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sitewright.cli.show.lines import echo
from sitewright.maps.diff import Change
from sitewright.values.words import counted, short, value_line

if TYPE_CHECKING:  # who compares rules alone does not pay for what reads pages
    from sitewright.actions.compare_values import ValueChanges

_MARKS = {"added": "+", "removed": "-", "changed": "~"}
_LONGEST = 200


def print_changes(changes: Iterable[Change]) -> None:
    """Print changes of a map one below the other, old above new."""
    for change in changes:
        echo(f"{_MARKS[change.kind]} {change.path}", bold=True)
        if change.before:
            echo(f"    - {change.before}", fg="red")
        if change.after:
            echo(f"    + {change.after}", fg="green")


def print_value_changes(found: "ValueChanges", shown: int) -> None:
    """Say of each field on how many pages its value changes, and show some."""
    failed = f" ({found.failed} more could not be read)" if found.failed else ""
    echo(f"\nOn {counted(found.pages, 'page')}{failed}:", bold=True)
    for field, changed in found.fields.items():
        lost = sum(change.after in (None, "") for change in changed)
        won = sum(change.before in (None, "") for change in changed)
        of_these = ", ".join(filter(None, [f"{lost} lost" if lost else "", f"{won} new" if won else ""]))
        told = f"{counted(len(changed), 'value')} changed" if changed else "the same on all"
        echo(f"{field}: {told}{f' ({of_these})' if of_these else ''}")
        for change in changed[:shown]:
            echo(f"    {change.url}")
            echo(f"    - {_shown(change.before) or 'nothing'}", fg="red")
            echo(f"    + {_shown(change.after) or 'nothing'}", fg="green")


def _shown(value: Any) -> str:
    line = value_line(value)
    return line if len(line) <= _LONGEST else f"{short(line, _LONGEST)} ({len(line):,} characters)"
