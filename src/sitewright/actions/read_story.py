"""A stored record in, what a reader sees of it out: its text with structure, its pictures, the same story elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from turbohtml import Element

from sitewright.actions.catalogues import Library
from sitewright.actions.read_cards import folded
from sitewright.actions.show_page import page_of, record_of
from sitewright.body import plain_body
from sitewright.domains import kinds, load_domain
from sitewright.errors import NotThere, PageError, StoreError
from sitewright.output.photos import photos_of
from sitewright.parse import parse
from sitewright.reading.body import read_body
from sitewright.store.catalogue.card import Card, card_of
from sitewright.store.entries import Mark, StoredRecord
from sitewright.types import Photo


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A story to read."""

    stored: StoredRecord
    card: Card
    text: Element
    """A clean tree, built anew from a short list of elements."""
    photos: Sequence[Photo]
    summary: str
    modified: object
    mark: Mark
    others: Sequence[Card]

    @property
    def shown_at(self) -> datetime:
        """When it appeared."""
        return self.stored.shown_at


def read_story(library: Library, site: str, name: str, account: str) -> Story:
    """Return a story by its site and id; one that is not there is told."""
    stored = record_of(library.store, site, name)
    record, domain = stored.record, load_domain(stored.record.domain)
    values = {field: value.value for field, value in record.fields.items()}
    card = card_of(stored)
    (_, others), *_ = folded(library, account, [card], set())
    return Story(
        stored=stored,
        card=card,
        text=_text(library, stored),
        photos=[photo for field in domain.fields_of_kind(kinds.IMAGES) for photo in photos_of(values.get(field))],
        summary=str(values.get(domain.summary) or ""),
        modified=values.get(domain.modified),
        mark=library.store.people.marks(account, [stored.number]).get(stored.number) or Mark(record=stored.number),
        others=others,
    )


def _text(library: Library, stored: StoredRecord) -> Element:
    """Return the text with the structure that its page gives it; plain paragraphs where the page is not to be had."""
    try:
        return read_body(parse(page_of(library.folder, stored), library.limits), stored.record).tree
    except (NotThere, PageError, StoreError):
        main = stored.record.fields.get(load_domain(stored.record.domain).main_text)
        return plain_body(str(main.value) if main is not None else "")
