"""`/feed.atom`, `/feed.rss`, `/feed.json`: any view as a feed; `/feeds.opml`: the saved ones."""

from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from fastapi import APIRouter, Request
from starlette.responses import Response

from sitewright.actions.read_cards import show_cards
from sitewright.actions.wanted import wanted_of
from sitewright.errors import NotThere
from sitewright.output.feed import FeedFormat, feed_of
from sitewright.output.feed_head import FeedHead
from sitewright.serve.rendering import words_for
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.serve.views import wanted_by

router = APIRouter()
_KINDS: dict[str, tuple[FeedFormat, str]] = {
    "atom": ("atom", "application/atom+xml"),
    "rss": ("rss", "application/rss+xml"),
    "json": ("jsonfeed", "application/feed+json"),
}
_ENTRIES = 50


@router.get("/feed.{kind}")
def feed(request: Request, kind: str, service: Serving, visitor: Reader) -> Response:
    """Return what a view shows, the whole texts of its stories with it."""
    if kind not in _KINDS:
        raise NotThere(f"there is no feed of the kind {kind}; there are {', '.join(_KINDS)}")
    wanted = wanted_by(request)
    shown = show_cards(service.library, visitor.name, wanted.view(), size=_ENTRIES).cards
    records = {one.number: one for one in service.store.records_by_number([one.card.number for one in shown])}
    base = str(request.base_url).rstrip("/")
    head = FeedHead(
        title=f"Sitewright: {wanted.words or wanted.site or wanted.topic or words_for(request)('nav.today')}",
        url=wanted.address(f"{base}/"),
        updated=datetime(2000, 1, 1, tzinfo=UTC),
        feed_url=str(request.url),
    )
    form, media_type = _KINDS[kind]
    entries = [records[one.card.number] for one in shown if one.card.number in records]
    return Response(feed_of(form, head, entries), 200, media_type=media_type)


@router.get("/feeds.opml")
def opml(request: Request, service: Serving, visitor: Reader) -> Response:
    """Return all saved searches of a reader as feeds that a program can subscribe to."""
    root = ET.Element("opml", {"version": "2.0"})
    ET.SubElement(ET.SubElement(root, "head"), "title").text = "Sitewright"
    body = ET.SubElement(root, "body")
    for saved in service.store.people.saved_searches(visitor.name):
        query = dict(pair.partition("=")[::2] for pair in saved.query.split("&"))
        address = str(request.base_url).rstrip("/") + wanted_of(query).address("/feed.atom")
        ET.SubElement(body, "outline", {"type": "rss", "text": saved.label, "xmlUrl": address})
    return Response(ET.tostring(root, encoding="utf-8", xml_declaration=True), 200, media_type="text/x-opml")
