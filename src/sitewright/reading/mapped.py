"""A learned map in, a reader of pages out that hands what the map does not know to the tagger."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple

from sitewright.domains import Domain, kinds, load_domain, sane_fields
from sitewright.extract import Extractor
from sitewright.parse import Document, Selector, compile_selector, is_xpath
from sitewright.reading.taggers import tagger_of
from sitewright.tag import PageReader
from sitewright.types import LIST, ExtractionMap, Record, Rule, Template, Value
from sitewright.values import Context, page_context

NEXT_TO_NOTHING = 0.1
"""A text shorter than this share of the site's usual one counts as not found."""
_ENOUGH_USUAL, _MANY_PAGES, _NEARLY_ALL = 2, 8, 0.9
"""To tell that a page is something else: two fields that nine of ten pages have, of eight pages at least."""
_LIKELY = 0.5
"""What the tagger reads counts if it is rather right than wrong."""
_MANY = 4
"""So many prices of one rule on a page: those of a list, or of what is recommended beside an item; the tagger tells."""
_SURELY_LIST = 0.8
"""A page is no item where the tagger is so sure of the entries of its list."""
_NOTHING = frozenset[str]()
_ENOUGH_PAGES = 3
"""A field is expected on every page where it was on all of at least so many."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a template gives on every page: its fields, those without which a page is not read, the least text."""

    always: frozenset[str]
    required: frozenset[str]
    text: int = 0
    usual: frozenset[str] = frozenset()
    """What nearly all pages have beside the required fields."""
    main: str = ""
    """The field with the text."""

    def lacks_all(self, fields: Mapping[str, Value], doubted: frozenset[str], wanted: frozenset[str]) -> bool:
        """Tell whether a required field is missing, or next to nothing; one that is in doubt or not wanted may be."""
        required = (self.required & wanted) - doubted
        if not required <= fields.keys():
            return True
        return self.text > 0 and self.main in required and len(str(fields[self.main].value)) < self.text

    def lacks_usual(self, fields: Mapping[str, Value]) -> bool:
        """Tell whether nothing is there of what nearly all pages have beside the required fields."""
        return len(self.usual) >= _ENOUGH_USUAL and self.usual.isdisjoint(fields)

    def has_usual(self, fields: Mapping[str, Value]) -> bool:
        """Tell whether all is there that nearly all pages have, beside the required fields, too: it is an item."""
        return len(self.usual) >= _ENOUGH_USUAL and (self.usual | self.required) <= fields.keys()

    def missing(self, fields: Mapping[str, Value]) -> frozenset[str]:
        """Return the fields that should be there and are not."""
        return self.always - fields.keys()


class Doubt(NamedTuple):
    """A field of a template whose rules are not believed on pages since a moment (None: on any)."""

    template: str
    field: str
    since: datetime | None = None

    def is_about(self, fetched_at: datetime | None) -> bool:
        """Tell whether rules are not believed on a page, by when it was fetched."""
        return self.since is None or fetched_at is None or fetched_at >= self.since


class MapReading(NamedTuple):
    """The record of a page, and what the map alone read of it."""

    record: Record
    by_map: Record
    is_clear: bool = False
    """Whether the map that read it fits the page clearly better than those of other designs do."""


