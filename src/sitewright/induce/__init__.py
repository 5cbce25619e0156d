"""Tagged pages of one site in, ExtractionMap out."""

from sitewright.induce.examples import Example, example_of
from sitewright.induce.learn import Learned, learn_map, learn_samples, usable_pages
from sitewright.induce.sample import Sample

__all__ = [
    "Example",
    "Learned",
    "Sample",
    "example_of",
    "learn_map",
    "learn_samples",
    "usable_pages",
]
