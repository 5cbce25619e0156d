"""The links of an index page and what is believed of each in, the same with the list of a plain page taken as one out.

Titles of a few words, one below the other, with a heading, a date or a paragraph each, are what diaries and small
blogs have. Word for word such titles look like names of sections, so that some would be taken and others not; but where
a page lists less beside them than they are themselves, they are its stories.
"""

import numpy as np
from numpy.typing import NDArray

from sitewright.links.bags import Floats
from sitewright.links.evidence import SiteLinks

_SIGNS = {"heading at most": 1.5, "dated at most": 0.5, "told at most": 0.5}
"""What an entry of such a list has, one of these: it is in a heading, has a date, or a paragraph of its own."""
_OUTSIDE = ("in nav", "in footer", "in aside")
_MOSTLY = 0.5
_LEAST = 5
"""So many links make a list."""
_LIKE_HEADLINES = 0.3
"""How much of headlines the texts are on average: entries of menus have less than a tenth."""
_BELIEVED = 0.1
"""How likely the links are on average. On none of the 18 front pages of folds 1 to 4 that have such a list do these
bounds change anything: what these list is believed."""
_TAKEN = 0.6
"""What is believed of each then, if not more."""


def with_plain_list(site: SiteLinks, probabilities: Floats, taken_from: float) -> Floats:
    """Return the probabilities, those of the page's longest list raised where the page seems to list less beside it."""
    rows = _longest_list(site)
    if not len(rows) or float(probabilities[rows].mean()) < _BELIEVED:
        return probabilities
    others = int((np.delete(probabilities, rows) >= taken_from).sum())
    if others >= len(rows):
        return probabilities
    raised = probabilities.copy()
    raised[rows] = np.maximum(raised[rows], np.float32(_TAKEN))
    return raised


def _longest_list(site: SiteLinks) -> NDArray[np.intp]:
    """Return the links of the longest list whose entries are more than links; none where there is none."""
    lists: dict[str, list[int]] = {}
    for row in np.flatnonzero(_may_be_entries(site)).tolist():
        lists.setdefault(site.facts[row].signature, []).append(row)
    longest = max(lists.values(), key=len, default=[])
    rows = np.array(longest, dtype=np.intp)
    texts = {site.facts[row].text for row in longest}
    if len(texts) < max(_LEAST, len(longest)) or float(site.headlines[rows].mean()) < _LIKE_HEADLINES:
        return rows[:0]
    return rows


def _may_be_entries(site: SiteLinks) -> NDArray[np.bool_]:
    """Return which links have a sign of a story, stand outside of menus, and lead to pages of the site."""
    signed = np.any([site.column(name) > least for name, least in _SIGNS.items()], axis=0)
    outside = np.all([site.column(zone) < _MOSTLY for zone in _OUTSIDE], axis=0)
    fits: NDArray[np.bool_] = signed & outside & (site.column("own site") > _MOSTLY)
    return fits
