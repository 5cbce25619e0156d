"""The newest map of a site and those of its former designs in, a reader out that reads each page with the one it fits.

A map version reads the pages that it was made for: after a redesign old pages are still in the archive, and sites leave
old articles as they were. How well a map fits a page is told by which of its rules speak there: on pages that it was
learned from, the first rule of each field gave a value as often as its support says.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import lru_cache
from math import inf, log
from typing import NamedTuple

from sitewright.maps.rules import RuleName
from sitewright.parse import Document
from sitewright.reading.mapped import Doubt, MapReader, MapReading
from sitewright.types import ExtractionMap, Record, Support

MOST_READERS = 64
"""So many maps are kept compiled in each process."""
_CLEARLY = 1.0
"""A map fits a page clearly better where what its rules say there is so much likelier (a natural logarithm)."""
_ELSEWHERE = 0.25
"""How often a rule speaks on a page that was made for another map: some names stay, and some rules fit anything."""
_WRITTEN_BY_HAND = 0.9
"""How often a rule speaks that states no support."""


class Design(NamedTuple):
    """A former design of a site: the last map that was made for it, and what of this never read it."""

    map: ExtractionMap
    doubts: frozenset[Doubt] = frozenset()


class DesignReader:
    """Reads pages with the map of the design that they are in; where several fit as well, with the newest."""

    def __init__(
        self,
        extraction_map: ExtractionMap,
        doubts: Collection[Doubt] = (),
        former: Sequence[Design] = (),
    ) -> None:
        """Compile the maps; the rules of the newest one may be in doubt."""
        self.map = extraction_map
        self._readers = [MapReader(extraction_map, doubts), *(MapReader(*design) for design in former)]
        # What one of the maps does not read tells nothing of the others: the same fields are looked at of all.
        left_out = [doubt for design in former for doubt in design.doubts]
        self._surprises = [Surprise(known, left_out) for known in (extraction_map, *(design.map for design in former))]

    def read(self, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()) -> MapReading:
        """Read a page with the map that fits it."""
        if len(self._readers) == 1:
            return self._readers[0].read(document, now, fields)
        records = [reader.extractor.extract(document, now, fields) for reader in self._readers]
        surprises = [self._surprise(number, record, document) for number, record in enumerate(records)]
        best = min(range(len(records)), key=lambda number: surprises[number] + (_CLEARLY if number else 0.0))
        others = [surprise for number, surprise in enumerate(surprises) if number != best]
        is_clear = all(surprises[best] + _CLEARLY <= surprise for surprise in others)
        return self._readers[best].complete(records[best], document, now, fields)._replace(is_clear=is_clear)

    def looks_other(self, reading: MapReading) -> bool:
        """Tell whether a page has what is required and nothing else of what nearly all pages of its template have."""
        own = (reader for reader in self._readers if reader.map.version == reading.by_map.map_version)
        return next(own, self._readers[0]).looks_other(reading)

    def _surprise(self, number: int, record: Record, document: Document) -> float:
        """Return how ill a map fits a page; a former one that does not read what is required does not fit at all."""
        if number and not self._readers[number].reads_required(record, document.fetched_at):
            return inf
        return self._surprises[number].of(record)


class Surprise:
    """How surprising it is which rules of a map speak on a page.

    >>> from sitewright.types import Rule, Template, Value
    >>> rule = Rule(field="title", select=("h1",), support=Support(8, 8))
    >>> own = Surprise(ExtractionMap(site="a.com", templates=(Template(name="a", rules=(rule, rule)),)))
    >>> def read(**rules):
    ...     fields = {name: Value("x", 0.9, rule) for name, rule in rules.items()}
    ...     return Record(site="a.com", urls=("https://a.com/1",), template="a", fields=fields)
    >>> [round(own.of(record), 1) for record in (read(title="a/title#0"), read(title="a/title#1"), read())]
    [-1.3, 2.0, 2.0]
    """

    def __init__(self, extraction_map: ExtractionMap, doubts: Collection[Doubt] = ()) -> None:
        """Take on how often the first rule of each field speaks; of fields in doubt none is expected to."""
        doubted = {(doubt.template, doubt.field) for doubt in doubts}
        self._chances: dict[str, dict[str, float]] = {}
        for template in extraction_map.templates:
            own = self._chances.setdefault(template.name, {})
            for rule in template.rules:
                if (template.name, rule.field) not in doubted:
                    own.setdefault(rule.field, _chance(rule.support))

    def of(self, record: Record) -> float:
        """Return it for what the map alone read: the lower, the likelier the page was made for the map.

        Rules that speak count for a map, not only those that do not against it: one of few rules surprises nobody.
        """
        chances = self._chances.get(record.template)
        if not chances:
            return inf
        return sum(_unlikeliness(chance, happens=_speaks_first(record, field)) for field, chance in chances.items())


def _chance(support: Support | None) -> float:
    return (support.found + 1) / (support.sampled + 2) if support is not None else _WRITTEN_BY_HAND


def _speaks_first(record: Record, field: str) -> bool:
    """Tell whether a field was given by the first of its rules."""
    value = record.fields.get(field)
    name = RuleName.read(value.rule) if value is not None else None
    return name is not None and name.number == 0


def _unlikeliness(chance: float, *, happens: bool) -> float:
    """Return how much less likely something is than on a page of another design (a natural logarithm)."""
    return log(_ELSEWHERE / chance) if happens else log((1 - _ELSEWHERE) / (1 - chance))


@lru_cache(maxsize=MOST_READERS)
def design_reader(
    extraction_map: ExtractionMap,
    doubts: frozenset[Doubt] = frozenset(),
    former: tuple[Design, ...] = (),
) -> DesignReader:
    """Return maps compiled; the last ones are remembered."""
    return DesignReader(extraction_map, doubts, former)
