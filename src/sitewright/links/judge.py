"""Index pages of a site in, a decision for each of their links out: article or not, how sure, and why."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitewright.links.addresses import Address
from sitewright.links.bags import Floats
from sitewright.links.evidence import COLUMNS, LinkFacts, SiteLinks
from sitewright.links.lifetimes import Lifetime
from sitewright.links.model import LinkModel
from sitewright.links.page import PageLinks
from sitewright.links.patterns import Pattern, selector_of, shared_pattern
from sitewright.links.sections import section_rows
from sitewright.parse import is_of_site
from sitewright.types import Link, LinkSet, Role

ARTICLE = 0.7
"""From this probability on a link counts as one to an article: on sites that the model had not seen (folds 1 and 2,
crosswise), precision and recall are the same there, of single pages (.95, .96) and of series (.99, .98)."""
_COLUMN = {name: number for number, name in enumerate(COLUMNS)}
_ZONES = ("nav", "header", "footer", "aside")
_MANY_ALIKE = 3


@dataclass(frozen=True, slots=True)
class Judged:
    """The decisions about the links of a site, and what they rest on."""

    site: SiteLinks
    probabilities: Floats
    links: dict[str, Link]
    """By the page that they lead to."""
    clusters: dict[str, str]
    """The selector of the cluster that each link is in; missing where it is in none."""

    def sets(self) -> list[LinkSet]:
        """Return the links of each page, in the page's order."""
        return [
            LinkSet(url=page.url, time=page.time, links=tuple(self._on(page, link) for link in page.pages))
            for page in self.site.pages
        ]

    def _on(self, page: PageLinks, link: str) -> Link:
        found = self.links[link]
        if page.next and link == _plain(page.next):
            return Link(url=found.url, text=found.text, role="next", score=found.score, reason="leads to the next page")
        return found


def judge(pages: Sequence[PageLinks], model: LinkModel) -> Judged:
    """Judge the links of index pages of one site; several snapshots of a page make a time series."""
    site = SiteLinks(pages)
    alone = model.from_page(site)
    probabilities = np.where(_excluded(site), np.float32(0), model.with_time(site, alone))
    articles = probabilities >= ARTICLE
    sections = section_rows(site, articles)
    named = _cluster_selectors(site)
    sizes = Counter(site.clusters.get(fact.pattern) for fact in site.facts)
    links: dict[str, Link] = {}
    clusters: dict[str, str] = {}
    for row, fact in enumerate(site.facts):
        role: Role = "article" if articles[row] else "list" if row in sections else "other"
        number = site.clusters.get(fact.pattern)
        selector = named.get(number, "") if number is not None else ""
        if selector:
            clusters[fact.page] = selector
        reason = _reason(site.table[row], fact, selector, sizes[number])
        score = round(float(probabilities[row]), 4)
        links[fact.page] = Link(url=fact.href, text=fact.text, role=role, score=score, reason=reason)
    return Judged(site, probabilities, links, clusters)


def _excluded(site: SiteLinks) -> NDArray[np.bool_]:
    """Return which links are no articles whatever is written on them: adverts, and links to the index pages."""
    own, paid = site.table[:, _COLUMN["own page"]] > 0, site.table[:, _COLUMN["paid"]] > 0.5
    adverts = np.array([_is_advert(fact.address, site) for fact in site.facts], dtype=bool)
    result: NDArray[np.bool_] = own | paid | adverts
    return result


def _is_advert(address: Address, site: SiteLinks) -> bool:
    return address.advert and not is_of_site(address.host, site.site)


def _plain(url: str) -> str:
    return url.partition("#")[0].rstrip("/")


def _cluster_selectors(site: SiteLinks) -> dict[int, str]:
    """Return the selector of what each cluster has in common."""
    patterns: dict[int, Counter[Pattern]] = {}
    for fact in site.facts:
        if (number := site.clusters.get(fact.pattern)) is not None:
            patterns.setdefault(number, Counter())[fact.pattern] += 1
    return {number: selector_of(shared_pattern(own)) for number, own in patterns.items()}


def _reason(row: Floats, fact: LinkFacts, selector: str, alike: int) -> str:
    """Say in words what speaks for or against a link."""
    parts = [
        _text_reason(row, fact),
        f"in cluster {selector} ({alike:,} links)" if selector else "",
        _place_reason(row),
        _address_reason(row, fact.address),
        _life_reason(fact.lifetime) if fact.lifetime is not None else "",
    ]
    return "; ".join(filter(None, parts))


def _text_reason(row: Floats, fact: LinkFacts) -> str:
    if not fact.text:
        return "no text"
    if row[_COLUMN["words from generic"]] > 0.5:
        return "text that stands on many links"
    probability = 1 / (1 + np.exp(-row[_COLUMN["text"]]))
    return f"{'headline' if probability >= 0.5 else 'other'} text {probability:.2f}"


def _place_reason(row: Floats) -> str:
    zones = [zone for zone in _ZONES if row[_COLUMN[f"in {zone}"]] > 0.5]
    heading = row[_COLUMN["heading at most"]] > 1.5
    return ", ".join([*(f"in {zone}" for zone in zones), *(["in a heading"] if heading else [])])


def _address_reason(row: Floats, address: Address) -> str:
    if row[_COLUMN["own page"]] > 0:
        return "this page itself"
    if row[_COLUMN["paid"]] > 0.5:
        return "paid for"
    if row[_COLUMN["own site"]] < 0.5:
        return "an advertisement" if address.advert else "another site"
    begins = round(float(np.expm1(row[_COLUMN["begins others"]])))
    if begins:
        return f"{begins:,} other {'address begins' if begins == 1 else 'addresses begin'} with its address"
    alike = round(float(np.expm1(row[_COLUMN["links of shape"]])))
    texts = row[_COLUMN["texts of shape"]]
    if alike >= _MANY_ALIKE and address.shape:
        return f"address like {alike - 1:,} others (/{address.shape}), whose texts are {texts:.0%} headlines"
    return ""


def _life_reason(life: Lifetime) -> str:
    """Say how long a link stood.

    >>> _life_reason(Lifetime(9.2, came=True, gone=True, snapshots=4)), _life_reason(Lifetime(400, False, False, 9))
    ('gone after 9 h', 'there for 17 days and still')
    """
    hours = life.seen_hours
    lasted = f"{hours:.0f} h" if hours < 72 else f"{hours / 24:.0f} days"
    if life.snapshots == 1:
        return "seen once" + ", then gone" * life.gone
    return f"gone after {lasted}" if life.gone else f"there for {lasted} and still"
