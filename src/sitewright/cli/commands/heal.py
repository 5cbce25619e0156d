"""`sitewright heal`: a site whose map does not read it any more in, the repaired map out, for a person to decide."""

import sys
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

import click
import orjson

from sitewright.actions.adopt import Adopted, adopt, edited_text, note_reread
from sitewright.actions.hold import held
from sitewright.actions.maps import stored_map
from sitewright.actions.proposals import Offer, find_offer, offer_of, past_repairs, reject, waiting_offer
from sitewright.actions.sites import known_sites
from sitewright.cli.editing import EditorFailed, draft, edited
from sitewright.cli.options import PagesOption, StoreOption, open_known_store, pages_folder, tell
from sitewright.cli.settings import load_settings
from sitewright.cli.show.lines import echo
from sitewright.cli.show.proposed import offer_row, past_lines, past_row, show_offer
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED, SOME_FAILED
from sitewright.errors import InputError
from sitewright.store.database import Store
from sitewright.store.entries import StoredProposal, StoredSite
from sitewright.types import Failure
from sitewright.values.words import counted, moment


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

    \b
    Examples:
      sitewright heal example.com
      sitewright heal example.com --accept
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
    offer = find_offer(store, request.site)
    if offer is not None:
        return _show_offer(offer, request)
    past = past_repairs(store, request.site)
    if request.as_json:
        _print_json(past_row(past))
    else:
        for line in past_lines(past):
            echo(line)
    return ALL_WELL


def _show_offer(offer: Offer, request: Request) -> int:
    if request.as_json:
        _print_json(offer_row(offer))
    else:
        show_offer(offer)
    return ALL_WELL


def _print_json(row: dict[str, Any]) -> None:
    echo(orjson.dumps(row).decode("utf-8"))


def _make(store: Store, request: Request) -> int:
    """Make a repaired map now, and show it."""
    (site,) = known_sites(store, [request.site])
    try:
        outcome = _made(store, site, request)
    except KeyboardInterrupt:
        tell(f"{site.name}: interrupted; nothing was stored")
        return INTERRUPTED
    if isinstance(outcome, Failure):
        tell(f"error[{outcome.code}]: {site.name}: no repaired map could be made: {outcome.detail}")
        return SOME_FAILED
    offer = offer_of(store, outcome)
    if offer.changes or request.as_json:
        return _show_offer(offer, request)
    echo(f"{site.name}: nothing needs to be repaired: version {offer.newest.version} of the map reads its pages")
    return ALL_WELL


def _made(store: Store, site: StoredSite, request: Request) -> StoredProposal | Failure:
    # Only who makes one pays for the collector.
    from sitewright.actions.make_proposal import make_proposal  # noqa: PLC0415
    from sitewright.cli.collecting import Voice, collector_options, run_until_interrupted  # noqa: PLC0415

    options = collector_options(load_settings(), request.store, request.pages)
    with held(store, site.name, tell) as hold:
        return run_until_interrupted(make_proposal(options, hold, site, Voice(quiet=False).say))


def _reject(store: Store, site: str) -> int:
    proposal = reject(store, site)
    tell(f"{site}: rejected; version {proposal.based_on} stays, and its incidents stay open")
    return ALL_WELL


def _accept(store: Store, request: Request) -> int:
    """Store what waits, or what a person makes of it, then read pages once more."""
    folder = None if request.no_reextract else pages_folder(request.pages)  # told before anything is stored
    adopted = _edit(store, request.site) if request.edit else _adopt(store, request.site)
    if isinstance(adopted, int):
        return adopted
    if folder is None:
        tell(_told_later(adopted))
        return ALL_WELL
    return _read_again(store, adopted, folder)


def _adopt(store: Store, site: str, number: int | None = None, text: str | None = None) -> Adopted:
    adopted = adopt(store, site, number, text, tell)
    closed = f"; {counted(len(adopted.healed), 'incident')} healed" if adopted.healed else ""
    tell(f"{site}: stored as version {adopted.stored.version}{closed}")
    return adopted


def _edit(store: Store, site: str) -> Adopted | int:
    """Store what a person makes of a repaired map; the exit status where nothing was stored."""
    proposal = waiting_offer(store, site).proposal
    try:
        with draft(proposal.text, site) as path:
            text = edited(path, proposal.text, lambda written: edited_text(proposal, written))
            if text is not None:
                return _adopt(store, site, proposal.number, text)
    except EditorFailed as error:
        tell(f"{error}; nothing was stored")
        return SOME_FAILED
    tell(f"{site}: nothing was changed, and nothing was stored; --accept takes the repaired map as it is")
    return ALL_WELL


def _told_later(adopted: Adopted) -> str:
    """Say when pages are read once more, if not now."""
    first = adopted.wanted.first
    again = f"sitewright re-extract {adopted.stored.site} --since {first.astimezone(UTC):%Y-%m-%d}"
    return f"pages since {moment(first)} UTC are read once more with the next visit, or at once with: {again}"


def _read_again(store: Store, adopted: Adopted, folder: Path) -> int:
    """Read the pages since the change once more, with the map that was accepted."""
    # Only who reads pages pays for what reads them.
    from sitewright.actions.extract_again import ExtractAgainOptions  # noqa: PLC0415
    from sitewright.cli.commands.reextract import read_again  # noqa: PLC0415

    settings = load_settings()
    asked = ExtractAgainOptions(
        site=adopted.stored.site,
        extraction_map=adopted.stored.parsed(),
        folder=folder,
        wanted=adopted.wanted,
        jobs=settings.jobs,
        limits=settings.limits,
    )
    with held(store, asked.site, tell) as hold:
        status = read_again(store, asked, hold, quiet=False)
    if status != INTERRUPTED:
        note_reread(store, adopted, tell)
    return status
