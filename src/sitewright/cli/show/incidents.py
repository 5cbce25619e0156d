"""Incidents in, what people are told of them out: words, lines, JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from sitewright.cli.show.sparkline import picture
from sitewright.notice.words import subject, wrong
from sitewright.store.entries import Incident, IncidentState, Sighting
from sitewright.values.words import counted, moment, one_line, short

COLUMNS = ("n", "site", "template", "field", "what is wrong", "since (UTC)", "pages", "state", "answer")
NUMBERS = frozenset(("n", "pages"))
_ANSWERS = {
    "heal": "repair the map",
    "new template": "add a template",
    "incident": "a person has to look",
    "wait": "wait for the site",
}
_CLOSED: dict[IncidentState, str] = {
    "healed": "the map was repaired",
    "dismissed": "it was dismissed, and is normal since then",
    "over": "all was as usual again, and nothing was changed for it",
}
_SHOWN_BEFORE = 5
_SHOWN_AT_EACH_END = 5
"""Of the pages that are kept as evidence, so many of the first and of the last are shown."""


def cells(incident: Incident) -> tuple[str, ...]:
    """Return the line of a table whose columns are `COLUMNS`."""
    return (
        str(incident.number),
        incident.site,
        one_line(incident.template) or "-",
        one_line(subject(incident)),
        wrong(incident.kind),
        moment(incident.since),
        f"{incident.pages:,}",
        incident.state,
        _ANSWERS.get(incident.answer, one_line(incident.answer)) or "-",
    )


def row(incident: Incident) -> dict[str, Any]:
    """Return everything that is known of an incident, as JSON has it."""
    return {
        "number": incident.number,
        "site": incident.site,
        "template": incident.template or None,
        "field": incident.field or None,
        "kind": incident.kind,
        "also": list(incident.also),
        "state": incident.state,
        "open": incident.is_open,
        "since": incident.since,
        "opened": incident.opened_at,
        "closed": incident.closed_at,
        "pages": incident.pages,
        "diagnosis": incident.diagnosis,
        "answer": incident.answer,
        "before": [_sighting_row(one) for one in incident.before],
        "affected": [_sighting_row(one) for one in incident.affected],
        "fill": [{"at": at, "share": share} for at, share in incident.fill],
    }


def _sighting_row(sighting: Sighting) -> dict[str, Any]:
    return {"at": sighting.at, "url": sighting.url, "value": sighting.value or None}


def lines(incident: Incident, *, proposal: bool) -> Iterator[str]:
    """Yield everything that is known of an incident; `proposal`: whether a repaired map of its site waits."""
    yield from facts(incident)
    for told in _answer(incident, proposal=proposal) if incident.is_open else ():
        yield _entry("", told)
    yield from ("", *drawn) if (drawn := fill_lines(incident)) else ()
    yield from _pages(incident)


def facts(incident: Incident) -> Iterator[str]:
    """Yield what an incident is about, since when, and how it stands."""
    where = f", template {one_line(incident.template)}" if incident.template else ""
    ways = ", ".join(map(wrong, (incident.kind, *incident.also)))
    yield f"incident {incident.number}: {incident.site}{where}: {one_line(subject(incident))}: {ways}"
    yield _entry("since", f"{moment(incident.since)} UTC, noticed {moment(incident.opened_at)} UTC")
    yield _entry("pages", f"{counted(incident.pages, 'page')} affected")
    yield _entry("seems", one_line(incident.diagnosis) or "not known what happened")
    yield _entry("state", _state(incident))


def _entry(name: str, text: str) -> str:
    return f"    {name:<8}{text}"


def _state(incident: Incident) -> str:
    if incident.is_open:
        answer = _ANSWERS.get(incident.answer, "")
        return f"{incident.state}{f': {answer}' if answer else ''}"
    why = _CLOSED.get(incident.state, "")
    return f"{incident.state}, closed {moment(incident.closed_at)} UTC{f': {why}' if why else ''}"


def _answer(incident: Incident, *, proposal: bool) -> Iterator[str]:
    """Yield what is done about an open incident, and what a person can do."""
    site = incident.site
    if incident.field:
        yield "meanwhile its values come from the tagger, and pages are kept to be read once more"
    if proposal:
        yield f"a repaired map waits for a decision: sitewright heal {site}"
    elif incident.answer in {"heal", "new template"}:
        yield f"the collector repairs the map when it is sure, and else asks; sitewright heal {site} --now does it now"
    elif incident.answer == "wait":
        yield "it closes by itself when pages are as they were"
    else:
        yield f"repair the map: sitewright heal {site} --now, or by hand: sitewright map get {site}, then map put"
    yield f"if that is normal from now on: sitewright incidents --dismiss {incident.number}"


def fill_lines(incident: Incident) -> list[str]:
    """Return a picture of how often the field was there over time; none where that is not known."""
    drawn = picture(incident.fill, incident.since)
    about = "pages that have the field, over time:" if incident.field else "pages that the map reads, over time:"
    return [about, *(f"    {line}" for line in drawn)] if drawn else []


def _pages(incident: Incident) -> Iterator[str]:
    """Yield pages with old values, then pages with new ones."""
    with_values = bool(incident.field) or any(one.value for one in (*incident.before, *incident.affected))
    if incident.before:
        yield from ("", "before:")
        for sighting in incident.before[-_SHOWN_BEFORE:]:
            yield from _sighting(sighting, with_values=with_values)
    first, last = _ends(incident.affected)
    if first:
        yield from ("", "affected, the first ones:" if last else "affected:")
        for sighting in first:
            yield from _sighting(sighting, with_values=with_values)
    if last:
        yield from ("", "affected, the last ones:")
        for sighting in last:
            yield from _sighting(sighting, with_values=with_values)


def _ends(sightings: Sequence[Sighting]) -> tuple[Sequence[Sighting], Sequence[Sighting]]:
    """Return the first and the last; all are the first where there are not more."""
    if len(sightings) <= 2 * _SHOWN_AT_EACH_END:
        return sightings, ()
    return sightings[:_SHOWN_AT_EACH_END], sightings[-_SHOWN_AT_EACH_END:]


def _sighting(sighting: Sighting, *, with_values: bool) -> Iterator[str]:
    yield f"    {moment(sighting.at)}  {one_line(sighting.url)}"
    if with_values:
        yield f"        {short(sighting.value) or 'nothing'}"
