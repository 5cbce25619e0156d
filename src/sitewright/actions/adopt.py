"""A repaired map that a person accepts in; out the next version of the site's map, and its pages read once more."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sitewright.actions.hold import held
from sitewright.actions.maps import prepared_text, stored_map, watch_sources
from sitewright.actions.proposals import waiting_offer
from sitewright.actions.telling import Tell, nobody
from sitewright.errors import InputError
from sitewright.maps import parse_map
from sitewright.maps.changes import real_changes
from sitewright.maps.diff import Change
from sitewright.store.database import Store
from sitewright.store.entries import Incident, StoredMap, StoredProposal
from sitewright.store.states import SiteState
from sitewright.types import ExtractionMap
from sitewright.watch.rereading import Rereading, wanted_rereading, with_rereading, without_rereading, wrong_since


@dataclass(frozen=True, slots=True)
class Adopted:
    """A map that was accepted, and which pages are to be read once more with it."""

    stored: StoredMap
    wanted: Rereading
    healed: Sequence[Incident]
    """The incidents that are over with it."""


def adopt(
    store: Store,
    site: str,
    number: int | None = None,
    text: str | None = None,
    tell: Tell = nobody,
) -> Adopted:
    """Store the repaired map that waits, or the text that a person made of it, as the next version.

    `number` is that of the proposal that the person has seen (None: of the one that waits now). `tell` is told where a
    collector has to be waited for.
    """
    with held(store, site, tell):
        offer = waiting_offer(store, site)
        if number is not None and offer.proposal.number != number:
            raise InputError(f"another repaired map of {site} waits now; look at it with: sitewright heal {site}")
        chosen = text if text is not None else offer.proposal.text
        before, after = offer.newest.parsed(), parse_map(chosen)
        healed = healed_by(store.incidents(site), before, after)
        state, wanted = _state_after(store, offer.proposal, real_changes(before, after), healed)
        version = store.adopt_map(
            chosen,
            "person",
            healed=[incident.number for incident in healed if incident.number is not None],
            accepted=offer.proposal.number,
            state=state,
        )
        stored = stored_map(store, site, version)
        watch_sources(store, offer.newest, stored)
    return Adopted(stored, wanted, healed)


def edited_text(proposal: StoredProposal, text: str) -> str:
    """Check what a person made of a repaired map, and return it as it can be adopted: what they changed is marked."""
    given = parse_map(text, "the edited map")
    if given.site != proposal.site:
        raise InputError(f"the edited map is of {given.site}, not of {proposal.site}")
    return prepared_text(text, "the edited map", _as_stored(proposal))


def _as_stored(proposal: StoredProposal) -> StoredMap:
    """Return a proposal as the version that a person's changes are compared with."""
    return StoredMap(
        site=proposal.site,
        version=proposal.based_on,
        made_by="healed",
        made_at=proposal.made_at,
        text=proposal.text,
    )


def _state_after(
    store: Store, proposal: StoredProposal, changes: Sequence[Change], healed: Sequence[Incident]
) -> tuple[SiteState, Rereading]:
    """Return the site's state with the wish to have pages read once more; repairs are no longer refused."""
    known = store.site(proposal.site)
    state = known.state if known is not None else SiteState()
    state = replace(state, repair=replace(state.repair, refused=None))
    fields = {change.rule.field for change in changes if change.rule is not None}
    since = wrong_since(fields, healed, proposal.since or proposal.made_at)
    kept = with_rereading(state, since)
    return kept, wanted_rereading(kept) or Rereading(since)


def healed_by(incidents: Sequence[Incident], before: ExtractionMap, after: ExtractionMap) -> list[Incident]:
    """Return the incidents that are over with another map: what they are about is read in another way."""
    changes = real_changes(before, after)
    known = {template.name for template in before.templates}
    new = {template.name for template in after.templates} - known
    return [incident for incident in incidents if _is_healed(incident, changes, new)]


def _is_healed(incident: Incident, changes: Sequence[Change], new: set[str]) -> bool:
    """Tell whether one of the changes is about an incident; a template that is new reads pages of any other."""
    if incident.kind == "unlisted":
        return any(change.is_of_index for change in changes)
    rules = [change.rule for change in changes if change.rule is not None]
    templates = {incident.template, *new}
    if incident.field:
        return any(rule.field == incident.field and rule.template in templates for rule in rules)
    if incident.kind != "handed over":
        return False
    return any(not incident.template or rule.template in templates for rule in rules)


def note_reread(store: Store, adopted: Adopted, tell: Tell = nobody) -> None:
    """Take note that pages were read once more, unless others are wanted by now."""
    site = adopted.stored.site
    with held(store, site, tell):
        known = store.site(site)
        if known is not None and wanted_rereading(known.state) == adopted.wanted:
            store.save_site_state(site, without_rereading(known.state))
