"""Addresses of sites in, their records in a store out: learned on first sight, and collected for as long as wanted."""

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from sitewright.actions.add_sites import SiteOptions, add_site, front_pages
from sitewright.actions.status import not_learned
from sitewright.domains import DEFAULT_DOMAIN
from sitewright.errors import UsageError
from sitewright.python.arguments import Moment, StoreName, moment_in, store_address
from sitewright.store.database import DEFAULT_STORE, Store, open_store
from sitewright.store.entries import RecordQuery
from sitewright.types import Failure, FetchSettings, StoreSettings
from sitewright.watch.collector import Collector, CollectorOptions, open_collector, say_nothing
from sitewright.watch.tools import Say

P = ParamSpec("P")
Result = TypeVar("Result")
_PATIENCE = 60.0
"""Seconds for which a single pass waits for a store that is out of order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedSite:
    """What became of a site."""

    name: str
    """Under which it is in the store."""
    url: str
    new: int
    """Records that were not there before."""
    records: int
    """Records that are there now."""
    failures: int
    """Pages that have none."""
    error: Failure | None = None
    """Why no map of it could be learned; None where one was."""


async def acollect(  # noqa: PLR0913 -- each is one independent wish, and most have none
    urls: str | Iterable[str],
    store: StoreName = DEFAULT_STORE,
    *,
    pages: str | os.PathLike[str] = StoreSettings().pages,  # noqa: B008 -- frozen
    domain: str = DEFAULT_DOMAIN,
    since: Moment | None = None,
    seed: Sequence[str] = (),
    ban: Sequence[str] = (),
    category: str = "",
    once: bool = True,
    seconds: float | None = None,
    fetch: FetchSettings | None = None,
    workers: int = 0,
    say: Say = say_nothing,
) -> list[CollectedSite]:
    """Learn sites from the addresses of their front pages, and collect what they list into a store.

    It ends when all that is listed now is collected; with `once=False` it goes on watching. A site that is known goes
    on from where it was. What could not be learned says so in `error`.

    - `store`: a database (`sqlite:///news.db`, `news.db`, `postgresql://…`), made if it is not there
    - `pages`: the folder of the web archive, with all pages as they were fetched
    - `domain`: what kind of sites they are: `news`, `shop`, or the path of a file that describes one
    - `since`: also fill in the past since then
    - `seed`, `ban`: follow only links, or no links, with one of these parts; `re:…` is a regular expression
    - `category`: what the stories are of, beside what their pages say
    - `seconds`: end after so long, whatever is left
    - `fetch`: how pages are fetched
    - `workers`: how many processes read pages; 0: one a core
    - `say`: is told what is done, as `say(site, line)`; `print` will do
    """
    address = store_address(store)
    fronts = front_pages([urls] if isinstance(urls, str) else list(urls))
    wanted = SiteOptions(domain=domain, seed=seed, banned=ban, category=category, since=moment_in(since, "since"))
    collector = CollectorOptions(store=address, pages=os.fspath(pages), workers=workers, fetch=fetch or FetchSettings())
    with open_store(address) as opened:
        names = [add_site(opened, url, wanted) for url in fronts.values()]
        before = {name: _count(opened, name) for name in names}
    await _work(collector, say, seconds, lambda one: one.run(names, once=once, patience=_PATIENCE if once else None))
    with open_store(address) as opened:
        return _collected(opened, fronts, before)


async def _work(
    options: CollectorOptions, say: Say, seconds: float | None, work: Callable[[Collector], Awaitable[None]]
) -> None:
    """Let a collector work until it is done, or time is up."""
    bound = asyncio.timeout(seconds)
    try:
        async with open_collector(options, say=say) as collector, bound:
            await work(collector)
    except TimeoutError:
        if not bound.expired():
            raise


def _collected(store: Store, fronts: dict[str, str], before: dict[str, int]) -> list[CollectedSite]:
    unlearned = not_learned(store, list(before))
    return [
        CollectedSite(
            name=name,
            url=url,
            new=(there := _count(store, name)) - before[name],
            records=there,
            failures=len(store.failures(name)),
            error=(unlearned[name] or Failure(url, "learn", "learn_error", "not learned yet"))
            if name in unlearned
            else None,
        )
        for name, url in fronts.items()
    ]


def _count(store: Store, site: str) -> int:
    return store.count_records(RecordQuery(site=site))


def _awaited(name: str, work: Callable[P, Coroutine[Any, Any, Result]]) -> Callable[P, Result]:
    """Return a coroutine as a function of this name for whoever has no event loop."""

    @wraps(work)
    def call(*given: P.args, **named: P.kwargs) -> Result:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return asyncio.run(work(*given, **named))
        raise UsageError(
            f"an event loop is running here (as in a notebook); write: await sitewright.{work.__name__}(…)"
        )

    call.__name__ = call.__qualname__ = name
    return call


collect = _awaited("collect", acollect)
"""`acollect` for whoever has no event loop: waits until it is done. Ctrl-C ends it; what is collected is stored."""
