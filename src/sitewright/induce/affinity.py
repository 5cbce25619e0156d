"""A field's words and where a rule looks in, how much the names there speak for the field or against it out."""

import re
from functools import lru_cache

from sitewright.domains import FieldWords
from sitewright.parse.patterns import fits

_KEY = re.compile(r"\[(?:name|property|itemprop|class|rel|role)[*~^]?=")
"""The key of an attribute is not the name that it gives."""
FOR, AGAINST = -0.8, 1.5
"""What such names add to a draft's cost."""


@lru_cache(maxsize=50_000)
def affinity(words: FieldWords, where: str) -> float:
    """Return what a draft's cost changes by.

    >>> words = FieldWords(for_it="publi|date", against="modif")
    >>> affinity(words, "NewsArticle.datePublished"), affinity(words, "NewsArticle.dateModified")
    (-0.8, 1.5)
    """
    change = 0.0
    where = _KEY.sub("[", where)
    if words.for_it and fits(f"(?i){words.for_it}", where):
        change += FOR
    if words.against and fits(f"(?i){words.against}", where):
        change += AGAINST
    return change if change <= 0 else AGAINST
