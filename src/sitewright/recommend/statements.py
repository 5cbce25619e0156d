"""The name of a table in, the SQL that makes it out: one file a table, the same for all engines."""

from functools import cache
from importlib.resources import files
from string import Formatter

LIMITS = {
    "robot_reads_an_hour": 200,  # the keenest of 161,000 readers of globo opened 46 in an hour
    "longest_history": 500,  # 939 is the longest of globo, 319 that of one reader in ten thousand
    "followed_items": 1000,  # globo has some 250 live items, and 500 that anybody opened in the last hour
}
"""Bounds that statements share: what a robot is, and how much of anybody is looked at."""


@cache
def text_of(name: str) -> str:
    """Return a statement as it stands in its file."""
    return files("sitewright.recommend").joinpath("sql", f"{name}.sql").read_text("utf-8")


def statement(name: str, **values: float | str) -> str:
    """Return a statement with its values put in; each that it names must be given.

    >>> statement("clicks", at=1500)[-20:-1]
    '= 0 and time < 1500'
    """
    return text_of(name).format(**LIMITS, **values)


def names_in(name: str) -> set[str]:
    """Return the values that a statement asks for, bounds aside."""
    return {field for _, field, _, _ in Formatter().parse(text_of(name)) if field} - LIMITS.keys()
