"""An incident in, what people are told of it out: what it is about, what is wrong, in a word or in a sentence."""

from sitewright.store.entries import Incident, IncidentKind
from sitewright.values.words import moment

_WRONG: dict[IncidentKind, tuple[str, str]] = {
    "lost": ("is", "not read any more"),
    "shorter": ("is", "shorter than usual"),
    "longer": ("is", "longer than usual"),
    "other shape": ("", "looks different than usual"),
    "repeats": ("is", "the same on different pages"),
    "disagrees": ("is", "not what the pages' metadata says"),
    "handed over": ("are", "hardly read any more"),
    "walled": ("are", "behind a wall"),
    "refused": ("are", "no articles any more"),
    "failing": ("", "cannot be fetched"),
    "unlisted": ("", "their articles are not found any more"),
}
"""What is wrong, and the verb that makes a sentence of it."""
_UNLISTED = "pages that list articles are not read by their selectors any more"
"""Of pages that list others, a sentence says which pages are meant."""


def subject(incident: Incident) -> str:
    """Return what an incident is about."""
    return incident.field or ("index pages" if incident.kind == "unlisted" else "whole pages")


def wrong(kind: IncidentKind) -> str:
    """Return what is wrong.

    >>> wrong("lost"), wrong("failing")
    ('not read any more', 'cannot be fetched')
    """
    return _WRONG[kind][1] if kind in _WRONG else kind  # a newer version may have stored one that is not known here


def told(incident: Incident) -> str:
    """Say in a sentence that an incident began, or is over."""
    where = f" (template {incident.template})" if incident.template else ""
    if not incident.is_open:
        return f"incident over: {'pages' if incident.kind == 'unlisted' else subject(incident)}{where} as usual again"
    reason = f"; {incident.diagnosis}" if incident.diagnosis else ""
    return f"incident: {_sentence(incident, where)}, since {moment(incident.since)}{reason}"


def _sentence(incident: Incident, where: str) -> str:
    if incident.kind == "unlisted":
        return _UNLISTED
    verb = _WRONG[incident.kind][0] if incident.kind in _WRONG else ""
    return " ".join(filter(None, [f"{subject(incident)}{where}", verb, wrong(incident.kind)]))
