"""The query of a request in, which cards it asks for out; where lists go on, as addresses have it, and back."""

import re
from datetime import UTC, datetime, timedelta

from fastapi import Request

from sitewright.actions.wanted import Wanted, wanted_of
from sitewright.store.catalogue.catalogue import Place

_PLACE = re.compile(r"(\d{1,18})-(\d{1,18})")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def wanted_by(request: Request) -> Wanted:
    """Return what the address of a request asks for."""
    return wanted_of(request.query_params)


def written_place(place: Place | None) -> str:
    """Return where a list goes on as addresses have it.

    >>> written_place((datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), 7))
    '1000000-7'
    """
    return f"{(place[0] - _EPOCH) // timedelta(microseconds=1)}-{place[1]}" if place is not None else ""


def read_place(text: str) -> Place | None:
    """Return where a list goes on; from the beginning where that cannot be understood.

    >>> read_place("1000000-7"), read_place("x")
    ((datetime.datetime(1970, 1, 1, 0, 0, 1, tzinfo=datetime.timezone.utc), 7), None)
    """
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    try:
        return _EPOCH + timedelta(microseconds=int(found[1])), int(found[2])
    except OverflowError:
        return None


def read_number(text: str) -> int:
    """Return the number at which a list goes on; from the beginning where it is none.

    >>> read_number("12"), read_number("x")
    (12, 0)
    """
    return int(text) if text.isdecimal() and len(text) < 18 else 0
