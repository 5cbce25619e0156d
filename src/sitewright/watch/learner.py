"""The front page of a site in, its map and the sources to watch out: found, sampled and learned on first sight."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, zip_longest
from urllib.parse import urljoin

from sitewright.domains import load_domain
from sitewright.domains.domain import Item
from sitewright.errors import ErrorPage, FetchError, NoArticles, NoLinks, NotHtml, PageError
from sitewright.fetch import PagePlace, retry_after_of
from sitewright.fetch.fingerprint import Level
from sitewright.links import Feed, is_feed, links_of_feed
from sitewright.maps import dump_map
from sitewright.parse import clean_url
from sitewright.parse.signatures import signature_of_clean
from sitewright.parse.sites import site_name
from sitewright.processes.work import told
from sitewright.reading.feeds import FeedSearch, contents_of
from sitewright.reading.index import SiteRead
from sitewright.reading.learn import MapLearned, Tagged
from sitewright.reading.levels import SeenPage
from sitewright.reading.rendering import OfferedCall
from sitewright.types import ExtractionMap, Failure, IndexPage, Link, LinkSet, Page, Render
from sitewright.values.words import counted
from sitewright.watch.explorer import explore
from sitewright.watch.links import LinkRules
from sitewright.watch.rendering import HOW, Chosen, choose_rendering
from sitewright.watch.retries import is_busy
from sitewright.watch.tools import WebTools

SAMPLE = 24
"""Articles a map is learned from: beyond twenty it gets slower to learn and hardly better (docs/evaluation.md)."""
_MOST_SECTIONS = 8
_MOST_FEEDS = 12
_AT_ONCE = 4
_COMPARED = 2
"""Articles that are fetched both ways."""
_MOST_MISSES = 6
"""Where so many more articles cannot be fetched than can, no others are asked for."""
_FRONT, _FEED, _SECTION = 10, 5, 2
"""Weights: of the front page, of feeds, of sections."""
_ADVICE = {
    NotHtml.code: "name the front page of the site, or its feed",
    NoLinks.code: "name the page that lists articles, or the feed",
}
"""What to do where the front page is not what it should be, as far as its failure does not say."""
_LEVELS: dict[Level, str] = {"index": "the front page", "list": "sections"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedSite:
    """All that was learned of a site, and the articles that were fetched for it."""

    text: str
    """The map, as the text of its file."""
    extraction_map: ExtractionMap
    sampled: Sequence[Page]
    calls: Sequence[OfferedCall]
    """Calls that bring the content of rendered pages as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyedSite:
    """What a look around a site gave: articles to learn from, and the pages to watch."""

    site: str
    tagged: Sequence[Tagged]
    """The articles, at least one."""
    index: Sequence[IndexPage]
    render: Render
    """How articles are fetched."""
    calls: Sequence[OfferedCall] = ()
    lists: Sequence[Tagged] = ()
    """Lists of items, on sites that are walked from list to list."""

    @property
    def learned_from(self) -> list[Tagged]:
        """All pages that a map is learned from."""
        return [*self.tagged, *self.lists]

    @property
    def pages(self) -> list[Page]:
        """The articles, as they were fetched."""
        return [page.place.load() for page in self.tagged]

    def completed(self, extraction_map: ExtractionMap) -> ExtractionMap:
        """Return a map that was learned from the articles with what else is known of the site."""
        return replace(extraction_map, site=self.site, index=tuple(self.index), render=self.render)


@dataclass(frozen=True, slots=True)
class _Front:
    """What the index pages of a site show."""

    read: SiteRead
    renders: Mapping[str, Render]
    feeds: Sequence[tuple[str, Feed]] = ()

    @property
    def pages(self) -> list[LinkSet]:
        return [page for page in self.read.pages if isinstance(page, LinkSet)]

    @property
    def failures(self) -> list[Failure]:
        return [page for page in self.read.pages if isinstance(page, Failure)]

    @property
    def story_feeds(self) -> list[tuple[str, list[Link]]]:
        """Feeds and news sitemaps, with the articles they list."""
        listed = ((url, _articles(links_of_feed(feed, url))) for url, feed in self.feeds)
        return [(url, links) for url, links in listed if links]


