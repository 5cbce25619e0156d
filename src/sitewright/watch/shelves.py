"""A list of a site that is walked and what was read of it in, out the lists below it and its next page, each once."""

from collections.abc import Collection, Iterator, Sequence

from sitewright.links.addresses import same_page
from sitewright.links.places import is_view
from sitewright.parse import clean_url, signature
from sitewright.reading.index import IndexRead
from sitewright.store.entries import WatchedPage
from sitewright.store.states import SourceState
from sitewright.types import LIST
from sitewright.watch.links import LinkRules
from sitewright.watch.traps import Traps

MOST = 20_000
"""Lists of one site, with all their pages: a shop of two million products at a hundred a page."""
DEEPEST = 8
"""Levels of lists; no shop of the corpora has more than five."""
_LIST, _FURTHER = 2, 1
"""Weights: of the first page of a list, of its others."""


class Shelves:
    """The lists of one site through a visit."""

    def __init__(self, site: str, rules: LinkRules, sources: Sequence[WatchedPage], within: Collection[str]) -> None:
        self._site = site
        self._rules = rules
        self._within = [name.casefold() for name in within]
        self._known = {signature(source.url) for source in sources}
        self._listed = {source.url: frozenset(source.state.listed) for source in sources}

    def trail(self, source: WatchedPage, read: IndexRead) -> tuple[str, ...]:
        """Return the names that lead to a list: those that it displays, else those by which it was found."""
        return read.trail or source.state.trail

    def wants(self, trail: Sequence[str]) -> bool:
        """Tell whether the items of a list are wanted, by the names that lead to it.

        >>> shelves = Shelves("example.com", LinkRules("example.com"), [], ["garden"])
        >>> shelves.wants(("Garden", "Tools")), shelves.wants(("Kitchen",))
        (True, False)
        """
        return not self._within or any(name.casefold() in self._within for name in trail)

    def below(
        self, source: WatchedPage, read: IndexRead, listed: frozenset[str], traps: Traps, now: float
    ) -> list[WatchedPage]:
        """Return the lists that a list leads to and that are not known yet; those that look endless are left out."""
        trail = self.trail(source, read)
        found = [*self._lists(source, read, trail, traps, now)]
        if (following := self._next(source, read, listed, trail)) is not None:
            found.append(following)
        self._listed[source.url] = listed
        return found[: max(0, MOST - len(self._known))]

    def _lists(
        self, source: WatchedPage, read: IndexRead, trail: tuple[str, ...], traps: Traps, now: float
    ) -> Iterator[WatchedPage]:
        for link in read.links.links:
            if link.role != LIST or self._rules.refusal(link.url) or is_view(link.url, source.url):
                continue
            url = clean_url(link.url)
            names = read.places.get(same_page(link.url), ()) or ((link.text,) if link.text else ())
            own = names if len(names) > 1 or not trail or not source.state.found_on else (*trail, *names)
            if signature(url) in self._known or len(own) > DEEPEST or traps.refusal(url, now):
                continue
            self._known.add(signature(url))
            state = SourceState(trail=own, found_on=source.url)
            yield WatchedPage(site=self._site, url=url, weight=_LIST, state=state)

    def _next(
        self, source: WatchedPage, read: IndexRead, listed: frozenset[str], trail: tuple[str, ...]
    ) -> WatchedPage | None:
        """Return the next page of a list, unless this one shows nothing that the page before it did not."""
        url = clean_url(read.next) if read.next else ""
        is_over = not listed or listed <= self._listed.get(source.state.found_on, frozenset())
        is_over = (is_over and bool(source.state.turned)) or not listed
        if not url or is_over or self._rules.refusal(url) or signature(url) in self._known or not self.wants(trail):
            return None
        self._known.add(signature(url))
        state = SourceState(trail=trail, found_on=source.url, turned=source.state.turned + 1)
        return WatchedPage(site=self._site, url=url, weight=_FURTHER, state=state)
