"""The links of a site and which of them are articles in, those that lead to its sections out.

An address that articles' addresses begin with is that of a section, and so is a host on which articles lie. What
stands in one list with several such links, and is no article, is a section as well.
"""

from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from sitewright.links.evidence import LinkFacts, SiteLinks, beginnings
from sitewright.parse import is_of_site

_SHARE = 0.3
"""Of the links of a list that are sections by their address; menus hold some that had no article that day."""
_LEAST = 2
"""The address of a single article may go on from that of anything, a story or its author."""
_MOST_SEGMENTS = 4
"""Folders deeper down are those of days and stories."""


def section_rows(site: SiteLinks, articles: NDArray[np.bool_]) -> frozenset[int]:
    """Return the numbers of the links that lead to sections."""
    known = {fact.page for fact in site.facts}
    stories = [site.facts[row].page for row in np.flatnonzero(articles)]
    begins = Counter(begin for story in stories for begin in beginnings(story) if begin in known)
    open_rows = [row for row, fact in enumerate(site.facts) if not articles[row] and _could_be_section(site, fact)]
    sure = {row for row in open_rows if begins[site.facts[row].page] >= _LEAST}
    lists: dict[str, list[int]] = defaultdict(list)
    for row in open_rows:
        lists[site.facts[row].signature].append(row)
    alike = {
        row
        for rows in lists.values()
        if len(sure.intersection(rows)) >= max(_LEAST, _SHARE * len(rows))
        for row in rows
    }
    return frozenset(sure | alike)


def _could_be_section(site: SiteLinks, fact: LinkFacts) -> bool:
    address = fact.address
    own = is_of_site(address.host, site.site)
    home = not address.segments and address.host == site.host
    return own and not home and len(address.segments) <= _MOST_SEGMENTS and not address.parameters
