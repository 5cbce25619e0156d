"""Tagged pages of a site in, its map out, with what a person should know about it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from sitewright.fetch import Place
from sitewright.induce import Example, Learned, learn_map
from sitewright.parse import Document, parse
from sitewright.reading.item import parsed
from sitewright.reading.learn_parts import with_parts
from sitewright.reading.samples import read_samples
from sitewright.reading.taggers import tagger_of
from sitewright.types import ExtractionMap, Failure, Limits, Page, Record, TaggedPage


class Tagged(NamedTuple):
    """A page that was tagged, or why it was not."""

    place: Place
    page: TaggedPage | None
    failure: Failure | None = None


def learn_from(
    tagged: Iterable[Tagged], limits: Limits, domain: str, examples: Mapping[str, Example], now: datetime | None = None
) -> Learned:
    """Learn a map from tagged pages; those that failed are left out."""
    pages = list(_documents(tagged, limits))
    return with_parts(learn_map(pages, domain, now, examples))


def _documents(tagged: Iterable[Tagged], limits: Limits) -> Iterator[tuple[Document, TaggedPage]]:
    """Parse the tagged pages once more: trees do not travel between processes."""
    for place, page, _ in tagged:
        if page is not None:
            yield parse(place.load(), limits), page


def heading_of(learned: Learned, extraction_map: ExtractionMap, records: Sequence[Record]) -> str:
    """Return what a person should know about a map."""
    total = len(records)
    fields = [f"{name} {sum(name in record.fields for record in records)}" for name in extraction_map.fields]
    when = extraction_map.learned_at.date().isoformat() if extraction_map.learned_at else ""
    sampled = max((rule.support.sampled for rule in extraction_map.rules if rule.support), default=total)
    begun = f"Learned from {total} pages on {when}."
    if sampled > total:
        begun = f"Learned from {sampled} pages, the last {total} of them on {when}."
    lines = [f"{begun} Pages of these {total} with each field: {', '.join(fields)}."]
    fragile = [rule.field for rule in extraction_map.rules if rule.fragile]
    if fragile:
        lines.append(f"Fragile (rests on positions or generated names): {', '.join(dict.fromkeys(fragile))}.")
    lines += [f"{warning[0].upper()}{warning[1:]}." for warning in learned.warnings]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapLearned:
    """A map, what to write above it, and what a person should know."""

    extraction_map: ExtractionMap
    heading: str
    warnings: Sequence[str]


def tag(limits: Limits, page: Page, domain: str) -> TaggedPage:
    """Tag a page to learn from; who asks has the page, so that it need not travel back."""
    return tagger_of(domain).read(parsed(limits, page)).tagged


def learn(
    limits: Limits, tagged: Sequence[Tagged], domain: str, examples: Mapping[str, Example] = MappingProxyType({})
) -> MapLearned:
    """Learn a map from tagged pages."""
    learned = learn_from(tagged, limits, domain, examples)
    heading = heading_of(learned, learned.extraction_map, read_samples(learned.extraction_map, learned.samples))
    return MapLearned(extraction_map=learned.extraction_map, heading=heading, warnings=learned.warnings)
