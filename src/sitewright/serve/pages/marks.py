"""`/marks`: cards read, starred, hidden; for scripts as JSON with what undoes it, for others as a form."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import orjson
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.responses import Response

from sitewright.actions.read_cards import mark_cards, restore_marks
from sitewright.errors import InputError
from sitewright.serve.forms import Form, Sent
from sitewright.serve.pages.login import own_place
from sitewright.serve.rendering import words_for
from sitewright.serve.security.visitor import Reader, Visitor
from sitewright.serve.service import Service, Serving
from sitewright.store.entries import Mark

router = APIRouter()
_MOST = 1_000


@router.post("/marks")
def mark(request: Request, service: Serving, visitor: Reader, form: Sent) -> Response:
    """Mark cards; answer with how they are now, how they were, and what was done in words."""
    if "hide" in form:
        kind, _, what = form.get("hide").partition(" ")
        hide(service, visitor, kind, what)
        return RedirectResponse("/", 303)
    before, key = _done(service, visitor, form)
    if "application/json" not in request.headers.get("accept", ""):
        return RedirectResponse(own_place(form.get("to")), 303)
    now = service.store.people.marks(visitor.name, [one.record for one in before])
    marks = [now.get(one.record) or Mark(record=one.record) for one in before]
    told = words_for(request)(key, count=len(before))
    return JSONResponse({"marks": rows_of(marks), "before": rows_of(before), "told": told})


def hide(service: Service, visitor: Visitor, kind: str, what: str) -> None:
    """Show nothing more of a site or a topic to somebody."""
    if kind not in {"site", "topic"} or not what:
        raise InputError("what is hidden is a site or a topic")
    service.store.people.hide(visitor.name, "site" if kind == "site" else "topic", what)


def _done(service: Service, visitor: Visitor, form: Form) -> tuple[list[Mark], str]:
    """Do what a form asks for; return what was there before, and what it is called."""
    store, name = service.store, visitor.name
    if "before" in form:
        return restore_marks(store, name, read_marks(form.get("before"))), "marks.undone"
    for entry in ("all", "opened"):
        if entry in form:
            return mark_cards(store, name, _numbers(form.get(entry)), read=True), "marks.read"
    if "apart" in form:
        return mark_cards(store, name, _numbers(form.get("apart")), apart=True), "marks.apart"
    if "star" in form:
        numbers = _numbers(form.get("star"))
        known = store.people.marks(name, numbers)
        gives = not all(number in known and known[number].starred_at for number in numbers)
        return mark_cards(store, name, numbers, starred=gives), "marks.starred" if gives else "marks.unstarred"
    numbers = _numbers(form.get("read"))
    known = store.people.marks(name, numbers)
    gives = not all(number in known and known[number].read_at for number in numbers)
    return mark_cards(store, name, numbers, read=gives), "marks.read" if gives else "marks.unread"


def _numbers(text: str) -> list[int]:
    words = text.split()[:_MOST]
    if not words or not all(word.isdecimal() and len(word) < 18 for word in words):
        raise InputError("name the numbers of the cards")
    return [int(word) for word in words]


def rows_of(marks: Sequence[Mark]) -> list[dict[str, Any]]:
    """Return marks as JSON has them."""
    return [
        {
            "record": one.record,
            "read_at": one.read_at.isoformat() if one.read_at is not None else None,
            "starred_at": one.starred_at.isoformat() if one.starred_at is not None else None,
            "apart_at": one.apart_at.isoformat() if one.apart_at is not None else None,
        }
        for one in marks
    ]


def read_marks(text: str) -> list[Mark]:
    """Read what `rows_of` wrote."""
    try:
        rows = orjson.loads(text)
        return [
            Mark(
                record=int(row["record"]),
                read_at=_moment(row["read_at"]),
                starred_at=_moment(row["starred_at"]),
                apart_at=_moment(row.get("apart_at")),
            )
            for row in rows[:_MOST]
        ]
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise InputError("these are no marks") from error


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
