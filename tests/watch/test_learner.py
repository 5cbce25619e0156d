"""Sites seen for the first time, in this process: a web of made-up pages."""

import asyncio

import pytest

from sitewright.fetch import MemoryWeb
from sitewright.processes.readers import ReadersHere
from sitewright.types import Failure, Limits
from sitewright.watch.clock import Clock
from sitewright.watch.learner import Learner
from sitewright.watch.links import LinkRules
from sitewright.watch.tools import WebTools

FRONT = "https://example.com/"
LINKS = b"".join(b"<a href=/story-%d>A story of bees, part %d</a>" % (one, one) for one in range(11))


@pytest.mark.parametrize("always", [False, True])
def test_a_front_page_with_too_many_links_is_not_shown_in_a_browser(always: bool) -> None:
    web = MemoryWeb({FRONT: LINKS}, {FRONT: LINKS})
    said: list[str] = []
    tools = WebTools(
        web=web, readers=ReadersHere(Limits(links=10)), clock=Clock(), say=lambda _, line: said.append(line)
    )
    learner = Learner(tools, "example.com", "news", LinkRules("example.com"), always_render=always)
    learned = asyncio.run(learner.learn(FRONT))
    assert isinstance(learned, Failure)
    assert learned.code == "too_many_links"
    assert "browser" not in [request.render for request in web.requests]
    assert any("not read, nor shown in a browser: the page has 11 links" in line for line in said)
