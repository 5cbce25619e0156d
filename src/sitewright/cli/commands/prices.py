"""`sitewright prices`: a store in, what products cost out: now, over time, by category, and from shop to shop."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import orjson

from sitewright.cli.options import StoreOption, open_known_store
from sitewright.cli.show.lines import echo
from sitewright.cli.show.tables import print_table
from sitewright.errors import InputError
from sitewright.maps.file import write_atomically
from sitewright.values.words import counted, moment, short

if TYPE_CHECKING:
    from sitewright.actions.prices import Compared, ItemPrices
    from sitewright.store.database import Store
    from sitewright.store.offers import Money

_COLUMNS = ("site", "name", "price", "before", "change", "since (UTC)", "stock")
_NUMBERS = ("price", "before", "change")
_COMPARED = ("name", "price", "site", "dearer by")
_HISTORY = ("since (UTC)", "until (UTC)", "price", "former", "stock")
_LONGEST = 60


@click.command(short_help="Show what products cost: now and before, by category, from shop to shop.")
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option("--changed", is_flag=True, help="Only products whose price has changed.")
@click.option("--compare", is_flag=True, help="Products that several shops have, those whose prices differ most first.")
@click.option("--history", metavar="URL", help="All prices of one product.")
@click.option(
    "--tree", is_flag=True, help="One JSON object: categories, those below them, their products; of one site."
)
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="Only prices that were seen on this day (in UTC) or later.",
)
@click.option(
    "-o", "--output", metavar="OUT", help="Write each price that was seen: JSON lines, or CSV (OUT.csv); -: stdout."
)
@StoreOption
def prices(**options: Any) -> None:
    """Show what the products of all shops cost, or of those named, with the price before and since when it is so.

    Each price is kept with the time from when until when it was seen. Products are the same in several shops by their
    GTIN, else by brand and number, else by name. The exit status is 0 also where there are none.

    \b
    Examples:
      sitewright prices --changed
      sitewright prices --compare
      sitewright prices shop.example -o prices.csv
      sitewright prices shop.example --tree -o shop.json
    """
    view = View(**options)
    if sum((view.compare, view.tree, view.history is not None)) > 1:
        raise click.UsageError("--compare, --history and --tree are different views; name one of them")
    if view.tree and len(set(view.sites)) != 1:
        raise click.UsageError("--tree is of one site; name it")
    with open_known_store(view.store) as store:
        if view.tree:
            _write_tree(store, view)
        elif view.compare:
            _show_compared(store, view)
        else:
            _show_prices(store, view)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The options of one call."""

    sites: tuple[str, ...]
    changed: bool
    compare: bool
    history: str | None
    tree: bool
    since: datetime | None
    output: str | None
    store: str | None


def _write_tree(store: "Store", view: View) -> None:
    from sitewright.actions.prices import tree_of  # noqa: PLC0415 -- help does not pay for SQLAlchemy

    _deliver([orjson.dumps(tree_of(store, view.sites[0]), option=orjson.OPT_INDENT_2).decode()], view.output or "-")


def _show_prices(store: "Store", view: View) -> None:
    from sitewright.actions.prices import price_rows, prices_of  # noqa: PLC0415 -- as above
    from sitewright.actions.wares import csv_of  # noqa: PLC0415

    since = view.since.replace(tzinfo=UTC) if view.since is not None else None
    items = prices_of(store, view.sites, since=since)
    if view.history is not None:
        items = [item for item in items if view.history in (item.now.url, item.now.id)]
        if not items:
            raise InputError(f"there is no price of {view.history} in the store")
    if view.changed:
        items = [item for item in items if item.change]
    if view.output is not None:
        rows = list(price_rows(items))
        is_table = view.output.endswith(".csv")
        _deliver(csv_of(rows).splitlines() if is_table else (orjson.dumps(row).decode() for row in rows), view.output)
        echo(f"{counted(len(rows), 'price')} of {counted(len(items), 'product')}", err=True)
    elif view.history is not None:
        _show_history(items[0])
    else:
        _show(items)


def _show(items: Sequence["ItemPrices"]) -> None:
    if not items:
        echo("no prices are known yet; begin with: sitewright collect URL --domain shop", err=True)
        return
    print_table(_COLUMNS, map(_cells, items), numbers=_NUMBERS)


def _cells(item: "ItemPrices") -> tuple[str, ...]:
    now, change = item.now, item.change
    before = [point.price for point in item.points[:-1] if point.price is not None]
    return (
        now.site,
        short(now.name, _LONGEST),
        _money(now.price),
        _money(before[-1]) if before and change else "",
        f"{change:+.0%}" if change else "",
        moment(now.since),
        now.stock,
    )


def _money(price: "Money | None") -> str:
    return f"{price.amount:,.2f} {price.currency}".strip() if price is not None else "-"


def _show_compared(store: "Store", view: View) -> None:
    from sitewright.actions.prices import compared  # noqa: PLC0415 -- as above

    found = compared(store, view.sites)
    if not found:
        echo("no product is known of more than one shop", err=True)
        return
    print_table(_COMPARED, (row for one in found for row in _compared_cells(one)), numbers=("price", "dearer by"))


def _compared_cells(one: "Compared") -> Iterator[tuple[str, ...]]:
    for number, offer in enumerate(one.offers):
        name = short(offer.now.name, _LONGEST) if number == 0 else ""
        span = f"{one.span:.0%}" if number == len(one.offers) - 1 and one.span is not None else ""
        yield name, _money(offer.now.price), offer.now.site, span


def _show_history(item: "ItemPrices") -> None:
    echo(f"{item.now.name}\n{item.now.url}", bold=True)
    rows = (
        (moment(point.since), moment(point.until), _money(point.price), _money(point.old), point.stock)
        for point in item.points
    )
    print_table(_HISTORY, rows, numbers=("price", "former"))


def _deliver(lines: "Sequence[str] | Iterator[str]", output: str) -> None:
    text = "".join(f"{line}\n" for line in lines)
    if output == "-":
        sys.stdout.write(text)
    else:
        write_atomically(Path(output), text)
