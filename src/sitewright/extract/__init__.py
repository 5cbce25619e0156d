"""ExtractionMap and Document in, Record out."""

from sitewright.extract.extractor import Extractor, extract

__all__ = ["Extractor", "extract"]
