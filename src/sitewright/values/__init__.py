"""What a rule or a tagger took in, a value and how certain it is out: one module a kind of value."""

from sitewright.values.dates import load_zone
from sitewright.values.parsers import PARSERS
from sitewright.values.value import Context, Parsed, Parser, Taken, string_of
from sitewright.values.zones import page_context, zone_of_host

__all__ = ["PARSERS", "Context", "Parsed", "Parser", "Taken", "load_zone", "page_context", "string_of", "zone_of_host"]
