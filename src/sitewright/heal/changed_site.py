"""A map and pages of its site after a redesign in, the pages with the values found on them out.

Pages of known articles come with the values that their records held. Other pages are known to the tagger only.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sitewright.domains import Domain, FieldSpec, load_domain
from sitewright.errors import MixedSites, NoArticles
from sitewright.extract import Extractor
from sitewright.heal.known import KnownPage, enough_pages
from sitewright.heal.search import Search, look_for
from sitewright.heal.sure import LEAST_PAGES
from sitewright.induce import Sample, usable_pages
from sitewright.induce.beliefs import entry_key
from sitewright.parse import Document, host_of, owner_of
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Record, TaggedPage
from sitewright.values import page_context

_GONE = 0.25
"""A field is lost where so few of its remembered values, or fewer, are on the pages."""
_MOST_LEFT = 0.5
"""A list of which less is on a page is another one, as a text is."""
_KINDS = {"": "line", "line.v1": "line", "date.v1": "date", "list.v1": "list", "authors.v1": "names"}
"""What fields are that the domain does not know, by the parsers of their rules."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page, the values that its record held, and what is found of them."""

    values: Mapping[str, object]
    search: Search
    sample: Sample
    """The page as rules are learned from it."""
    by_tagger: Record
    by_old_rules: Record

    @property
    def document(self) -> Document:
        """The page as it is now."""
        return self.sample.document

    def still_there(self, field: str) -> object:
        """Return what is remembered of a field; of a list only the entries that the page still has, if most are there.

        Keywords that machines were told, and readers were not, are gone with the metadata: no rule can read them.
        """
        value, found = self.values[field], self.search.entries.get(field)
        if found is None or not isinstance(value, list):
            return value
        left = [entry for entry in value if entry_key(entry) in found]
        return left if len(left) >= _MOST_LEFT * len(value) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedSite:
    """What a map is repaired by."""

    old: ExtractionMap
    domain: Domain
    """The fields of the old map: those of its domain, and its own."""
    pages: Sequence[FoundPage]
    lost: frozenset[str]
    """Fields whose remembered values are on next to none of the pages."""
    now: datetime
    warnings: Sequence[str] = ()


def look_at_site(
    old: ExtractionMap, pages: Sequence[KnownPage[Document]], reader: PageReader, now: datetime
) -> ChangedSite:
    """Look for the values of records on the pages, as far as these can be learned from."""
    domain = domain_of(old)
    extractor = Extractor(replace(old, min_confidence=()))  # rules are judged by what they give
    warnings: list[str] = []

    def found(known: KnownPage[Document]) -> FoundPage:
        reading = reader.read(known.page, now)
        values = known.values or {}
        search = look_for(values, known.page, reading.tagged, domain, now) if values else Search(reading.tagged)
        sample = _sample(known.page, search.tagged, domain, now)
        return FoundPage(values, search, sample, reading.record, extractor.extract(known.page, now))

    usable = _usable(old, [found(known) for known in enough_pages(pages)], warnings)
    lost = _lost(usable)
    ignored = lost | _unheard_of(domain, usable)
    kept = [_without(page, ignored, domain, now) for page in usable] if ignored else usable
    return ChangedSite(old=old, domain=domain, pages=kept, lost=lost, now=now, warnings=warnings)


def domain_of(extraction_map: ExtractionMap) -> Domain:
    """Return the fields of a map: those of its domain, and its own, of which its rules say what they are.

    Own fields of other kinds than lines, dates and lists (prices, addresses, objects) are not healed.
    """
    domain = load_domain(extraction_map.domain)
    own = {}
    for rule in extraction_map.rules:
        if rule.field not in domain.fields and rule.field not in own:
            kind = "object" if rule.fields else _KINDS.get(rule.parse, "other")
            kind = "list" if kind == "line" and rule.many else kind
            own[rule.field] = FieldSpec(name=rule.field, kind=kind, parse=rule.parse or "line.v1", many=rule.many)
    return replace(domain, fields={**domain.fields, **own})


def _sample(document: Document, tagged: TaggedPage, domain: Domain, now: datetime) -> Sample:
    return Sample(document, tagged, domain, page_context(document, now))


def _usable(old: ExtractionMap, pages: Sequence[FoundPage], warnings: list[str]) -> list[FoundPage]:
    """Return the pages that can be learned from; known articles that show nothing of what they were are none."""
    speaking = [page for page in pages if not page.search.sought or page.search.found]
    if pages and not speaking:
        raise NoArticles(f"none of the {len(pages)} pages shows any of the values that their records held")
    if len(speaking) < len(pages):
        warnings.append(f"{len(pages) - len(speaking)} of {len(pages)} pages show nothing of what their records held")
    own = [page for page in speaking if owner_of(host_of(page.document.url)) == owner_of(old.site)]
    if not own:
        raise MixedSites(f"none of the pages is of {old.site}")
    kept = usable_pages([(page.document, page.search.tagged) for page in own], load_domain(old.domain), warnings)
    documents = {id(document) for document, _ in kept}
    return [page for page in own if id(page.document) in documents]


def _lost(pages: Iterable[FoundPage]) -> frozenset[str]:
    """Return the fields whose remembered values are on next to none of the pages: nothing else is to fill them."""
    known = list(pages)
    sought = Counter(field for page in known for field in page.search.sought)
    found = Counter(field for page in known for field in page.search.found)
    return frozenset(field for field, times in sought.items() if times >= 2 and found[field] <= _GONE * times)


def _unheard_of(domain: Domain, pages: Iterable[FoundPage]) -> frozenset[str]:
    """Return the fields that no record had, of enough records: nothing is learned of them, whatever the tagger sees."""
    remembered = [page.values for page in pages if page.values]
    if len(remembered) < LEAST_PAGES:
        return frozenset()
    return frozenset(domain.fields).difference(*remembered)


def _without(page: FoundPage, ignored: frozenset[str], domain: Domain, now: datetime) -> FoundPage:
    """Forget all opinions on fields that are not to be learned."""
    tagged = page.search.tagged
    labels = tuple(label for label in tagged.labels if label.field not in ignored)
    lines = tuple(replace(line, score=0.0) for line in tagged.lines) if domain.main_text in ignored else tagged.lines
    return replace(page, sample=_sample(page.document, replace(tagged, labels=labels, lines=lines), domain, now))
