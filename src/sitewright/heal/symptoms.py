"""Diagnoses or incidents of a site in, what a repair has to know of them out."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sitewright.notice.diagnosis import Diagnosis
from sitewright.store.entries import Incident


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptoms:
    """What seems to be wrong: since when, in which folders of the site, on which pages."""

    reason: str = ""
    since: datetime | None = None
    sections: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    lists_only: bool = False
    """Whether nothing is wrong with articles: only sources are repaired."""


def symptoms_of(diagnoses: Sequence[Diagnosis]) -> Symptoms:
    """Return what is wrong by what seems to have happened."""
    incidents = [incident for one in diagnoses for incident in one.incidents]
    return Symptoms(
        reason="; ".join(dict.fromkeys(one.reason for one in diagnoses)),
        since=min((incident.since for incident in incidents), default=None),
        sections=tuple(section for one in diagnoses for section in one.sections),
        pages=tuple(dict.fromkeys(url for one in diagnoses for url in one.pages)),
        lists_only=all(one.cause == "list changed" for one in diagnoses),
    )


def symptoms_told_by(incidents: Sequence[Incident]) -> Symptoms:
    """Return what is wrong by the incidents that the store has, whatever is done about them."""
    return Symptoms(
        reason="; ".join(dict.fromkeys(incident.diagnosis for incident in incidents if incident.diagnosis)),
        since=min((incident.since for incident in incidents), default=None),
        pages=tuple(dict.fromkeys(seen.url for incident in incidents for seen in incident.affected)),
    )