class MapReader:
    """Reads pages with a map; a page that the map reads next to nothing of is read by the tagger.

    So are single fields that all sampled pages had and a page lacks, those that the map names for it, and fields whose
    rules are in doubt. Records say so in `via`. Maps written by hand state no support, so nothing else is expected of
    them and nothing is handed on.
    """

    def __init__(
        self, extraction_map: ExtractionMap, doubts: Collection[Doubt] = (), skipped: frozenset[str] = frozenset()
    ) -> None:
        """Compile the map without the rules that are skipped; the tagger is loaded when it is first needed."""
        self._doubts = tuple(doubts)
        self._extractor = Extractor(extraction_map, skipped)
        self.map = extraction_map
        self._fields = handed_fields(extraction_map)
        self._objects = _asked(extraction_map) & _of_objects(extraction_map)
        self._floors = dict(extraction_map.min_confidence)
        self._expected = {template.name: _expected(template, extraction_map) for template in extraction_map.templates}
        self._single = list(_selectors_of_one(extraction_map))

    @property
    def extractor(self) -> Extractor:
        """The map alone, compiled."""
        return self._extractor

    @cached_property
    def _tagger(self) -> PageReader:
        return tagger_of(self.map.domain)

    def extract(self, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()) -> Record:
        """Read a page; `fields` limits what is read, `now` stands in where the page's fetch time is unknown."""
        return self.read(document, now, fields).record

    def read(self, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()) -> MapReading:
        """Read a page as `extract` does, and keep what the map alone read."""
        return self.complete(self._extractor.extract(document, now, fields), document, now, fields)

    def complete(
        self, by_map: Record, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()
    ) -> MapReading:
        """Read what the map alone did not."""
        record = self._completed(by_map, document, now, fields)
        return MapReading(self._with_objects(record, document, now, fields), by_map)

    def _with_objects(self, record: Record, document: Document, now: datetime | None, fields: frozenset[str]) -> Record:
        """Add what the map leaves to whoever reads single pages because no rule reads objects: no score is needed."""
        wanted = self._objects & fields if fields else self._objects
        missing = wanted - record.fields.keys()
        if not missing or not record.template or record.template == LIST:
            return record
        found = self._tagger.objects(document, self._context(document, now), record.fields, missing)
        return replace(record, fields=self._in_order({**record.fields, **found})) if found else record

    def _completed(self, record: Record, document: Document, now: datetime | None, fields: frozenset[str]) -> Record:
        """Add what the map does not read, and replace what is in doubt."""
        doubted = self._doubted(record.template, document.fetched_at)
        if not (self._fields or doubted):
            return record
        expected = self._expected.get(record.template)
        is_whole = expected is not None and expected.has_usual(record.fields)
        if not (fields or is_whole) and self._could_be_list(document):
            seen = self._tagged(document, now, fields)
            if self._is_list(seen):
                return replace(record, fields=self._sure(seen), kind=seen.kind, template="", via="tagger")
        wanted = fields or self._fields | doubted
        believed = _without(record, doubted)
        if self._fields and (expected is None or expected.lacks_all(believed.fields, doubted, wanted)):
            return self._handed(believed, document, now, wanted)
        asked = doubted
        if self._fields and expected is not None:
            asked |= expected.missing(record.fields)
            asked |= expected.usual if expected.lacks_usual(record.fields) else frozenset()
        asked &= wanted
        filled = self._filled(believed, document, now, asked, fields) if asked else record
        is_poor = bool((asked & _required(self.map)) - doubted - filled.fields.keys())
        return self._handed(believed, document, now, wanted) if is_poor else filled

    def _doubted(self, template: str, fetched_at: datetime | None) -> frozenset[str]:
        """Return the fields whose rules are not believed on a page."""
        if not self._doubts:
            return _NOTHING
        own = (doubt for doubt in self._doubts if doubt.template == template and doubt.is_about(fetched_at))
        return frozenset(doubt.field for doubt in own)

    def reads_required(self, by_map: Record, fetched_at: datetime | None = None) -> bool:
        """Tell whether what the map alone read of a page is a record: what is required and believed is there."""
        expected = self._expected.get(by_map.template)
        if expected is None:
            return False
        doubted = self._doubted(by_map.template, fetched_at)
        return not expected.lacks_all(by_map.fields, doubted, self._fields)

    def looks_other(self, reading: MapReading) -> bool:
        """Tell whether a page has the required fields and nothing else of what nearly all pages of its template have.

        So do pages about the site itself: a headline and a text, but no date, no section, no author. Where the tagger
        finds two of them, the page has changed, not its kind. What is in doubt is not asked for; and while anything is,
        the site has changed, so that what the tagger takes for an item is one, whatever else it shows.
        """
        expected = self._expected.get(reading.by_map.template)
        doubted = {doubt.field for doubt in self._doubts if doubt.template == reading.by_map.template}
        expected = replace(expected, usual=expected.usual - doubted) if expected is not None else None
        if expected is None or not expected.lacks_usual(reading.by_map.fields):
            return False
        if doubted and reading.record.via == "tagger":
            return False
        fields = reading.record.fields
        telling = (
            fields.keys() - expected.required if reading.record.via == "tagger" else expected.usual & fields.keys()
        )
        return sum(fields[name].confidence >= _LIKELY for name in telling) < _ENOUGH_USUAL

    def _handed(self, record: Record, document: Document, now: datetime | None, wanted: frozenset[str]) -> Record:
        doubted = self._doubted(record.template, document.fetched_at)
        read = self._tagged(document, now, wanted & (self._fields | doubted))
        own = {} if self._is_list(read) else record.fields  # of an item, what only the map knows is kept
        fields = self._together(own, self._sure(read), document)
        return replace(record, fields=fields, kind=read.kind, template="", via="tagger")

    def _filled(
        self, record: Record, document: Document, now: datetime | None, missing: frozenset[str], only: frozenset[str]
    ) -> Record:
        """Add what is missing, and what else the tagger likely sees on the page that no rule gave."""
        beside = (self._fields & only if only else self._fields) - record.fields.keys()
        seen = self._tagged(document, now, missing | beside)
        read = self._sure(seen)
        if self._is_list(seen):
            return replace(record, fields=self._in_order(read), kind=seen.kind, template="", via="tagger")
        found = {name: value for name, value in read.items() if name in missing or value.confidence >= _LIKELY}
        if not found:
            return record
        return replace(record, fields=self._together(record.fields, found, document), via="map, tagger")

    def _tagged(self, document: Document, now: datetime | None, fields: frozenset[str]) -> Record:
        """Let the tagger read a page of the site."""
        return self._tagger.extract(document, now, fields, self._context(document, now))

    def _context(self, document: Document, now: datetime | None) -> Context:
        """Return what is known of a page for the tagger: what the map knows of the site holds for it, too."""
        moment = now or datetime.now(UTC)
        own, known = page_context(document, moment), self._extractor.context(document, moment)
        return replace(
            own,
            timezone=known.timezone or own.timezone,
            date_formats=known.date_formats,
            language=self.map.language or own.language,
        )

    def _could_be_list(self, document: Document) -> bool:
        """Tell whether what every item has one of is there many times, where no list was there to learn from."""
        return any(len(selector.elements(document.tree)) >= _MANY for selector in self._single)

    def _is_list(self, read: Record) -> bool:
        """Tell whether the tagger read nothing but the entries of a list: then what rules took is none of an item."""
        entries = frozenset(load_domain(self.map.domain).fields_of_kind(kinds.ITEMS))
        sure = any(value.confidence >= _SURELY_LIST for value in read.fields.values())
        return read.kind == LIST and sure and read.fields.keys() <= entries

    def _sure(self, read: Record) -> dict[str, Value]:
        """Return what the tagger is as sure of as the map asks for."""
        return {name: value for name, value in read.fields.items() if value.confidence >= self._floors.get(name, 0.0)}

    def _together(
        self, by_map: Mapping[str, Value], by_tagger: Mapping[str, Value], document: Document
    ) -> dict[str, Value]:
        """Return what both read as one record: the standfirst that one read is no line of the text of the other."""
        fields = self._in_order({**by_map, **by_tagger})
        return sane_fields(fields, load_domain(self.map.domain), document.url, judged=by_tagger.keys())

    def _in_order(self, fields: Mapping[str, Value]) -> dict[str, Value]:
        order = dict.fromkeys((*self.map.fields, *fields))
        return {name: fields[name] for name in order if name in fields}


