"""`/api/v1/photo-sets`, `/stories/{site}/{id}`: sets of pictures, and a story as it is read."""

from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from sitewright.actions.read_cards import show_cards
from sitewright.actions.read_story import read_story
from sitewright.actions.wanted import Wanted
from sitewright.body import html_of
from sitewright.domains import kinds, load_domain
from sitewright.output.photos import photos_of
from sitewright.serve.api.answers import PREFIX, answer, card_row, listed
from sitewright.serve.api.asked import After, Limit, wanted_by
from sitewright.serve.pages.photos import LEAST_PICTURES
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.serve.views import read_place
from sitewright.store.entries import StoredRecord
from sitewright.types import Photo

router = APIRouter(prefix=PREFIX, tags=["stories"])


@router.get("/photo-sets")
def photo_sets(
    request: Request,
    service: Serving,
    visitor: Reader,
    wanted: Annotated[Wanted, Depends(wanted_by)],
    after: After = "",
    limit: Limit = 30,
) -> Response:
    """List stories with three pictures or more, with all of them, the newest first."""
    view = wanted.view()
    view = replace(view, query=replace(view.query, with_pictures=LEAST_PICTURES))
    shown = show_cards(service.library, visitor.name, view, size=limit, after=read_place(after))
    records = {one.number: one for one in service.store.records_by_number([one.card.number for one in shown.cards])}
    there = [one.card for one in shown.cards if one.card.number in records]
    return listed(request, [card_row(card) | {"photos": _photos(records[card.number])} for card in there], shown.next)


@router.get("/stories/{site}/{record}")
def story(request: Request, site: str, record: str, service: Serving, visitor: Reader) -> Response:
    """Return a story as it is read: its text as clean HTML, its pictures, and who else tells it."""
    found = read_story(service.library, site, record, visitor.name)
    more = {
        "html": html_of(found.text),
        "photos": [_photo(one) for one in found.photos],
        "others": [card_row(one) for one in found.others],
        "read": found.mark.read_at is not None,
        "starred": found.mark.starred_at is not None,
    }
    return answer(request, card_row(found.card) | more)


def _photos(stored: StoredRecord) -> list[dict[str, Any]]:
    record = stored.record
    named = (record.fields.get(field) for field in load_domain(record.domain).fields_of_kind(kinds.IMAGES))
    return [_photo(one) for value in named if value is not None for one in photos_of(value.value)]


def _photo(one: Photo) -> dict[str, Any]:
    return {"url": one.url, "caption": one.caption, "credit": one.credit, "width": one.width, "height": one.height}
