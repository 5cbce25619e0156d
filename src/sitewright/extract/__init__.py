"""ExtractionMap and Document in, Record out."""

from sitewright.extract.extractor import Extractor, extract
from sitewright.extract.parsers import PARSERS

__all__ = ["PARSERS", "Extractor", "extract"]