def _selectors_of_one(extraction_map: ExtractionMap) -> Iterator[Selector]:
    """Yield what finds the price of an item, where a learned map knows no lists."""
    domain = load_domain(extraction_map.domain)
    lists = any(_listed(template, domain) for template in extraction_map.templates)
    if lists or not domain.fields_of_kind(kinds.ITEMS) or not _required(extraction_map):
        return
    for rule in extraction_map.rules:
        if rule.field == domain.price and rule.select and not is_xpath(rule.select[0]):
            yield compile_selector(rule.select[0])


def _without(record: Record, doubted: frozenset[str]) -> Record:
    """Return a record without what is in doubt."""
    if doubted.isdisjoint(record.fields):
        return record
    return replace(record, fields={name: value for name, value in record.fields.items() if name not in doubted})


def handed_fields(extraction_map: ExtractionMap) -> frozenset[str]:
    """Return the fields that the tagger reads where a map does not; of maps that were not learned those they name."""
    required = _required(extraction_map)
    asked = _asked(extraction_map) - _of_objects(extraction_map)
    if not required:
        return asked
    entries = load_domain(extraction_map.domain).fields_of_kind(kinds.ITEMS)
    along = asked and asked | _short_fields(extraction_map.domain)
    return frozenset({*extraction_map.fields, *required, *entries, *along})


