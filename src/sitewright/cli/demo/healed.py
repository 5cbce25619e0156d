"""A store in which maps were repaired in, out what is shown of it: incidents, rules, values, and how right they are."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sitewright.actions.proposals import doubt
from sitewright.cli.demo.eras import EraReading, Told, ToldStory
from sitewright.cli.demo.live import Shelf
from sitewright.cli.demo.score import FIELDS, VERDICTS, ReadStory, Score, score_of
from sitewright.cli.demo.scored import ABOUT, words_of
from sitewright.cli.show.incidents import COLUMNS, NUMBERS, cells, facts, fill_lines
from sitewright.cli.show.map_changes import print_changes
from sitewright.cli.show.next_steps import tell_next
from sitewright.cli.show.tables import print_table
from sitewright.maps.changes import bare
from sitewright.maps.diff import Change, compare_maps
from sitewright.store.database import Store
from sitewright.store.entries import Incident, StoredMap, StoredProposal
from sitewright.values.words import counted, moment, short

_SHOWN_CHANGES = 8
"""Of the changes between two versions of the map."""
_LONGEST_CHANGE = 160
_TRIED_FIRST, _SOURCE = "#0", "index "
_READINGS = ("old map", "at first", "now")
_ABOUT_READINGS = """\
old map: what the map from before the redesign reads of the page
at first: what was stored when the page was collected
now: what is stored after all repairs"""
_ABOUT_STORIES = "missed: not found within an hour; twice: collected once more under another address"
_SHOWN_FIELDS = ("title", "published", "authors", "tags")
_SHOWN_STORIES = 2
"""Of each redesign."""
_LEFT_OUT = frozenset(("site", "template"))
"""Columns of incidents that say the same of all."""


def show(console: Console, store: Store, shelf: Shelf, told: Told) -> None:
    """Print what happened to the map and the records of a paper."""
    versions = store.map_versions(told.site)
    if not versions:
        console.print("\nit ended before the map was learned")
        return
    _show_incidents(console, sorted(store.incidents(told.site, open_only=False), key=lambda one: one.number or 0))
    _show_versions(console, versions)
    _show_stories(console, told)
    _show_summary(console, told)
    waiting = store.proposals(told.site)
    _show_waiting(console, waiting)
    _show_next(console, shelf, told, waiting)


def _heading(console: Console, text: str) -> None:
    console.print(f"\n{text}", style="bold", markup=False, highlight=False)


def _show_incidents(console: Console, incidents: Sequence[Incident]) -> None:
    """Print all incidents, and a picture of the first that has one."""
    _heading(console, "What was noticed")
    if not incidents:
        console.print("nothing")
        return
    chosen = [place for place, column in enumerate(COLUMNS) if column not in _LEFT_OUT]
    rows = ([cells(incident)[place] for place in chosen] for incident in incidents)
    print_table([COLUMNS[place] for place in chosen], rows, numbers=NUMBERS)
    drawn = next((incident for incident in incidents if incident.fill), None)
    if drawn is not None:
        for line in ("", *facts(drawn), *fill_lines(drawn)):
            click.echo(line)


def _show_versions(console: Console, versions: Sequence[StoredMap]) -> None:
    """Print what each version of the map reads in another way than the one before: the first rule of each field."""
    _heading(console, "What changed in the map")
    if len(versions) == 1:
        console.print("nothing")
    for before, after in pairwise(versions):
        changes = compare_maps(bare(before.parsed()), bare(after.parsed()))
        console.print(
            f"version {before.version} → {after.version} ({after.made_by}, {moment(after.made_at)} UTC):"
            f" {counted(len(changes), 'change')}",
            highlight=False,
        )
        shown = _most_telling(changes)
        print_changes(map(_short_change, shown))
        if len(changes) > len(shown):
            console.print(f"… and {len(changes) - len(shown)} more", highlight=False)


def _most_telling(changes: Sequence[Change]) -> list[Change]:
    """Return changes of the rules that are tried first, and one of an index page."""
    sources = [change for change in changes if change.path.startswith(_SOURCE)]
    rules = [change for change in changes if change.path.endswith(_TRIED_FIRST) and change not in sources]
    return [*rules[:_SHOWN_CHANGES], *sources[:1]]


def _short_change(change: Change) -> Change:
    before, after = (short(text, _LONGEST_CHANGE) for text in (change.before, change.after))
    return replace(change, before=before, after=after)


def _show_stories(console: Console, told: Told) -> None:
    """Print, of some stories, what the paper wrote and what was read."""
    table = _table("values of some stories after each redesign", _ABOUT_READINGS)
    for column in ("design", "field", "what the paper wrote", *_READINGS):
        table.add_column(column, overflow="fold")
    for number, era in enumerate(told.eras[1:], 1):
        name = era.design.name
        for story in sorted(told.of(number), key=_gain, reverse=True)[:_SHOWN_STORIES]:
            for field in _SHOWN_FIELDS:
                table.add_row(name, field, *_value_cells(story, field))
                name = ""
            table.add_section()
    if table.row_count:
        console.print("", table)


def _table(title: str, caption: str) -> Table:
    return Table(title=title, title_justify="left", caption=caption, caption_justify="left")


def _gain(story: ToldStory) -> int:
    """Return how many values are right only now."""
    now, first = (sum(one.is_right(field, story.truth) for field in FIELDS) for one in (story.now, story.first))
    return now - first


def _value_cells(story: ToldStory, field: str) -> Iterator[Text]:
    yield Text(short(words_of(getattr(story.truth, field))))
    for reading in (story.old, story.first, story.now):
        if reading is not None and reading.is_right(field, story.truth):
            yield Text("right", style="green")
        else:
            yield Text(short(words_of(reading.values.get(field) if reading is not None else None)), style="red")


def _show_summary(console: Console, told: Told) -> None:
    """Print how right the records are: by the map from before a redesign, when they were collected, and now."""
    _heading(console, "How many values are what the paper meant")
    for number, era in enumerate(told.eras):
        stories = told.of(number)
        by_tagger = sum(story.now.by_tagger for story in stories)
        console.print(
            f"\n{era.design.name}: {len(stories)} stories, {told.missed[number]} missed, {told.twice[number]} twice;"
            f" {counted(by_tagger, 'value')} by tagger",
            highlight=False,
        )
        if stories:
            console.print(_era_table(stories))
    console.print(Text(f"\n{_ABOUT_STORIES}\n{ABOUT}", style="dim"))


def _era_table(stories: Sequence[ToldStory]) -> Table:
    """Return field by field how many values are right, before and now, and what is not right now."""
    before = [(name, _score(stories, readings)) for name, readings in _earlier(stories)]
    now = _score(stories, [story.now for story in stories])
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("field", no_wrap=True)
    for column in (*(name for name, _ in before), *(f"now {verdict}" for verdict in VERDICTS[:1]), *VERDICTS[1:]):
        table.add_column(column, justify="right", no_wrap=True)
    for field in FIELDS:
        earlier = [score.counts[field]["right"] for _, score in before]
        table.add_row(field, *map(str, (*earlier, *(now.counts[field][verdict] for verdict in VERDICTS))))
    return table


def _earlier(stories: Sequence[ToldStory]) -> Iterator[tuple[str, list[EraReading]]]:
    """Yield what was read before the repairs, where there was a map from before."""
    old = [story.old for story in stories if story.old is not None]
    if old and len(old) == len(stories):
        yield _READINGS[0], old
        yield _READINGS[1], [story.first for story in stories]


def _score(stories: Sequence[ToldStory], readings: Sequence[EraReading]) -> Score:
    pairs = zip(stories, readings, strict=True)
    return score_of(ReadStory(story.url, reading.values, story.truth) for story, reading in pairs)


def _show_waiting(console: Console, waiting: Sequence[StoredProposal]) -> None:
    for proposal in waiting:
        unsure = [one for one in proposal.fields if (one.changed or one.lost) and not one.sure]
        _heading(console, "What waits for a person")
        for one in unsure:
            console.print(f"{one.field}: {doubt(one)} ({one.confidence:.2f})", highlight=False, markup=False)


def _show_next(console: Console, shelf: Shelf, told: Told, waiting: Sequence[StoredProposal]) -> None:
    store, pages = f"--store {shlex.quote(shelf.store)}", f"--pages {shlex.quote(shelf.pages)}"
    console.print(f"\n[bold]{shelf.folder}/[/bold] now holds {shelf.name}.db and {shelf.name}-pages/. Try next:")
    commands = [
        f"incidents --all {store}",
        f"status {store}",
        f"map versions {told.site} {store}",
        *([f"explain {told.stories[-1].url} {store} {pages}"] if told.stories else []),
        *([f"heal {told.site} {store}", f"heal {told.site} --accept {store} {pages}"] if waiting else []),
    ]
    tell_next(console, commands)
