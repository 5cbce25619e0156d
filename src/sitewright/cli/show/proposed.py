"""A repaired map that waits in, out what a person needs to decide about it: on the terminal, or as JSON."""

from collections.abc import Iterator
from typing import Any

from sitewright.actions.proposals import Offer, PastRepairs, doubt, outdated
from sitewright.cli.show.lines import echo
from sitewright.cli.show.map_changes import print_changes
from sitewright.cli.show.tables import print_table
from sitewright.heal.repaired import is_source
from sitewright.store.entries import ProposedField, ShownValue
from sitewright.values.words import counted, moment, one_line, short, short_pair

_COLUMNS = ("field", "confidence", "runner-up", "judged on", "may it change by itself?")
_NUMBERS = ("confidence",)
_SHOWN_PAGES = 5
_EARLIER = 5


def show_offer(offer: Offer) -> None:
    """Print reason, rules, how sure each field is, values before and after, and what can be done."""
    own = offer.proposal
    echo(f"{own.site}: a repaired map waits since {moment(own.made_at)} UTC", bold=True)
    echo(f"    reason    {one_line(own.reason) or 'it was asked for'}")
    echo(f"    repairs   version {own.based_on} ({offer.before.made_by}, {moment(offer.before.made_at)} UTC)")
    if own.since is not None:
        echo(f"    since     {moment(own.since)} UTC: pages from then on are read once more")
    for warning in own.warnings:
        echo(f"    note      {one_line(warning)}")
    if not offer.changes:
        echo("\nno rule changes")
        return
    echo(f"\nwhat changes in the map ({counted(len(offer.changes), 'change')}):", bold=True)
    print_changes(offer.changes)
    if offer.changed:
        echo("\nhow sure that is:", bold=True)
        print_table(_COLUMNS, map(_cells, offer.changed), numbers=_NUMBERS)
        same = len(own.fields) - len(offer.changed)
        if same:
            echo(f"{counted(same, 'more field')} {'stays' if same == 1 else 'stay'} as before")
        echo("\nvalues before and after:", bold=True)
        for one in offer.changed:
            _show_values(one)
    echo(f"\n{_advice(offer)}")


def _cells(one: ProposedField) -> tuple[str, ...]:
    why = doubt(one)
    return (
        one_line(one.field),
        "-" if one.lost else f"{one.confidence:.2f}",
        "-" if is_source(one.field) else f"{one.runner_up:.2f}, {_runner_up(one)}",
        _judged_on(one),
        f"no: {why}" if why else "yes",
    )


def _runner_up(one: ProposedField) -> str:
    return "the tagger" if one.tagger > one.before else "the old rules"


def _judged_on(one: ProposedField) -> str:
    if is_source(one.field):
        return counted(one.judged, "known link")
    return counted(one.judged, "page") if one.judged else "the tagger's view"


def _show_values(one: ProposedField) -> None:
    echo(one_line(one.field), bold=True)
    if not one.shown:
        echo("    no page shows it")
    for shown in one.shown[:_SHOWN_PAGES]:
        echo(f"    {one_line(shown.url)}")
        before, after = (one_line(text) for text in (shown.before, shown.after))
        if before == after:
            echo(f"      = {short(before) or 'nothing'}")
            continue
        old, new = short_pair(before, after)
        echo(f"      - {old or 'nothing'}{_by(one, shown)}", fg="red")
        echo(f"      + {new or 'nothing'}", fg="green")


def _by(one: ProposedField, shown: ShownValue) -> str:
    return "" if shown.remembered or is_source(one.field) else "  (by the old rules, now)"


def _advice(offer: Offer) -> str:
    if offer.is_outdated:
        return outdated(offer)
    command = f"sitewright heal {offer.proposal.site}"
    return (
        f"{command} --accept    stores it as version {offer.newest.version + 1}, reads pages since then once more\n"
        f"{command} --edit      lets you change it before\n"
        f"{command} --reject    drops it"
    )


def offer_row(offer: Offer) -> dict[str, Any]:
    """Return all of it, as JSON has it."""
    own = offer.proposal
    return {
        "site": own.site,
        "waiting": own.number is not None and own.state == "waiting",
        "number": own.number,
        "reason": own.reason,
        "based_on": own.based_on,
        "newest": offer.newest.version,
        "outdated": offer.is_outdated,
        "made_at": own.made_at,
        "since": own.since,
        "warnings": list(own.warnings),
        "changes": [
            {"path": change.path, "kind": change.kind, "before": change.before, "after": change.after}
            for change in offer.changes
        ],
        "fields": [_field_row(one) for one in own.fields],
        "map": own.text,
    }


def _field_row(one: ProposedField) -> dict[str, Any]:
    return {
        "field": one.field,
        "changed": one.changed,
        "confidence": one.confidence,
        "runner_up": {"confidence": one.runner_up, "by": "tagger" if one.tagger > one.before else "old rules"},
        "judged": one.judged,
        "sure": one.sure,
        "doubt": (doubt(one) or None) if one.changed or one.lost else None,
        "edited": one.edited,
        "lost": one.lost,
        "values": [
            {"url": shown.url, "before": shown.before, "after": shown.after, "remembered": shown.remembered}
            for shown in one.shown
        ],
    }


def past_lines(past: PastRepairs) -> Iterator[str]:
    """Yield what is told where nothing waits."""
    yield f"no repaired map of {past.site} waits; sitewright heal {past.site} --now makes one, needed or not"
    for own in past.repairs[:_EARLIER]:
        yield f"    {moment(own.made_at)} UTC  version {own.version} was made by itself"
    for one in past.proposals[:_EARLIER]:
        decided = f" {moment(one.decided_at)} UTC" if one.decided_at is not None else ""
        reason = f": {one_line(one.reason)}" if one.reason else ""
        yield f"    {moment(one.made_at)} UTC  proposal {one.number}, {one.state}{decided}{reason}"
    if not past.repairs and not past.proposals:
        yield "    none was ever needed"


def past_row(past: PastRepairs) -> dict[str, Any]:
    """Return the same, as JSON has it."""
    return {
        "site": past.site,
        "waiting": False,
        "number": None,
        "repairs": [{"version": own.version, "made_at": own.made_at} for own in past.repairs],
        "earlier": [
            {
                "number": one.number,
                "state": one.state,
                "made_at": one.made_at,
                "decided_at": one.decided_at,
                "reason": one.reason,
                "based_on": one.based_on,
            }
            for one in past.proposals
        ],
    }