def _asked(extraction_map: ExtractionMap) -> frozenset[str]:
    return frozenset(field for template in extraction_map.templates for field in template.tagger)


def _of_objects(extraction_map: ExtractionMap) -> frozenset[str]:
    """Return the fields whose values are objects: they are read without scores, and their lack says nothing."""
    return frozenset(load_domain(extraction_map.domain).fields_of_kind(kinds.OBJECTS))


def _short_fields(domain: str) -> frozenset[str]:
    """Return the fields that are neither text nor pictures nor entries of a list: the tagger reads them along."""
    long = (kinds.TEXT, kinds.IMAGES, kinds.ITEMS, kinds.PAIRS, kinds.OBJECTS)
    return frozenset(name for name, spec in load_domain(domain).fields.items() if spec.kind not in long)


def _required(extraction_map: ExtractionMap) -> frozenset[str]:
    """Return what the domain requires, if the map was learned to read any of it: by example it may not be."""
    learned = {rule.field for rule in extraction_map.rules if rule.support is not None}
    required = frozenset(load_domain(extraction_map.domain).required)
    return required if required & learned else frozenset()


def _expected(template: Template, extraction_map: ExtractionMap) -> Expected:
    founded = _founded_now(template)
    always = {
        rule.field
        for rule in founded
        if rule.support is not None and rule.support.found == rule.support.sampled >= _ENOUGH_PAGES
    }
    domain = load_domain(extraction_map.domain)
    if listed := _listed(template, domain):
        return Expected(frozenset(), listed)
    if _covers(founded, domain.published):
        always.add(domain.published)
    main = domain.main_text
    lengths = [rule.support.length for rule in founded if rule.field == main and rule.support is not None]
    usual = max((length for length in lengths if length), default=0)
    required = _required(extraction_map)
    known = required & {rule.field for rule in template.rules} or required
    always |= required - known  # what there is no rule for is the tagger's on every page
    always.update(set(template.tagger) - _of_objects(extraction_map))
    return Expected(frozenset(always), known, int(usual * NEXT_TO_NOTHING), _usual(founded) - required, main)


def _founded_now(template: Template) -> list[Rule]:
    """Return the rules that state their support, as far as they were learned on the same pages as the first of a field.

    Those behind it that were kept from before, when a map was refined or repaired, say what pages were like then.
    """
    founded = [rule for rule in template.rules if rule.support is not None]
    sampled: dict[str, int] = {}
    return [
        rule
        for rule in founded
        if rule.support is not None and rule.support.sampled == sampled.setdefault(rule.field, rule.support.sampled)
    ]


def _listed(template: Template, domain: Domain) -> frozenset[str]:
    """Return the fields of a template that reads nothing but entries of lists; without them its pages are not read."""
    fields = frozenset(rule.field for rule in template.rules)
    return fields if fields and fields <= frozenset(domain.fields_of_kind(kinds.ITEMS)) else frozenset()


def _covers(rules: Sequence[Rule], field: str) -> bool:
    """Tell whether the rules of a field, put together, gave a value on as many pages as were sampled."""
    supports = [rule.support for rule in rules if rule.field == field and rule.support is not None]
    return bool(supports) and sum(support.found for support in supports) >= supports[0].sampled >= _ENOUGH_PAGES


def _usual(founded: Sequence[Rule]) -> frozenset[str]:
    """Return the fields that nearly all of enough sampled pages have."""
    found: Counter[str] = Counter()
    sampled: Counter[str] = Counter()
    for rule in founded:
        if rule.support is not None:
            found[rule.field] = max(found[rule.field], rule.support.found)
            sampled[rule.field] = max(sampled[rule.field], rule.support.sampled)
    enough = (name for name, pages in sampled.items() if pages >= _MANY_PAGES)
    return frozenset(name for name in enough if found[name] >= _NEARLY_ALL * sampled[name])