@dataclass(slots=True)
class Learner:
    """Learns one site; what it does is told step by step."""

    tools: WebTools
    site: str
    domain: str
    rules: LinkRules
    most: int = SAMPLE
    """Articles to learn from."""
    always_render: bool = False
    """Whether a browser shows all pages; else it does where that makes a difference."""
    asked_to_wait: float = 0.0
    """How many seconds the server asks to be left alone."""
    _failures: list[Failure] = field(default_factory=list)
    """Why sections and articles are not there."""
    _calls: list[OfferedCall] = field(default_factory=list)

    async def learn(self, url: str, items: Sequence[str] = ()) -> LearnedSite | Failure:
        """Learn the site of a front page, or from some of its items alone; or say why that is not possible."""
        surveyed = await (self._survey_items(url, items) if items else self.survey(url))
        if isinstance(surveyed, Failure):
            return surveyed
        learned = await self.tools.readers.learn(surveyed.learned_from, self.domain)
        if isinstance(learned, Failure):
            return replace(learned, url=url)
        return self._finished(learned, surveyed)

    async def survey(self, url: str) -> SurveyedSite | Failure:
        """Look around from a front page: find its articles, and fetch and tag some; or say why there are none."""
        self._say(f"looking at {url}")
        try:
            first = await self.tools.fetch(url, cached=True)
        except (FetchError, PageError) as error:
            return Failure(url, "learn", error.code, str(error))
        self.asked_to_wait = retry_after_of(first)
        if load_domain(self.domain).is_walked:
            return await self._survey_levels(first)
        front = await self._look_around(first)
        links = self._candidates(front)
        if not links:
            return self._nothing(first, front)
        samples, render = await self._sample(links)
        tagged = await self._tag(samples)
        if not tagged:
            return self._nothing(first, front)
        return SurveyedSite(
            site=self.site, tagged=tagged, index=tuple(self._index(front)), render=render, calls=tuple(self._calls)
        )

    async def _survey_items(self, url: str, items: Sequence[str]) -> SurveyedSite | Failure:
        """Fetch and tag items that somebody named; nothing else of the site is looked at."""
        samples, render = await self._sample([Link(url=item) for item in items])
        tagged = [tag for tag in await self._tag(samples) if tag.page is not None]
        if not tagged:
            first = next(iter(self._failures), Failure(url, "learn", NoArticles.code, f"none is {self._item.called}"))
            return Failure(url, "learn", first.code, told(first))
        return SurveyedSite(site=self.site, tagged=tagged, index=(), render=render, calls=tuple(self._calls))

    async def _survey_levels(self, first: Page) -> SurveyedSite | Failure:
        """Walk down from a front page to lists, and from these to items; fetch and tag some of both."""
        chosen = await self._choose(first, "index")
        render: list[Render] = []

        async def fetch(url: str) -> Page | None:
            page = await self._needed(url, render[0] if render else "static")
            if page is None or render:
                return page
            render.append("static")
            compared = await self._choose(page, "list")
            render[0] = compared.render
            return compared.page

        async def look(page: Page) -> SeenPage | Failure:
            return await self.tools.readers.look_at(page, self.domain, self.site)

        found = await explore(chosen.page, self.rules, fetch, look)
        in_the_way = found if isinstance(found, Failure) else found.wall if not found.lists else None
        if isinstance(found, Failure) or in_the_way is not None:
            return self._nothing(first, _Front(SiteRead(pages=(in_the_way,) if in_the_way is not None else ()), {}))
        links = list(self._followed(Link(url=url) for url in found.items()))
        self._say(f"{self._counted(len(links))} listed on {counted(len(found.lists), 'list')}")
        samples, render_of_items = await self._sample(links)
        tagged = [tag for tag in await self._tag(samples) if tag.page is not None]
        if not tagged:
            return self._nothing(first, _Front(SiteRead(pages=()), {}))
        pages = [*found.above, *(page for page, _ in found.lists)]
        entry = await self.tools.readers.learn_levels(pages, [link.url for link in links], found.to_lists, first.url)
        if isinstance(entry, Failure):
            return replace(entry, url=first.url)
        return SurveyedSite(
            site=self.site,
            tagged=tagged,
            index=(replace(entry, weight=_FRONT, render=(render or [chosen.render])[0]),),
            render=render_of_items,
            calls=tuple(self._calls),
            lists=[Tagged(PagePlace(page), seen.tagged) for page, seen in found.lists],
        )

    @property
    def _item(self) -> Item:
        return load_domain(self.domain).item

    def _counted(self, number: int) -> str:
        return f"{number:,} {self._item.kind if number == 1 else self._item.plural}"

    def _say(self, line: str) -> None:
        self.tools.say(self.site, line)

    async def _look_around(self, first: Page) -> _Front:
        """Read the front page, its feeds and sitemaps, and some of its sections; a feed alone, where that was named."""
        if first.status < 400 and is_feed(first.body):
            feed = await self.tools.readers.read_feed(first)
            if isinstance(feed, Feed):
                return _Front(SiteRead(pages=()), {}, [(first.url, feed)])
        chosen = await self._choose(first, "index")
        read = await self._read([chosen.page])
        if is_busy(chosen.page.status):  # more questions would not help
            return _Front(read, {})
        feeds = [found async for found in self._feeds(first.url, read.feeds)]
        sections = [section async for section in self._sections(read)]
        if sections:
            read = await self._read([chosen.page, *(section.page for section in sections)])
        renders = {one.page.location: one.render for one in (chosen, *sections)}
        return _Front(read, renders, feeds)

    async def _choose(self, page: Page, level: Level) -> Chosen:
        chosen = await self._compared(page, level)
        self._say(f"{_LEVELS.get(level) or self._item.plural}: fetched {HOW[chosen.render]} ({chosen.reason})")
        if chosen.render == "browser":
            self._calls += chosen.calls
            for call in chosen.calls[:1]:
                self._say(f"their content comes as JSON, too ({call.share:.0%} of it): {call.method} {call.url}")
        return chosen

    async def _compared(self, page: Page, level: Level) -> Chosen:
        if level != "item" and (refused := await self.tools.readers.too_many_links(page)) is not None:
            return Chosen("static", f"it is not read, nor shown in a browser: {refused.detail}", page)
        if not self.always_render:
            return await choose_rendering(self.tools, page, level)
        shown = await self._fetch(page.url, "browser")
        return Chosen("browser", "as asked for", shown if isinstance(shown, Page) else page)

    async def _read(self, pages: Sequence[Page]) -> SiteRead:
        read = await self.tools.readers.read_site(pages)
        return SiteRead(pages=(read,)) if isinstance(read, Failure) else read

    async def _feeds(self, url: str, named: Sequence[str]) -> AsyncIterator[tuple[str, Feed]]:
        robots = await self._fetch(urljoin(url, "/robots.txt"), "static")
        text = robots.body if isinstance(robots, Page) and robots.status < 400 else b""
        search = FeedSearch(url, named, text if isinstance(text, str) else text.decode("utf-8", "replace"), _MOST_FEEDS)
        for address in search.addresses():
            page = await self._fetch(address, "static")
            feed = await self.tools.readers.read_feed(page) if isinstance(page, Page) else page
            if isinstance(feed, Feed):
                search.add(feed)
                self._say(f"{address}: {contents_of(feed)}")
                yield address, feed

    async def _sections(self, read: SiteRead) -> AsyncIterator[Chosen]:
        """Yield pages of the front page's sections; the first of them is fetched both ways."""
        links = [link for page in read.pages if isinstance(page, LinkSet) for link in page.links if link.role == "list"]
        render: Render | None = None
        for link in islice(self._followed(links), _MOST_SECTIONS):
            page = await self._needed(link.url, render or "static")
            if page is None:
                continue
            chosen = Chosen(render, "", page) if render is not None else await self._choose(page, "list")
            render = chosen.render
            yield chosen

    async def _fetch(self, url: str, render: Render) -> Page | Failure:
        try:
            return await self.tools.fetch(url, render, cached=True)
        except (FetchError, PageError) as error:
            return Failure(url, "learn", error.code, str(error))

    async def _needed(self, url: str, render: Render) -> Page | None:
        """Return a section or an article; where it is not there, remember why."""
        page = await self._fetch(url, render)
        if isinstance(page, Page) and page.status >= 400:
            self.asked_to_wait = max(self.asked_to_wait, retry_after_of(page))
            page = Failure(url, "learn", ErrorPage.code, _refusal_of(page.status))
        if isinstance(page, Failure):
            self._failures.append(page)
            return None
        return page

    def _followed(self, links: Iterable[Link]) -> Iterator[Link]:
        """Yield links that the rules let through, each page once, without what only tells visits apart."""
        met: set[str] = set()
        for link in links:
            url = clean_url(link.url)
            name = signature_of_clean(url)
            if name not in met and not self.rules.refusal(url):
                met.add(name)
                yield replace(link, url=url)

    def _candidates(self, front: _Front) -> list[Link]:
        """Return article links, taken in turn from each source, so that all kinds of articles are among the first."""
        lists = [_articles(page) for page in front.pages] + [links for _, links in front.story_feeds]
        in_turn = chain.from_iterable(zip_longest(*lists))
        links = list(self._followed(link for link in in_turn if link is not None))
        feeds = f" and in {counted(len(front.story_feeds), 'feed')}"
        listed = f"{self._counted(len(links))} listed on {counted(len(front.pages), 'page')}"
        self._say(listed + feeds * bool(front.story_feeds))
        return links

    async def _sample(self, links: Sequence[Link]) -> tuple[list[Page], Render]:
        """Fetch articles to learn from; the first of them both ways."""
        wanted = iter(links)
        pages: list[Page] = []
        render: Render = "static"
        misses = 0
        for link in wanted:
            page = await self._needed(link.url, "static")
            if page is not None:
                chosen = await self._choose(page, "item")
                pages.append(chosen.page)
                render = chosen.render
            misses += page is None
            if render == "browser" or len(pages) == min(_COMPARED, self.most) or misses == _MOST_MISSES:
                break
        if render == "browser":  # those before it are fetched anew
            shown = pages[-1]
            pages, wanted = [shown], (link for link in links if link.url != shown.url)
        while len(pages) < self.most and misses < len(pages) + _MOST_MISSES:
            some = list(islice(wanted, min(_AT_ONCE, self.most - len(pages))))
            if not some:
                break
            fetched = await asyncio.gather(*(self._needed(link.url, render) for link in some))
            pages += (page for page in fetched if page is not None)
            misses += fetched.count(None)
        return pages, render

    async def _tag(self, pages: Sequence[Page]) -> list[Tagged]:
        self._say(f"{self._counted(len(pages))} to learn from")
        tagged = await asyncio.gather(*(self.tools.readers.tag(page, self.domain) for page in pages))
        self._failures += [tag for tag in tagged if isinstance(tag, Failure)]
        pairs = zip(pages, tagged, strict=True)
        return [Tagged(PagePlace(page), tag) for page, tag in pairs if not isinstance(tag, Failure)]

    def _nothing(self, first: Page, front: _Front) -> Failure:
        """Say why there is nothing to learn from: what stands in the way, or that there are no articles."""
        for failure in front.failures:
            detail = _refusal_of(first.status) if failure.code == ErrorPage.code else failure.detail
            advice = f"; {_ADVICE[failure.code]}" if failure.code in _ADVICE else ""
            return Failure(first.url, "learn", failure.code, f"{detail}{advice}")
        for failure in self._failures:
            several = len(self._failures) > 1
            what = f"none of {len(self._failures)} pages that it lists can be read; the first: " if several else ""
            return Failure(first.url, "learn", failure.code, f"{what}{told(failure)}")
        detail = (
            f"no {self._item.noun} links were found; name the page that lists them, or the feed, instead of this one"
        )
        if site_name(first.location) != self.site:
            detail = f"it leads to {first.location}; collect that address instead"
        return Failure(first.url, "learn", NoArticles.code, detail)

    def _finished(self, learned: MapLearned, surveyed: SurveyedSite) -> LearnedSite:
        for warning in learned.warnings:
            self._say(f"warning: {warning}")
        site_map = replace(surveyed.completed(learned.extraction_map), version=1)
        fields = ", ".join(site_map.fields)
        self._say(f"learned from {self._counted(len(surveyed.tagged))}: {fields}")
        return LearnedSite(
            text=dump_map(site_map, heading=learned.heading),
            extraction_map=site_map,
            sampled=surveyed.pages,
            calls=surveyed.calls,
        )

    def _index(self, front: _Front) -> Iterator[IndexPage]:
        """Yield the pages to watch: the front page, sections with articles, feeds."""
        selectors = {entry.url: entry.items for entry in front.read.entries}
        for number, page in enumerate(front.pages):
            if _articles(page):
                yield IndexPage(
                    url=page.url,
                    items=selectors.get(page.url, ()),
                    weight=_SECTION if number else _FRONT,
                    render=front.renders.get(page.url),
                )
        for url, _ in front.story_feeds:
            yield IndexPage(url=url, weight=_FEED, render="static")


def _refusal_of(status: int) -> str:
    """Say what an error of a server means for who wants to learn its site."""
    if is_busy(status):
        return f"the server answered {status}: it is too busy or out of order; try again later"
    if status in (401, 403):
        return f"the server answered {status}: it does not want to be read by programs; ask the site for leave"
    return f"the server answered {status}; check the address"


def _articles(links: LinkSet) -> list[Link]:
    return [link for link in links.links if link.is_item]
