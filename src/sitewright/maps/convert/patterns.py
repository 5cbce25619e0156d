"""Regular expressions whose whole match is kept, to and from those whose first group is kept."""

import re

from sitewright.checking import pattern_error

_WHOLE_GROUP = re.compile(r"\((?!\?)(?P<inner>.*)\)", re.DOTALL)
_BACK_REFERENCE = re.compile(r"\\[1-9]|\(\?P=")


def whole_to_group(pattern: str) -> str:
    r"""Turn a pattern whose whole match counts into one whose first group counts; empty where there is none.

    >>> whole_to_group(r"\d+"), whole_to_group(r"(a|b)c"), whole_to_group(r"(a)\1"), whole_to_group("(")
    ('\\d+', '((a|b)c)', '', '')
    """
    if pattern_error(pattern):
        return ""
    if not re.compile(pattern).groups:
        return pattern
    return "" if _BACK_REFERENCE.search(pattern) else f"({pattern})"


def group_to_whole(pattern: str) -> str:
    r"""Turn a pattern whose first group counts into one whose whole match counts; empty where there is none.

    >>> group_to_whole(r"\d+"), group_to_whole(r"(\d+)"), group_to_whole(r"price (\d+)")
    ('\\d+', '\\d+', '')
    """
    if not pattern or pattern_error(pattern):
        return ""
    if not re.compile(pattern).groups:
        return pattern
    found = _WHOLE_GROUP.fullmatch(pattern)
    if found is None or _BACK_REFERENCE.search(pattern) or pattern_error(found["inner"]):
        return ""
    # "(a)|(b)" also starts and ends with brackets, but its inside "a)|(b" does not compile
    return found["inner"]


def with_group(pattern: str) -> str:
    r"""Return the pattern with a first group, the whole of it where it had none.

    >>> with_group(r"\d+"), with_group(r"price (\d+)")
    ('(\\d+)', 'price (\\d+)')
    """
    return pattern if re.compile(pattern).groups else f"({pattern})"
