"""Stored pages of a site in, its map out: pages are tagged in worker processes, rules are learned in this one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from sitewright.batch.extract import failure_of, open_tagger, work_on
from sitewright.batch.pool import BATCH_BYTES
from sitewright.errors import PageError
from sitewright.extract import Extractor
from sitewright.fetch import Place
from sitewright.induce import Example, Learned, learn_map
from sitewright.parse import Document, parse
from sitewright.tag import PageReader
from sitewright.types import DEFAULT_DOMAIN, ExtractionMap, Failure, Limits, Record, TaggedPage


class Tagged(NamedTuple):
    """A page that was tagged, or why it was not."""

    place: Place
    page: TaggedPage | None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TagJob:
    """Tags pages of a domain."""

    domain: str = DEFAULT_DOMAIN
    limits: Limits = field(default_factory=Limits)
    tagger: str = "network"
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def start(self) -> Callable[[Place], Tagged]:
        """Load the tagger and return the function that tags one page."""
        reader = PageReader(self.domain, open_tagger(self.tagger, self.domain))

        def tag(place: Place) -> Tagged:
            def read(document: Document) -> Tagged:
                return Tagged(place, reader.read(document, self.now).tagged)

            return work_on(place, self.limits, read, lambda failure: Tagged(place, None, failure))

        return tag

    def weigh(self, task: Place) -> int:  # noqa: ARG002 -- the interface's
        """Return a batch's worth: a page takes long enough to travel alone."""
        return BATCH_BYTES

    def fail(self, task: Place, error: PageError) -> Tagged:
        """Return the page that killed its worker or ran out of time."""
        return Tagged(task, None, failure_of(task, error))


def learn_from(
    tagged: Iterable[Tagged], limits: Limits, domain: str, examples: Mapping[str, Example], now: datetime | None = None
) -> Learned:
    """Learn a map from tagged pages; those that failed are left out."""
    pages = list(_documents(tagged, limits))
    return learn_map(pages, domain, now, examples)


def _documents(tagged: Iterable[Tagged], limits: Limits) -> Iterator[tuple[Document, TaggedPage]]:
    """Parse the tagged pages once more: trees do not travel between processes."""
    for place, page, _ in tagged:
        if page is not None:
            yield parse(place.load(), limits), page


def read_samples(learned: Learned, extraction_map: ExtractionMap) -> list[Record]:
    """Read the sampled pages with a map."""
    extractor = Extractor(extraction_map)
    return [extractor.extract(sample.document, sample.context.now) for sample in learned.samples]


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
