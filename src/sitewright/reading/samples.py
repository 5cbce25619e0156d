"""A map and the pages that it was learned from in, what it reads of them out."""

from collections.abc import Iterable
from dataclasses import replace

from sitewright.extract import Extractor
from sitewright.induce import Sample
from sitewright.types import ExtractionMap, Record


def read_samples(extraction_map: ExtractionMap, samples: Iterable[Sample]) -> list[Record]:
    """Read sampled pages with a map."""
    extractor = Extractor(replace(extraction_map, min_confidence=()))  # rules are judged by what they give
    return [extractor.extract(sample.document, sample.context.now) for sample in samples]
