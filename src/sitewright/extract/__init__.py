"""ExtractionMap and Document in, Record out."""

from sitewright.extract.extractor import Extractor, Trace, extract

__all__ = ["Extractor", "Trace", "extract"]
