"""The address of a site in, its map out: its articles are found, some of them fetched, and a map learned from them."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from sitewright.actions.learn_map import LearnedMap, LearnOptions, learn_tagged
from sitewright.actions.telling import Tell, nobody
from sitewright.errors import LearnError
from sitewright.fetch import LiveWeb, Web
from sitewright.parse.sites import front_page, site_name
from sitewright.processes.readers import Readers
from sitewright.processes.work import told
from sitewright.types import Failure, FetchSettings, Limits
from sitewright.watch.clock import Clock
from sitewright.watch.learner import SAMPLE, Learner, SurveyedSite
from sitewright.watch.links import LinkRules
from sitewright.watch.tools import WebTools

OpenWeb = Callable[[FetchSettings, Limits], AbstractAsyncContextManager[Web]]
"""Opens the web that pages are fetched from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteOptions:
    """How a site is looked at."""

    fetch: FetchSettings
    pages: int = SAMPLE
    """Articles to learn from, at most; beyond twenty-four a map gets hardly better."""
    render: bool = False
    """Whether a browser shows all pages; else it does where that makes a difference."""


def learn_site(
    url: str, options: LearnOptions, looking: SiteOptions, tell: Tell = nobody, open_web: OpenWeb = LiveWeb
) -> LearnedMap:
    """Learn the map of a site from its front page on; `tell` hears each step. `LearnError` says what is in the way."""
    surveyed = asyncio.run(_survey(front_page(url), options, looking, tell, open_web))
    if isinstance(surveyed, Failure):
        raise learn_error(surveyed)
    return learn_tagged(surveyed.learned_from, options, surveyed.completed)


async def _survey(
    url: str, options: LearnOptions, looking: SiteOptions, tell: Tell, open_web: OpenWeb
) -> SurveyedSite | Failure:
    site = site_name(url)
    async with open_web(looking.fetch, options.limits) as web, Readers(options.limits, options.jobs) as readers:
        tools = WebTools(web=web, readers=readers, clock=Clock(), say=lambda _, line: tell(line))
        learner = Learner(
            tools,
            site,
            options.known_domain,
            LinkRules(site),
            most=min(looking.pages, SAMPLE),
            always_render=looking.render,
        )
        return await learner.survey(url)


def learn_error(failure: Failure) -> LearnError:
    """Return a failure to learn a site as an error that can be raised; its code stays."""
    error = LearnError(told(failure))
    error.code = failure.code
    return error
