"""A store and names of sites in, out what a person should know of what was collected there."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table

from sitewright.actions.status import not_learned
from sitewright.cli.show.lines import echo
from sitewright.cli.show.texts import shown_text
from sitewright.store.database import Store, open_store
from sitewright.store.entries import FillRate, RecordQuery, StoredFailure
from sitewright.values.words import short

_SHORT = 110


def show_sites(address: str, names: Sequence[str], *, quiet: bool) -> list[str]:
    """Print what is known of sites of a store; return those that have no map, and say why."""
    console = Console()
    with open_store(address) as store:
        unlearned = not_learned(store, names)
        for name in names:
            if name in unlearned:
                why = unlearned[name]
                told = f"error[{why.code}]: {name}: {why.detail}" if why is not None else f"{name}: not learned yet"
                echo(told, err=True)
            elif not quiet:
                console.print(_site_table(store, name))
    return list(unlearned)


def _site_table(store: Store, site: str) -> RenderableType:
    found = store.count_records(RecordQuery(site=site))
    waiting = store.count_waiting(site)
    stored = store.load_map(site)
    version = f"map version {stored.version} ({stored.made_by})" if stored is not None else "no map"
    sources = len(store.index_pages(site))
    parts = [f"{found:,} records", version, f"{sources} sources", *([f"{waiting:,} links waiting"] if waiting else [])]
    title = shown_text(f"{site}: {', '.join(parts)}", style="bold")
    tables: list[RenderableType] = [title]
    rates = store.fill_rates(site)
    if rates:
        tables.append(_fields(rates))
    failures = store.failures(site)
    if failures:
        tables.append(_left_out(failures))
    return Group(*tables, "")


def _fields(rates: Sequence[FillRate]) -> Table:
    """Return how often each field was found, over all templates."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("field")
    for column in ("found", "of", "share", "confidence"):
        table.add_column(column, justify="right")
    totals = {rate.template: rate.records for rate in rates}
    fields: dict[str, list[FillRate]] = defaultdict(list)
    for rate in rates:
        fields[rate.field].append(rate)
    everything = sum(totals.values())
    for name, own in sorted(fields.items(), key=lambda pair: -sum(rate.filled for rate in pair[1])):
        filled = sum(rate.filled for rate in own)
        sure = sum(rate.confidence * rate.filled for rate in own) / filled
        table.add_row(name, f"{filled:,}", f"{everything:,}", f"{filled / everything:.0%}", f"{sure:.2f}")
    return table


def _left_out(failures: Iterable[StoredFailure]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in ("left out", "pages", "for example"):
        table.add_column(column, overflow="fold")
    codes: dict[str, list[StoredFailure]] = defaultdict(list)
    for failure in failures:
        codes[failure.failure.code].append(failure)
    for code, own in sorted(codes.items(), key=lambda pair: -len(pair[1])):
        told = f"{own[0].failure.url}: {own[0].failure.detail}"
        table.add_row(code, f"{len(own):,}", shown_text(short(told, _SHORT)))
    return table
