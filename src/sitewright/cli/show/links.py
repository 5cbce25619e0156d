"""Judged links in, a table for a person out: the items first, then what else leads on."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from sitewright.cli.show.texts import shown_text
from sitewright.types import LIST, NEXT, OTHER, Failure, Link, LinkSet
from sitewright.values.words import counted, one_line

_ORDER = {LIST: 1, NEXT: 2, OTHER: 3}
"""Items come before these."""
_COLUMNS = ("role", "sure", "words", "address")
_SHOWN_OTHER = 10


def show_links(outcomes: Sequence[LinkSet | Failure], console: Console | None = None) -> None:
    """Print a table of the links of each page; of those that lead nowhere only some."""
    shown = console or Console()
    for outcome in outcomes:
        if isinstance(outcome, Failure):
            shown.print(shown_text(f"{outcome.url}: {outcome.code}: {outcome.detail}"), style="red")
        else:
            _show_page(shown, outcome)


def _show_page(console: Console, page: LinkSet) -> None:
    table = Table(title=shown_text(page.url), title_justify="left", expand=False)
    for column in _COLUMNS:
        table.add_column(column, no_wrap=True, overflow="ellipsis", justify="right" if column == "sure" else "left")
    links = sorted(page.links, key=_rank)
    others = [link for link in links if link.role == OTHER]
    for link in (*links[: len(links) - len(others)], *others[:_SHOWN_OTHER]):
        table.add_row(*map(shown_text, _cells(link, page.url)), style=None if link.is_item else "dim")
    console.print(table)
    if len(others) > _SHOWN_OTHER:
        left = len(others) - _SHOWN_OTHER
        console.print(f"and {counted(left, 'more link')} that {'leads' if left == 1 else 'lead'} elsewhere (--json)")


def _rank(link: Link) -> tuple[int, float]:
    return _ORDER.get(link.role, 0), -link.score


def _cells(link: Link, page: str) -> tuple[str, str, str, str]:
    return link.role, f"{link.score:.2f}", one_line(link.text), _address(link.url, page)


def _address(url: str, page: str) -> str:
    """Return an address as short as a person needs it: without the host of the page that it stands on.

    >>> _address("https://a.example/bees?page=2", "https://a.example/"), _address("https://b.example/", "https://a.example/")
    ('/bees?page=2', 'https://b.example/')
    """
    front = "/".join(page.split("/")[:3])
    return url.removeprefix(front) if url.startswith(f"{front}/") else url
