"""A field and where a rule looks in, how much the names there speak for it or against it out."""

import re
from functools import lru_cache

_FOR = {
    "title": r"headline|title|h1",
    "subtitle": r"sub-?(?:title|headline)|description|standfirst|lead|lede|deck|summary|teaser|intro|chapo|vorspann",
    "published": r"publi[sc]|pub-?date|created|issued|datum|fecha|date(?!Modified)",
    "modified": r"modif|updat",
    "authors": r"author|byline|autor|auteur|writer|creator|journalist|redakt",
    "categories": r"section|categor|rubri|breadcrumb|channel|kicker|ressort",
    "tags": r"tag|keyword|topic|theme|label",
}
_AGAINST = {
    "title": r"site|alternat|keyword|name|breadcrumb|related",
    "subtitle": r"site|caption|image|related|keyword",
    "published": r"modif|updat|expire|valid|upload|related|comment|birth",
    "modified": r"publi[sc]|created|related|comment",
    "authors": r"app:|publisher|site|related|comment|image|photo|contributor|organi[sz]ation",
    "categories": r"tag|keyword|author|related|nav|menu|type",
    "tags": r"categor|section|author|related|nav|menu|breadcrumb|type",
}
_KEY = re.compile(r"\[(?:name|property|itemprop|class|rel|role)[*~^]?=")
"""The key of an attribute is not the name that it gives."""
FOR, AGAINST = -0.8, 1.5
"""What such names add to a draft's cost."""


@lru_cache(maxsize=50_000)
def affinity(field: str, where: str) -> float:
    """Return what a draft's cost changes by.

    >>> affinity("published", "NewsArticle.datePublished"), affinity("published", "NewsArticle.dateModified")
    (-0.8, 1.5)
    """
    change = 0.0
    where = _KEY.sub("[", where)
    if field in _FOR and re.search(_FOR[field], where, re.IGNORECASE):
        change += FOR
    if field in _AGAINST and re.search(_AGAINST[field], where, re.IGNORECASE):
        change += AGAINST
    return change if change <= 0 else AGAINST
