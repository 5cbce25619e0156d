"""Fields in, the colours of their outlines out (Okabe and Ito's, which people with any eyesight tell apart)."""

from collections.abc import Iterable

from sitewright.domains import kinds

_COLOURS = ("#0072b2", "#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00", "#999999")
_BY_MEANING = {"heading": 0, "summary": 1, "published": 2, "modified": 2, "main": 3}
_BY_KIND = {kinds.NAMES: 4, kinds.LIST: 5, kinds.IMAGES: 6, kinds.PRICE: 2}


def colours_of(fields: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Return the colours of fields, given what each means and what kind its values are; colour never stands alone.

    >>> colours_of([("headline", "heading", "line"), ("byline", "", "names")])
    {'headline': '#0072b2', 'byline': '#cc79a7'}
    """
    return {name: _COLOURS[_BY_MEANING.get(means, _BY_KIND.get(kind, 7))] for name, means, kind in fields}
