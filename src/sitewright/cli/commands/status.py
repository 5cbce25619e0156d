"""`sitewright status`: a store in, how each of its sites is out."""

from collections.abc import Iterator, Sequence
from typing import Any

import click
import orjson
from rich.text import Text

from sitewright.actions.status import FieldFill, SiteDetails, SiteHealth, details_of, status_of
from sitewright.cli.options import StoreOption, open_known_store
from sitewright.cli.show.incidents import COLUMNS, NUMBERS, cells, row
from sitewright.cli.show.lines import echo
from sitewright.cli.show.tables import print_table
from sitewright.cli.show.texts import shown_text
from sitewright.store.entries import FillRate, StoredFailure, StoredProposal
from sitewright.values.words import moment, one_line, short

_COLUMNS = ("site", "health", "records", "24 h", "7 days", "newest (UTC)", "map")
_COUNTS = ("records", "24 h", "7 days")
_FIELD_COLUMNS = ("template", "field", "records", "found", "share", "7 days: records", "found ", "share ")
_FIELD_COUNTS = _FIELD_COLUMNS[2:]


@click.command(short_help="Show how the sites of the store are: all well, incidents, what waits, what fails.")
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a site and line, with times in full.")
@StoreOption
def status(sites: tuple[str, ...], as_json: bool, store: str | None) -> None:
    """Show how all sites are, or those named, a line each: health, records in all and of the last day and week, map.

    A site is failing where none of its sources (index pages, feeds, sitemaps) could be read when they were looked at
    last. Records of the last day and week are those that were stored, or read once more, since then. With one site
    named there is more of it: how often each field was found, in all and in the last week, open incidents, a repaired
    map that waits, what failed last. The exit status is 0 however they are; `sitewright incidents --fail` is for
    scripts.

    \b
    Examples:
      sitewright status
      sitewright status example.com --json
    """
    with open_known_store(store) as opened:
        found = status_of(opened, sites)
        details = details_of(opened, sites[0]) if len(set(sites)) == 1 else None
    if as_json:
        for health in found:
            more = _details_row(health, details) if details is not None else {}
            echo(orjson.dumps(_row(health) | more).decode("utf-8"))
    elif found:
        print_table(_COLUMNS, map(_cells, found), numbers=_COUNTS)
        if details is not None:
            _show_details(found[0], details)
    else:
        echo("there is no site in the store yet; begin with: sitewright collect URL", err=True)


def _cells(health: SiteHealth) -> tuple[str | Text, ...]:
    own = health.newest_map
    bad = health.is_failing or health.incidents
    colour = "red" if bad else "yellow" if health.words else "green"
    return (
        health.summary.site.name,
        shown_text(", ".join(health.words) or "ok", style=colour),
        f"{health.summary.records:,}",
        f"{health.in_a_day:,}",
        f"{health.in_a_week:,}",
        moment(health.summary.last_record),
        f"{own.version} ({own.made_by}, {moment(own.made_at)})" if own is not None else "-",
    )


def _row(health: SiteHealth) -> dict[str, Any]:
    summary, own = health.summary, health.newest_map
    made = {"version": own.version, "made_by": own.made_by, "made_at": own.made_at} if own is not None else None
    return {
        "site": summary.site.name,
        "health": ", ".join(health.words) or "ok",
        "ok": not health.words,
        "learned": own is not None,
        "failing": health.is_failing,
        "incidents": len(health.incidents),
        "proposal": health.proposal.number if health.proposal is not None else None,
        "records": summary.records,
        "records_24h": health.in_a_day,
        "records_7d": health.in_a_week,
        "newest": summary.last_record,
        "map": made,
        "price_errors": _price_errors(health),
        "sources": len(health.sources),
        "failing_sources": health.failing_sources,
        "waiting_links": summary.waiting,
        "failures": summary.failures,
        "next_due": summary.site.next_due,
    }


def _price_errors(health: SiteHealth) -> dict[str, Any] | None:
    known = health.price_errors
    return {"items": known.items, "without": known.without, "share": known.rate} if known is not None else None


def _details_row(health: SiteHealth, details: SiteDetails) -> dict[str, Any]:
    return {
        "fields": [_fill_row(fill) for fill in details.fills],
        "open_incidents": [row(incident) for incident in health.incidents],
        "last_failures": [
            {
                "url": one.failure.url,
                "stage": one.failure.stage,
                "code": one.failure.code,
                "detail": one.failure.detail,
                "first": one.first_at,
                "last": one.at,
                "times": one.times,
            }
            for one in details.failures
        ],
    }


def _fill_row(fill: FieldFill) -> dict[str, Any]:
    def counts(rate: FillRate | None) -> dict[str, Any] | None:
        return {"records": rate.records, "filled": rate.filled, "share": rate.rate} if rate is not None else None

    about = {"template": fill.overall.template or None, "field": fill.overall.field}
    return about | {"confidence": fill.overall.confidence, "all": counts(fill.overall), "7d": counts(fill.lately)}


def _show_details(health: SiteHealth, details: SiteDetails) -> None:
    """Print what else is known of a site, where there is any."""
    summary = health.summary
    failing = f", {health.failing_sources:,} of them failing" if health.failing_sources else ""
    waiting = f"{summary.waiting:,} links waiting, {summary.failures:,} failures"
    echo(f"\n{len(health.sources):,} sources{failing}; {waiting}; next due {moment(summary.site.next_due)} UTC")
    if (known := health.price_errors) is not None:
        echo(f"prices: {known.without:,} of {known.items:,} could not be read ({known.rate:.1%})")
    if health.incidents:
        _head("open incidents (sitewright incidents --show N has the evidence)")
        print_table(COLUMNS, map(cells, health.incidents), numbers=NUMBERS)
    if health.proposal is not None:
        _head("a repaired map waits")
        echo(_proposal(health.proposal))
    if details.fills:
        _head("how often fields were found, in all and in the last 7 days")
        print_table(_FIELD_COLUMNS, map(_fill_cells, details.fills), numbers=_FIELD_COUNTS)
    if details.failures:
        _head("what failed last")
        for line in _failures(details.failures):
            echo(line)


def _head(title: str) -> None:
    echo(f"\n{title}", bold=True)


def _proposal(proposal: StoredProposal) -> str:
    reason = f": {one_line(proposal.reason)}" if proposal.reason else ""
    return f"since {moment(proposal.made_at)} UTC{reason}; look at it with: sitewright heal {proposal.site}"


def _fill_cells(fill: FieldFill) -> tuple[str, ...]:
    about = (one_line(fill.overall.template) or "-", one_line(fill.overall.field))
    return (*about, *_counts(fill.overall), *_counts(fill.lately))


def _counts(rate: FillRate | None) -> tuple[str, str, str]:
    return (f"{rate.records:,}", f"{rate.filled:,}", f"{rate.rate:.0%}") if rate is not None else ("-", "-", "-")


def _failures(failures: Sequence[StoredFailure]) -> Iterator[str]:
    for one in failures:
        times = f", {one.times:,} times since {moment(one.first_at)}" if one.times > 1 else ""
        yield f"{moment(one.at)}  {one_line(one.failure.url)}{times}"
        yield f"    {one.failure.code}: {short(one.failure.detail)}"
