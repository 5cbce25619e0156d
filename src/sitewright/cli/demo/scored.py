"""A score in, out what is shown of it: a table of all fields, and what went wrong."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sitewright.cli.demo.score import ENOUGH, VERDICTS, Mistake, Score
from sitewright.reading.report import rule_text
from sitewright.types import ExtractionMap
from sitewright.values.words import counted, short

ABOUT = (
    f"A text is right that shares {ENOUGH:.0%} of its words with the story, a date to the minute, pictures by their "
    "addresses. Missing: the story has it, the record has not. Invented: the other way round."
)
_TOTAL = "all"
_GAP, _NARROWEST = 2, 20
"""Between columns; and below that a rule is not worth to be shown."""
_STYLES = {"right": "green", "wrong": "red", "missing": "yellow", "invented": "magenta"}


def score_table(score: Score, width: int = 0, rules: Mapping[str, str] | None = None) -> Table:
    """Return field, right, wrong, missing, invented; and the rule that is tried first, as far as the width allows."""
    table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    table.add_column("field", no_wrap=True)
    for verdict in VERDICTS:
        table.add_column(verdict, justify="right", no_wrap=True)
    taken = max(map(len, score.counts)) + sum(map(len, VERDICTS)) + _GAP * (len(VERDICTS) + 1)
    room = width - taken - 1
    if rules is not None and room >= _NARROWEST:
        table.add_column("read with", no_wrap=True)
    for name, counts in (*score.counts.items(), (_TOTAL, score.total)):
        cells = [Text(name, style="bold" if name == _TOTAL else "")]
        cells += [_number(counts[verdict], _STYLES[verdict]) for verdict in VERDICTS]
        if rules is not None and room >= _NARROWEST:
            cells.append(Text(short(rules.get(name, "" if name == _TOTAL else "no rule"), room - 1), style="dim"))
        table.add_row(*cells)
    return table


def _number(count: int, style: str) -> Text:
    return Text(f"{count:,}", style=style) if count else Text("·", style="dim")


def total_line(score: Score) -> str:
    """Return the sum in words.

    >>> total_line(Score())
    '0 of 0 values right'
    """
    total = score.total
    meant = total["right"] + total["wrong"] + total["missing"]
    invented = f", {total['invented']:,} invented" if total["invented"] else ""
    return f"{total['right']:,} of {meant:,} values right{invented}"


def show_mistakes(console: Console, score: Score, extraction_map: ExtractionMap) -> None:
    """Print of each field that is not always right one page where it is not, and the rule that read it."""
    for mistake in score.first_mistakes():
        counts = score.counts[mistake.field]
        told = ", ".join(f"{counts[verdict]:,} {verdict}" for verdict in VERDICTS[1:] if counts[verdict])
        _print_line(console, f"{mistake.field}: {told}, first on {mistake.path}")
        for line in _differing(mistake):
            _print_line(console, f"  {line}")
        if rule := rule_text(extraction_map, mistake.rule):
            _print_line(console, f"  by     {mistake.rule}: {rule}", style="dim")


def _print_line(console: Console, line: str, style: str = "") -> None:
    console.print(Text(line, style=style), no_wrap=True, overflow="ellipsis")


def _differing(mistake: Mistake) -> Iterator[str]:
    read, meant = words_of(mistake.read), words_of(mistake.meant)
    if mistake.field == "text":
        yield f"read   {counted(len(read.split()), 'word')}; meant {counted(len(meant.split()), 'word')}"
        return
    yield f"read   {short(read)}"
    yield f"meant  {short(meant)}"


def words_of(value: Any) -> str:
    """Return a value as a person writes it.

    >>> words_of(("Ann", "Bo")), words_of("2024-05-06T07:08:00+01:00"), words_of(None)
    ('Ann, Bo', '2024-05-06 07:08', 'nothing')
    """
    if isinstance(value, dict):
        return str(value.get("url") or value)
    if isinstance(value, (list, tuple)):
        return ", ".join(map(words_of, value)) or "nothing"
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    text = str(value or "nothing")
    try:
        return f"{datetime.fromisoformat(text):%Y-%m-%d %H:%M}" if len(text) > len("2024-05-06") else text
    except ValueError:
        return text
