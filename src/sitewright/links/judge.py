"""Index pages of a site in, a decision for each of their links out: article or not, how sure, and why."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import DEFAULT_DOMAIN, load_domain
from sitewright.links.addresses import Address, same_page
from sitewright.links.bags import Floats
from sitewright.links.evidence import SiteLinks
from sitewright.links.model import LinkModel
from sitewright.links.page import PageLinks
from sitewright.links.patterns import Pattern, selector_of, shared_pattern
from sitewright.links.plain_lists import with_plain_list
from sitewright.links.reasons import Reasons
from sitewright.links.sections import section_rows
from sitewright.parse import is_of_site
from sitewright.types import LIST, NEXT, OTHER, Link, LinkSet, Role

ARTICLE = 0.5
"""From this probability on a link counts as one to an item: on sites that the model had not seen (folds 1 and 2,
crosswise), precision and recall are about the same there, with addresses that tell and without (.94, .97; .94, .93)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The decisions about the links of a site, and what they rest on."""

    site: SiteLinks
    probabilities: Floats
    links: dict[str, Link]
    """By the page that they lead to."""
    on_itself: dict[str, Link]
    """Those to index pages, as they are told on the page that they lead to."""
    clusters: dict[str, str]
    """The selector of the cluster that each link is in; missing where it is in none."""

    def sets(self) -> list[LinkSet]:
        """Return the links of each page, in the page's order."""
        return [
            LinkSet(url=page.url, time=page.time, links=tuple(self._on(page, link) for link in page.pages))
            for page in self.site.pages
        ]

    def _on(self, page: PageLinks, link: str) -> Link:
        if page.next and link == same_page(page.next):
            return replace(self.links[link], role=NEXT, reason="leads to the next page")
        return self.on_itself[link] if link == same_page(page.url) else self.links[link]


def judge(pages: Sequence[PageLinks], model: LinkModel, domain: str = DEFAULT_DOMAIN) -> Judged:
    """Judge the links of index pages of one site; several snapshots of a page make a time series."""
    site = SiteLinks(pages)
    believed = with_plain_list(site, model.with_time(site, model.from_page(site)), ARTICLE)
    probabilities = np.where(excluded(site), np.float32(0), believed)
    clusters = _cluster_selectors(site)
    reasons = Reasons(site, clusters)
    roles = _roles(site, probabilities >= ARTICLE, load_domain(domain).item.kind)
    links = {
        fact.page: Link(
            url=fact.href,
            text=fact.text,
            role=role,
            score=round(float(probabilities[row]), 4),
            reason=reasons.of(row),
        )
        for row, (fact, role) in enumerate(zip(site.facts, roles, strict=True))
    }
    own = [(row, site.facts[row].page) for row in np.flatnonzero(site.column("own page") > 0).tolist()]
    on_itself = {page: replace(links[page], reason=reasons.of(row, on_itself=True)) for row, page in own}
    return Judged(site, probabilities, links, on_itself, clusters)


def _roles(site: SiteLinks, items: NDArray[np.bool_], item: Role) -> list[Role]:
    sections = section_rows(site, items)
    return [item if is_item else LIST if row in sections else OTHER for row, is_item in enumerate(items)]


def excluded(site: SiteLinks) -> NDArray[np.bool_]:
    """Return which links are no articles whatever is written on them: adverts, files, links to the index pages."""
    others = np.array([fact.address.file or _is_advert(fact.address, site) for fact in site.facts], dtype=bool)
    result: NDArray[np.bool_] = (site.column("own page") > 0) | (site.column("paid") > 0.5) | others
    return result


def _is_advert(address: Address, site: SiteLinks) -> bool:
    return address.advert and not is_of_site(address.host, site.site)


def _cluster_selectors(site: SiteLinks) -> dict[str, str]:
    """Return for each link the selector of what its cluster has in common, where there is anything."""
    patterns: dict[int, Counter[Pattern]] = {}
    members: dict[str, int] = {}
    for fact in site.facts:
        if (number := site.clusters.get(fact.pattern)) is not None:
            patterns.setdefault(number, Counter())[fact.pattern] += 1
            members[fact.page] = number
    selectors = {number: selector_of(shared_pattern(own)) for number, own in patterns.items()}
    return {page: selectors[number] for page, number in members.items() if selectors[number]}
