"""Document in, Record out without a map: the text by a tagger, everything else as the page states it about itself."""

from collections.abc import Mapping
from datetime import UTC, datetime

from sitewright.domains import Domain, load_domain
from sitewright.parse import Document, host_of
from sitewright.tag.mce import main_content
from sitewright.types import Record, Value
from sitewright.values import PARSERS, Context, Item

STATED = 0.8
"""The confidence of what JSON-LD, microdata and meta tags state; titles stated so are right on four pages of five."""
FOUND = 0.7
"""The confidence of a text found by MCE."""


class PageReader:
    """Reads any page of a domain."""

    def __init__(self, domain: str = "news") -> None:
        """Load the domain's fields."""
        self._domain: Domain = load_domain(domain)

    def extract(self, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()) -> Record:
        """Read a page; `fields` limits what is read, `now` stands in where the page's fetch time is unknown."""
        moment = now or datetime.now(UTC)
        language = document.metadata.language
        context = Context(document=document, now=document.fetched_at or moment, language=language)
        return Record(
            site=host_of(document.url),
            urls=(document.url,),
            fields=self._values(context, fields),
            domain=self._domain.name,
            language=language,
            extracted_at=moment,
        )

    def _values(self, context: Context, wanted: frozenset[str]) -> Mapping[str, Value]:
        values: dict[str, Value] = {}
        for field in self._domain.fields:
            if wanted and field not in wanted:
                continue
            value = self._text(context) if field == "text" else self._stated(field, context)
            if value is not None:
                values[field] = value
        return values

    def _stated(self, field: str, context: Context) -> Value | None:
        """Read a field from the first source of metadata that gives it."""
        parse = PARSERS[self._domain.parser_of(field)]
        by_source: dict[str, list[Item]] = {}
        for fact in context.document.metadata.facts(field):
            by_source.setdefault(fact.source, []).append(fact.value)
        for source, items in by_source.items():
            parsed = parse(items, self._domain.fields[field].many, context)
            if parsed is not None:
                return Value(parsed.value, round(STATED * parsed.certainty, 3), source)
        return None

    def _text(self, context: Context) -> Value | None:
        element = main_content(context.document)
        parsed = PARSERS["text.v1"]([element], False, context) if element is not None else None
        return Value(parsed.value, FOUND, "mce/text") if parsed is not None else None
