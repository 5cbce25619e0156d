"""A value of a record in, how it is shown on a line out."""

from typing import Any

from sitewright.values.words import short

_LONGEST = 300
"""Of a value that is shown, in characters."""


def shown_value(value: Any) -> str:
    """Return a value as it is shown.

    >>> shown_value(["Ann", "Lee"]), shown_value({"amount": 5, "currency": "EUR"}), shown_value(None)
    ('Ann · Lee', '5 EUR', '')
    """
    if value is None:
        return ""
    if isinstance(value, list):
        return short(" · ".join(map(shown_value, value)), _LONGEST)
    if isinstance(value, dict):
        return short(" ".join(shown_value(one) for one in value.values() if one), _LONGEST)
    return short(str(value), _LONGEST)
