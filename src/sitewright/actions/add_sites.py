"""Addresses of sites in, the sites in the store out, due at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sitewright.actions.telling import Tell, nobody
from sitewright.domains import DEFAULT_DOMAIN, lasting_reference
from sitewright.errors import BadUrl
from sitewright.parse import signature
from sitewright.parse.sites import front_page, site_name
from sitewright.store.database import Store
from sitewright.store.entries import FoundLink, StoredSite, WatchedPage
from sitewright.store.states import SiteState
from sitewright.watch.links import LinkRules
from sitewright.watch.past import begin


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOptions:
    """What is wanted of a site."""

    domain: str = DEFAULT_DOMAIN
    """Of a site that is new."""
    seed: Sequence[str] = ()
    """Only links with one of these parts are followed; `re:…` is a regular expression. Empty: as it was."""
    banned: Sequence[str] = ()
    category: str = ""
    """What the stories are of, beside what their pages say; empty: as it was."""
    since: datetime | None = None
    """Fill in the past since then."""
    within: Sequence[str] = ()
    """Only items of categories of these names; empty: as it was."""
    max_age: timedelta | None = None
    """Leave out stories that are older; 0: none; None: as it was."""


def front_pages(urls: Sequence[str], refuse: Callable[[BadUrl], None] = nobody) -> dict[str, str]:
    """Return the front page of each site by the site's name.

    What is no address `refuse` is told; where all are so, or there is but one, that is an error.
    """
    fronts: dict[str, str] = {}
    for text in urls:
        try:
            url = front_page(text)
            fronts.setdefault(site_name(url), url)
        except BadUrl as error:
            if len(urls) == 1:
                raise
            refuse(error)
    if not fronts:
        raise BadUrl("none of these is the address of a site")
    return fronts


def add_site(
    store: Store, url: str, options: SiteOptions | None = None, *, title: str = "", tell: Tell = nobody
) -> str:
    """Put the site of a front page into the store, or have one that is there looked at now; return its name.

    Where a site is there under another address, `tell` is told.
    """
    wanted, name = options or SiteOptions(), site_name(url)
    known = store.site(name)
    if known is not None and not _is_watched(store, known, url):
        tell(other_address(name, known.url, url))
    LinkRules(name, seed=tuple(wanted.seed), banned=tuple(wanted.banned))  # refuses what is no expression
    store.add_site(name, url=url, domain=lasting_reference(wanted.domain))
    _remember(store, name, wanted, title)
    if not store.index_pages(name):
        store.put_index_pages([WatchedPage(site=name, url=url)])
    store.hasten(name)
    return name


def add_items(store: Store, urls: Sequence[str], options: SiteOptions) -> list[str]:
    """Have items be watched by their addresses; a site that is new is learned from them, and not walked.

    Returns the names of their sites. Items that are known are visited now.
    """
    by_site: dict[str, list[str]] = {}
    for url in urls:
        by_site.setdefault(site_name(url), []).append(url)
    for name, own in by_site.items():
        store.add_site(name, url=own[0], domain=lasting_reference(options.domain))
        store.add_links(name, [FoundLink(url) for url in own])
        store.offers.hasten(name, own)
        store.make_due(name)
    return list(by_site)


def other_address(name: str, watched: str, other: str) -> str:
    """Say that a site is watched from one address, so that another one of it is not."""
    again = f"to begin with that one: sitewright sites --remove {name}"
    return f"{name} is collected from {watched}, and not from {other}: a host is one site ({again})"


def _is_watched(store: Store, known: StoredSite, url: str) -> bool:
    places = {known.url, *(page.url for page in store.index_pages(known.name))}
    return signature(url) in set(map(signature, places))


def _remember(store: Store, name: str, wanted: SiteOptions, title: str) -> None:
    known = store.site(name)
    state = known.state if known is not None else SiteState()
    past = begin(wanted.since) if wanted.since is not None else state.past
    seed, banned = tuple(wanted.seed) or state.seed, tuple(wanted.banned) or state.banned
    any_age = wanted.since is not None  # who asks for the past wants old stories
    max_age = 0 if any_age else state.max_age
    if wanted.max_age is not None:
        max_age = round(wanted.max_age.total_seconds())
    known_as = title or state.title
    category = wanted.category or state.category
    within = tuple(wanted.within) or state.within
    told = replace(
        state,
        seed=seed,
        banned=banned,
        category=category,
        within=within,
        past=past,
        max_age=max_age,
        title=known_as,
    )
    store.save_site_state(name, told)
