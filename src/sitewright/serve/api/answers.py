"""What the API answers: rows with a place to go on at, a tag by which who asks again learns that nothing changed."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Request
from starlette.responses import Response

from sitewright.serve.views import written_place
from sitewright.store.catalogue.card import Card
from sitewright.store.catalogue.catalogue import Place
from sitewright.values.as_json import json_of

PREFIX = "/api/v1"
MOST = 500
"""Rows of an answer."""


def answer(request: Request, about: Mapping[str, Any]) -> Response:
    """Return an object as JSON; 304 where who asks has it already."""
    body = json_of(about)
    tag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    if tag in request.headers.get("if-none-match", ""):
        return Response(None, 304, {"etag": tag})
    return Response(body, 200, {"etag": tag}, "application/json")


def listed(request: Request, rows: Sequence[Mapping[str, Any]], place: Place | None = None) -> Response:
    """Return rows; `next` is what `after` has to be to go on, null at the end."""
    return answer(request, {"items": list(rows), "next": written_place(place) or None})


def card_row(card: Card) -> dict[str, Any]:
    """Return a card as the API has it."""
    return {
        "site": card.site,
        "id": card.id,
        "number": card.number,
        "url": card.url,
        "heading": card.heading,
        "summary": card.summary,
        "byline": list(card.byline),
        "topics": list(card.topics),
        "language": card.language,
        "shown_at": card.shown_at,
        "stored_at": card.stored_at,
        "picture": card.picture or None,
        "pictures": card.pictures,
        "length": card.length,
    }
