"""A site in, the repaired map that waits for a decision out, and how earlier repairs went; or none any more."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitewright.actions.maps import stored_map
from sitewright.errors import InputError
from sitewright.heal.repaired import is_source
from sitewright.heal.sure import LEAST_PAGES, SURE
from sitewright.maps.changes import real_changes
from sitewright.maps.diff import Change
from sitewright.store.database import Store
from sitewright.store.entries import ProposedField, StoredMap, StoredProposal


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


@dataclass(frozen=True, slots=True)
class PastRepairs:
    """How repairs of a site went, the latest first."""

    site: str
    proposals: Sequence[StoredProposal]
    repairs: Sequence[StoredMap]
    """Versions of its map that were made by themselves, after the first."""


def offer_of(store: Store, proposal: StoredProposal) -> Offer:
    """Compare a proposal with the version of the map that it repairs."""
    before = stored_map(store, proposal.site, proposal.based_on)
    newest = stored_map(store, proposal.site)
    return Offer(proposal, before, newest, real_changes(before.parsed(), proposal.parsed()))


def find_offer(store: Store, site: str) -> Offer | None:
    """Return what waits for a decision, outdated or not; None where nothing does."""
    proposal = next(iter(store.proposals(site)), None)
    return offer_of(store, proposal) if proposal is not None else None


def waiting_offer(store: Store, site: str) -> Offer:
    """Return what waits for a decision; where nothing does, or it is outdated, that is told."""
    offer = find_offer(store, site)
    if offer is None:
        raise InputError(f"no repaired map of {site} waits; sitewright heal {site} --now makes one")
    if offer.is_outdated:
        raise InputError(outdated(offer))
    return offer


def outdated(offer: Offer) -> str:
    """Say that the map has changed since, and what to do."""
    own, site = offer.proposal, offer.proposal.site
    return (
        f"the repaired map of {site} is outdated: it repairs version {own.based_on}, and version "
        f"{offer.newest.version} is there now; sitewright heal {site} --now makes a new one"
    )


def past_repairs(store: Store, site: str) -> PastRepairs:
    """Return how the last repairs of a site went."""
    healed = [own for own in reversed(store.map_versions(site)) if own.made_by == "healed"]
    return PastRepairs(site, store.proposals(site, waiting_only=False), healed)


def reject(store: Store, site: str) -> StoredProposal:
    """Drop the repaired map that waits, and return it; its incidents stay open."""
    proposal = next(iter(store.proposals(site)), None)
    if proposal is None or proposal.number is None or not store.decide_proposal(proposal.number, "rejected"):
        raise InputError(f"no repaired map of {site} waits")
    return proposal


def doubt(one: ProposedField) -> str:
    """Return why a field does not change by itself; empty where it may."""
    is_list = is_source(one.field)
    values = {shown.before for shown in one.shown if shown.remembered}
    reasons = (
        (one.sure, ""),
        (one.edited, f"a person wrote its {'selectors' if is_list else 'rules'}"),
        (one.lost, "its values are no longer on the pages"),
        (one.judged < LEAST_PAGES, f"seen on too few {'links' if is_list else 'pages'}"),
        (one.before > one.confidence, "the old rules are right more often"),
        (len(values) == 1 and one.confidence >= SURE, "all pages share one value, which may be the template's"),
    )
    return next((reason for is_so, reason in reasons if is_so), "below the set confidence")
