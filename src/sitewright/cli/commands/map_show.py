"""`sitewright map show`: a map file in, tables a person can read out."""

import sys

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sitewright.cli.show.texts import shown_text
from sitewright.maps import load_map
from sitewright.types import ExtractionMap, Rule


@click.command()
@click.argument("file", metavar="MAP")
def show(file: str) -> None:
    """Show a map as tables a person can read.

    \b
    Example:
      sitewright map show example.com.map.yaml
    """
    extraction_map = load_map(file)
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(_heading(extraction_map))
    for template in extraction_map.templates:
        title = f"{template.name}  {template.url}  {template.probe}".rstrip()
        table = Table(title=shown_text(title), title_justify="left")
        for column in ("field", "select", "take", "parse", "remove", "support"):
            table.add_column(column, overflow="fold")
        for rule in template.rules:
            _add_rule(table, rule, "")
        if template.tagger:
            table.add_row(", ".join(template.tagger), "by the tagger, where no rule gives it")
        console.print(table)
    for page in extraction_map.index:
        console.print(shown_text(f"index {page.url} (weight {page.weight})"))
        console.print(shown_text(f"  articles: {', '.join(page.items) or '-'}  next: {', '.join(page.next) or '-'}"))
        for name, parts in (("seed", page.seed), ("banned", page.banned), ("category", filter(None, [page.category]))):
            if listed := ", ".join(parts):
                console.print(shown_text(f"  {name}: {listed}"))


def _heading(extraction_map: ExtractionMap) -> Text:
    facts = [extraction_map.language, extraction_map.timezone, *extraction_map.date_formats, extraction_map.render]
    facts += [f"{field} from {least:g}" for field, least in extraction_map.min_confidence]
    about = ", ".join(fact for fact in facts if fact)
    rest = f" ({extraction_map.domain}, version {extraction_map.version}; {about})"
    return Text.assemble((extraction_map.site, "bold"), rest)


def _add_rule(table: Table, rule: Rule, indent: str) -> None:
    support = f"{rule.support.found}/{rule.support.sampled}" if rule.support else ""
    marks = "".join(
        [" (many)" if rule.many else "", " (edited)" if rule.edited else "", " (fragile)" if rule.fragile else ""]
    )
    take = f"{rule.take}\n/{rule.match}/" if rule.match else rule.take
    cells = [indent + rule.field + marks, "\n".join(rule.select), take, rule.parse, "\n".join(rule.remove), support]
    table.add_row(*map(shown_text, cells))
    for inner in rule.fields:
        _add_rule(table, inner, indent + "  ")
