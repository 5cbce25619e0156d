"""What is known of a link in, the reason for its decision out, in words."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from sitewright.links.addresses import Address
from sitewright.links.bags import Floats
from sitewright.links.evidence import COLUMNS, SiteLinks
from sitewright.links.lifetimes import Lifetime

_COLUMN = {name: number for number, name in enumerate(COLUMNS)}
_ZONES = ("nav", "header", "footer", "aside")
_HEADLINE = 0.5
"""From here on the classifier takes a text rather for a headline than for anything else."""
_MANY_ALIKE = 3
"""Of fewer links of one shape, the share of headlines would say no more than the links themselves."""
_DAYS_FROM = 72
"""From so many hours on a life is told in days."""


class Reasons:
    """Says in words what speaks for or against the links of a site."""

    def __init__(self, site: SiteLinks, selectors: Mapping[str, str]) -> None:
        """Take the links, and the selectors of the clusters that they are in."""
        self._site = site
        self._selectors = selectors
        self._sizes = Counter(site.clusters.get(fact.pattern) for fact in site.facts)

    def of(self, row: int, *, on_itself: bool = False) -> str:
        """Return the reason of a link; `on_itself` where it stands on the page that it leads to."""
        fact, known = self._site.facts[row], self._site.table[row]
        parts = [
            self._of_text(row),
            self._of_cluster(row),
            _of_place(known),
            "this page itself" if on_itself else _of_address(known, fact.address),
            _of_life(fact.lifetime) if fact.lifetime is not None else "",
        ]
        return "; ".join(filter(None, parts))

    def _of_text(self, row: int) -> str:
        if not self._site.facts[row].text:
            return "no text"
        if self._site.table[row, _COLUMN["words from generic"]] > 0.5:
            return "text that stands on many links"
        probability = self._site.headlines[row]
        return f"{'headline' if probability >= _HEADLINE else 'other'} text {probability:.2f}"

    def _of_cluster(self, row: int) -> str:
        fact = self._site.facts[row]
        selector = self._selectors.get(fact.page, "")
        links = self._sizes[self._site.clusters.get(fact.pattern)]
        return f"in cluster {selector} ({links:,} links)" if selector else ""


# The columns of a link are means over the pages that it is on: what most of them say is told.


def _of_place(row: Floats) -> str:
    zones = [zone for zone in _ZONES if row[_COLUMN[f"in {zone}"]] > 0.5]
    heading = row[_COLUMN["heading at most"]] > 1.5
    return ", ".join([*(f"in {zone}" for zone in zones), *(["in a heading"] if heading else [])])


def _of_address(row: Floats, address: Address) -> str:
    never = (
        (row[_COLUMN["own page"]] > 0, "an index page of this run"),
        (row[_COLUMN["paid"]] > 0.5, "paid for"),
        (address.file, "a file"),
        (row[_COLUMN["own site"]] < 0.5, "an advertisement" if address.advert else "another site"),
    )
    return next((said for holds, said in never if holds), "") or _of_likes(row, address)


def _of_likes(row: Floats, address: Address) -> str:
    begins = _count(row, "begins others")
    if begins:
        return f"{begins:,} other {'address begins' if begins == 1 else 'addresses begin'} with its address"
    alike = _count(row, "links of shape")
    if alike >= _MANY_ALIKE and address.shape:
        texts = row[_COLUMN["texts of shape"]]
        return f"address like {alike - 1:,} others (/{address.shape}), whose texts are {texts:.0%} headlines"
    return ""


def _count(row: Floats, name: str) -> int:
    """Return the number that a column has the logarithm of."""
    return round(float(np.expm1(row[_COLUMN[name]])))


def _of_life(life: Lifetime) -> str:
    """Say how long a link stood.

    >>> _of_life(Lifetime(9.2, came=True, gone=True, snapshots=4)), _of_life(Lifetime(400, False, False, 9))
    ('gone after 9 h', 'there for 17 days and still')
    """
    hours = life.seen_hours
    lasted = f"{hours:.0f} h" if hours < _DAYS_FROM else f"{hours / 24:.0f} days"
    if life.snapshots == 1:
        return "seen once" + ", then gone" * life.gone
    return f"gone after {lasted}" if life.gone else f"there for {lasted} and still"
