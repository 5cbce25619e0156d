"""A repaired map that waits in, out what a person needs to decide about it: on the terminal, or as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from sitewright.actions.maps import stored_map
from sitewright.cli.show.map_changes import print_changes
from sitewright.cli.show.tables import print_table
from sitewright.errors import InputError
from sitewright.heal.proposal import LEAST_PAGES, SURE
from sitewright.maps.changes import real_changes
from sitewright.maps.diff import Change
from sitewright.store.database import Store
from sitewright.store.entries import ProposedField, ShownValue, StoredMap, StoredProposal
from sitewright.values.words import counted, moment, one_line, short, short_pair

_COLUMNS = ("field", "confidence", "runner-up", "judged on", "may it change by itself?")
_NUMBERS = ("confidence",)
_SHOWN_PAGES = 5
_EARLIER = 5
_SOURCE = "index "


@dataclass(frozen=True, slots=True)
class Offer:
    """A repaired map, the version that it repairs, and the newest one there is."""

    proposal: StoredProposal
    before: StoredMap
    newest: StoredMap
    changes: Sequence[Change]

    @property
    def is_outdated(self) -> bool:
        """Whether the map has changed since."""
        return self.newest.version != self.proposal.based_on

    @property
    def changed(self) -> list[ProposedField]:
        """What becomes of the fields and sources that are read in another way."""
        return [one for one in self.proposal.fields if one.changed or one.lost]


def offer_of(store: Store, proposal: StoredProposal) -> Offer:
    """Compare a proposal with the version of the map that it repairs."""
    before = stored_map(store, proposal.site, proposal.based_on)
    newest = stored_map(store, proposal.site)
    return Offer(proposal, before, newest, real_changes(before.parsed(), proposal.parsed()))


def waiting_offer(store: Store, site: str) -> Offer:
    """Return what waits for a decision; where nothing does, or it is outdated, that is told."""
    proposal = next(iter(store.proposals(site)), None)
    if proposal is None:
        raise InputError(f"no repaired map of {site} waits; sitewright heal {site} --now makes one")
    offer = offer_of(store, proposal)
    if offer.is_outdated:
        raise InputError(_outdated(offer))
    return offer


def _outdated(offer: Offer) -> str:
    own, site = offer.proposal, offer.proposal.site
    return (
        f"the repaired map of {site} is outdated: it repairs version {own.based_on}, and version "
        f"{offer.newest.version} is there now; sitewright heal {site} --now makes a new one"
    )


def doubt(one: ProposedField) -> str:
    """Return why a field does not change by itself; empty where it may."""
    is_source = one.field.startswith(_SOURCE)
    values = {shown.before for shown in one.shown if shown.remembered}
    reasons = (
        (one.sure, ""),
        (one.edited, f"a person wrote its {'selectors' if is_source else 'rules'}"),
        (one.lost, "its values are no longer on the pages"),
        (one.judged < LEAST_PAGES, f"seen on too few {'links' if is_source else 'pages'}"),
        (one.before > one.confidence, "the old rules are right more often"),
        (len(values) == 1 and one.confidence >= SURE, "all pages share one value, which may be the template's"),
    )
    return next((reason for is_so, reason in reasons if is_so), "below the set confidence")


def show_offer(offer: Offer) -> None:
    """Print reason, rules, how sure each field is, values before and after, and what can be done."""
    own = offer.proposal
    click.secho(f"{own.site}: a repaired map waits since {moment(own.made_at)} UTC", bold=True)
    click.echo(f"    reason    {one_line(own.reason) or 'it was asked for'}")
    click.echo(f"    repairs   version {own.based_on} ({offer.before.made_by}, {moment(offer.before.made_at)} UTC)")
    if own.since is not None:
        click.echo(f"    since     {moment(own.since)} UTC: pages from then on are read once more")
    for warning in own.warnings:
        click.echo(f"    note      {one_line(warning)}")
    if not offer.changes:
        click.echo("\nno rule changes")
        return
    click.secho(f"\nwhat changes in the map ({counted(len(offer.changes), 'change')}):", bold=True)
    print_changes(offer.changes)
    if offer.changed:
        click.secho("\nhow sure that is:", bold=True)
        print_table(_COLUMNS, map(_cells, offer.changed), numbers=_NUMBERS)
        same = len(own.fields) - len(offer.changed)
        if same:
            click.echo(f"{counted(same, 'more field')} {'stays' if same == 1 else 'stay'} as before")
        click.secho("\nvalues before and after:", bold=True)
        for one in offer.changed:
            _show_values(one)
    click.echo(f"\n{_advice(offer)}")


def _cells(one: ProposedField) -> tuple[str, ...]:
    why = doubt(one)
    return (
        one_line(one.field),
        "-" if one.lost else f"{one.confidence:.2f}",
        "-" if one.field.startswith(_SOURCE) else f"{one.runner_up:.2f}, {_runner_up(one)}",
        _judged_on(one),
        f"no: {why}" if why else "yes",
    )


def _runner_up(one: ProposedField) -> str:
    return "the tagger" if one.tagger > one.before else "the old rules"


def _judged_on(one: ProposedField) -> str:
    if one.field.startswith(_SOURCE):
        return counted(one.judged, "known link")
    return counted(one.judged, "page") if one.judged else "the tagger's view"


def _show_values(one: ProposedField) -> None:
    click.secho(one_line(one.field), bold=True)
    if not one.shown:
        click.echo("    no page shows it")
    for shown in one.shown[:_SHOWN_PAGES]:
        click.echo(f"    {one_line(shown.url)}")
        before, after = (one_line(text) for text in (shown.before, shown.after))
        if before == after:
            click.echo(f"      = {short(before) or 'nothing'}")
            continue
        old, new = short_pair(before, after)
        click.secho(f"      - {old or 'nothing'}{_by(one, shown)}", fg="red")
        click.secho(f"      + {new or 'nothing'}", fg="green")


def _by(one: ProposedField, shown: ShownValue) -> str:
    return "" if shown.remembered or one.field.startswith(_SOURCE) else "  (by the old rules, now)"


def _advice(offer: Offer) -> str:
    if offer.is_outdated:
        return _outdated(offer)
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


@dataclass(frozen=True, slots=True)
class Past:
    """How repairs of a site went, the latest first."""

    site: str
    proposals: Sequence[StoredProposal]
    repairs: Sequence[StoredMap]
    """Versions of its map that were made by themselves, after the first."""

    def lines(self) -> Iterator[str]:
        """Yield what is told where nothing waits."""
        yield f"no repaired map of {self.site} waits; sitewright heal {self.site} --now makes one, needed or not"
        for own in self.repairs[:_EARLIER]:
            yield f"    {moment(own.made_at)} UTC  version {own.version} was made by itself"
        for one in self.proposals[:_EARLIER]:
            decided = f" {moment(one.decided_at)} UTC" if one.decided_at is not None else ""
            reason = f": {one_line(one.reason)}" if one.reason else ""
            yield f"    {moment(one.made_at)} UTC  proposal {one.number}, {one.state}{decided}{reason}"
        if not self.repairs and not self.proposals:
            yield "    none was ever needed"

    def row(self) -> dict[str, Any]:
        """Return the same, as JSON has it."""
        return {
            "site": self.site,
            "waiting": False,
            "number": None,
            "repairs": [{"version": own.version, "made_at": own.made_at} for own in self.repairs],
            "earlier": [
                {
                    "number": one.number,
                    "state": one.state,
                    "made_at": one.made_at,
                    "decided_at": one.decided_at,
                    "reason": one.reason,
                    "based_on": one.based_on,
                }
                for one in self.proposals
            ],
        }


def past_of(store: Store, site: str) -> Past:
    """Return how the last repairs of a site went."""
    healed = [own for own in reversed(store.map_versions(site)) if own.made_by == "healed"]
    return Past(site, store.proposals(site, waiting_only=False), healed)
