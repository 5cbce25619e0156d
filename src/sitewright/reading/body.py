"""A page and the record that was read of it in, the text of the record with its structure out."""

from collections.abc import Sequence

from sitewright.body import Body, Pictures, body_of
from sitewright.domains import Domain, kinds, load_domain
from sitewright.output.photos import photos_of
from sitewright.parse import Document, clean_line
from sitewright.types import Record, Value
from sitewright.values import string_of

_NAME_SOURCES = ("meta:og:site_name", "jsonld:publisher.name", "meta:application-name")
"""Where pages state what their site is called; publishers are often companies, so they come second."""
_LONGEST_NAME = 100
_BY_TAGGER = "tagger/"


def read_body(document: Document, record: Record) -> Body:
    """Return the text of a record as its page displays it."""
    domain = load_domain(record.domain)
    text = record.fields.get(domain.main_text)
    images = [record.fields[name] for name in domain.fields_of_kind(kinds.IMAGES) if name in record.fields]
    tree = body_of(document, str(text.value) if text is not None else "", _pictures(images))
    return Body(tree, _site_name(document, domain))


def _pictures(images: Sequence[Value]) -> Pictures | None:
    if not images:
        return None
    photos = [photo for value in images for photo in photos_of(value.value)]
    return Pictures(photos, chosen=not any(value.rule.startswith(_BY_TAGGER) for value in images))


def _site_name(document: Document, domain: Domain) -> str:
    stated = (clean_line(string_of(fact.value)) for fact in document.metadata.facts(_NAME_SOURCES, domain.types))
    return next((name for name in stated if 0 < len(name) <= _LONGEST_NAME), "")
