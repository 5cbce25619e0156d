"""A page and its level in, whether pages like it need a browser out: fetched both ways and compared."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta

from sitewright.errors import FetchError, PageError
from sitewright.fetch.fingerprint import Level
from sitewright.reading.rendering import OfferedCall
from sitewright.store.states import RenderCheck
from sitewright.types import ExtractionMap, Failure, Page, Render
from sitewright.watch.held_state import HeldState
from sitewright.watch.tools import Tools, WebTools

HOW: dict[Render, str] = {"static": "as served", "browser": "in a browser"}
_RECHECK, _DOUBTED = timedelta(days=7), timedelta(hours=1)
_ENOUGH_DOUBTS = 2


@dataclass(frozen=True, slots=True)
class Chosen:
    """How pages of a level are fetched, why, the page fetched so, and calls that bring its content as JSON."""

    render: Render
    reason: str
    page: Page
    calls: tuple[OfferedCall, ...] = ()


async def choose_rendering(tools: WebTools, static: Page, level: Level) -> Chosen:
    """Render a page that was fetched as served, and tell which of both is to be used."""
    if not tools.web.can_render:
        return Chosen("static", "there is no browser to compare with", static)
    try:
        rendering = await tools.web.render(static.url)
    except (FetchError, PageError) as error:
        return Chosen("static", f"a browser does not show it: {error}", static)
    if static.status >= 400 > rendering.page.status:
        return Chosen("browser", f"without a browser the server answers {static.status}", rendering.page)
    compared = await tools.readers.compare(static, rendering.page, rendering.calls, level)
    if isinstance(compared, Failure):
        return Chosen("static", f"they cannot be compared: {compared.detail}", static)
    decision, calls = compared
    page = rendering.page if decision.choice == "browser" else static
    return Chosen(decision.choice, decision.reason, page, tuple(calls))


class Rechecks:
    """Now and then, whether the choice for a level still holds; what is known of it is a part of the site's state."""

    def __init__(self, tools: Tools, site: str, held: HeldState) -> None:
        self._tools = tools
        self._site = site
        self._held = held

    def note(self, *levels: Level) -> None:
        """Take note that these levels were looked at both ways just now."""
        self._keep({level: RenderCheck(checked=self._tools.clock.now()) for level in levels})

    def _keep(self, checks: Mapping[str, RenderCheck]) -> None:
        self._held.change(rendering={**self._held.now.rendering, **checks})

    def is_due(self, level: Level) -> bool:
        """Tell whether it is time to look at a level both ways again."""
        known = self._held.now.rendering.get(level)
        if known is None or not self._tools.web.can_render:
            return False
        return self._tools.clock.now() >= known.checked + (_DOUBTED if known.doubts else _RECHECK)

    async def check(self, url: str, level: Level, current: Render) -> Render:
        """Fetch a page both ways, and return how pages like it are to be fetched from now on.

        One page alone changes nothing: the next check, an hour later, has to say the same.
        """
        try:
            chosen = await choose_rendering(self._tools, await self._tools.fetch(url), level)
        except (FetchError, PageError):
            return current
        doubts = self._held.now.rendering[level].doubts + 1 if chosen.render != current else 0
        self._keep({level: RenderCheck(checked=self._tools.clock.now(), doubts=doubts % _ENOUGH_DOUBTS)})
        if doubts < _ENOUGH_DOUBTS:
            return current
        self._tools.say(self._site, f"{level} pages are fetched {HOW[chosen.render]} from now on: {chosen.reason}")
        return chosen.render


def with_rendering(extraction_map: ExtractionMap, level: Level, render: Render) -> ExtractionMap:
    """Return the next version of a map, in which pages of a level are fetched so; a template's own word stays."""
    version = extraction_map.version + 1
    if level == "item":
        return replace(extraction_map, render=render, version=version)
    entries = tuple(replace(entry, render=render) if entry.items else entry for entry in extraction_map.index)
    return replace(extraction_map, index=entries, version=version)
