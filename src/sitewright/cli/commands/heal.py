"""`sitewright heal`: a site whose map does not read it any more in, the repaired map out, for a person to decide."""

import sys
from dataclasses import dataclass
from typing import Any

import click
import orjson

from sitewright.actions.hold import held
from sitewright.actions.maps import prepared_text, stored_map
from sitewright.actions.sites import known_sites
from sitewright.cli.adopt import Adopted, adopt, forget_wish, told_later
from sitewright.cli.editing import EditorFailed, draft, edited
from sitewright.cli.options import PagesOption, StoreOption, open_known_store, pages_folder
from sitewright.cli.show.proposed import Offer, offer_of, offer_row, past_of, show_offer, waiting_offer
from sitewright.errors import InputError
from sitewright.maps import parse_map
from sitewright.store.database import Store
from sitewright.store.entries import StoredMap, StoredProposal
from sitewright.types import Failure

_DONE, _FAILED, _INTERRUPTED = 0, 1, 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    site: str
    accept: bool
    reject: bool
    edit: bool
    now: bool
    no_reextract: bool
    as_json: bool
    store: str | None
    pages: str | None


@click.command(short_help="Show the repaired map of a site that has changed; accept, edit or reject it.")
@click.argument("site", metavar="SITE")
@click.option("--accept", is_flag=True, help="Store it as the next version, and read the pages since then once more.")
@click.option("--reject", is_flag=True, help="Drop it; its incidents stay open.")
@click.option("--edit", is_flag=True, help="Open it in $EDITOR first, and accept what is saved.")
@click.option("--now", is_flag=True, help="Make one at once, whether anything seems wrong or not.")
@click.option(
    "--no-re-extract",
    "no_reextract",
    is_flag=True,
    help="When accepting: leave the pages to the collector's next visit.",
)
@click.option("--json", "as_json", is_flag=True, help="Show it as one JSON object, with everything in full.")
@StoreOption
@PagesOption
def heal(**options: Any) -> None:
    """Show the repaired map that waits for a decision: why it was made, what changes in it, rule by rule, how sure each
    field is beside the next best way to read it, and values before and after.

    Collectors repair a map by themselves where they are sure; what they are not sure of, and what a person wrote, waits
    here. Known articles are fetched again, the values of their records looked for on them, and rules learned from where
    they stand now. With --edit, rules that you change are marked as edited. `sitewright rollback` undoes any of it.
    """
    sys.exit(run(Request(**options)))


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    chosen = [name for name in ("accept", "reject", "edit", "now") if getattr(request, name)]
    if len(chosen) > 1:
        raise InputError(f"--{chosen[0]} and --{chosen[1]} do not go together; give one of them")
    if request.as_json and chosen not in ([], ["now"]):
        raise InputError(f"--json shows a repaired map; it does not go with --{chosen[0]}")
    with open_known_store(request.store) as store:
        stored_map(store, request.site)  # a site that is not there, or has no map, is told
        if request.now:
            return _make(store, request)
        if request.reject:
            return _reject(store, request.site)
        if request.accept or request.edit:
            return _accept(store, request)
        return _show(store, request)


def _show(store: Store, request: Request) -> int:
    """Show what waits; where nothing does, how the last repairs went."""
    proposal = next(iter(store.proposals(request.site)), None)
    if proposal is not None:
        return _show_offer(offer_of(store, proposal), request)
    past = past_of(store, request.site)
    if request.as_json:
        _print_json(past.row())
    else:
        for line in past.lines():
            click.echo(line)
    return _DONE


def _show_offer(offer: Offer, request: Request) -> int:
    if request.as_json:
        _print_json(offer_row(offer))
    else:
        show_offer(offer)
    return _DONE


def _print_json(row: dict[str, Any]) -> None:
    click.echo(orjson.dumps(row).decode("utf-8"))


def _make(store: Store, request: Request) -> int:
    """Make a repaired map now, and show it."""
    from sitewright.cli.repair_now import make_proposal  # noqa: PLC0415 -- only who makes one pays for the collector

    (site,) = known_sites(store, [request.site])
    try:
        with held(store, site.name, _tell) as hold:
            outcome = make_proposal(hold, site, request.store, request.pages)
    except KeyboardInterrupt:
        _tell(f"{site.name}: interrupted; nothing was stored")
        return _INTERRUPTED
    if isinstance(outcome, Failure):
        _tell(f"error[{outcome.code}]: {site.name}: no repaired map could be made: {outcome.detail}")
        return _FAILED
    offer = offer_of(store, outcome)
    if offer.changes or request.as_json:
        return _show_offer(offer, request)
    click.echo(f"{site.name}: nothing needs to be repaired: version {offer.newest.version} of the map reads its pages")
    return _DONE


def _reject(store: Store, site: str) -> int:
    proposal = next(iter(store.proposals(site)), None)
    if proposal is None or proposal.number is None or not store.decide_proposal(proposal.number, "rejected"):
        raise InputError(f"no repaired map of {site} waits")
    _tell(f"{site}: rejected; version {proposal.based_on} stays, and its incidents stay open")
    return _DONE


def _accept(store: Store, request: Request) -> int:
    """Store what waits, or what a person makes of it, then read pages once more."""
    if not request.no_reextract:
        pages_folder(request.pages)  # one that is not there is told before anything is stored
    if request.edit:
        adopted = _edit(store, waiting_offer(store, request.site).proposal)
    else:
        adopted = adopt(store, request.site, None)
    if isinstance(adopted, int):
        return adopted
    if request.no_reextract:
        _tell(told_later(adopted))
        return _DONE
    return _read_again(store, adopted, request)


def _edit(store: Store, proposal: StoredProposal) -> Adopted | int:
    """Store what a person makes of a repaired map; the exit status where nothing was stored."""

    def prepare(text: str) -> str:
        given = parse_map(text, "the edited map")
        if given.site != proposal.site:
            raise InputError(f"the edited map is of {given.site}, not of {proposal.site}")
        return prepared_text(text, "the edited map", _as_stored(proposal))

    try:
        with draft(proposal.text, proposal.site) as path:
            text = edited(path, proposal.text, prepare)
            if text is not None:
                return adopt(store, proposal.site, proposal.number, text)
    except EditorFailed as error:
        _tell(f"{error}; nothing was stored")
        return _FAILED
    _tell(f"{proposal.site}: nothing was changed, and nothing was stored; --accept takes the repaired map as it is")
    return _DONE


def _as_stored(proposal: StoredProposal) -> StoredMap:
    """Return a proposal as the version that a person's changes are compared with."""
    return StoredMap(
        site=proposal.site,
        version=proposal.based_on,
        made_by="healed",
        made_at=proposal.made_at,
        text=proposal.text,
    )


def _read_again(store: Store, adopted: Adopted, request: Request) -> int:
    """Read the pages since the change once more, with the map that was accepted."""
    from sitewright.cli.commands import reextract  # noqa: PLC0415 -- only who reads pages pays for what reads them

    wanted = reextract.Request(
        site=request.site,
        map_file=None,
        version=adopted.stored.version,
        since=adopted.wanted.first,
        dry_run=False,
        store=request.store,
        pages=request.pages,
        jobs=None,
        quiet=False,
        wanted=adopted.wanted,
    )
    status = reextract.run(wanted)
    if status != _INTERRUPTED:
        forget_wish(store, adopted)
    return status


def _tell(line: str) -> None:
    click.echo(line, err=True)
