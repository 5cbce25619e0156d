"""number.v1: one number, as rows and columns can hold it."""

import re

from sitewright.values.value import Context, Parsed, Taken, string_of

_NUMBER = re.compile(r"\d+(?:[ .,\u00a0]\d{3})+(?!\d)|\d+(?:[.,]\d+)?")
_GROUPED = re.compile(r"[ .,\u00a0](?=\d{3}(?:\D|$))")
_LONGEST = 200


def parse_number(item: Taken, _: Context) -> Parsed | None:
    """Read the first number: whole ones as integers, others with a point."""
    text = string_of(item)
    found = _NUMBER.search(text) if len(text) <= _LONGEST else None
    return Parsed(_number(found[0])) if found is not None else None


def _number(text: str) -> int | float:
    """Return a written number; three digits behind a separator are thousands.

    >>> _number("1,234"), _number("4,5"), _number("4.0")
    (1234, 4.5, 4.0)
    """
    plain = _GROUPED.sub("", text).replace(",", ".")
    return float(plain) if "." in plain else int(plain)
