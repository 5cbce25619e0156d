"""A store in, what is no longer as it was on its sites out; or closed, because a person says that it is normal."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitewright.actions.hold import held
from sitewright.actions.sites import known_sites
from sitewright.actions.telling import Tell, nobody
from sitewright.errors import InputError
from sitewright.store.database import Store
from sitewright.store.entries import Incident
from sitewright.values.words import moment

_NAMED = 20
"""So many numbers are named of the incidents that there are."""


@dataclass(frozen=True, slots=True)
class Dismissed:
    """An incident that a person dismisses."""

    incident: Incident
    was_open: bool
    """False: it was closed meanwhile."""


def list_incidents(store: Store, sites: Sequence[str] = (), *, closed_too: bool = False) -> list[Incident]:
    """Return the open incidents of all sites, or of those named."""
    if sites:
        known_sites(store, sites)
    found = store.incidents(open_only=not closed_too)
    return [incident for incident in found if not sites or incident.site in sites]


def find_incident(store: Store, number: int, sites: Sequence[str] = ()) -> Incident:
    """Return the incident of a number; one that is not there, or of another site than those named, is told."""
    if sites:
        known_sites(store, sites)
    incident = store.find_incident(number)
    if incident is None:
        there = [str(known.number) for known in store.incidents(open_only=False)]
        more = f" and {len(there) - _NAMED} more" if len(there) > _NAMED else ""
        told = f"there are {', '.join(there[:_NAMED])}{more}" if there else "there is none yet"
        raise InputError(f"there is no incident {number} in the store; {told}")
    if sites and incident.site not in sites:
        raise InputError(f"incident {number} is of {incident.site}, not of {', '.join(sites)}")
    return incident


def dismiss(store: Store, numbers: Sequence[int], sites: Sequence[str] = (), tell: Tell = nobody) -> list[Dismissed]:
    """Close incidents, all of which have to be open; with their sites held, or a visit would open them again."""
    chosen = [find_incident(store, number, sites) for number in dict.fromkeys(numbers)]
    for incident in chosen:
        if not incident.is_open:
            raise InputError(
                f"incident {incident.number} is closed since {moment(incident.closed_at)} UTC ({incident.state})"
            )
    done = []
    for site in dict.fromkeys(incident.site for incident in chosen):
        with held(store, site, tell):
            done += [Dismissed(own, _close(store, own)) for own in chosen if own.site == site]
    return done


def _close(store: Store, incident: Incident) -> bool:
    return incident.number is not None and store.close_incident(incident.number, "dismissed")
