"""Notices of alerts in, out what people read of them: a line each, a letter of several; and what programs are sent."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from sitewright.output.letter import Letter, LetterLine, Section
from sitewright.store.alerts import Alert, AlertKind, Notice
from sitewright.values.words import counted, one_line

EVENTS: Mapping[AlertKind, str] = {
    "search": "record.new",
    "cheaper": "item.cheaper",
    "available": "item.available",
    "incident": "incident.opened",
    "digest": "digest.ready",
}
"""What the events are called that webhooks are sent."""


def line_of(home: str, alert: Alert, notice: Notice) -> LetterLine:
    """Return what a person reads of a notice; `home` is where the pages are."""
    about = notice.about
    heading, detail, url = _LINES[alert.kind](home, about)
    return LetterLine(heading=one_line(heading), detail=one_line(detail), url=url)


def letter_of(home: str, alert: Alert, notices: Sequence[Notice]) -> Letter:
    """Return a letter of several notices of one alert."""
    lines = [line_of(home, alert, one) for one in notices]
    subject = lines[0].heading if len(lines) == 1 else f"{alert.label}: {counted(len(lines), 'notice')}"
    return Letter(subject=subject, sections=[Section(alert.label, lines)], more=f"{home}/alerts#a{alert.number}")


def event_of(alert: Alert, notice: Notice, more: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a webhook is sent; `more` is what is not kept with the notice, such as the whole record."""
    return {
        "id": notice.name,
        "type": EVENTS[alert.kind],
        "timestamp": notice.at,
        "alert": {"number": alert.number, "label": alert.label},
        "data": {**notice.about, **more},
    }


def _record(home: str, about: Mapping[str, Any]) -> tuple[str, str, str]:
    detail = " · ".join(filter(None, [str(about["site"]), str(about.get("summary", ""))]))
    return str(about["heading"]), detail, f"{home}/story/{quote(str(about['site']))}/{about['id']}"


def _cheaper(home: str, about: Mapping[str, Any]) -> tuple[str, str, str]:  # noqa: ARG001 -- as all kinds
    before = f", before {_money(about['before'], about)}" if about.get("before") is not None else ""
    heading = f"{about['heading']}: {_money(about['amount'], about)}"
    return heading, f"{about['site']}{before}, below {_money(about['below'], about)}", str(about["url"])


def _available(home: str, about: Mapping[str, Any]) -> tuple[str, str, str]:  # noqa: ARG001 -- as all kinds
    price = _money(about["amount"], about) if about.get("amount") is not None else ""
    detail = " · ".join(filter(None, [str(about["site"]), price]))
    return f"{about['heading']} can be had again", detail, str(about["url"])


def _incident(home: str, about: Mapping[str, Any]) -> tuple[str, str, str]:
    return str(about["heading"]), counted(int(about["pages"]), "page"), f"{home}/incident/{about['incident']}"


def _digest(home: str, about: Mapping[str, Any]) -> tuple[str, str, str]:
    return f"Digest of {about['day']}", "", f"{home}/digest/{about['day']}"


def _money(amount: object, about: Mapping[str, Any]) -> str:
    return f"{amount:.2f} {about.get('currency', '')}".strip() if isinstance(amount, int | float) else "–"


_LINES: Mapping[AlertKind, Callable[[str, Mapping[str, Any]], tuple[str, str, str]]] = {
    "search": _record,
    "cheaper": _cheaper,
    "available": _available,
    "incident": _incident,
    "digest": _digest,
}
