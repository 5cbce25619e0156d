"""A unit in, the value it would give for a field out: tagging, decoding and training read units in this one way."""

import re

from sitewright.domains import FieldSpec, kinds
from sitewright.tag.units import Unit, UnitKind
from sitewright.values import Context, Parsed
from sitewright.values.authors import bare_byline, begins_with_by, is_newsroom, names_in
from sitewright.values.dates import parse_date
from sitewright.values.lists import bare_entry
from sitewright.values.updates import of_publication, of_update

_LONGEST_DATE = 160
_LONGEST_BYLINE = 200
_LONGEST_ENTRY = 80
_DIGIT = re.compile(r"\d")
_HAS_YEAR = re.compile(
    r"\d{4}|\d{1,2}\s*[./-]\s*\d{1,2}\s*[./-]\s*\d{2}|\d{1,2}\W{1,3}[^\W\d_]{3,}\W{1,3}\d{2}(?![\d:.h]|\s+[^\W\d_])"
)
_LONGEST_NAME = 40
_NO_NAME = re.compile(r"@|https?:|www\.|^(?:null|undefined|none|unknown|n/a)$", re.IGNORECASE)
_LONGEST_WHOLE = 70
_PEN_NAME = re.compile(r"[\w.-]{3,24}")


def moment_of(unit: Unit, context: Context, *, updated: bool = False) -> Parsed | None:
    """Return the moment that a unit names; of a line that names two, that of the publication or of the update."""
    stated = (element.attr("datetime") for element in reversed(unit.chain) if element.tag == "time")
    said_of = of_update if updated else of_publication
    text = next(filter(None, stated), "") or said_of(unit.text) or unit.text
    if len(text) > _LONGEST_DATE or not _DIGIT.search(text):
        return None
    if not _HAS_YEAR.search(text) and context.document.seen_at is None:
        return None  # "May 6", "3 hours ago": of which year or day, only the time of the fetch could tell
    return parse_date(text, context)


def names_of(unit: Unit) -> tuple[str, ...]:
    """Return the people that a unit names."""
    if len(unit.text) > _LONGEST_BYLINE:
        return ()
    found = names_in(unit.text) or _pen_names(unit.text)
    if found or unit.kind is UnitKind.RUN or len(unit.text) > _LONGEST_NAME:
        return found
    # "City desk": no person's name, but where nobody else is named, all that there is; so are pen names.
    if unit.kind is UnitKind.STATED:
        return () if _NO_NAME.search(unit.text) or is_newsroom(unit.text) else (unit.text,)
    return (unit.text,) if unit.linked and _PEN_NAME.fullmatch(unit.text) else ()


def _pen_names(line: str) -> tuple[str, ...]:
    """Return the name behind "by" where it is none that people are born with ("Posted by honeybee in News")."""
    if not begins_with_by(line):
        return ()
    found = _PEN_NAME.match(bare_byline(line))
    return (found[0],) if found is not None else ()


def byline_of(unit: Unit) -> str:
    """Return a short unit as it is written, without "by"; nothing where it has more in it than names."""
    if len(unit.text) > _LONGEST_WHOLE or _DIGIT.search(unit.text) or _NO_NAME.search(unit.text):
        return ""
    return bare_byline(unit.text)


def entries_of(unit: Unit, spec: FieldSpec) -> tuple[str, ...]:
    """Return the entries of a list that a unit holds: people, or what it says as a whole."""
    if spec.kind == kinds.NAMES:
        return names_of(unit)
    entry = entry_of(unit)
    return (entry,) if entry else ()


def entry_of(unit: Unit) -> str:
    """Return a unit as an entry of a list: without label and hash sign, nothing where it is too long for one."""
    entry = bare_entry(unit.text)
    return entry if len(entry) <= _LONGEST_ENTRY else ""
