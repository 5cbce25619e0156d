"""code.v1 and gtin.v1: the numbers of things, without the labels beside them."""

import re

from sitewright.values.value import Context, Parsed, Taken, string_of

_LABELLED = re.compile(r"^[^:：№]{0,40}[:：№]\s*(?=\S)")
_HASH = re.compile(r"^[^#\d]{0,30}#\s*(?=\w)")
_LONGEST = 60
_DIGITS = re.compile(r"(?<![\d-])\d[\d -]{6,20}\d(?![\d-])|(?<![\d-])\d[\d -]{7,14}X(?!\w)", re.IGNORECASE)
_LENGTHS = frozenset({8, 12, 13, 14})


def parse_code(item: Taken, _: Context) -> Parsed | None:
    """Read the number of a thing as it is written ("SKU: AB-12" is AB-12)."""
    text = _HASH.sub("", _LABELLED.sub("", string_of(item))).strip(" .,:;()[]")
    return Parsed(text) if 0 < len(text) <= _LONGEST and any(map(str.isalnum, text)) else None


def parse_gtin(item: Taken, _: Context) -> Parsed | None:
    """Read a GTIN (EAN, UPC, ISBN): digits alone, where the last one checks."""
    for found in _DIGITS.finditer(string_of(item)[:200]):
        digits = re.sub(r"[ -]", "", found[0])
        if is_gtin(digits):
            return Parsed(digits)
    return None


def is_gtin(digits: str) -> bool:
    """Tell whether the last digit of a number checks, and its length is that of a GTIN.

    >>> is_gtin("4006381333931"), is_gtin("4006381333932"), is_gtin("036000291452")
    (True, False, True)
    """
    if len(digits) not in _LENGTHS or not digits.isascii() or not digits.isdigit() or not int(digits):
        return False
    weighed = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(reversed(digits)))
    return weighed % 10 == 0
