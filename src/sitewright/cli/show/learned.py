"""A learned map in, a table of its fields on standard error out."""

import sys

from rich.console import Console
from rich.table import Table

from sitewright.actions.learn_map import LearnedMap
from sitewright.cli.show.texts import shown_text
from sitewright.reading.report import rule_text
from sitewright.values.as_json import plain_of
from sitewright.values.words import short

_LONGEST = 60


def show_learned(found: LearnedMap) -> None:
    """Print of each field on how many pages it is, how well its rules agree with the tagger, a rule and a value."""
    extraction_map, records = found.extraction_map, found.records
    console = Console(stderr=True, width=None if sys.stderr.isatty() else 160)
    table = Table(title=shown_text(f"{extraction_map.site}: {len(records)} pages"), title_justify="left")
    for column in ("field", "pages", "agrees", "rule", "sample value"):
        table.add_column(column, overflow="fold")
    for name in extraction_map.fields:
        values = [record.fields[name] for record in records if name in record.fields]
        rules = [rule for rule in extraction_map.rules if rule.field == name]
        support = [rule.support.agreement for rule in rules if rule.support and rule.support.agreement is not None]
        first = next((value.rule for value in values), "")
        more = f"\n(+{len(rules) - 1} more)" if len(rules) > 1 else ""
        rule = rule_text(extraction_map, first) or ", ".join(rules[0].select)
        agrees = f"{max(support):.0%}" if support else ""
        sample = _sample(values[0].value) if values else ""
        table.add_row(*map(shown_text, (name, f"{len(values)}/{len(records)}", agrees, rule + more, sample)))
    console.print(table)


def _sample(value: object) -> str:
    plain = plain_of(value)
    return short(", ".join(map(str, plain)) if isinstance(plain, list) else str(plain), _LONGEST)
