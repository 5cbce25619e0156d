"""What pages only state, left out: of maps the rules that read metadata, of records what the tagger found there alone.

Only fields count whose domain keeps the two apart (`stated: apart`).
"""

import re
from dataclasses import replace
from functools import lru_cache

from sitewright.domains import load_domain
from sitewright.maps.rules import named_rules
from sitewright.reading.mapped import MapReader
from sitewright.tag.reader import ONLY_STATED
from sitewright.types import ExtractionMap, Record, Rule

_OF_METADATA = re.compile(
    r"(?:^|[\s>+~/])(?:meta|title|script)(?:\[[^\]]*\]|[.:#][\w-]+)*(?:/@[\w-]+|/text\(\))?$", re.IGNORECASE
)
"""A selector whose last part is an element that no browser displays."""
_MOST_READERS = 16


def stating_rules(extraction_map: ExtractionMap) -> frozenset[str]:
    """Return the names of a map's rules that read metadata, of fields that keep apart what is only stated."""
    apart = _apart(extraction_map.domain)
    named = (pair for template in extraction_map.templates for pair in named_rules(template))
    return frozenset(str(name) for name, rule in named if rule.field in apart and reads_metadata(rule))


def reads_metadata(rule: Rule) -> bool:
    """Tell whether a rule reads nothing that is displayed.

    >>> rules = Rule(field="a", take="jsonld:Article.author"), Rule(field="a", select=('meta[name="author"]',))
    >>> [reads_metadata(rule) for rule in (*rules, Rule(field="a", select=(".byline",)))]
    [True, True, False]
    """
    return rule.take.startswith("jsonld:") or (bool(rule.select) and all(map(_is_of_metadata, rule.select)))


def _is_of_metadata(selector: str) -> bool:
    return _OF_METADATA.search(selector.strip()) is not None


def displayed(record: Record) -> Record:
    """Return a record without the values that the tagger found in metadata alone."""
    apart = _apart(record.domain)
    gone = {name for name, value in record.fields.items() if name in apart and ONLY_STATED in value.rule}
    if not gone:
        return record
    return replace(record, fields={name: value for name, value in record.fields.items() if name not in gone})


@lru_cache(maxsize=_MOST_READERS)
def displaying_reader(extraction_map: ExtractionMap) -> MapReader:
    """Return a map compiled without the rules that read metadata; the last ones are remembered."""
    return MapReader(extraction_map, skipped=stating_rules(extraction_map))


def _apart(domain: str) -> frozenset[str]:
    return frozenset(name for name, spec in load_domain(domain).fields.items() if spec.stated == "apart")
