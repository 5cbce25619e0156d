"""`sitewright map check|diff|convert|show`, and where the other commands on maps are."""

import sys
from importlib import import_module
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sitewright.cli.files import deliver, shown_name, text_of
from sitewright.cli.show.map_changes import print_changes
from sitewright.errors import InputError, MapInvalid, MapSyntaxError
from sitewright.maps import dump_map, load_map, notes, parse_map, read_tree
from sitewright.maps.convert import FORMATS, OWN, guess_format, read_foreign, write_foreign
from sitewright.maps.diff import compare_maps
from sitewright.maps.file import earlier_text
from sitewright.types import ExtractionMap, Rule
from sitewright.values.words import counted

_LEARN = "learn"
_ELSEWHERE = {
    _LEARN: "sitewright.cli.commands.learn:learn",
    "get": "sitewright.cli.commands.stored_maps:get",
    "put": "sitewright.cli.commands.stored_maps:put",
    "versions": "sitewright.cli.commands.stored_maps:versions",
}
"""Commands that are imported when they are asked for, since they bring the tagger or the store."""


class _LearnByDefault(click.Group):
    """A group whose first argument may be a page file: then the map is learned from it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return sorted([*super().list_commands(ctx), *_ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command."""
        if cmd_name not in _ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        module, _, name = _ELSEWHERE[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of that name, or the one that learns."""
        known = args[0] in self.list_commands(ctx)
        return super().resolve_command(ctx, args if known else [_LEARN, *args])

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Leave options in front of the pages to the command that learns."""
        is_option = args and args[0].startswith("-") and args[0] not in {"-h", "--help"}
        return super().parse_args(ctx, ["--", *args] if is_option else args)


@click.group("map", cls=_LearnByDefault, short_help="Learn maps; check, show, compare, convert and store them.")
def map_group() -> None:
    """Learn a map from pages, or check, show, compare and convert maps, or get them from a store and put them back.

    `sitewright map PAGES` is short for `sitewright map learn PAGES`.
    """


@map_group.command()
@click.argument("files", nargs=-1, required=True, metavar="MAP...")
def check(files: tuple[str, ...]) -> None:
    """Say what is wrong with map files (or with - on standard input): file, line, entry, what was expected.

    Exit status 1 where anything is wrong, 2 where no file could be read.
    """
    unread, wrong = 0, 0
    for file in files:
        try:
            text = text_of(file)
        except InputError as error:
            click.echo(f"error[{error.code}]: {error}", err=True)
            unread += 1
        else:
            wrong += not _check_text(text, shown_name(file))
    sys.exit(2 if unread == len(files) else 1 if unread or wrong else 0)


def _check_text(text: str, name: str) -> bool:
    """Tell whether this is a sound map, and say why not or what is in it."""
    try:
        extraction_map = parse_map(text, name)
    except (MapInvalid, MapSyntaxError) as error:
        click.echo(str(error))
        return False
    for note in notes(read_tree(text, name), name):
        click.echo(f"note: {note}")
    rules = len(extraction_map.rules)
    click.echo(f"{name}: fine ({counted(len(extraction_map.templates), 'template')}, {counted(rules, 'rule')})")
    return True


@map_group.command()
@click.argument("file", metavar="MAP")
def show(file: str) -> None:
    """Show a map as tables a person can read."""
    extraction_map = load_map(file)
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(_heading(extraction_map))
    for template in extraction_map.templates:
        title = f"{template.name}  {template.url}  {template.probe}".rstrip()
        table = Table(title=Text(title), title_justify="left")
        for column in ("field", "select", "take", "parse", "remove", "support"):
            table.add_column(column, overflow="fold")
        for rule in template.rules:
            _add_rule(table, rule, "")
        console.print(table)
    for page in extraction_map.index:
        console.print(Text(f"index {page.url} (weight {page.weight})"))
        console.print(Text(f"  articles: {', '.join(page.articles) or '-'}  next: {', '.join(page.next) or '-'}"))


@map_group.command()
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.option(
    "--pages", multiple=True, metavar="PAGES", help="Also read these pages with both maps and show which values change."
)
@click.option(
    "--show", "shown", type=click.IntRange(min=0), default=3, show_default=True, help="Values to show a field."
)
def diff(old: str, new: str, pages: tuple[str, ...], shown: int) -> None:
    """Compare two maps rule by rule, and with --pages what they give. Exit status 1 where they differ."""
    before, after = load_map(old), load_map(new)
    changes = compare_maps(before, after)
    print_changes(changes)
    if not changes:
        click.echo("no difference")
    elif pages:
        _show_effect(before, after, pages, shown)
    sys.exit(1 if changes else 0)


def _show_effect(before: ExtractionMap, after: ExtractionMap, pages: tuple[str, ...], shown: int) -> None:
    """Say of each field on how many pages its value changes, and show some."""
    from sitewright.cli.effect import effect_of  # noqa: PLC0415 -- only who reads pages pays for what reads them

    effect = effect_of(before, after, pages)
    failed = f" ({effect.failed} more could not be read)" if effect.failed else ""
    click.secho(f"\nOn {counted(effect.pages, 'page')}{failed}:", bold=True)
    for field, changed in effect.fields.items():
        lost, won = sum(not c.after for c in changed), sum(not c.before for c in changed)
        of_these = ", ".join(filter(None, [f"{lost} lost" if lost else "", f"{won} new" if won else ""]))
        told = f"{counted(len(changed), 'value')} changed" if changed else "the same on all"
        click.echo(f"{field}: {told}{f' ({of_these})' if of_these else ''}")
        for change in changed[:shown]:
            click.echo(f"    {change.url}")
            click.secho(f"    - {change.before or 'nothing'}", fg="red")
            click.secho(f"    + {change.after or 'nothing'}", fg="green")


@map_group.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--from", "source", type=click.Choice([OWN, *FORMATS]), help="Format of FILE; default: seen from the file."
)
@click.option("--to", "target", type=click.Choice([OWN, *FORMATS]), help="Format to write; default: a Sitewright map.")
@click.option("--site", default="", help="Host name of the site, where the foreign file does not say.")
@click.option("-o", "--output", default="-", metavar="OUT", help="File to write; default: stdout.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
def convert(file: str, source: str | None, target: str | None, site: str, output: str, force: bool) -> None:
    """Convert maps from and to other tools' formats.

    Both ways: Web Scraper sitemaps (webscraper), ftr-site-config files (ftr), crawl4ai schemas (crawl4ai). Out only:
    a Scrapy spider (scrapy), a web-poet page object (webpoet). What the target cannot express is listed on stderr.
    """
    text = text_of(file)
    kind = source or (OWN if file.endswith((".map.yaml", ".yaml", ".yml")) else guess_format(text, shown_name(file)))
    lost: list[str] = []
    if kind == OWN:
        extraction_map = parse_map(text, shown_name(file))
    else:
        reading = read_foreign(text, kind, site)
        extraction_map, lost = reading.result, [*reading.lost]
    if (target or OWN) == OWN:
        written = dump_map(extraction_map, like=earlier_text(Path(output)) if force and output != "-" else "")
    else:
        writing = write_foreign(extraction_map, target or OWN)
        written, lost = writing.result, [*lost, *writing.lost]
    deliver(written, output, force=force)
    for sentence in lost:
        click.echo(f"not converted: {sentence}", err=True)


def _heading(extraction_map: ExtractionMap) -> Text:
    facts = [extraction_map.language, extraction_map.timezone, *extraction_map.date_formats, extraction_map.render]
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
    table.add_row(*map(Text, cells))
    for inner in rule.fields:
        _add_rule(table, inner, indent + "  ")
